//! Who is offered what. Pure.
//!
//! [`candidates`] applies the hard filters, each with a name; [`choose`] decides for one job at a time, the oldest
//! first, by cost. An exact assignment over competing jobs takes the place of [`choose`] behind the same signature.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

pub use super::explain::Unfit;
use super::messages::{View, Want};
use crate::{
    ids::{JobId, MechanicId},
    ports::{Estimate, Eta},
    settings::MatchingPolicy,
};

/// A mechanic that may be offered the job, and what that would cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub mechanic_id: MechanicId,
    pub estimate: Estimate,
    /// Seconds; lower is better.
    pub cost_s: i64,
}

/// The hard filters, in the order in which they are told.
pub fn fitness(
    want: &Want,
    id: MechanicId,
    view: &View,
    distance_m: f64,
    now: DateTime<Utc>,
) -> Result<(), Unfit> {
    let rules = [
        (now <= view.fresh_until, Unfit::StalePosition),
        (view.vehicle_types.contains(&want.vehicle_type), Unfit::VehicleType),
        (view.categories.contains(&want.category_id), Unfit::Category),
        (distance_m <= view.radius_m, Unfit::OutsideOwnRadius),
        (!want.excluded.contains(&id), Unfit::Excluded),
        (view.is_free, Unfit::Engaged),
    ];
    rules.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, unfit)| Err(unfit))
}

/// What an offer of this job to this mechanic costs: the way, less what waiting and idling count for.
pub fn cost(want: &Want, view: &View, eta_s: u32, policy: &MatchingPolicy, now: DateTime<Utc>) -> i64 {
    let waited = (now - want.created_at).num_minutes().clamp(0, 60);
    let idle = (now - view.idle_since).num_minutes().clamp(0, 60);
    i64::from(eta_s) - waited * policy.waiting_weight_s_per_min - idle * policy.idle_weight_s_per_min
}

/// The rings of a round, from its own outwards: an empty one is widened at once.
pub fn rings(want: &Want) -> &[f64] {
    let rings = &want.search.rings_m;
    let first = (want.round.max(1) as usize - 1).min(rings.len().saturating_sub(1));
    &rings[first..]
}

/// The fit ones among `near` (nearest first, with distances), within the smallest ring that holds any; by cost,
/// ties by id.
pub fn candidates<'a>(
    want: &Want,
    near: impl Iterator<Item = (MechanicId, &'a View, f64)>,
    eta: &dyn Eta,
    policy: &MatchingPolicy,
    now: DateTime<Utc>,
) -> Vec<Candidate> {
    let mut fit: Vec<Candidate> = Vec::new();
    let mut limit_m = None;
    for (id, view, distance_m) in near {
        if limit_m.is_some_and(|limit| distance_m > limit) {
            break;
        }
        if fitness(want, id, view, distance_m, now).is_err() {
            continue;
        }
        limit_m = limit_m.or_else(|| rings(want).iter().copied().find(|ring| distance_m <= *ring));
        if limit_m.is_none() {
            break;
        }
        let estimate = eta.estimate(view.point, want.pickup, now);
        let cost_s = cost(want, view, estimate.eta_s, policy, now);
        fit.push(Candidate { mechanic_id: id, estimate, cost_s });
    }
    fit.sort_by_key(|candidate| (candidate.cost_s, candidate.mechanic_id));
    fit
}

/// A waiting job with its candidates.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub job_id: JobId,
    pub created_at: DateTime<Utc>,
    pub offers: usize,
    pub candidates: Vec<Candidate>,
}

/// Who is offered which job: each mechanic once; the first offer of every job before any second one; and further
/// offers only to mechanics that no other waiting job could use. Ties by the job's age, then id.
pub fn choose(mut waiting: Vec<Waiting>) -> BTreeMap<JobId, Vec<Candidate>> {
    waiting.sort_by_key(|job| (job.created_at, job.job_id));
    let mut usable_by: BTreeMap<MechanicId, usize> = BTreeMap::new();
    for candidate in waiting.iter().flat_map(|job| &job.candidates) {
        *usable_by.entry(candidate.mechanic_id).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    let mut chosen: BTreeMap<JobId, Vec<Candidate>> = BTreeMap::new();
    for job in &waiting {
        let first = job.candidates.iter().find(|candidate| !taken.contains(&candidate.mechanic_id));
        if let Some(first) = first {
            taken.insert(first.mechanic_id);
            chosen.entry(job.job_id).or_default().push(first.clone());
        }
    }
    for job in &waiting {
        let Some(mine) = chosen.get_mut(&job.job_id) else { continue };
        for candidate in &job.candidates {
            if mine.len() >= job.offers {
                break;
            }
            if usable_by[&candidate.mechanic_id] == 1 && taken.insert(candidate.mechanic_id) {
                mine.push(candidate.clone());
            }
        }
    }
    chosen
}
