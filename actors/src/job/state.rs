//! The job's state machine. Pure: time and randomness are arguments, nothing here awaits.
//!
//! [`Job::decide`] turns a command into an event or a refusal and changes nothing; [`Job::apply`] turns an event
//! into the next job and never fails.

use chrono::{DateTime, TimeDelta, Utc};

use super::fee;
use crate::{
    concern::{Delay, Finding},
    ids::{MechanicId, OfferId},
    settings::{FeePolicy, JobPolicy},
};

pub use super::{items::*, model::*, moves::*};
pub use crate::refusal::Refusal;

/// No offer is made with less time than this to answer it.
const MIN_ANSWER_TIME: TimeDelta = TimeDelta::seconds(3);

/// The settings that rules read.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub jobs: &'a JobPolicy,
    pub fees: &'a FeePolicy,
}

impl Job {
    /// When [`Command::Tick`] next has something to do.
    pub fn next_due(&self) -> Option<DateTime<Utc>> {
        match &self.stage {
            Stage::Pending => Some(self.spec.begin_at),
            Stage::Dispatching(search) if search.round > self.spec.search.max_rounds => {
                Some(DateTime::UNIX_EPOCH)
            }
            Stage::Dispatching(search) => {
                // An offer never outlives its attempt, save by the grace of an answer under way.
                let expiry =
                    search.offers.iter().map(|offer| offer.expires_at + self.spec.search.offer_grace).min();
                Some(expiry.unwrap_or(search.ends_at))
            }
            Stage::NoMechanicFound { until } => Some(*until),
            Stage::Accepted(_)
            | Stage::EnRoute(_)
            | Stage::Arrived(_)
            | Stage::InProgress(_)
            | Stage::Completed(_)
            | Stage::Cancelled(_)
            | Stage::Paid(_)
            | Stage::Disputed(_)
            | Stage::Resolved(_) => None,
        }
    }

