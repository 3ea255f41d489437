//! Decides which mechanics may be offered a job, and what an offer costs. Pure.
//!
//! [`candidates`] looks outwards from the pickup and applies the hard filters, each with a name; [`terms`] and
//! [`priority`] turn the remaining mechanics into costs, in whole seconds of pickup time.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

pub use super::explain::{MAX_TERM_S, Terms, Unfit};
use super::{pricing::Price, worth::Worth};
use crate::{
    eta::TripEstimate,
    ids::{JobId, MechanicId},
    messages::{Demand, Supply},
    settings::{MatchingPolicy, Strategy},
    status::Urgency,
};

/// The number of candidates kept per job: the nearest fit ones. "Exact" means exact over these. With fewer
/// competing jobs than this nothing is lost, since each job is served by one of as many candidates as there are
/// jobs. With more, a job whose 64 nearest candidates all serve others is in a shortage that a distant 65th would
/// not end. Once they are taken, the job looks again, beyond them.
pub const MAX_CANDIDATES: usize = 64;
/// The longest waiting time and idle time that count.
const MAX_COUNTED: TimeDelta = TimeDelta::hours(1);

/// A mechanic who may be offered the job, with the cost of the offer.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub mechanic_id: MechanicId,
    pub estimate: TripEstimate,
    pub terms: Terms,
    /// Whether they wait at a place where only a push reaches them.
    pub is_parked: bool,
}

/// A mechanic who is online.
#[derive(Debug, Clone)]
pub struct Online {
    pub supply: Supply,
    /// The price of their time.
    pub price: Price,
}

impl Online {
    /// Returns whether a report leaves the mechanic in the same cell with the same skills.
    pub fn is_grouped_as(&self, supply: &Supply) -> bool {
        self.supply.point.cell() == supply.point.cell()
            && self.supply.categories == supply.categories
            && self.supply.vehicle_types == supply.vehicle_types
    }
}

/// A waiting job with its candidates.
#[derive(Debug, Clone)]
pub struct WaitingJob {
    pub job_id: JobId,
    pub demand: Arc<Demand>,
    /// Changes when the job's demand changes.
    pub revision: u64,
    /// When the job first reported its demand for this round.
    pub round_since: DateTime<Utc>,
    pub priority_s: i64,
    /// The ring in which the search ended.
    pub ring_m: f64,
    /// Lowest cost first, ties by id.
    pub candidates: Vec<Candidate>,
    /// Mechanics who fit, but whose time is worth more than this pickup now, in the same order.
    pub held: Vec<Candidate>,
}

impl WaitingJob {
    /// Returns the order in which ties are broken: the job that has waited longest first, then by id.
    pub fn age(&self) -> (DateTime<Utc>, JobId) {
        (self.demand.waiting_since, self.job_id)
    }
}

/// Applies the hard filters. The error is the first filter that excludes the mechanic.
pub fn fitness(
    demand: &Demand,
    id: MechanicId,
    supply: &Supply,
    distance_m: f64,
    now: DateTime<Utc>,
) -> Result<(), Unfit> {
    misfits(demand, id, supply, distance_m, now).next().map_or(Ok(()), Err)
}

/// Returns all hard filters that exclude the mechanic, in the order in which explanations name them.
pub fn misfits(
    demand: &Demand,
    id: MechanicId,
    supply: &Supply,
    distance_m: f64,
    now: DateTime<Utc>,
) -> impl Iterator<Item = Unfit> + use<> {
    let rules = [
        (now <= supply.fresh_until, Unfit::StalePosition),
        (supply.vehicle_types.contains(&demand.vehicle_type), Unfit::VehicleType),
        (supply.categories.contains(&demand.category_id), Unfit::Category),
        (distance_m <= supply.radius_m, Unfit::OutsideOwnRadius),
        (!demand.excluded.contains(&id), Unfit::Excluded),
        (supply.is_free, Unfit::Engaged),
    ];
    rules.into_iter().filter(|(holds, _)| !holds).map(|(_, unfit)| unfit)
}

