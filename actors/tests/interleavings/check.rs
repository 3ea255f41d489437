//! Checks that the answers that people got match what was committed.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use roadcall_actors::{
    engine::CommandDone as Done,
    ids::{JobId, MechanicId, OfferId},
    job::state::{Event, Job, Refusal},
    simulation::{MemoryJournal, journal::Committed},
};

/// The trace that a command leaves in a log if it is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trace {
    Created(JobId),
    Accepted(JobId, Option<OfferId>, MechanicId),
    Declined(OfferId),
    Revoked(OfferId),
    EnRoute(JobId),
    HandedOver(JobId),
    CameBack(JobId),
    Released(JobId, MechanicId),
    Reassigned(JobId),
    Cancelled(JobId),
    Retried(JobId),
    Corrected(JobId),
}

/// The answer that a caller got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The command led to an event.
    Done,
    /// The command had been done before.
    AlreadyDone,
    /// The command was certainly not done.
    Refused,
    Unknown,
}

impl Answer {
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::AlreadyDone => "done before",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }

    pub fn of(result: &Result<Done, Refusal>) -> Self {
        match result {
            Ok(Done { event: Some(_), .. }) => Self::Done,
            Ok(Done { event: None, .. }) => Self::AlreadyDone,
            Err(Refusal::OutcomeUnknown(_)) => Self::Unknown,
            Err(_) => Self::Refused,
        }
    }
}

/// The numbers of a command's answers: done, done before, and unknown.
#[derive(Debug, Default)]
struct Told {
    done: usize,
    already: usize,
    unknown: usize,
}

/// Compares everyone's answers with the logs: each "done" has an entry of its own there, and there is no entry of a
/// command that everybody was refused.
pub fn answers(answers: &[(Trace, Answer)], logs: &[(Job, Vec<Committed>)]) -> Result<(), String> {
    let mut told: BTreeMap<Trace, Told> = BTreeMap::new();
    for (trace, answer) in answers {
        let told = told.entry(*trace).or_default();
        match answer {
            Answer::Done => told.done += 1,
            Answer::AlreadyDone => told.already += 1,
            Answer::Unknown => told.unknown += 1,
            Answer::Refused => {}
        }
    }
    let found: Vec<Trace> =
        logs.iter().flat_map(|(job, log)| log.iter().filter_map(|c| trace(job.id, &c.event))).collect();
    for (trace, told) in told {
        let count = found.iter().filter(|found| **found == trace).count();
        // A mechanic who has never left the app is back in it without an entry.
        let needs_entry = told.already > 0 && !matches!(trace, Trace::CameBack(_));
        let is_short = count < told.done || (needs_entry && count == 0);
        // The engine itself revokes offers, too.
        let is_more = count > told.done + told.already + told.unknown && !matches!(trace, Trace::Revoked(_));
        if is_short || is_more {
            return Err(format!("{trace:?} stands {count} times in the log, but people were told {told:?}"));
        }
    }
    Ok(())
}

fn trace(job: JobId, event: &Event) -> Option<Trace> {
    match event {
        Event::Created { .. } => Some(Trace::Created(job)),
        Event::Accepted { assignment, .. } => {
            Some(Trace::Accepted(job, assignment.offer_id, assignment.mechanic_id))
        }
        Event::OfferDeclined { offer_id, .. } => Some(Trace::Declined(*offer_id)),
        Event::OfferRevoked { offer_id, .. } => Some(Trace::Revoked(*offer_id)),
        Event::WentEnRoute => Some(Trace::EnRoute(job)),
        Event::HandedOver => Some(Trace::HandedOver(job)),
        Event::CameBack => Some(Trace::CameBack(job)),
        Event::Released { mechanic_id, by_mechanic: true, .. } => Some(Trace::Released(job, *mechanic_id)),
        Event::Released { by_mechanic: false, .. } => Some(Trace::Reassigned(job)),
        Event::Cancelled { .. } => Some(Trace::Cancelled(job)),
        Event::Retried { .. } => Some(Trace::Retried(job)),
        Event::Corrected { .. } => Some(Trace::Corrected(job)),
        _ => None,
    }
}

/// Checks a job's log by itself: one mechanic at a time, each offer answered once, in time, and by the mechanic who
/// got it.
pub fn log(job: &Job, log: &[Committed], grace: TimeDelta) -> Result<(), String> {
    let mut holder: Option<MechanicId> = None;
    let mut open = BTreeMap::new();
    let mut ended = false;
    for Committed { event, .. } in log {
        if ended {
            return Err(format!("job {} goes on after its end with {event:?}", job.id));
        }
        let (settled, _) = event.ended_offers();
        for id in settled {
            if open.remove(&id).is_none() {
                return Err(format!("offer {id} of job {} ends twice, by {event:?}", job.id));
            }
        }
        match event {
            Event::OffersMade { offers } => open.extend(offers.iter().map(|offer| (offer.id, offer.clone()))),
            Event::Accepted { assignment, answered_at, .. } => {
                if holder.is_some() {
                    return Err(format!("job {} has two winners", job.id));
                }
                holder = Some(assignment.mechanic_id);
                if let Some(id) = assignment.offer_id {
                    let Some(offer) = open.remove(&id).filter(|o| o.mechanic_id == assignment.mechanic_id)
                    else {
                        return Err(format!("job {} was won by an offer that was not open", job.id));
                    };
                    if *answered_at > offer.expires_at + grace {
                        return Err(format!("an answer of {answered_at} won, too late for {offer:?}"));
                    }
                }
            }
            Event::Released { mechanic_id, .. } if holder.take() != Some(*mechanic_id) => {
                return Err(format!("job {} was let go by one who did not have it", job.id));
            }
            Event::Cancelled { .. } | Event::Completed { .. } => ended = true,
            _ => {}
        }
    }
    if holder.is_some() && !open.is_empty() {
        return Err(format!("job {} has its mechanic, and still open offers", job.id));
    }
    if holder != job.assignment().map(|assignment| assignment.mechanic_id) {
        return Err(format!("job {} lost its mechanic {holder:?}: {:?}", job.id, job.stage));
    }
    Ok(())
}

/// Checks that no offer ends by the clock before its grace is over.
pub fn expiries(log: &[Committed], journal: &MemoryJournal, grace: TimeDelta) -> Result<(), String> {
    for Committed { event, at, .. } in log {
        let Event::OffersExpired { offers } = event else { continue };
        for (id, _) in offers {
            let row = journal.offer(*id).ok_or_else(|| format!("offer {id} has no row"))?;
            if *at < row.offer.expires_at + grace {
                return Err(format!("offer {id} expired at {at}, before its time {}", row.offer.expires_at));
            }
        }
    }
    Ok(())
}