    /// What `command` leads to at `now`, or why it is refused. Changes nothing.
    pub fn decide(&self, command: &Command, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match (&self.stage, command) {
            (Stage::Pending, Command::Tick) if now >= self.spec.begin_at => {
                Ok(Event::Began { ends_at: self.attempt_end(now), round: self.first_round() })
            }
            (Stage::Dispatching(search), Command::Tick) => self.search_due(search, rules, now),
            (Stage::NoMechanicFound { until }, Command::Tick) if now >= *until => Ok(Event::Cancelled {
                fee_paise: 0,
                reason_code: "no_mechanic_found".to_owned(),
                reason: None,
                revoked: Vec::new(),
            }),
            (_, Command::Tick) => Err(Refusal::NothingDue),

            (Stage::Dispatching(search), Command::Offer { attempt, round, proposals }) => {
                let fits = *attempt == self.attempt && *round == search.round && search.has_time(now);
                let fresh = proposals.iter().all(|proposal| !self.excluded.contains(&proposal.mechanic_id));
                let room = search.offers.len() + proposals.len() <= self.spec.search.width(search.round);
                if fits && fresh && room && !proposals.is_empty() {
                    let expires_at = (now + self.spec.search.offer_ttl).min(search.ends_at);
                    let offers =
                        proposals.iter().map(|proposal| proposal.live(search.round, now, expires_at));
                    Ok(Event::OffersMade { offers: offers.collect() })
                } else {
                    Err(Refusal::StaleProposal)
                }
            }
            (_, Command::Offer { .. }) => Err(Refusal::StaleProposal),

            (
                Stage::Dispatching(search),
                Command::Accept { offer_id, mechanic_id, answered_at, start_code },
            ) => {
                let offer = search.find(*offer_id, *mechanic_id)?;
                if *answered_at > offer.expires_at + self.spec.search.offer_grace {
                    return Err(Refusal::OfferExpired);
                }
                let assignment =
                    Assignment::new(*mechanic_id, Some(offer.id), offer.eta_s, start_code, rules, now);
                let revoked = search.others(Some(offer.id));
                Ok(Event::Accepted { assignment, revoked, answered_at: *answered_at })
            }
            (_, Command::Accept { offer_id, mechanic_id, .. }) => match self.assignment() {
                Some(a) if a.offer_id == Some(*offer_id) && a.mechanic_id == *mechanic_id => {
                    Err(Refusal::AlreadyDone)
                }
                Some(a) if a.mechanic_id != *mechanic_id => Err(Refusal::OfferTaken),
                // It has the job by a later offer, or by an admin: nobody else took it.
                Some(_) | None => Err(Refusal::OfferExpired),
            },

            (Stage::Dispatching(search), Command::Decline { offer_id, mechanic_id, reason }) => {
                search.find(*offer_id, *mechanic_id)?;
                let (offer_id, mechanic_id) = (*offer_id, *mechanic_id);
                Ok(Event::OfferDeclined { offer_id, mechanic_id, reason: reason.clone() })
            }
            (Stage::Dispatching(search), Command::Revoke { offer_id, mechanic_id }) => {
                search.find(*offer_id, *mechanic_id)?;
                Ok(Event::OfferRevoked { offer_id: *offer_id, mechanic_id: *mechanic_id })
            }
            (_, Command::Decline { .. } | Command::Revoke { .. }) => Err(Refusal::OfferExpired),

            (Stage::Dispatching(search), Command::Assign { mechanic_id, eta_s, start_code }) => {
                let assignment = Assignment::new(*mechanic_id, None, *eta_s, start_code, rules, now);
                Ok(Event::Accepted { assignment, revoked: search.others(None), answered_at: now })
            }
            (_, Command::Assign { .. }) => Err(self.cannot("assign")),

            (Stage::Accepted(a), Command::EnRoute { mechanic_id }) => {
                a.owned_by(*mechanic_id).map(|()| Event::WentEnRoute)
            }
            (_, Command::EnRoute { mechanic_id }) => Err(self.cannot_by(*mechanic_id, "en-route")),

            (Stage::EnRoute(a), Command::Arrive { mechanic_id, evidence, override_reason }) => {
                a.owned_by(*mechanic_id)?;
                let near =
                    evidence.distance_m.is_some_and(|distance| distance <= rules.jobs.arrival_radius_m);
                if near || override_reason.is_some() {
                    // A reason that was not needed is no override: the timeline shows only those that were.
                    let override_reason = override_reason.clone().filter(|_| !near);
                    Ok(Event::Arrived { distance_m: evidence.distance_m, override_reason })
                } else {
                    Err(Refusal::TooFar {
                        distance_m: evidence.distance_m,
                        limit_m: rules.jobs.arrival_radius_m,
                    })
                }
            }
            (_, Command::Arrive { mechanic_id, .. }) => Err(self.cannot_by(*mechanic_id, "arrive")),

            (Stage::Arrived(a), Command::Start { mechanic_id, code }) => {
                a.owned_by(*mechanic_id)?;
                a.check_code(code.as_deref(), rules.jobs, now)
            }
            (_, Command::Start { mechanic_id, .. }) => Err(self.cannot_by(*mechanic_id, "start")),

            (Stage::InProgress(a), Command::Complete { mechanic_id, outcome, notes, photo_urls }) => {
                a.owned_by(*mechanic_id)?;
                let undecided = self.undecided();
                if undecided > 0 {
                    return Err(Refusal::PendingApproval { undecided });
                }
                Ok(Event::Completed {
                    outcome: *outcome,
                    notes: notes.clone(),
                    photo_urls: photo_urls.clone(),
                    final_price_paise: self.price_paise(),
                })
            }
            (_, Command::Complete { mechanic_id, .. }) => Err(self.cannot_by(*mechanic_id, "complete")),

            (
                Stage::Accepted(a) | Stage::EnRoute(a) | Stage::Arrived(a),
                Command::Release { mechanic_id, reason_code },
            ) => {
                a.owned_by(*mechanic_id)?;
                Ok(self.released(a.mechanic_id, reason_code, true, now))
            }
            (_, Command::Release { mechanic_id, .. }) => Err(self.cannot_by(*mechanic_id, "release")),

            (Stage::Accepted(a) | Stage::EnRoute(a) | Stage::Arrived(a), Command::Reassign { reason }) => {
                Ok(self.released(a.mechanic_id, reason, false, now))
            }
            (_, Command::Reassign { .. }) => Err(self.cannot("reassign")),

            (Stage::Accepted(a) | Stage::EnRoute(a), Command::Watch { mechanic_id, attempt, finding })
                if a.mechanic_id == *mechanic_id && self.attempt == *attempt =>
            {
                self.found(a, *finding, now)
            }
            (_, Command::Watch { .. }) => Err(Refusal::StaleFinding),

            (Stage::Arrived(a), Command::NoShow { mechanic_id }) => {
                a.owned_by(*mechanic_id)?;
                let from = a.arrived_at.unwrap_or(a.accepted_at) + rules.jobs.no_show_after;
                if now < from {
                    return Err(Refusal::TooEarly { from });
                }
                // Who does not show up has not cancelled: no free time counts.
                Ok(self.cancelled(rules.fees.call_out_paise, "customer_no_show", None))
            }
            (_, Command::NoShow { mechanic_id, .. }) => Err(self.cannot_by(*mechanic_id, "no-show")),

            (
                Stage::Pending
                | Stage::Dispatching(_)
                | Stage::NoMechanicFound { .. }
                | Stage::Accepted(_)
                | Stage::EnRoute(_)
                | Stage::Arrived(_),
                Command::Cancel { reason_code, reason, quoted_fee_paise, progress, by_admin: _ },
            ) => {
                let fee_paise = fee::quote(self, rules.fees, *progress, now)?.fee_paise;
                // Cheaper than quoted is no reason to ask again.
                if quoted_fee_paise.is_some_and(|quoted| fee_paise > quoted) {
                    return Err(Refusal::FeeChanged { fee_paise });
                }
                Ok(self.cancelled(fee_paise, reason_code, reason.clone()))
            }
            (Stage::InProgress(_), Command::Cancel { by_admin: true, reason_code, reason, .. }) => {
                Ok(self.cancelled(0, reason_code, reason.clone()))
            }
            (
                Stage::InProgress(_)
                | Stage::Completed(_)
                | Stage::Cancelled(_)
                | Stage::Paid(_)
                | Stage::Disputed(_)
                | Stage::Resolved(_),
                Command::Cancel { .. },
            ) => Err(self.cannot("cancel")),

            (Stage::NoMechanicFound { .. }, Command::Retry) => {
                Ok(Event::Retried { ends_at: self.attempt_end(now), round: self.first_round() })
            }
            (_, Command::Retry) => Err(self.cannot("retry")),

            (_, Command::Item(command)) => self.decide_item(command, now),

            (
                Stage::Completed(_)
                | Stage::Paid(_)
                | Stage::Disputed(_)
                | Stage::Resolved(_)
                | Stage::Cancelled(_),
                Command::NotePayment { payment_id },
            ) => Ok(Event::PaymentMoved { payment_id: *payment_id }),
            (_, Command::NotePayment { .. }) => Err(self.cannot("take a payment")),

            // Between the two that the job brought together, for as long as the area of chats says.
            (_, Command::NoteMessage { message_id, mechanic_id })
                if self.assignment().is_some_and(|a| a.mechanic_id == *mechanic_id) =>
            {
                Ok(Event::MessageSent { message_id: *message_id })
            }
            (_, Command::NoteMessage { .. }) => Err(self.cannot("take a message")),

            // Who may call when is decided where calls are; one may end after the job went on to somebody else.
            (_, Command::NoteCall { call_id }) => Ok(Event::CallMoved { call_id: *call_id }),

            (Stage::Completed(_), Command::Pay) => Ok(Event::Paid),
            (_, Command::Pay) => Err(self.cannot("pay")),

            (Stage::Completed(completion) | Stage::Paid(completion), Command::Dispute) => {
                let until = completion.at + rules.jobs.dispute_window;
                if now <= until { Ok(Event::Disputed) } else { Err(Refusal::TooLate { until }) }
            }
            (_, Command::Dispute) => Err(self.cannot("dispute")),

            (Stage::Disputed(_), Command::Resolve) => Ok(Event::Resolved),
            (_, Command::Resolve) => Err(self.cannot("resolve")),
        }
    }

