//! Estimates how long a customer will wait, why, and how likely a mechanic arrives in time. Pure. Everything that
//! tells a customer about their wait uses these values: estimates, jobs, frames, notifications, pages.
//!
//! Free mechanics whose time is not worth more are asked in order of cost; the k-th accepts with chance pₖ:
//! ```text
//! now   = Σ pₖ · Π (1 - pⱼ, j < k) · P(eta + answers so far ≤ left)
//! later = 1 - exp(-h · (left - travel)),  h = Σ 0.4 · p / ((travel + on site) · (1 + 0.3 · jobs that wait for them, too))
//! chance = share · now + (1 - share · P(one of them accepts)) · later
//! wait  = the mean over those who may come: the free ones, and one who becomes free before the search ends
//! ```
//! `h` is the rate at which busy mechanics become free and take this job; `share` is the number of free mechanics
//! for each job that is being decided with this one. The outcomes of earlier promises correct the result; see
//! [`crate::experience::Calibration`]. Mechanics count at the middle of their cell, and the result is rounded, so a
//! caller who asks from many places learns only the cell.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    matching::{self, Online},
    queries::Availability,
    state::DispatchState,
    worth::{Worth, chance_in_time},
};
use crate::{
    eta::Eta,
    experience::WorkTimes,
    ids::{JobId, MechanicId},
    messages::{Demand, Supply},
    outbound::{Outlook, WaitReason},
    settings::MatchingPolicy,
};

/// The free mechanics who count: others would be asked too late.
const MAX_ASKED: usize = 8;
/// The free and busy mechanics, and the waiting jobs, that are looked at.
const MAX_LOOKED_AT: usize = 64;
const MAX_RIVALS: usize = 32;
/// Mechanics beyond this distance don't matter to customers here, even if they are online.
const FAR_M: f64 = 100_000.0;
/// The chance that a mechanic accepts if nothing else is known of them, as for one who has answered no offer yet.
const ACCEPTS: f64 = 0.8;
/// The seconds between an offer and the next one after a refusal, and between an offer and its acceptance.
const REFUSAL_S: f64 = 15.0;
const ANSWER_S: f64 = 8.0;
/// The share of the mechanics who become free where this job can use them, and the share of the jobs waiting for
/// them that still wait then. Both fit the results of the simulator's days (`scarce`, `even`).
const FREED_SHARE: f64 = 0.4;
const RIVAL_SHARE: f64 = 0.3;
/// The standard deviation of the logarithm of a trip's time over its estimate, where prices give none.
const ETA_SIGMA: f64 = 0.25;
/// The longest expected wait.
const LONGEST_S: f64 = 4.0 * 3600.0;
/// The step to which chances are rounded, in thousandths.
const STEP_PERMILLE: u32 = 50;
/// The shortest time between two pieces of news of a job.
const NEWS_EVERY: TimeDelta = TimeDelta::seconds(30);
/// The time after which an outlook without news is forgotten.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(30);
/// The number of jobs whose outlook is remembered.
const MAX_REMEMBERED: usize = 100_000;

/// The facts from which an outlook follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Prospects {
    /// The mechanics who are asked or would be asked now, in order: their chance to accept, 0 to 1, and the seconds
    /// to the pickup, corrected by how long trips have taken compared with their ETAs.
    pub asked: Vec<(f64, f64)>,
    /// The number of jobs that are being decided together with this one.
    pub rivals: usize,
    /// The number of busy mechanics who become free for this job, per second.
    pub freed_per_s: f64,
    /// The seconds of a usual trip.
    pub travel_s: f64,
    /// The seconds until the job is late, and until its search ends.
    pub left_s: f64,
    pub search_left_s: f64,
    pub sigma: f64,
    pub reason: WaitReason,
}

/// The kinds of mechanics around a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Around {
    /// A mechanic is asked, or would be asked now.
    pub asked: bool,
    /// A mechanic is free, but their time is worth more elsewhere.
    pub held: bool,
    /// A mechanic could come, but has another job.
    pub engaged: bool,
    /// A mechanic could come, but has turned this job down.
    pub declined: bool,
    /// A mechanic does this kind of job, but is too far away.
    pub far: bool,
    /// A mechanic nearby does other kinds of jobs.
    pub other: bool,
}

