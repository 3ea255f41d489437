//! The actor's copy of its job: decides when the copy can be relied on, and when to act next. Pure.
//!
//! The copy is a cache of the journal:
//!
//! ```text
//!             load                       a conflict, an unknown outcome, a due recheck
//!  unloaded ────────▶ loaded ──────────────────────────────────────────────────────────▶ unloaded
//!     │ no row            │ settled
//!     ▼                   ▼
//!    Stop        EndAfterGracePeriod
//! ```
//!
//! There are two timers as well. After a failure nothing is tried before `retry_at`. If a commit may have happened
//! of which nobody was informed, [`Recheck`] has the journal read again, at growing intervals.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    effects::{self, Effect, Schedule},
    state::{Command, Done, Event, Job, Refusal},
};
use crate::{ids::MechanicId, messages::MechanicMessage};

/// The shortest time between a failure and the next try, since the database may be away.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(1);
/// The time within which a commit with an unknown outcome may still happen.
const MAY_APPEAR_WITHIN: TimeDelta = TimeDelta::seconds(30);
/// The time after which a process that starts rechecks its jobs: most commits of the previous process have happened
/// by then.
const RECHECK_AFTER_START: TimeDelta = TimeDelta::seconds(8);

/// The outcome of one command.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Execution {
    /// The job afterwards; `None` if it is not certain.
    pub job: Option<Job>,
    pub result: Result<Option<Event>, Refusal>,
    /// Whether the job was loaded on the way: commits may have happened of which nobody was informed.
    pub is_reloaded: bool,
    /// The copy that was or may be wrong: the mechanics that it names may have to reload too.
    pub discarded: Option<Job>,
}

impl Execution {
    pub(super) fn known(job: Job, result: Result<Option<Event>, Refusal>, is_reloaded: bool) -> Self {
        Self { job: Some(job), result, is_reloaded, discarded: None }
    }

    pub(super) fn unloaded(refusal: Refusal) -> Self {
        Self { job: None, result: Err(refusal), is_reloaded: false, discarded: None }
    }
}

/// Tells whether a wake-up still applies.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WakeUp {
    Due,
    /// The job has changed since the wake-up was scheduled.
    OutOfDate(Vec<Effect>),
}

/// A commit may have happened, or may still happen, of which nobody is informed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Recheck {
    since: DateTime<Utc>,
    at: DateTime<Utc>,
}

/// The copy of one job, with what its actor has to remember about it.
#[derive(Debug)]
pub(super) struct JobCache {
    job: Option<Job>,
    /// Mechanics named by discarded copies, whom nobody informed of later commits.
    to_reload: BTreeSet<MechanicId>,
    /// Set after a failure: until then nothing is tried, and no offers are wanted.
    retry_at: Option<DateTime<Utc>>,
    /// When a job that is not in the journal can no longer appear there.
    may_appear_until: Option<DateTime<Utc>>,
    recheck: Option<Recheck>,
}

impl Recheck {
    fn after(since: DateTime<Utc>, delay: TimeDelta) -> Self {
        Self { since, at: since + delay }
    }

    /// Returns the next recheck, at twice the interval, or `None` once no further commit can appear.
    fn next(self) -> Option<Self> {
        let waited = self.at - self.since;
        (waited < MAY_APPEAR_WITHIN).then(|| Self::after(self.since, waited * 2))
    }
}

impl JobCache {
    /// Creates an empty cache. A previous actor may have died in the middle of a commit.
    pub(super) fn unloaded(now: DateTime<Utc>) -> Self {
        let recheck = Some(Recheck::after(now, RETRY_AFTER));
        Self { job: None, to_reload: BTreeSet::new(), retry_at: None, may_appear_until: None, recheck }
    }

    /// Creates a cache for a job that was loaded when the process started.
    pub(super) fn loaded(job: Job, now: DateTime<Utc>) -> Self {
        let recheck = Some(Recheck::after(now, RECHECK_AFTER_START));
        Self { job: Some(job), recheck, ..Self::unloaded(now) }
    }

    pub(super) fn job(&self) -> Option<&Job> {
        self.job.as_ref()
    }