    /// The job after `event`. Never fails: what was committed has happened.
    pub fn apply(&self, event: &Event, now: DateTime<Utc>) -> Job {
        let mut next = self.clone();
        next.version += 1;
        next.seq += i64::from(event.is_public());
        match event {
            // A created job begins its life by `Job::new`; replaying it changes nothing.
            Event::Created { .. } => return self.clone(),
            Event::Began { ends_at, round } | Event::Retried { ends_at, round } => {
                next.search_anew(*ends_at, *round)
            }
            Event::OffersMade { offers } => next.with_search(|search| {
                search.offered_in_round += u32::try_from(offers.len()).unwrap_or(u32::MAX);
                search.offers.extend(offers.iter().cloned());
            }),
            Event::OfferDeclined { offer_id, mechanic_id, .. }
            | Event::OfferRevoked { offer_id, mechanic_id } => {
                next.excluded.insert(*mechanic_id);
                next.with_search(|search| search.drop_offers(&[*offer_id]));
            }
            Event::OffersExpired { offers } => {
                for (_, mechanic_id) in offers {
                    if !next.expired_once.insert(*mechanic_id) {
                        next.excluded.insert(*mechanic_id);
                    }
                }
                let ids: Vec<OfferId> = offers.iter().map(|(id, _)| *id).collect();
                next.with_search(|search| search.drop_offers(&ids));
            }
            Event::Accepted { assignment, .. } => next.stage = Stage::Accepted(assignment.clone()),
            Event::Exhausted { until } => next.stage = Stage::NoMechanicFound { until: *until },
            Event::WentEnRoute => next.advance(|a| a.en_route_at = Some(now), Stage::EnRoute),
            Event::Delayed(delay) => next.amend(|a| a.delay = Some(*delay)),
            Event::Recovered { .. } => next.amend(|a| a.delay = None),
            Event::Arrived { .. } => {
                next.advance(|a| (a.arrived_at, a.delay) = (Some(now), None), Stage::Arrived)
            }
            Event::WrongCodeEntered { locked_until } => next.advance(
                |a| {
                    a.wrong_codes = if locked_until.is_some() { 0 } else { a.wrong_codes + 1 };
                    a.locked_until = *locked_until;
                },
                Stage::Arrived,
            ),
            Event::Started => next.advance(|a| a.started_at = Some(now), Stage::InProgress),
            Event::Completed { outcome, notes, final_price_paise, .. } => {
                if let Some(assignment) = self.assignment().cloned() {
                    let (outcome, notes, final_price_paise) = (*outcome, notes.clone(), *final_price_paise);
                    next.stage = Stage::Completed(Completion {
                        assignment,
                        outcome,
                        notes,
                        final_price_paise,
                        at: now,
                        disputed_at: None,
                        resolved_at: None,
                    });
                }
            }
            Event::Released { mechanic_id, ends_at, round, .. } => {
                next.excluded.insert(*mechanic_id);
                // Their work was not done: whoever comes next proposes its own.
                next.items.clear();
                next.search_anew(*ends_at, *round);
            }
            Event::Cancelled { fee_paise, reason_code, reason, .. } => {
                next.stage = Stage::Cancelled(Cancellation {
                    assignment: self.assignment().cloned().map(|a| Assignment { delay: None, ..a }),
                    fee_paise: *fee_paise,
                    reason_code: reason_code.clone(),
                    reason: reason.clone(),
                    at: now,
                });
            }
            Event::ItemMoved { how, item } => next.apply_item(*how, item),
            Event::PaymentMoved { .. } | Event::MessageSent { .. } | Event::CallMoved { .. } => {}
            Event::Paid => next.close(|_| (), Stage::Paid),
            Event::Disputed => next.close(|c| c.disputed_at = Some(now), Stage::Disputed),
            Event::Resolved => next.close(|c| c.resolved_at = Some(now), Stage::Resolved),
        }
        next
    }

