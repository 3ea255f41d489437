//! Performs the commands and failures of a plan, and collects the answers that people get.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    concern::{Concern, Delay, Finding},
    engine::{AcceptedFee, CommandDone as Done},
    geo::Point,
    ids::{JobId, MechanicId, UserId, VehicleId},
    job::state::{Actor as By, Command, Correction, Event, LiveOffer, NewPickup, Refusal},
    ports::OfferStatus,
    protocol::{Assign, Cancel, TakeBack},
    simulation::world::{CENTRE, user_of},
};

use crate::{
    check::{Answer, Trace},
    plan::What,
    play::{GRACE, Play},
};

impl Play {
    pub async fn perform(&self, due: DateTime<Utc>, what: What, expiry: DateTime<Utc>) {
        self.until(due).await;
        self.note(|| format!("{what:?}"));
        match what {
            What::Accept { job, mechanic, lag_ms } => {
                // The service stamps requests with a finer clock than the timers of this world.
                let now = self.now();
                let stamp = if (now - due).abs() <= TimeDelta::milliseconds(2) { due } else { now };
                self.accept(self.job(job), self.mechanic(mechanic), stamp, lag_ms).await;
            }
            What::Open { is_same_vehicle } => {
                let first = self.journal().job(self.job(0)).map(|job| job.spec.vehicle_id);
                let another = VehicleId(self.id());
                drop(self.open(first.filter(|_| is_same_vehicle).unwrap_or(another), 2).await);
            }
            What::Available { mechanic, is_available } => {
                let answer = self.engine().set_availability(self.mechanic(mechanic), is_available).await;
                self.note(|| format!("{what:?}: {answer:?}"));
            }
            What::Refresh { job } => drop(self.engine().refresh(self.job(job), None).await),
            What::StrikeJob { job } => self.engine().panic_job(self.job(job)),
            What::StrikeMechanic { mechanic } => self.engine().panic_mechanic(self.mechanic(mechanic)),
            What::StrikeDispatcher => self.engine().panic_dispatcher(),
            What::Restart { down_ms } => self.restart(Duration::from_millis(down_ms)).await,
            What::Away { for_ms } => {
                self.journal().go_away();
                tokio::time::sleep(Duration::from_millis(for_ms)).await;
                self.journal().come_back();
            }
            What::Silence { job } => self.lose_by_silence(self.job(job)).await,
            What::TakeBack { job, mechanic } => {
                let (job, id) = (self.job(job), self.mechanic(mechanic));
                let engine = self.engine();
                let (command, logged_under, user) = (engine.new_command(), None, user_of(id));
                let take_back = TakeBack { command, logged_under, job, mechanic: id, user };
                let answer = take_back.carry_out(&engine).await;
                self.answered("take-back", Trace::Accepted(job, None, id), &answer);
            }
            What::Expire => self.until(expiry + GRACE + TimeDelta::milliseconds(1)).await,
            _ => self.command(what).await,
        }
    }