impl Around {
    /// Returns the first reason that applies.
    pub fn reason(self) -> WaitReason {
        match self {
            Self { asked: true, .. } => WaitReason::Free,
            Self { held: true, .. } => WaitReason::Held,
            Self { engaged: true, .. } => WaitReason::Busy,
            Self { declined: true, .. } => WaitReason::Declined,
            Self { far: true, .. } => WaitReason::OutOfReach,
            Self { other: true, .. } => WaitReason::NoSkill,
            Self { .. } => WaitReason::NobodyOnline,
        }
    }
}

/// An outlook before the outcome of earlier ones corrects it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// Seconds until the arrival; `None` if no mechanic who could come is online.
    pub wait_s: Option<f64>,
    /// The chance to arrive in time, 0 to 1,000.
    pub chance_permille: u32,
    pub reason: WaitReason,
    in_time_s: u32,
}

impl Prospects {
    /// Collects the prospects of a job. The mechanics in `asked` hold an offer of it.
    pub fn of(
        state: &DispatchState,
        demand: &Demand,
        asked: &[MechanicId],
        policy: &MatchingPolicy,
        work: &WorkTimes,
        eta: &dyn Eta,
        now: DateTime<Utc>,
    ) -> Self {
        let worth = Worth::of(demand, policy, state.prices(), now);
        let has_offer = !asked.is_empty();
        let mut around = Around { asked: has_offer, ..Around::default() };
        let mut chances: Vec<(f64, f64)> =
            asked.iter().map(|id| chance_of_asked(state.online(*id), demand, work, eta, now)).collect();
        let is_asked = |id: &MechanicId| asked.contains(id);
        let mut next = Vec::new();
        for (_, mechanic) in nearby(state, demand, true, now).filter(|(id, _)| !is_asked(id)) {
            let estimate = eta.estimate(mechanic.supply.point, demand.pickup, now);
            let terms = matching::terms(&mechanic, &estimate, policy, worth.as_ref(), now);
            let holds = worth.zip(terms.foresight).is_some_and(|(worth, foresight)| worth.holds(&foresight));
            around.held |= holds;
            if !holds {
                around.asked = true;
                next.push((terms.cost_s, accepts(&mechanic), f64::from(terms.eta_s) * work.trip_ratio()));
            }
        }
        next.sort_by_key(|(cost_s, ..)| *cost_s);
        chances.extend(next.into_iter().map(|(_, accepts, eta_s)| (accepts, eta_s)));
        chances.truncate(MAX_ASKED);
        let resting: Vec<&Demand> =
            state.resting(demand.pickup, matching::reach_m(demand)).take(MAX_RIVALS).collect();
        let travel_s = work.travel_s();
        let away_s = (travel_s + work.on_site_s(demand.category_id)).max(60.0);
        let mut freed_per_s = 0.0;
        for (_, mechanic) in nearby(state, demand, false, now).filter(|(id, _)| !is_asked(id)) {
            around.engaged = true;
            let wants = |other: &&&Demand| **other != demand && serves(&mechanic, other, now);
            let rivals = resting.iter().filter(wants).count();
            freed_per_s += FREED_SHARE * accepts(&mechanic) / (away_s * (1.0 + RIVAL_SHARE * rivals as f64));
        }
        if !around.reason().is_served() {
            look_farther(&mut around, state, demand, now);
        }
        let waited_s = seconds(now - demand.waiting_since).max(0.0);
        let ttl_s = seconds(demand.search.attempt_ttl).max(0.0);
        Self {
            // Other jobs do not compete for a mechanic who holds this job's offer.
            rivals: if has_offer || chances.is_empty() { 0 } else { rivals(state, demand, now) },
            asked: chances,
            freed_per_s,
            travel_s,
            left_s: seconds(demand.search.in_time) - waited_s - ANSWER_S,
            search_left_s: if waited_s < ttl_s { ttl_s - waited_s } else { ttl_s },
            sigma: policy.pricing.map_or(ETA_SIGMA, |pricing| pricing.eta_sigma),
            reason: around.reason(),
        }
    }