    fn search_due(&self, search: &Search, rules: Rules<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
        let exhausted = Event::Exhausted { until: now + rules.jobs.no_mechanic_ttl };
        if search.round > self.spec.search.max_rounds {
            return Ok(exhausted);
        }
        let grace = self.spec.search.offer_grace;
        let expired = search.offers.iter().filter(|offer| now >= offer.expires_at + grace);
        let expired: Vec<_> = expired.map(|offer| (offer.id, offer.mechanic_id)).collect();
        if !expired.is_empty() {
            Ok(Event::OffersExpired { offers: expired })
        } else if now >= search.ends_at && search.offers.is_empty() {
            Ok(exhausted)
        } else {
            Err(Refusal::NothingDue)
        }
    }

    fn first_round(&self) -> u32 {
        match self.spec.urgency {
            Urgency::Normal => 1,
            Urgency::Highway | Urgency::Accident => self.spec.search.urgent_first_round,
        }
    }

    fn attempt_end(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.spec.search.attempt_ttl
    }

    fn released(
        &self,
        mechanic_id: MechanicId,
        reason: &str,
        by_mechanic: bool,
        now: DateTime<Utc>,
    ) -> Event {
        let reason_code = reason.to_owned();
        Event::Released {
            mechanic_id,
            reason_code,
            by_mechanic,
            ends_at: self.attempt_end(now),
            round: self.first_round(),
        }
    }

