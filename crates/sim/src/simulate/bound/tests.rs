//! The ceiling against plans and against days that were really simulated.

use std::sync::Arc;

use roadcall_actors::{experience::Calibration, simulation::world};

use super::{
    super::{
        policy::{Kind, Policy, ServiceSettings},
        run::Plan,
        run_one,
        scenario::Scenario,
    },
    Bound,
};
use crate::scenario::ScenarioFile;

fn settings() -> ServiceSettings {
    ServiceSettings { engine: world::settings(), search: world::search() }
}

fn small(mechanics: u32, jobs: u32) -> Scenario {
    Scenario { mechanics, jobs, hours: 2.0, ..Scenario::load("scarce").expect("built in") }
}

#[test]
fn no_plan_and_no_simulated_policy_beats_the_ceiling() {
    let mut below = 0;
    for seed in 1..=8 {
        let (mechanics, jobs) = if seed % 2 == 0 { (3, 6) } else { (6, 30) };
        let scenario = Arc::new(small(mechanics, jobs));
        let settings = Arc::new(settings());
        let bound = Bound::of(&scenario, &settings, 1.0, seed);
        assert!(bound.plan <= bound.ceiling && bound.ceiling <= bound.jobs, "{bound:?}");
        below += u32::from(bound.ceiling < bound.jobs);
        for policy in [Kind::Nearest, Kind::Ours].map(Policy::plain) {
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
    assert!(below >= 3, "a ceiling of all jobs says nothing: {below} of 8 days are below");
}

#[test]
fn the_same_day_has_the_same_bound() {
    let bound = || Bound::of(&small(4, 12), &settings(), 1.0, 7);
    assert_eq!(bound(), bound());
}
