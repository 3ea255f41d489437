//! Turns a decision into the record that explains it. Pure.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use rustc_hash::FxHashSet;

use super::{
    answers::Decision,
    explain::{Considered, Explanation, MAX_CONSIDERED, Passed, Verdict},
    matching::{self, Candidate},
    state::DispatchState,
};
use crate::ids::{JobId, MechanicId};

/// The shortest time between two records of a job that still gets no mechanic.
pub const EXPLAIN_EVERY: TimeDelta = TimeDelta::seconds(10);

/// The number of mechanics within the ring who are looked at, nearest first, if fewer fill the record. If there are more
/// around, the others are counted by cells.
const MAX_LOOKED_AT: usize = 4 * MAX_CONSIDERED;

/// Explains why each of the nearest mechanics within the ring was, or was not, offered the job. `refused` holds the
/// mechanics whose own actors refused the reservation.
pub fn explanation(
    state: &DispatchState,
    decision: &Decision,
    refused: &BTreeSet<MechanicId>,
) -> Explanation {
    let (job, at) = (&decision.job, decision.context.at);
    let candidates = job.candidates.iter().chain(&job.held).map(|candidate| Considered {
        mechanic_id: candidate.mechanic_id,
        distance_m: candidate.estimate.distance_m,
        verdict: verdict(decision, candidate, refused),
    });
    let mut considered: Vec<_> = candidates.collect();
    let known: FxHashSet<_> = considered.iter().map(|one| one.mechanic_id).collect();
    let (mut looked_at, mut listed, mut omitted) = (0, 0, 0_usize);
    // The number of candidates that the walk has not reached.
    let mut ahead = known.len();
    let mut others = state.nearest_of_all(&job.demand, job.ring_m).peekable();
    // Mechanics who come after the record is full are not in it, unless they are offered the job.
    while listed < MAX_CONSIDERED && looked_at < MAX_LOOKED_AT {
        let Some((id, supply, distance_m)) = others.next() else { break };
        looked_at += 1;
        if known.contains(&id) {
            ahead = ahead.saturating_sub(1);
            listed += 1;
            continue;
        }
        match matching::fitness(&job.demand, id, supply, distance_m, at) {
            Err(why) => {
                listed += 1;
                considered.push(Considered {
                    mechanic_id: id,
                    distance_m: distance_m.round() as u32,
                    verdict: Verdict::Unfit(why),
                });
            }
            // The mechanic is beyond the nearest that were looked at, or arrived since.
            Ok(()) => omitted += 1,
        }
    }
    if others.peek().is_some() {
        let around = state.about(&job.demand, job.ring_m);
        omitted += match around <= MAX_LOOKED_AT {
            true => others.filter(|(id, ..)| !known.contains(id)).count(),
            false => around.saturating_sub(looked_at + ahead),
        };
    }
    let is_offered = |one: &Considered| matches!(one.verdict, Verdict::Offered(_));
    considered.sort_by_key(|one| (!is_offered(one), one.distance_m, one.mechanic_id));
    omitted += considered.len().saturating_sub(MAX_CONSIDERED);
    considered.truncate(MAX_CONSIDERED);
    considered.sort_by_key(|one| (one.distance_m, one.mechanic_id));
    Explanation {
        job_id: job.job_id,
        attempt: job.demand.attempt,
        round: job.demand.round,
        at,
        ring_m: job.ring_m,
        wanted: whole(job.demand.offers),
        priority_s: job.priority_s,
        competing_jobs: whole(decision.competing),
        method: decision.method,
        considered,
        omitted: whole(omitted),
    }
}

fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn verdict(decision: &Decision, candidate: &Candidate, refused: &BTreeSet<MechanicId>) -> Verdict {
    let (id, terms) = (candidate.mechanic_id, candidate.terms);
    let is_chosen = decision.chosen.iter().any(|chosen| chosen.mechanic_id == id);
    let is_held = decision.job.held.iter().any(|held| held.mechanic_id == id);
    let has_room = decision.chosen.len() < decision.job.demand.offers;
    match decision.context.taken.get(&id) {
        _ if is_chosen && refused.contains(&id) => Verdict::Passed(terms, Passed::NotReserved),
        _ if is_chosen => Verdict::Offered(terms),
        Some(other) if *other != decision.job.job_id => Verdict::Passed(terms, Passed::MatchedWith(*other)),
        _ if is_held => Verdict::Passed(terms, Passed::HeldBack),
        _ if has_room && decision.context.shared.contains(&id) => {
            Verdict::Passed(terms, Passed::KeptForOthers)
        }
        _ => Verdict::Passed(terms, Passed::CostsMore),
    }
}

/// The last records of jobs that get no mechanic.
#[derive(Debug, Default)]
pub struct LastRecorded(BTreeMap<JobId, Recorded>);

#[derive(Debug)]
struct Recorded {
    at: DateTime<Utc>,
    /// Attempt, round, and whether any mechanic fitted.
    case: (u32, u32, bool),
    reasons: Vec<(MechanicId, &'static str)>,
}

impl Recorded {
    fn says_the_same_as(&self, other: &Self) -> bool {
        (self.case, &self.reasons) == (other.case, &other.reasons)
    }
}

impl LastRecorded {
    /// Returns whether it is time to find out why the job got no mechanic.
    pub fn is_due(&self, decision: &Decision) -> bool {
        let at = decision.context.at;
        self.0
            .get(&decision.job.job_id)
            .is_none_or(|last| last.case != case_of(decision) || at - last.at >= EXPLAIN_EVERY)
    }

    /// Remembers the record of a job that got no mechanic. Returns whether it differs from the last record.
    pub fn note(&mut self, decision: &Decision, explanation: &Explanation) -> bool {
        let (case, at) = (case_of(decision), explanation.at);
        let reasons: Vec<_> = explanation.considered.iter().map(reason).collect();
        let record = Recorded { at, case, reasons };
        let is_news = self.0.get(&explanation.job_id).is_none_or(|before| !before.says_the_same_as(&record));
        self.0.insert(explanation.job_id, record);
        is_news
    }

    /// Forgets jobs that no longer wait.
    pub fn forget(&mut self, now: DateTime<Utc>, is_waiting: impl Fn(JobId) -> bool) {
        self.0.retain(|id, last| now - last.at < EXPLAIN_EVERY || is_waiting(*id));
    }
}

fn case_of(decision: &Decision) -> (u32, u32, bool) {
    let demand = &decision.job.demand;
    (demand.attempt, demand.round, !decision.job.candidates.is_empty())
}

fn reason(one: &Considered) -> (MechanicId, &'static str) {
    let why = match &one.verdict {
        Verdict::Offered(_) => "offered",
        Verdict::Passed(_, why) => why.as_str(),
        Verdict::Unfit(why) => why.as_str(),
    };
    (one.mechanic_id, why)
}