    /// Returns whether the journal has to confirm a refusal before the caller gets it.
    pub(super) fn is_in_question(&self) -> bool {
        self.recheck.is_some()
    }

    /// Starts the actor's work.
    pub(super) fn start(&mut self, now: DateTime<Utc>) -> Vec<Effect> {
        match self.job {
            Some(_) => self.announce(now),
            None => vec![Effect::Schedule(self.schedule(now))],
        }
    }

    /// Reports the job again, in case a receiver missed its reports.
    pub(super) fn announce(&mut self, now: DateTime<Utc>) -> Vec<Effect> {
        let mut effects: Vec<_> = self.job.iter().flat_map(effects::announcement).collect();
        effects.extend(self.reschedule(now));
        effects
    }

    /// Handles a timer that was set for this version of the job. If a recheck is due, the copy is discarded.
    pub(super) fn wake_up(&mut self, version: i64, now: DateTime<Utc>) -> WakeUp {
        if self.job.as_ref().is_some_and(|job| job.version != version) {
            return WakeUp::OutOfDate(vec![Effect::Schedule(self.schedule(now))]);
        }
        if let Some(recheck) = self.recheck.filter(|recheck| now >= recheck.at) {
            self.recheck = recheck.next();
            self.discard();
        }
        WakeUp::Due
    }

    /// Discards a copy that may be wrong: it is loaded again before anything else is decided.
    pub(super) fn discard(&mut self) {
        self.adopt(None, false);
    }

    /// Takes in the result of looking the job up in the journal.
    pub(super) fn looked_up(&mut self, found: Result<&Job, &Refusal>, now: DateTime<Utc>) -> Vec<Effect> {
        let mut effects = self.adopt(found.ok().cloned(), true);
        if let Err(Refusal::Unavailable(_)) = found {
            self.retry_at = Some(now + RETRY_AFTER);
        }
        effects.extend(self.reschedule(now));
        effects.extend(self.stop_if_missing(found.err(), now));
        effects
    }

    /// Takes in a state of the job that was committed elsewhere. Nothing follows if the copy is at least as new.
    pub(super) fn committed_elsewhere(&mut self, job: &Job, now: DateTime<Utc>) -> Vec<Effect> {
        match &self.job {
            Some(known) if known.version >= job.version => Vec::new(),
            _ => self.looked_up(Ok(job), now),
        }
    }

    /// Takes in the outcome of the job's creation. Returns the caller's answer and what to do next.
    pub(super) fn created(
        &mut self,
        execution: Execution,
        now: DateTime<Utc>,
    ) -> (Result<Done, Refusal>, Vec<Effect>) {
        let is_certainly_missing = match &execution.result {
            Err(Refusal::OutcomeUnknown(_)) => {
                // The job may be committed: then an actor must look after it.
                self.may_appear_until = Some(now + MAY_APPEAR_WITHIN);
                false
            }
            _ => execution.job.is_none(),
        };
        if execution.job.is_some() {
            self.recheck = None;
        }
        let (result, mut effects) = self.take_in(&Command::Tick, execution, now);
        effects.extend(is_certainly_missing.then_some(Effect::Stop));
        (result, effects)
    }

    /// Takes in the outcome of a command on the copy. Returns the caller's answer and what to do next.
    pub(super) fn executed(
        &mut self,
        command: &Command,
        execution: Execution,
        now: DateTime<Utc>,
    ) -> (Result<Done, Refusal>, Vec<Effect>) {
        let mut effects = effects::undo_proposals(command, &execution.result);
        let (result, more) = self.take_in(command, execution, now);
        effects.extend(more);
        effects.extend(self.stop_if_missing(result.as_ref().err(), now));
        (result, effects)
    }

