//! A mechanic's actions on a job: they drive, arrive, start, work, complete; or give the job back on the way.

use roadcall_actors::{
    engine::CommandDone as Done,
    ids::JobId,
    job::state::{Actor as By, Command, DropOff, Outcome, Refusal, Status},
    protocol::{Arrive, TakeBack},
};

use super::{
    mechanic_profiles::GREETING_S,
    people::{Act, Engaged, MAX_TRIES, RETRY_S, user_of},
    phones::REFRESH_AFTER_S,
    queue::Step,
    run::Run,
    travel::{self, Millis, Motion, millis},
};

/// How often an arrival that the service finds implausible is tried with a new position; then the mechanic gives a reason.
const TRIES_WITHOUT_REASON: u32 = 10;

impl Run {
    /// Sets the mechanic out to a job that they learn they have.
    pub(super) fn engage(&mut self, m: usize, job: JobId, c: usize) {
        match self.workers[m].engaged.map(|engaged| engaged.job) {
            Some(current) if current == job => return,
            Some(current) => self.leave(m, current),
            None => {}
        }
        self.count_idle_way(m);
        let (scenario, now) = (self.plan.scenario.clone(), self.now);
        let to = self.customers[c].call.pickup;
        let worker = &mut self.workers[m];
        let from = worker.motion.at(now);
        let arrives = now + worker.person.trip(&scenario, c, from, to, now);
        worker.motion = Motion { from, to, departs: now, arrives };
        worker.engaged = Some(Engaged { job, customer: c, act: Act::SetOut, tries: 0 });
        worker.engagements += 1;
        self.plan_work(m, now);
    }

    pub(super) fn on_assigned(&mut self, m: usize, job: JobId, c: usize, is_on_it: bool) {
        if self.is_lost(m) {
            return self.refresh_after(m, REFRESH_AFTER_S);
        }
        match is_on_it {
            true => self.engage(m, job, c),
            false => self.leave(m, job),
        }
    }

    /// Ends the job for this mechanic, for whatever reason.
    pub(super) fn leave(&mut self, m: usize, job: JobId) {
        let Some(engaged) = self.workers[m].engaged.filter(|engaged| engaged.job == job) else { return };
        self.count_way(m, engaged);
        let now = self.now;
        let worker = &mut self.workers[m];
        worker.motion = Motion::still(worker.motion.at(now));
        worker.engaged = None;
        if worker.is_on_shift {
            self.cruise(m, engaged.customer);
        } else {
            // The shift ended during the job.
            worker.is_available = false;
            self.refresh_after(m, 0.0);
        }
    }

    /// Adds the driven part of the way to the pickup, unless the arrival has added it.
    fn count_way(&mut self, m: usize, engaged: Engaged) {
        if matches!(engaged.act, Act::SetOut | Act::GiveBack | Act::Arrive) {
            let motion = self.workers[m].motion;
            let whole_m = travel::road_m(&self.plan.scenario, motion.from, motion.to);
            self.workers[m].driven_m += whole_m * motion.progress(self.now);
        }
    }

    /// Records the trip, as the service does with the arrival's commit.
    fn record_trip(&mut self, job: JobId) {
        let journal = &self.service.journal;
        let trip = || {
            let row = journal.job(job)?;
            let assignment = row.assignment()?;
            let (set_out_at, arrived_at) = (assignment.en_route_at?, assignment.arrived_at?);
            let estimated_s = journal.offer(assignment.offer_id?)?.offer.eta_base_s;
            Some(self.service.eta.trip(estimated_s, set_out_at, arrived_at))
        };
        let trip = trip();
        self.trips.extend(trip);
    }

    fn plan_work(&mut self, m: usize, at: Millis) {
        self.queue.plan(at, Step::Work(m, self.workers[m].engagements));
    }

    pub(super) async fn work(&mut self, m: usize, engagement: u32) {
        let worker = &self.workers[m];
        let Some(engaged) = worker.engaged.filter(|_| worker.engagements == engagement) else { return };
        if self.workers[m].is_navigating {
            self.come_back(m).await;
        }
        if self.is_lost(m) {
            return self.work_again(m);
        }
        match self.act(m, engaged).await {
            Ok(_) => self.go_on(m, engaged).await,
            Err(refusal) => self.refused(m, engaged, refusal).await,
        }
    }

    async fn act(&mut self, m: usize, engaged: Engaged) -> Result<Done, Refusal> {
        let (mechanic_id, job) = (self.workers[m].id, engaged.job);
        let by = By::Mechanic(user_of(mechanic_id));
        let command = match engaged.act {
            Act::SetOut => Command::EnRoute { mechanic_id },
            Act::GiveBack => Command::Release { mechanic_id, reason_code: "breakdown".to_owned() },
            Act::Arrive => {
                self.send_position(m).await;
                let arrive = Arrive {
                    command: self.service.engine.new_command(),
                    logged_under: None,
                    job,
                    mechanic: mechanic_id,
                    user: user_of(mechanic_id),
                    override_reason: (engaged.tries >= TRIES_WITHOUT_REASON)
                        .then(|| "beside the road".to_owned()),
                };
                return arrive.carry_out(&self.service.engine).await;
            }
            Act::Start => {
                // Only the customer's app shows the code.
                let row = self.service.journal.job(job);
                let code = row.and_then(|row| row.assignment()?.start_code.clone());
                Command::Start { mechanic_id, code }
            }
            Act::Complete => {
                let (outcome, notes, photo_urls) = (Outcome::Fixed, None, Vec::new());
                let (received_by, drop_off) = (None, DropOff::default());
                Command::Complete { mechanic_id, outcome, notes, photo_urls, received_by, drop_off }
            }
        };
        self.service.engine.order(self.service.engine.new_command(), job, by, command).await
    }