    /// Gives a job one of the commands that reach it unchanged.
    async fn command(&self, what: What) {
        let (job, mechanic, trace, command) = match what {
            What::Decline { job, mechanic } | What::Revoke { job, mechanic } => {
                let (job, mechanic_id) = (self.job(job), self.mechanic(mechanic));
                let Some(offer) = self.offer(job, mechanic_id) else { return };
                let offer_id = offer.id;
                match what {
                    What::Decline { .. } => {
                        let command = Command::Decline { offer_id, mechanic_id, reason: None };
                        (job, Some(mechanic_id), Trace::Declined(offer_id), command)
                    }
                    _ => (job, None, Trace::Revoked(offer_id), Command::Revoke { offer_id, mechanic_id }),
                }
            }
            What::EnRoute { job, mechanic } => {
                let (job, mechanic_id) = (self.job(job), self.mechanic(mechanic));
                (job, Some(mechanic_id), Trace::EnRoute(job), Command::EnRoute { mechanic_id })
            }
            What::Navigate { job, mechanic, is_elsewhere } => {
                let (job, mechanic_id) = (self.job(job), self.mechanic(mechanic));
                let trace = if is_elsewhere { Trace::HandedOver(job) } else { Trace::CameBack(job) };
                (job, Some(mechanic_id), trace, Command::Navigate { mechanic_id, is_elsewhere })
            }
            What::Release { job, mechanic } => {
                let (job, mechanic_id) = (self.job(job), self.mechanic(mechanic));
                let release = Command::Release { mechanic_id, reason_code: "breakdown".to_owned() };
                (job, Some(mechanic_id), Trace::Released(job, mechanic_id), release)
            }
            What::Reassign { job } => {
                let job = self.job(job);
                (job, None, Trace::Reassigned(job), Command::Reassign { reason: "complaint".to_owned() })
            }
            What::Retry { job } => {
                (self.job(job), None, Trace::Retried(self.job(job)), Command::Retry { most_open_jobs: None })
            }
            What::Move { job } => {
                let job = self.job(job);
                (job, None, Trace::Corrected(job), self.moved(job))
            }
            What::Cancel { job } => return drop(self.cancel(self.job(job)).await),
            What::Assign { job, mechanic } => {
                let (job, id) = (self.job(job), self.mechanic(mechanic));
                let engine = self.engine();
                let assign = Assign {
                    command: engine.new_command(),
                    logged_under: None,
                    job,
                    mechanic: id,
                    admin: user_of(id),
                    override_reason: Some("nobody else is near".to_owned()),
                };
                let answer = assign.carry_out(&engine).await;
                return self.answered("assign", Trace::Accepted(job, None, id), &answer);
            }
            _ => return,
        };
        let by = mechanic.map_or(By::System, |id| By::Mechanic(user_of(id)));
        let name = name(&trace);
        let answer = self.engine().order(self.engine().new_command(), job, by, command).await;
        self.answered(name, trace, &answer);
    }

    /// Reports, as the watch over the job's mechanic does, that nothing has come from their phone for long.
    pub async fn lose_by_silence(&self, id: JobId) {
        let Some(job) = self.journal().job(id) else { return };
        let Some(mechanic_id) = job.assignment().map(|assignment| assignment.mechanic_id) else { return };
        let report = |finding| Command::Watch { mechanic_id, attempt: job.attempt, finding };
        let delayed = Finding::Delayed(Delay { concern: Concern::Dark, since: self.now() });
        drop(self.engine().order(self.engine().new_command(), id, By::System, report(delayed)).await);
        let lost = self
            .engine()
            .order(self.engine().new_command(), id, By::System, report(Finding::Lost(Concern::Dark)))
            .await;
        self.answered("silence", Trace::Reassigned(id), &lost);
    }

    /// Returns a correction that moves the pickup to about 100 m north of its first place.
    fn moved(&self, job: JobId) -> Command {
        let job = self.journal().job(job);
        let from = job.as_ref().map_or(CENTRE, |job| job.original_pickup());
        let mechanic = job.as_ref().and_then(|job| Some(job.assignment()?.mechanic_id));
        let point = Point::new(from.lat + 0.001, from.lng);
        let pickup = Some(NewPickup { point, travel_price_paise: 0, mechanic, eta_s: Some(60) });
        let seen_corrections = job.map_or(0, |job| job.corrections);
        Command::Correct(Box::new(Correction { seen_corrections, pickup, ..Correction::default() }))
    }

    pub async fn cancel(&self, job: JobId) -> Result<(), Refusal> {
        let engine = self.engine();
        let cancel = Cancel {
            command: engine.new_command(),
            logged_under: None,
            job,
            by: By::Customer(UserId(uuid::Uuid::from_u128(1))),
            reason_code: "changed_mind".to_owned(),
            reason: None,
            accepted_fee: AcceptedFee::Any,
            free_cancellations: None,
        };
        let answer = cancel.carry_out(&engine).await;
        self.answered("cancel", Trace::Cancelled(job), &answer);
        answer.map(drop)
    }