    /// The customer is told before the mechanic loses the job, and of the same concern.
    fn found(&self, a: &Assignment, finding: Finding, now: DateTime<Utc>) -> Result<Event, Refusal> {
        let told = a.delay.map(|delay| delay.concern);
        match finding {
            Finding::Delayed(Delay { concern, .. }) if told == Some(concern) => Err(Refusal::AlreadyDone),
            Finding::Delayed(delay) => Ok(Event::Delayed(delay)),
            Finding::Recovered(concern) if told == Some(concern) => Ok(Event::Recovered { concern }),
            Finding::Lost(concern) if told == Some(concern) => {
                Ok(self.released(a.mechanic_id, concern.reassign_reason(), false, now))
            }
            Finding::Recovered(_) | Finding::Lost(_) => Err(Refusal::StaleFinding),
        }
    }

    fn cancelled(&self, fee_paise: i64, reason_code: &str, reason: Option<String>) -> Event {
        let revoked = self.live_offers().iter().map(|offer| (offer.id, offer.mechanic_id)).collect();
        Event::Cancelled { fee_paise, reason_code: reason_code.to_owned(), reason, revoked }
    }

    pub(super) fn cannot(&self, wanted: &'static str) -> Refusal {
        Refusal::InvalidTransition { from: self.status(), wanted }
    }

    /// A mechanic that has nothing to do with the job learns nothing of its status.
    fn cannot_by(&self, mechanic_id: MechanicId, wanted: &'static str) -> Refusal {
        match self.assignment() {
            Some(a) if a.mechanic_id == mechanic_id => self.cannot(wanted),
            _ => Refusal::NotYours,
        }
    }

    fn search_anew(&mut self, ends_at: DateTime<Utc>, round: u32) {
        self.attempt += 1;
        self.stage = Stage::Dispatching(Search { round, offered_in_round: 0, ends_at, offers: Vec::new() });
    }

    fn with_search(&mut self, change: impl FnOnce(&mut Search)) {
        if let Stage::Dispatching(search) = &mut self.stage {
            change(search);
        }
    }

    /// Changes the assignment of a mechanic on its way.
    fn amend(&mut self, change: impl FnOnce(&mut Assignment)) {
        if let Stage::Accepted(assignment) | Stage::EnRoute(assignment) = &mut self.stage {
            change(assignment);
        }
    }

    fn advance(&mut self, change: impl FnOnce(&mut Assignment), stage: fn(Assignment) -> Stage) {
        if let Some(mut assignment) = self.assignment().cloned() {
            change(&mut assignment);
            self.stage = stage(assignment);
        }
    }

