//! Measures the cost of a pass:
//! `cargo test --release -p roadcall-actors --lib passes -- --ignored --nocapture`

use std::time::Instant;

use super::*;
use crate::experience::{CallRate, WorkTimes};

const JOBS: u128 = 1_000;
const MECHANICS: u128 = 5_000;

/// Returns a point in a city of about 40 km across.
fn somewhere(n: u128) -> Point {
    let part = |salt: u128| ((n * 7_919 + salt) * 104_729 % 10_007) as f64 / 10_007.0 - 0.5;
    Point::new(CENTRE.lat + 0.36 * part(1), CENTRE.lng + 0.36 * part(5_003))
}

#[allow(clippy::disallowed_methods, reason = "it measures")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    println!("{what}: {:?}", start.elapsed());
    made
}

fn pass(state: &mut DispatchState) -> usize {
    pass_by(state, &shipped())
}

fn pass_by(state: &mut DispatchState, policy: &MatchingPolicy) -> usize {
    let open = timed("  look", || state.look(&eta(), policy, at(1)).open);
    let mut users = CandidateUse::default();
    open.iter().for_each(|job| users.add(job.candidates.iter().map(|candidate| candidate.mechanic_id)));
    let due = timed("  split", || Due::all(open, policy));
    let decided = timed("  decide", || due.decide(&users, policy, at(1)));
    println!("  {} decisions, {} contested", decided.decisions.len(), decided.contested.len());
    decided.decisions.len()
}

fn city(free: impl Fn(u128) -> bool) -> DispatchState {
    let mut state = DispatchState::default();
    for n in 0..MECHANICS {
        state.update_supply(mechanic(n), Some(Supply { is_free: free(n), ..supply(somewhere(n)) }), at(0));
    }
    state
}

fn update_demand(state: &mut DispatchState, n: u128) {
    state.update_demand(job(n), Some(Demand { pickup: somewhere(n * 31 + 17), ..demand() }), at(0));
}

#[test]
#[ignore = "prints how long passes take"]
fn passes_over_a_large_city() {
    for (what, free) in [("all", 1), ("one in a hundred", 100), ("none", u128::MAX)] {
        println!("{JOBS} jobs, {MECHANICS} mechanics, free: {what}");
        let mut state = city(|n| n % free == free - 1);
        (0..JOBS).for_each(|n| update_demand(&mut state, n));
        timed("a pass over everybody, as after a restart", || pass(&mut state));
        let ready: Vec<JobId> = (0..JOBS).map(job).collect();
        ready.into_iter().for_each(|id| state.mark_proposed(id));
        timed("another pass, when one more job speaks", || {
            update_demand(&mut state, JOBS);
            pass(&mut state)
        });
    }
    let mut state = city(|_| false);
    (0..JOBS).for_each(|n| update_demand(&mut state, n));
    pass(&mut state);
    timed("1000 revisions of busy mechanics, while 1000 jobs are unmatched", || {
        for n in 0..1_000 {
            state.update_supply(mechanic(n), Some(Supply { is_free: false, ..supply(somewhere(n)) }), at(1));
        }
    });
    let unfit = || Supply { vehicle_types: BTreeSet::new().into(), ..supply(CENTRE) };
    timed("1000 revisions of free ones that fit nobody", || {
        for n in 0..1_000 {
            state.update_supply(mechanic(n), Some(unfit()), at(1));
        }
    });
    timed("one that is freed, and the pass it makes", || {
        state.update_supply(mechanic(1), Some(supply(CENTRE)), at(1));
        pass(&mut state)
    });
}

/// Runs the same pass without prices and with them, one after the other, so that the ratio of their times shows the
/// cost of prices.
#[test]
#[ignore = "prints how long passes take"]
fn prices_make_a_pass_over_a_large_city_little_dearer() {
    let priced = MatchingPolicy { pricing: Some(crate::simulation::world::pricing()), ..shipped() };
    for free in [1, 10, 100] {
        println!("{JOBS} jobs, {MECHANICS} mechanics, free: one in {free}");
        for _ in 0..3 {
            for (what, policy) in [("without prices", &shipped()), ("with prices", &priced)] {
                let mut state = city(|n| n % free == free - 1);
                (0..JOBS).for_each(|n| update_demand(&mut state, n));
                let rates: Vec<CallRate> = (0..400).map(|n| rate_at(somewhere(n))).collect();
                if policy.pricing.is_some() {
                    let prices = timed("  new prices", || {
                        let waiting = state.demands().map(|demand| (demand.pickup, demand.kind()));
                        state.prices().refreshed(state.census(), &rates, waiting, WorkTimes::default())
                    });
                    timed("  taking them over", || state.set_prices(prices));
                }
                timed(what, || pass_by(&mut state, policy));
            }
        }
    }
}

fn rate_at(point: Point) -> CallRate {
    let kind = demand().kind();
    CallRate { cell: point.cell(), kind, per_s: 1.0 / 3600.0 }
}