    async fn accept(&self, job: JobId, mechanic: MechanicId, stamp: DateTime<Utc>, lag_ms: u64) {
        let Some(offer) = self.offer(job, mechanic) else { return };
        if lag_ms > 0 {
            tokio::time::sleep(Duration::from_millis(lag_ms)).await;
        }
        // This is an order, because the call has the age of the answer, and a stamp may be ahead of the timers' clock.
        let engine = self.engine();
        let command = engine.new_command();
        let start_code = self.world.borrow().random.digits(4);
        let (offer_id, mechanic_id, answered_at) = (offer.id, mechanic, stamp);
        let accept = Command::Accept { offer_id, mechanic_id, answered_at, start_code };
        let answer = engine.order(command, job, By::Mechanic(user_of(mechanic)), accept).await;
        let is_own = offer.mechanic_id == mechanic;
        let is_in_time = stamp <= offer.expires_at + GRACE;
        let row = self.journal().offer(offer.id);
        let is_open = row.is_some_and(|row| row.status == OfferStatus::Pending);
        let wrong = match &answer {
            Err(Refusal::OfferExpired) if is_own && is_in_time && is_open => {
                Some("expired, while it was open")
            }
            Err(Refusal::OfferTaken) if !self.is_won_by_another(job, mechanic) => Some("taken, by nobody"),
            Ok(done) if !is_own => {
                Some(if done.event.is_some() { "for another" } else { "again, for another" })
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            let text = format!("{mechanic} was told of {offer:?}, answered at {stamp}: {wrong}");
            self.wrong.borrow_mut().get_or_insert(text);
        }
        self.answered("accept", Trace::Accepted(job, Some(offer.id), mechanic), &answer);
    }

    /// Returns whether, by the log, another mechanic has or had the job.
    fn is_won_by_another(&self, job: JobId, mechanic: MechanicId) -> bool {
        let is_another = |event: &Event| match event {
            Event::Accepted { assignment, .. } => assignment.mechanic_id != mechanic,
            _ => false,
        };
        self.journal().events(job).iter().any(|committed| is_another(&committed.event))
    }

    /// Returns the mechanic's last offer of the job, or another mechanic's if they got none.
    fn offer(&self, job: JobId, mechanic: MechanicId) -> Option<LiveOffer> {
        let events = self.journal().events(job);
        let made = events.into_iter().rev().filter_map(|committed| match committed.event {
            Event::OffersMade { offers } => Some(offers),
            _ => None,
        });
        let made: Vec<LiveOffer> = made.flatten().collect();
        let own = made.iter().find(|offer| offer.mechanic_id == mechanic);
        own.or(made.first()).cloned()
    }

    pub fn answered(&self, name: &'static str, trace: Trace, result: &Result<Done, Refusal>) {
        let answer = Answer::of(result);
        let (name, became) = (name, answer.name());
        *self.told.borrow_mut().entry((name, became)).or_default() += 1;
        self.note(|| format!("{trace:?}: {:?}", result.as_ref().map(|done| done.job.status())));
        self.answers.borrow_mut().push((trace, answer));
    }

    async fn restart(&self, down: Duration) {
        if self.is_down.replace(true) {
            return;
        }
        self.world.borrow_mut().die();
        tokio::time::sleep(down + Duration::from_millis(1)).await;
        self.world.borrow_mut().rise();
        self.is_down.set(false);
    }

    pub async fn until(&self, due: DateTime<Utc>) {
        if let Ok(wait) = (due - self.now()).to_std() {
            tokio::time::sleep(wait).await;
        }
    }
}

fn name(trace: &Trace) -> &'static str {
    match trace {
        Trace::Created(_) => "open",
        Trace::Accepted(..) => "accept",
        Trace::Declined(_) => "decline",
        Trace::Revoked(_) => "revoke",
        Trace::EnRoute(_) => "en-route",
        Trace::HandedOver(_) => "hand over",
        Trace::CameBack(_) => "come back",
        Trace::Released(..) => "release",
        Trace::Reassigned(_) => "reassign",
        Trace::Cancelled(_) => "cancel",
        Trace::Retried(_) => "retry",
        Trace::Corrected(_) => "correct",
    }
}
