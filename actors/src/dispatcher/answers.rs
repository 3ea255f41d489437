//! Turns matches into offers. Pure.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};

use super::{
    explain::Method,
    matching::{Candidate, WaitingJob},
};
use crate::{
    ids::{JobId, MechanicId},
    settings::Strategy,
};

/// The decision about one job.
#[derive(Debug, Clone)]
pub struct Decision {
    pub job: WaitingJob,
    /// The mechanics who are to be offered the job, the match first.
    pub chosen: Vec<Candidate>,
    pub method: Method,
    /// The number of jobs that were decided together.
    pub competing: usize,
    pub context: Arc<PassContext>,
}

impl Decision {
    /// Creates the decision for a job that no mechanic fits.
    pub fn nobody(job: WaitingJob, strategy: Strategy, at: DateTime<Utc>) -> Self {
        let method = if strategy == Strategy::Exact { Method::Alone } else { Method::Greedy };
        let context = Arc::new(PassContext { at, ..PassContext::default() });
        Self { job, chosen: Vec::new(), method, competing: 1, context }
    }
}

/// The context shared by the decisions of one pass.
#[derive(Debug, Default)]
pub struct PassContext {
    pub at: DateTime<Utc>,
    pub taken: BTreeMap<MechanicId, JobId>,
    /// Mechanics that more than one waiting job could use.
    pub shared: BTreeSet<MechanicId>,
}

/// A job with its match.
#[derive(Debug)]
pub struct Match {
    pub job: WaitingJob,
    pub first: Option<Candidate>,
    pub method: Method,
    pub competing: usize,
}

/// The number of waiting jobs that could use each mechanic.
#[derive(Debug, Clone, Default)]
pub struct CandidateUse(BTreeMap<MechanicId, usize>);

impl CandidateUse {
    /// Counts the mechanics that one more job could use.
    pub fn add(&mut self, mechanics: impl Iterator<Item = MechanicId>) {
        mechanics.for_each(|id| *self.0.entry(id).or_default() += 1);
    }

    fn shared(&self) -> BTreeSet<MechanicId> {
        self.0.iter().filter(|(_, uses)| **uses > 1).map(|(id, _)| *id).collect()
    }
}

/// Decides which mechanics are offered which job. Every job is offered to its match, and to as many more mechanics
/// as its round has room for, but only to those whom no other waiting job could use. Each mechanic gets at most one
/// offer.
pub fn offers(mut matches: Vec<Match>, uses: &CandidateUse, at: DateTime<Utc>) -> Vec<Decision> {
    matches.sort_by_key(|matched| matched.job.age());
    let shared = uses.shared();
    let mut taken: BTreeMap<MechanicId, JobId> = BTreeMap::new();
    for matched in &matches {
        taken.extend(matched.first.as_ref().map(|first| (first.mechanic_id, matched.job.job_id)));
    }
    let mut chosen = Vec::with_capacity(matches.len());
    for matched in &matches {
        let mut mine: Vec<Candidate> = matched.first.clone().into_iter().collect();
        // A job without a match gets no parallel offers either, unless one of its offers is being answered.
        let may_widen = !mine.is_empty() || matched.job.demand.has_offer;
        for candidate in matched.job.candidates.iter().filter(|_| may_widen) {
            let id = candidate.mechanic_id;
            if mine.len() >= matched.job.demand.offers {
                break;
            }
            if !shared.contains(&id) && !taken.contains_key(&id) {
                taken.insert(id, matched.job.job_id);
                mine.push(candidate.clone());
            }
        }
        chosen.push(mine);
    }
    let context = Arc::new(PassContext { at, taken, shared });
    let decided = matches.into_iter().zip(chosen).map(|(matched, chosen)| {
        let Match { job, method, competing, .. } = matched;
        Decision { job, chosen, method, competing, context: context.clone() }
    });
    decided.collect()
}

/// Decides in the common way: one job after another, oldest first, whatever that costs the others.
pub fn greedy(mut jobs: Vec<WaitingJob>, strategy: Strategy, at: DateTime<Utc>) -> Vec<Decision> {
    jobs.sort_by_key(WaitingJob::age);
    let mut taken: BTreeMap<MechanicId, JobId> = BTreeMap::new();
    let mut chosen = Vec::with_capacity(jobs.len());
    for job in &jobs {
        let width = if strategy == Strategy::Broadcast { job.demand.offers } else { 1 };
        let free = job.candidates.iter().filter(|candidate| !taken.contains_key(&candidate.mechanic_id));
        let mine: Vec<Candidate> = free.take(width).cloned().collect();
        taken.extend(mine.iter().map(|candidate| (candidate.mechanic_id, job.job_id)));
        chosen.push(mine);
    }
    let context = Arc::new(PassContext { at, taken, shared: BTreeSet::new() });
    let decided = jobs.into_iter().zip(chosen).map(|(job, chosen)| Decision {
        job,
        chosen,
        method: Method::Greedy,
        competing: 1,
        context: context.clone(),
    });
    decided.collect()
}