    fn take_in(
        &mut self,
        command: &Command,
        execution: Execution,
        now: DateTime<Utc>,
    ) -> (Result<Done, Refusal>, Vec<Effect>) {
        let Execution { job, result, is_reloaded, discarded } = execution;
        self.to_reload.extend(discarded.iter().flat_map(concerned));
        let mut effects = self.adopt(job, is_reloaded);
        let could_not_load = self.job.is_none() && matches!(result, Err(Refusal::Unavailable(_)));
        // A commit that was under way when the journal went away may happen once the journal is back.
        if could_not_load || matches!(result, Err(Refusal::OutcomeUnknown(_))) {
            self.recheck = Some(Recheck::after(now, RETRY_AFTER));
        }
        match (&self.job, &result) {
            (Some(job), Ok(Some(event))) => {
                effects.extend(effects::after(event, job));
                self.retry_at = None;
            }
            (_, Err(refusal)) if needs_pause(command, refusal) => self.retry_at = Some(now + RETRY_AFTER),
            _ => {}
        }
        effects.extend(self.reschedule(now));
        let done = match (result, &self.job) {
            (Ok(event), Some(job)) => Ok(Done { event, job: job.clone() }),
            (Ok(_), None) => Err(Refusal::OutcomeUnknown("the job is no longer in memory".to_owned())),
            (Err(refusal), _) => Err(refusal),
        };
        (done, effects)
    }

    /// Replaces the copy with the job as it is known now. A reload may bring commits of which nobody was informed.
    fn adopt(&mut self, job: Option<Job>, is_reloaded: bool) -> Vec<Effect> {
        if job.is_none() || is_reloaded {
            self.to_reload.extend(self.job.iter().flat_map(concerned));
        }
        self.job = job;
        let Some(job) = self.job.as_ref().filter(|_| is_reloaded) else { return Vec::new() };
        let reload = |id| Effect::Notify(id, MechanicMessage::Reload);
        let reloads = std::mem::take(&mut self.to_reload).into_iter().map(reload);
        reloads.chain(effects::announcement(job)).chain([Effect::ReportChange(job.seq)]).collect()
    }

    /// Returns what the dispatcher needs to know, and when to act next.
    fn reschedule(&mut self, now: DateTime<Utc>) -> [Effect; 2] {
        self.retry_at = self.retry_at.filter(|at| now < *at);
        // An unloaded job's demand is unknown, and a pausing job could take no offers.
        let job = self.job.as_ref().filter(|_| self.retry_at.is_none());
        let demand = job.and_then(|job| job.demand(now)).map(Box::new);
        [Effect::UpdateDemand(demand), Effect::Schedule(self.schedule(now))]
    }

    fn schedule(&self, now: DateTime<Utc>) -> Schedule {
        let due = match (self.retry_at, &self.job) {
            (_, Some(job)) if job.is_settled() => return Schedule::EndAfterGracePeriod,
            (Some(at), _) => Some(at),
            (None, Some(job)) => job.next_due(),
            // The job loads by itself, because no message may come. It waits a little, as a first message may be on
            // its way.
            (None, None) => Some(now + RETRY_AFTER),
        };
        let version = self.job.as_ref().map_or(0, |job| job.version);
        let next = due.into_iter().chain(self.recheck.map(|recheck| recheck.at)).min();
        next.map_or(Schedule::Never, |at| Schedule::WakeAt { at, version })
    }

    /// Ends an actor without a row, unless the row may still appear.
    fn stop_if_missing(&self, refusal: Option<&Refusal>, now: DateTime<Utc>) -> Option<Effect> {
        let may_appear = self.may_appear_until.is_some_and(|until| now < until);
        (refusal == Some(&Refusal::NotFound) && !may_appear).then_some(Effect::Stop)
    }
}

/// Returns the mechanics who have an offer of the job, or are on it.
fn concerned(job: &Job) -> impl Iterator<Item = MechanicId> + '_ {
    let offered = job.live_offers().iter().map(|offer| offer.mechanic_id);
    let active = job.assignment().filter(|_| job.status().is_active());
    offered.chain(active.map(|assignment| assignment.mechanic_id))
}

/// Returns whether the same command would fail again at once.
fn needs_pause(command: &Command, refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_) => true,
        // The journal knows an engagement that the mechanic's actor has yet to load.
        Refusal::MechanicBusy => matches!(command, Command::Offer { .. }),
        // A command that is due by itself should never be refused for good; if it is, the actor must not spin.
        Refusal::NothingDue | Refusal::NotFound => false,
        _ => *command == Command::Tick,
    }
}

#[cfg(test)]
mod tests;