    fn close(&mut self, change: impl FnOnce(&mut Completion), stage: fn(Completion) -> Stage) {
        if let Some(mut completion) = self.completion().cloned() {
            change(&mut completion);
            self.stage = stage(completion);
        }
    }
}

impl Proposal {
    fn live(&self, round: u32, created_at: DateTime<Utc>, expires_at: DateTime<Utc>) -> LiveOffer {
        LiveOffer {
            id: self.offer_id,
            mechanic_id: self.mechanic_id,
            round,
            distance_m: self.distance_m,
            eta_s: self.eta_s,
            eta_base_s: self.eta_base_s,
            eta_source: self.eta_source,
            cost_s: self.cost_s,
            created_at,
            expires_at,
        }
    }
}

impl Search {
    /// Whether an offer made now would leave a person time to answer.
    pub fn has_time(&self, now: DateTime<Utc>) -> bool {
        self.ends_at - now >= MIN_ANSWER_TIME
    }

    fn find(&self, id: OfferId, mechanic_id: MechanicId) -> Result<&LiveOffer, Refusal> {
        let found = self.offers.iter().find(|offer| offer.id == id && offer.mechanic_id == mechanic_id);
        found.ok_or(Refusal::OfferExpired)
    }

    fn others(&self, kept: Option<OfferId>) -> Vec<(OfferId, MechanicId)> {
        let others = self.offers.iter().filter(|offer| Some(offer.id) != kept);
        others.map(|offer| (offer.id, offer.mechanic_id)).collect()
    }

    /// When the last offer of a round is gone unanswered, the next round begins.
    fn drop_offers(&mut self, ids: &[OfferId]) {
        self.offers.retain(|offer| !ids.contains(&offer.id));
        if self.offers.is_empty() && self.offered_in_round > 0 {
            self.round += 1;
            self.offered_in_round = 0;
        }
    }
}

impl Assignment {
    fn new(
        mechanic_id: MechanicId,
        offer_id: Option<OfferId>,
        eta_s: u32,
        start_code: &str,
        rules: Rules<'_>,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            mechanic_id,
            offer_id,
            accepted_at: now,
            promised_at: now + chrono::TimeDelta::seconds(i64::from(eta_s)),
            en_route_at: None,
            arrived_at: None,
            started_at: None,
            start_code: rules.jobs.start_code.then(|| start_code.to_owned()),
            wrong_codes: 0,
            locked_until: None,
            delay: None,
        }
    }

    fn owned_by(&self, mechanic_id: MechanicId) -> Result<(), Refusal> {
        if self.mechanic_id == mechanic_id { Ok(()) } else { Err(Refusal::NotYours) }
    }

    /// A wrong code is an event too: the count must survive.
    fn check_code(
        &self,
        given: Option<&str>,
        policy: &JobPolicy,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        if let Some(until) = self.locked_until.filter(|until| now < *until) {
            return Err(locked(until, now));
        }
        let Some(code) = &self.start_code else { return Ok(Event::Started) };
        if given == Some(code) {
            return Ok(Event::Started);
        }
        let is_last = self.wrong_codes + 1 >= policy.wrong_start_codes;
        Ok(Event::WrongCodeEntered { locked_until: is_last.then(|| now + policy.start_code_lock) })
    }
}

/// The refusal of a start before `until`.
pub(crate) fn locked(until: DateTime<Utc>, now: DateTime<Utc>) -> Refusal {
    Refusal::StartLocked { wait_s: u64::try_from((until - now).num_seconds()).unwrap_or_default().max(1) }
}

/// The refusal that a mechanic gets for a wrong start code, although the attempt was committed.
pub(super) fn refused_start(done: &Done, policy: &JobPolicy, now: DateTime<Utc>) -> Option<Refusal> {
    match (&done.event, &done.job.stage) {
        (Some(Event::WrongCodeEntered { locked_until: Some(until) }), _) => Some(locked(*until, now)),
        (Some(Event::WrongCodeEntered { locked_until: None }), Stage::Arrived(assignment)) => {
            let left = policy.wrong_start_codes.saturating_sub(assignment.wrong_codes);
            Some(Refusal::WrongStartCode { left })
        }
        _ => None,
    }
}
