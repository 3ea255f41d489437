//! From a decision to the record of why. Pure.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    answers::Decision,
    explain::{Considered, Explanation, MAX_CONSIDERED, Passed, Verdict},
    matching::{self, Candidate},
    state::Picture,
};
use crate::ids::{JobId, MechanicId};

/// That a job still gets nobody is told at most this often.
pub const EXPLAIN_EVERY: TimeDelta = TimeDelta::seconds(10);

/// Why each mechanic within the ring was, or was not, offered the job. `refused` are those whose own actors did not let
/// themselves be reserved.
pub fn explanation(picture: &Picture, decision: &Decision, refused: &BTreeSet<MechanicId>) -> Explanation {
    let (job, at) = (&decision.job, decision.context.at);
    let candidates = job.candidates.iter().map(|candidate| Considered {
        mechanic_id: candidate.mechanic_id,
        distance_m: candidate.estimate.distance_m,
        verdict: verdict(decision, candidate, refused),
    });
    let mut considered: Vec<_> = candidates.collect();
    let known: BTreeSet<_> = considered.iter().map(|one| one.mechanic_id).collect();
    let mut omitted = 0_usize;
    for (id, view, distance_m) in picture.within(&job.want, job.ring_m) {
        if known.contains(&id) {
            continue;
        }
        match matching::fitness(&job.want, id, view, distance_m, at) {
            Err(unfit) => considered.push(Considered {
                mechanic_id: id,
                distance_m: distance_m.round() as u32,
                verdict: Verdict::Unfit(unfit),
            }),
            // Beyond the nearest that are looked at, or come since.
            Ok(()) => omitted += 1,
        }
    }
    let is_offered = |one: &Considered| matches!(one.verdict, Verdict::Offered(_));
    considered.sort_by_key(|one| (!is_offered(one), one.distance_m, one.mechanic_id));
    omitted += considered.len().saturating_sub(MAX_CONSIDERED);
    considered.truncate(MAX_CONSIDERED);
    considered.sort_by_key(|one| (one.distance_m, one.mechanic_id));
    Explanation {
        job_id: job.job_id,
        attempt: job.want.attempt,
        round: job.want.round,
        at,
        ring_m: job.ring_m,
        wanted: whole(job.want.offers),
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
    let has_room = decision.chosen.len() < decision.job.want.offers;
    match decision.context.taken.get(&id) {
        _ if is_chosen && refused.contains(&id) => Verdict::Passed(terms, Passed::NotReserved),
        _ if is_chosen => Verdict::Offered(terms),
        Some(other) if *other != decision.job.job_id => Verdict::Passed(terms, Passed::MatchedWith(*other)),
        _ if has_room && decision.context.shared.contains(&id) => {
            Verdict::Passed(terms, Passed::KeptForOthers)
        }
        _ => Verdict::Passed(terms, Passed::CostsMore),
    }
}

/// What was told last of jobs that get nobody.
#[derive(Debug, Default)]
pub struct Ledger(BTreeMap<JobId, Told>);

#[derive(Debug)]
struct Told {
    at: DateTime<Utc>,
    /// Attempt, round, and whether anybody fitted.
    case: (u32, u32, bool),
    reasons: Vec<(MechanicId, &'static str)>,
}

impl Told {
    fn says_as(&self, other: &Self) -> bool {
        (self.case, &self.reasons) == (other.case, &other.reasons)
    }
}

impl Ledger {
    /// Whether it is worth looking for why the job got nobody.
    pub fn is_due(&self, decision: &Decision) -> bool {
        let at = decision.context.at;
        self.0
            .get(&decision.job.job_id)
            .is_none_or(|told| told.case != case_of(decision) || at - told.at >= EXPLAIN_EVERY)
    }

    /// Remembers what is told of a job that got nobody. Whether it differs from what was told last.
    pub fn note(&mut self, decision: &Decision, explanation: &Explanation) -> bool {
        let (case, at) = (case_of(decision), explanation.at);
        let reasons: Vec<_> = explanation.considered.iter().map(reason).collect();
        let told = Told { at, case, reasons };
        let is_news = self.0.get(&explanation.job_id).is_none_or(|before| !before.says_as(&told));
        self.0.insert(explanation.job_id, told);
        is_news
    }

    /// Forgets jobs that no longer wait.
    pub fn forget(&mut self, now: DateTime<Utc>, is_waiting: impl Fn(JobId) -> bool) {
        self.0.retain(|id, told| now - told.at < EXPLAIN_EVERY || is_waiting(*id));
    }
}

fn case_of(decision: &Decision) -> (u32, u32, bool) {
    let want = &decision.job.want;
    (want.attempt, want.round, !decision.job.candidates.is_empty())
}

fn reason(one: &Considered) -> (MechanicId, &'static str) {
    let why = match &one.verdict {
        Verdict::Offered(_) => "offered",
        Verdict::Passed(_, why) => why.as_str(),
        Verdict::Unfit(why) => why.as_str(),
    };
    (one.mechanic_id, why)
}