    /// Returns the forecast that follows from these prospects. `in_time` is the job's own limit.
    pub fn forecast(&self, in_time: TimeDelta) -> Forecast {
        let (mut none, mut in_time_now, mut wait_now) = (1.0, 0.0, 0.0);
        for (place, (accepts, eta_s)) in self.asked.iter().enumerate() {
            let (chance, arrives_s) = (none * accepts, eta_s + REFUSAL_S * place as f64);
            in_time_now += chance * chance_in_time(arrives_s, self.left_s, self.sigma);
            wait_now += chance * (arrives_s + ANSWER_S);
            none *= 1.0 - accepts;
        }
        let share = (self.asked.len() as f64 / (self.rivals as f64 + 1.0)).min(1.0);
        let (now, in_time_now) = (share * (1.0 - none), share * in_time_now);
        let horizon_s = (self.left_s - self.travel_s).min(self.search_left_s).max(0.0);
        let later = 1.0 - (-self.freed_per_s * horizon_s).exp();
        let wait_later = match self.freed_per_s > 0.0 {
            true => (1.0 / self.freed_per_s + self.travel_s).min(LONGEST_S),
            false => LONGEST_S,
        };
        let chance = in_time_now + (1.0 - now) * later;
        // Only the customers who get a mechanic count, since nobody waits for a mechanic who never comes.
        let comes_later = (1.0 - now) * (1.0 - (-self.freed_per_s * self.search_left_s.max(0.0)).exp());
        let wait_s = match now + comes_later {
            comes if comes > 0.0 => (share * wait_now + comes_later * wait_later) / comes,
            _ => wait_later,
        };
        let wait_s = wait_s.min(LONGEST_S);
        Forecast {
            wait_s: self.reason.is_served().then_some(wait_s),
            // Casts of floats saturate, and turn NaN into 0.
            chance_permille: ((chance * 1000.0).round() as u32).min(1000),
            reason: self.reason,
            in_time_s: u32::try_from(in_time.num_seconds()).unwrap_or_default(),
        }
    }
}

impl Forecast {
    /// Returns the rounded outlook, with the chance that jobs with such a forecast had.
    pub fn outlook(&self, calibrated_permille: u32) -> Outlook {
        let rounded = (calibrated_permille.min(1000) + STEP_PERMILLE / 2) / STEP_PERMILLE * STEP_PERMILLE;
        Outlook {
            expected_wait_s: self.wait_s.map(|wait_s| (wait_s / 60.0).ceil() as u32 * 60),
            chance_permille: rounded,
            in_time_s: self.in_time_s,
            reason: self.reason,
        }
    }
}

/// Returns the mechanics who could serve the job if they are (or were) free, nearest first, each in the middle of
/// their cell.
fn nearby<'a>(
    state: &'a DispatchState,
    demand: &'a Demand,
    is_free: bool,
    now: DateTime<Utc>,
) -> impl Iterator<Item = (MechanicId, Online)> + 'a {
    let reach_m = matching::reach_m(demand);
    // A cell's middle may be within reach even if the mechanic is not.
    let near = state.near(is_free, demand.pickup, reach_m + Availability::CELL_M);
    let near = near.filter(|(id, _)| !demand.excluded.contains(id));
    let near = near.map(|(id, mechanic)| (id, in_their_cell(mechanic)));
    let fit = near.filter(move |(_, mechanic)| {
        mechanic.supply.point.distance_m(demand.pickup) <= reach_m && serves(mechanic, demand, now)
    });
    fit.take(MAX_LOOKED_AT)
}

fn in_their_cell(mechanic: &Online) -> Online {
    let point = mechanic.supply.point.snapped(Availability::CELL_M);
    Online { supply: Supply { point, ..mechanic.supply.clone() }, price: mechanic.price }
}

/// Returns the chance that a mechanic with an offer accepts it, and their seconds to the pickup.
fn chance_of_asked(
    mechanic: Option<&Online>,
    demand: &Demand,
    work: &WorkTimes,
    eta: &dyn Eta,
    now: DateTime<Utc>,
) -> (f64, f64) {
    let Some(mechanic) = mechanic.map(in_their_cell) else { return (ACCEPTS, work.travel_s()) };
    let estimate = eta.estimate(mechanic.supply.point, demand.pickup, now);
    (accepts(&mechanic), f64::from(estimate.eta_s) * work.trip_ratio())
}

fn serves(mechanic: &Online, demand: &Demand, now: DateTime<Utc>) -> bool {
    let distance_m = mechanic.supply.point.distance_m(demand.pickup);
    mechanic.supply.could_serve(demand.vehicle_type, demand.category_id, distance_m, now)
}

