//! How good a day could have been: a ceiling that no dispatch policy beats, and the best plan found with everything known. Pure.
//!
//! Chance is drawn per mechanic and customer, so a day is known before it is played (`day.rs`): who calls, who would accept what
//! from where and how soon, how long each trip and each work takes, where mechanics drive when they are free.
//!
//! **The ceiling** (`ceiling.rs`, `network.rs`) limits the number of jobs whose mechanic arrives within 30 minutes. Every
//! omission and simplification favours the policy, so that no real day serves more:
//!
//! - A mechanic's day is any sequence of jobs. That two mechanics serve the same job has a price instead of being forbidden, and
//!   one mechanic may serve a job twice. By weak duality, any prices give a ceiling.
//! - Offers come at once, wait for no other mechanic's answer, and attempts never end: only the customer's patience for an accept
//!   and for an arrival, and the mechanic's shift, limit when a mechanic sets out. Where another mechanic could have the job
//!   first and lose it (they would give it back, or their phone is silent for long enough), only the patience for an arrival
//!   does.
//! - Of the offers that a mechanic may get for a job (two: a decline or a second expiry excludes them; one more for each time
//!   that their phone gets its connection back meanwhile, and for each mechanic who could lose the job) they give the most
//!   willing answer, and the soonest.
//! - The distance of an offer is the smallest from anywhere on the way on which they cruise, less what they may have moved since
//!   the position that the service knows.
//! - A free mechanic is anywhere on the first part of their way that they can have reached by then, at the best speed of the
//!   hours in question; they wait there if that helps. Distances are on a plane that is never longer than the globe.
//! - A trip has the speed of the best hour in which they can set out.
//! - Work that is late or interrupted moves a mechanic without serving in time. For a short late job they only have to be free:
//!   they are there as soon as it is late, wherever they were. After the first moment at which a customer may give up on this
//!   mechanic, or they may give a job back, they may have driven anywhere at the best speed of all trips. 45 minutes after their
//!   last job (no other late job takes less) they may be anywhere at all.
//! - Moments at which a mechanic becomes free are rounded down to full minutes.
//! - The service takes a job from a mechanic whose phone is silent for long; after each gap of a phone the mechanic may have
//!   driven anywhere, too, as above. The service takes jobs for no other reason here: a job that is taken for lateness
//!   (`watch.reassign_slipping`, off by default) is not covered.
//! - Phones always have a connection; deadlines are a second later than drawn, for the engine's clock.
//!
//! A job that its mechanic would give back on the way is not served by them. This is exact.
//!
//! **The plan** (`search.rs`, `tour.rs`) keeps the rules that the ceiling relaxes: each job once, exact positions, trips and
//! answers, one after the other. It does not model gaps of phones, the age of positions, the engine's pauses for gathering jobs,
//! and attempts that end, so it is slightly optimistic; it is also not the optimum. So the best possible result is between the
//! plan and the ceiling.

mod ceiling;
mod day;
mod network;
mod plane;
mod search;
mod section;
#[cfg(test)]
mod tests;
mod tour;

pub use section::{Bound, Section, Served};

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use self::{ceiling::Ceiling, day::Day, network::Network};
use super::{arguments::Arguments, plan::Plan, policy::ServiceSettings, scenario::Scenario};

/// The steps of the search for a plan, per job and at most.
const STEPS_PER_JOB: usize = 450;
const MAX_STEPS: usize = 450_000;
/// A day with more jobs has no ceiling but their number.
const MAX_JOBS: usize = 20_000;

impl Bound {
    /// Computes the bound of the day of this seed at this load.
    pub fn of(scenario: &Scenario, settings: &ServiceSettings, load: f64, seed: u64) -> Self {
        let day = Day::new(scenario, settings, load, seed);
        let (ceiling, plan) = both(&day, settings);
        let count = |jobs: usize| u32::try_from(jobs).unwrap_or(u32::MAX);
        Self { load, seed, jobs: count(day.jobs.len()), ceiling: count(ceiling), plan: count(plan) }
    }
}

/// Computes the bound of each day of these runs once, in the order of the runs.
pub fn of_days(arguments: &Arguments, plans: &[Plan]) -> Vec<Bound> {
    let mut days: Vec<&Plan> = Vec::new();
    for plan in plans {
        if !days.iter().any(|day| (day.load, day.seed) == (plan.load, plan.seed)) {
            days.push(plan);
        }
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(cores, |threads| threads as usize).min(days.len());
    let (next, slots) = (AtomicUsize::new(0), Mutex::new(vec![None; days.len()]));
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(day) = days.get(place) else { return };
            let bound = Bound::of(&day.scenario, &day.settings, day.load, day.seed);
            slots.lock()[place] = Some(bound);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let slots = slots.into_inner();
    slots.into_iter().flatten().collect()
}

/// Returns the number of jobs in time: at most, and by the best plan found.
fn both(day: &Day, settings: &ServiceSettings) -> (usize, usize) {
    if day.jobs.is_empty() {
        return (0, 0);
    }
    let networks = if day.jobs.len() > MAX_JOBS { Vec::new() } else { networks(day, settings) };
    let ceiling = match networks.is_empty() {
        true => Ceiling::trivial(day.jobs.len()),
        false => ceiling::of(&networks, day.jobs.len()),
    };
    let steps = (STEPS_PER_JOB * day.jobs.len()).min(MAX_STEPS);
    let schedule = search::plan(day, &ceiling.days, &ceiling.prices, steps);
    let served = schedule.days().enumerate().map(|(m, jobs)| tour::verified(day, m, jobs).len());
    (ceiling.jobs, served.sum())
}

/// Builds the networks of the mechanics who work.
fn networks(day: &Day, settings: &ServiceSettings) -> Vec<Network> {
    let fresh_s = settings.engine.presence.fresh_position.num_milliseconds() as f64 / 1000.0;
    (0..day.workers.len()).map(|m| Network::new(day, m, fresh_s.max(0.0))).collect()
}