/// Returns the cost of an offer to this mechanic: the travel time, plus the refusals to expect before such a
/// mechanic accepts (their mean number is (1 - p) / p), less the credit for idle time, plus the time that a parked
/// mechanic needs to get to the vehicle. A policy that only looks for the nearest counts the travel time and the
/// parked mechanic's delay alone. `worth` adds the cost of the mechanic's time and of a late arrival.
pub fn terms(
    mechanic: &Online,
    estimate: &TripEstimate,
    policy: &MatchingPolicy,
    worth: Option<&Worth<'_>>,
    now: DateTime<Utc>,
) -> Terms {
    let supply = &mechanic.supply;
    let (eta_s, eta_source) = (estimate.eta_s, estimate.source);
    let (refusal_s, idle_s) = match policy.strategy {
        Strategy::Exact => {
            let accepts = i64::from(supply.acceptance_permille.clamp(1, 1000));
            let refusal_s = policy.refusal_weight_s.saturating_mul(1000 - accepts) / accepts;
            (refusal_s.min(MAX_TERM_S), -per_minute(now - supply.idle_since, policy.idle_weight_s_per_min))
        }
        Strategy::Nearest | Strategy::Broadcast => (0, 0),
    };
    let free_s = (now - supply.idle_since).num_seconds() as f64;
    let foresight = worth.map(|worth| worth.foresight(&mechanic.price, free_s, eta_s, refusal_s));
    let foreseen_s = foresight.map_or(0, |foresight| foresight.price_s + foresight.late_s);
    let parked_s = if supply.is_parked { policy.parked_cost_s.min(MAX_TERM_S) } else { 0 };
    let cost_s = i64::from(eta_s).min(MAX_TERM_S) + refusal_s + idle_s + parked_s + foreseen_s;
    Terms { eta_s, eta_source, refusal_s, idle_s, parked_s, foresight, cost_s }
}

/// Returns the weight of a job against others that want the same mechanics: its urgency, and how long it has
/// waited.
pub fn priority(demand: &Demand, policy: &MatchingPolicy, now: DateTime<Utc>) -> i64 {
    let urgency = match demand.urgency {
        Urgency::Normal => 0,
        Urgency::Highway => policy.highway_bonus_s,
        Urgency::Accident => policy.accident_bonus_s,
    };
    urgency.min(MAX_TERM_S) + per_minute(now - demand.waiting_since, policy.waiting_weight_s_per_min)
}

fn per_minute(time: TimeDelta, weight_s: i64) -> i64 {
    let seconds = time.clamp(TimeDelta::zero(), MAX_COUNTED).num_seconds();
    (weight_s.saturating_mul(seconds) / 60).min(MAX_TERM_S)
}

/// Returns the rings of a round, from its own outwards. An empty ring is widened at once.
pub fn rings(demand: &Demand) -> &[f64] {
    let rings = &demand.search.rings_m;
    let first = (demand.round.max(1) as usize - 1).min(rings.len().saturating_sub(1));
    &rings[first..]
}

/// Returns the outermost ring. Mechanics beyond it are never asked.
pub fn reach_m(demand: &Demand) -> f64 {
    demand.search.rings_m.last().copied().unwrap_or_default()
}

/// The result of a look around a pickup.
#[derive(Debug, Default)]
pub struct Found {
    /// The smallest ring with a mechanic who may be sent, or else the outermost.
    pub ring_m: f64,
    /// Lowest cost first, ties by id; together at most [`MAX_CANDIDATES`].
    pub candidates: Vec<Candidate>,
    /// Mechanics whose time is worth more than this pickup.
    pub held: Vec<Candidate>,
}

/// Returns the fit mechanics among `near` (nearest first, with distances) within the smallest ring that holds any
/// who may be sent.
pub fn candidates<'a>(
    demand: &Demand,
    near: impl Iterator<Item = (MechanicId, &'a Online, f64)>,
    estimate: impl Fn(MechanicId, &Supply) -> Option<TripEstimate>,
    policy: &MatchingPolicy,
    worth: Option<&Worth<'_>>,
    now: DateTime<Utc>,
) -> Found {
    let mut rings = rings(demand);
    if policy.strategy == Strategy::Broadcast && demand.has_offer {
        // This round's offers went to its ring: mechanics farther out get theirs in the next round.
        rings = rings.get(..1).unwrap_or_default();
    }
    let (mut fit, mut held): (Vec<Candidate>, Vec<Candidate>) = Default::default();
    let mut ring_m = None;
    for (id, mechanic, distance_m) in near {
        let supply = &mechanic.supply;
        if fit.len() + held.len() == MAX_CANDIDATES || ring_m.is_some_and(|limit| distance_m > limit) {
            break;
        }
        if fitness(demand, id, supply, distance_m, now).is_err() {
            continue;
        }
        let ring = ring_m.or_else(|| rings.iter().copied().find(|ring| distance_m <= *ring));
        if ring.is_none() {
            break;
        }
        let Some(estimate) = estimate(id, supply) else { continue };
        let terms = terms(mechanic, &estimate, policy, worth, now);
        let is_held = worth.zip(terms.foresight).is_some_and(|(worth, foresight)| worth.holds(&foresight));
        let candidate = Candidate { mechanic_id: id, estimate, terms, is_parked: supply.is_parked };
        if is_held {
            held.push(candidate);
        } else {
            ring_m = ring;
            fit.push(candidate);
        }
    }
    sort(&mut fit);
    sort(&mut held);
    Found { ring_m: ring_m.unwrap_or_else(|| reach_m(demand)), candidates: fit, held }
}

/// Sorts by cost, lowest first, ties by id.
pub fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| (candidate.terms.cost_s, candidate.mechanic_id));
}