/// Finds out why no online mechanic could serve the job, from the nearest of them, free or not.
fn look_farther(around: &mut Around, state: &DispatchState, demand: &Demand, now: DateTime<Utc>) {
    let reach_m = matching::reach_m(demand);
    let online = [true, false].into_iter().flat_map(|is_free| {
        let nearest = state.near(is_free, demand.pickup, FAR_M);
        nearest.take(MAX_LOOKED_AT)
    });
    for (id, Online { supply, .. }) in online.filter(|(_, mechanic)| now <= mechanic.supply.fresh_until) {
        let distance_m = supply.point.snapped(Availability::CELL_M).distance_m(demand.pickup);
        let is_skilled = supply.vehicle_types.contains(&demand.vehicle_type)
            && supply.categories.contains(&demand.category_id);
        let is_near = distance_m <= reach_m;
        match (is_skilled, demand.excluded.contains(&id)) {
            (true, true) => around.declined |= is_near && distance_m <= supply.radius_m,
            (true, false) => around.far = true,
            (false, _) => around.other |= is_near,
        }
    }
}

/// Counts the jobs of the next pass that want some of the same free mechanics.
fn rivals(state: &DispatchState, demand: &Demand, now: DateTime<Utc>) -> usize {
    let free: Vec<Online> =
        nearby(state, demand, true, now).map(|(_, mechanic)| mechanic).take(MAX_ASKED).collect();
    let ready = state.ready_demands().take(MAX_LOOKED_AT).filter(|other| *other != demand);
    ready.filter(|other| free.iter().any(|mechanic| serves(mechanic, other, now))).count()
}

fn accepts(mechanic: &Online) -> f64 {
    (f64::from(mechanic.supply.acceptance_permille) / 1000.0).clamp(0.05, 0.98)
}

fn seconds(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1000.0
}

/// The last outlook that the customer of each waiting job was shown.
#[derive(Debug, Default)]
pub struct Outlooks(BTreeMap<JobId, Known>);

#[derive(Debug)]
struct Known {
    looked_at: DateTime<Utc>,
    /// Whether an offer was out then.
    is_asked: bool,
    last: Outlook,
    shown: Outlook,
}

impl Outlooks {
    /// Returns whether a waiting job without an offer is due for an outlook: at once if it had an offer before.
    pub fn is_due(&self, id: JobId, now: DateTime<Utc>) -> bool {
        match self.0.get(&id) {
            Some(known) => known.is_asked || now - known.looked_at >= NEWS_EVERY,
            None => self.0.len() < MAX_REMEMBERED,
        }
    }

    /// Returns the job's last outlook.
    pub fn last(&self, id: JobId) -> Option<Outlook> {
        self.0.get(&id).map(|known| known.last)
    }

    /// Notes that the job has an offer out. Returns whether its customer has to know, because they believe that no
    /// mechanic is being asked.
    pub fn note_offer(&mut self, id: JobId) -> bool {
        let Some(known) = self.0.get_mut(&id) else { return self.0.len() < MAX_REMEMBERED };
        known.is_asked = true;
        known.shown.reason != WaitReason::Free
    }

    /// Remembers an outlook on a job without or with an offer out. Returns whether it is news to the customer.
    pub fn note(&mut self, id: JobId, outlook: Outlook, is_asked: bool, now: DateTime<Utc>) -> bool {
        let Some(known) = self.0.get_mut(&id) else {
            self.0.insert(id, Known { looked_at: now, is_asked, last: outlook, shown: outlook });
            return true;
        };
        (known.looked_at, known.is_asked, known.last) = (now, is_asked, outlook);
        let is_news = differs(&known.shown, &outlook);
        if is_news {
            known.shown = outlook;
        }
        is_news
    }

    /// Forgets jobs that no longer search. A job with an offer out may search again.
    pub fn forget(&mut self, now: DateTime<Utc>, is_waiting: impl Fn(JobId) -> bool) {
        self.0.retain(|id, known| now - known.looked_at < FORGOTTEN_AFTER || is_waiting(*id));
    }
}

/// Returns whether the waits differ by more than a fifth and two minutes, or by five minutes, or the reasons
/// differ.
fn differs(one: &Outlook, other: &Outlook) -> bool {
    let is_other = one.reason != other.reason;
    let waits = one.expected_wait_s.zip(other.expected_wait_s);
    let is_longer = waits.is_some_and(|(one, other)| {
        let by = one.abs_diff(other);
        by > 300 || (by >= 120 && by > one / 5)
    });
    is_other || is_longer || one.expected_wait_s.is_some() != other.expected_wait_s.is_some()
}