    /// Plans the step that follows an act.
    async fn go_on(&mut self, m: usize, engaged: Engaged) {
        let scenario = self.plan.scenario.clone();
        let Engaged { job, customer, act, .. } = engaged;
        let (motion, person) = (self.workers[m].motion, &self.workers[m].person);
        let (next, at) = match act {
            Act::SetOut => match person.release(&scenario, customer) {
                Some(share) => {
                    let way = motion.arrives.saturating_sub(motion.departs) as f64;
                    (Act::GiveBack, motion.departs + (way * share) as Millis)
                }
                None => {
                    let arrives = motion.arrives;
                    self.hand_over(m, job, customer).await;
                    (Act::Arrive, arrives)
                }
            },
            Act::Arrive => {
                self.count_way(m, engaged);
                self.record_trip(job);
                (Act::Start, self.now + millis(GREETING_S))
            }
            Act::Start => {
                let (call, from) = (&self.customers[customer].call, self.workers[m].motion.to);
                let done = self.now + call.work;
                // A tow is on the road for the second half of its time.
                let departs = self.now + call.work / 2;
                self.workers[m].motion = Motion { from, to: call.ends_at, departs, arrives: done };
                (Act::Complete, done)
            }
            Act::GiveBack => return self.rest(m, job).await,
            Act::Complete => return self.leave(m, job),
        };
        self.workers[m].engaged = Some(Engaged { act: next, tries: 0, ..engaged });
        self.plan_work(m, at.max(self.now));
    }

    /// Lets another app show the way, if this mechanic uses one on this way.
    async fn hand_over(&mut self, m: usize, job: JobId, customer: usize) {
        let (told, untold) = (self.plan.faults.maps_apps, self.plan.faults.untold_maps_apps);
        let worker = &self.workers[m];
        if !worker.person.navigates(customer, told.max(untold)) {
            return;
        }
        let mechanic_id = worker.id;
        if told > 0.0 && !self.is_lost(m) {
            let navigate = Command::Navigate { mechanic_id, is_elsewhere: true };
            // The mechanic drives whether or not this message arrives.
            self.service
                .engine
                .order(self.service.engine.new_command(), job, By::Mechanic(user_of(mechanic_id)), navigate)
                .await
                .ok();
        }
        self.workers[m].is_navigating = true;
    }

    /// Opens the app again after the arrival.
    async fn come_back(&mut self, m: usize) {
        self.workers[m].is_navigating = false;
        if self.workers[m].is_available {
            self.send_position(m).await;
        }
    }

    /// Takes a break after a job that was given back.
    async fn rest(&mut self, m: usize, job: JobId) {
        self.leave(m, job);
        self.go_unavailable(m).await;
        let pause = millis(self.plan.scenario.behaviour.break_min * 60.0);
        self.queue.plan(self.now + pause, Step::BreakEnds(m));
    }

    async fn refused(&mut self, m: usize, engaged: Engaged, refusal: Refusal) {
        match refusal {
            // The answer to the first try was lost.
            Refusal::AlreadyDone => self.go_on(m, engaged).await,
            Refusal::InvalidTransition { from, .. } => match act_in(from) {
                Some(act) if is_after(act, engaged.act) => self.go_on(m, engaged).await,
                Some(_) => self.work_again(m),
                None => self.leave(m, engaged.job),
            },
            // The mechanic lost the job while their phone was silent.
            Refusal::NotYours if engaged.act == Act::Arrive && self.plan.faults.maps_apps > 0.0 => {
                self.take_back(m, engaged).await;
            }
            Refusal::NotYours | Refusal::NotFound => self.leave(m, engaged.job),
            _ => self.work_again(m),
        }
    }

    /// Takes the job back where the mechanic is, unless somebody else has it.
    async fn take_back(&mut self, m: usize, engaged: Engaged) {
        let (engine, mechanic) = (&self.service.engine, self.workers[m].id);
        let (command, logged_under) = (engine.new_command(), None);
        let (job, user) = (engaged.job, user_of(mechanic));
        match (TakeBack { command, logged_under, job, mechanic, user }).carry_out(engine).await {
            Ok(_) => {
                self.workers[m].engaged = Some(Engaged { act: Act::SetOut, tries: 0, ..engaged });
                self.work_again(m);
            }
            Err(Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_)) => self.work_again(m),
            Err(_) => self.leave(m, engaged.job),
        }
    }

    fn work_again(&mut self, m: usize) {
        let is_offline = self.is_offline(m);
        let now = self.now;
        let Some(engaged) = &mut self.workers[m].engaged else { return };
        // Nothing was tried without a connection.
        engaged.tries += u32::from(!is_offline);
        assert!(engaged.tries < MAX_TRIES, "mechanic {m} tried too often: {engaged:?}");
        self.plan_work(m, now + millis(RETRY_S));
    }
}

/// Returns the next act on a job in this status.
fn act_in(status: Status) -> Option<Act> {
    match status {
        Status::Accepted => Some(Act::SetOut),
        Status::EnRoute => Some(Act::Arrive),
        Status::Arrived => Some(Act::Start),
        Status::InProgress => Some(Act::Complete),
        _ => None,
    }
}

fn is_after(act: Act, before: Act) -> bool {
    let place = |act: Act| match act {
        Act::SetOut => 0,
        Act::GiveBack | Act::Arrive => 1,
        Act::Start => 2,
        Act::Complete => 3,
    };
    place(act) > place(before)
}
