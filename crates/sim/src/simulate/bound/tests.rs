//! Tests of the ceiling against the best of all days, against plans and against days that were really simulated.

use std::sync::Arc;

use roadcall_actors::{experience::Calibration, simulation::world};

use super::{
    super::{
        plan::Plan,
        policy::{Kind, Policy, ServiceSettings},
        run_one,
        scenario::Scenario,
    },
    Bound,
    day::Day,
    tour::Driver,
};
use crate::scenario::ScenarioFile;

fn settings() -> ServiceSettings {
    ServiceSettings { engine: world::settings(), search: world::search(), learning: None }
}

fn small(mechanics: u32, jobs: u32) -> Scenario {
    Scenario { mechanics, jobs, hours: 2.0, ..Scenario::load("scarce").expect("built in") }
}

/// Returns the most jobs in time over all orders of all jobs, late ones included, and some ways to wait before each.
fn best_of_all(day: &Day) -> u32 {
    let jobs = day.jobs.len();
    let mut best = vec![0_u32; 1 << jobs];
    for m in 0..day.workers.len() {
        let mut of_mechanic = vec![0; 1 << jobs];
        if let Some(driver) = Driver::at_home(day, m) {
            visit(day, m, driver, (0, 0), &mut of_mechanic);
        }
        // Each set of jobs is shared with the previous mechanics in all ways.
        let before = best.clone();
        for set in 0..1_usize << jobs {
            let mut mine = set;
            while mine > 0 {
                best[set] = best[set].max(before[set & !mine] + of_mechanic[mine]);
                mine = (mine - 1) & set;
            }
        }
    }
    best.into_iter().max().unwrap_or(0)
}

fn visit(day: &Day, m: usize, driver: Driver, (done, in_time): (usize, u32), of_mechanic: &mut [u32]) {
    of_mechanic[done] = of_mechanic[done].max(in_time);
    for j in (0..day.jobs.len()).filter(|j| done & (1 << j) == 0) {
        for waits_s in [0, 300] {
            if let Some((next, is_in_time)) = driver.after(day, m, j, waits_s * 1000) {
                let with = (done | 1 << j, in_time + u32::from(is_in_time));
                visit(day, m, next, with, of_mechanic);
            }
        }
    }
}

#[test]
fn the_best_of_all_days_is_between_the_plan_and_the_ceiling() {
    let (mut days, mut tight) = (0, 0);
    let settings = settings();
    let usual = Scenario { hours: 1.5, ..small(2, 8) };
    // Nothing interrupts here, so hardly anything is relaxed.
    let mut calm = usual.clone();
    (calm.phones.dark_percent, calm.behaviour.release_percent) = (0.0, 0.0);
    calm.customers.arrival_patience_min = 600.0;
    for seed in 1..=100 {
        let scenario = if seed <= 30 { &usual } else { &calm };
        let day = Day::new(scenario, &settings, 1.0, seed);
        if day.jobs.len() > 9 {
            continue;
        }
        let (best, bound) = (best_of_all(&day), Bound::of(scenario, &settings, 1.0, seed));
        assert!(bound.plan <= best && best <= bound.ceiling, "seed {seed}: {best} is best; {bound:?}");
        days += 1;
        tight += u32::from(best == bound.ceiling && bound.ceiling < bound.jobs);
    }
    assert!(days >= 40 && tight >= 20, "on {tight} of {days} days the ceiling is the best and not all jobs");
}

#[test]
fn no_simulated_policy_beats_the_ceiling() {
    let mut below = 0;
    for seed in 1..=3 {
        let scenario = Arc::new(small(5, 20));
        let settings = Arc::new(settings());
        let bound = Bound::of(&scenario, &settings, 1.0, seed);
        assert!(bound.plan <= bound.ceiling && bound.ceiling <= bound.jobs, "{bound:?}");
        below += u32::from(bound.ceiling < bound.jobs);
        for policy in [Kind::Nearest, Kind::Broadcast].map(Policy::plain) {
            let plan = Plan {
                roster: false,
                scenario: scenario.clone(),
                settings: settings.clone(),
                policy,
                load: 1.0,
                seed,
                faults: Default::default(),
                eta_error: 0.0,
                follow_percent: 0.0,
                calibration: Calibration::default(),
                check_every_step: false,
                replay: None,
            };
            let outcome = run_one(&plan).expect("a day without a broken invariant");
            let in_time = outcome.jobs.iter().filter(|job| job.is_in_time()).count();
            assert!(in_time <= bound.ceiling as usize, "{policy:?} serves {in_time}: {bound:?}");
        }
    }
    assert!(below >= 2, "a ceiling of all jobs says nothing: {below} of 3 days are below");
}

#[test]
fn the_same_day_has_the_same_bound() {
    let bound = || Bound::of(&small(4, 12), &settings(), 1.0, 7);
    assert_eq!(bound(), bound());
}
