//! `roadcall simulate`: the dispatch engine under virtual time, to compare dispatch policies and to find what breaks.
//!
//! - A day: `scenario.rs` is the city, `demand.rs` draws who calls, `mechanic_profiles.rs` who works, `faults.rs` what goes
//!   wrong, `policy.rs` sets the engine. Or a recorded day: `replay/` has its calls and mechanics instead. `plan.rs` is a day
//!   under a policy.
//! - A run of that day: `run.rs` is its state, with the people of `people.rs`. `play.rs` takes one step after the other from
//!   `queue.rs`. `customers.rs`, `mechanics.rs`, `mechanic_jobs.rs`, `driving.rs` and `phones.rs` are what people do,
//!   `places.rs` and `travel.rs` where. `service.rs` is the engine, `recording_outbound.rs` its messages to people.
//! - The report: `tally.rs` reads the outcome of a run, `outcome.rs` has its figures and `prices.rs` its prices. `runs.rs` has the
//!   outcomes of all runs, `stats.rs` compares them, `report.rs` and `chart.rs` show them, `groups.rs` by category and by zone,
//!   `roster.rs` the cost of mechanics' time over the day, `calibration.rs` the outcomes of promises, `bound/` what was possible.
//!
//! Each file uses only those below it, which `tests/walls.rs` checks. docs/SIMULATION.md explains the model.

mod arguments;
mod bound;
mod calibration;
mod chart;
mod customers;
mod demand;
mod driving;
mod faults;
mod groups;
mod mechanic_jobs;
mod mechanic_profiles;
mod mechanics;
mod outcome;
mod people;
mod phones;
mod places;
mod plan;
mod play;
mod policy;
mod prices;
mod queue;
mod recording_outbound;
mod replay;
mod report;
mod roster;
mod run;
mod runs;
mod scenario;
mod service;
mod stats;
mod tally;
mod travel;

use std::{
    any::Any,
    io::{self, IsTerminal, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

pub use arguments::Arguments;
pub use outcome::Outcome;
pub use plan::Plan;
pub use policy::{Kind, Policy, ServiceSettings, TripLearning};
pub use report::Report;
pub use runs::{RunResult, Runs};
pub use scenario::{BUILT_IN, Scenario};

use parking_lot::Mutex;
use roadcall_actors::experience::Calibration;

use crate::scenario::{ScenarioError, ScenarioFile};
use replay::Replay;

/// The reason why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error("{0}")]
    Argument(String),
    #[error("--replay {}: {why}", path.display())]
    Replay { path: PathBuf, why: String },
    #[error("seed {seed}, {policy}: an invariant is broken: {what}\nrepeat it with: {command}")]
    Broken { seed: u64, policy: Policy, what: String, command: String },
    #[error("could not write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Runs everything that was asked for, prints the table and writes the files. `settings` are the service's, with those of
/// `arguments.config` on top.
pub fn main(arguments: &Arguments, settings: ServiceSettings) -> Result<(), SimulateError> {
    let report = simulate(arguments, settings)?;
    if let Some(path) = &arguments.json {
        write(path, &report.json())?;
    }
    if let Some(path) = &arguments.svg {
        write(path, &report.chart())?;
    }
    // A reader that closes the pipe has seen enough, so this is no error.
    io::stdout().lock().write_all(report.table().as_bytes()).ok();
    Ok(())
}

/// Runs every policy at every load with every seed.
pub fn simulate(arguments: &Arguments, settings: ServiceSettings) -> Result<Report, SimulateError> {
    let (base, replay) = (Scenario::load(&arguments.scenario)?, replayed(arguments)?);
    let scenario = Arc::new(match &replay {
        Some(replay) => replay.scenario(&base),
        None => arguments.over(base),
    });
    arguments.check(&scenario).map_err(SimulateError::Argument)?;
    let settings = Arc::new(settings);
    let plans = plans(arguments, &scenario, &settings, replay.as_ref());
    let bounds = if arguments.bound { bound::of_days(arguments, &plans) } else { Vec::new() };
    let mut results = run_all(arguments, &plans)?;
    if arguments.calibration {
        // Everything runs once more, as with a service that knows the outcomes of its promises on the other days.
        let experienced: Vec<Plan> = plans
            .into_iter()
            .map(|plan| Plan { calibration: calibration::of_other_days(&results, &plan), ..plan })
            .collect();
        results = run_all(arguments, &experienced)?;
    }
    let report = Report::new(arguments, &scenario, settings.engine.matching.pricing.as_ref(), results)
        .with_bounds(&bounds);
    Ok(if arguments.roster { report.with_roster(&scenario) } else { report })
}

fn replayed(arguments: &Arguments) -> Result<Option<Arc<Replay>>, SimulateError> {
    let Some(path) = &arguments.replay else { return Ok(None) };
    let replay = Replay::load(path).map_err(|why| SimulateError::Replay { path: path.clone(), why })?;
    Ok(Some(Arc::new(replay)))
}

fn plans(
    arguments: &Arguments,
    scenario: &Arc<Scenario>,
    settings: &Arc<ServiceSettings>,
    replay: Option<&Arc<Replay>>,
) -> Vec<Plan> {
    let mut plans = Vec::new();
    for load in arguments.loads() {
        for seed in arguments.seeds() {
            plans.extend(arguments.policies().into_iter().map(|policy| Plan {
                scenario: scenario.clone(),
                settings: settings.clone(),
                policy,
                load,
                seed,
                faults: arguments.faults.unwrap_or_default(),
                eta_error: arguments.eta_error,
                follow_percent: arguments.follow,
                calibration: Calibration::default(),
                check_every_step: arguments.check_every_step,
                roster: arguments.roster,
                replay: replay.cloned(),
            }));
        }
    }
    plans
}

/// Runs all plans, each in its own actix system, so that its result does not depend on how many others run at the same time.
fn run_all(arguments: &Arguments, plans: &[Plan]) -> Result<Vec<RunResult>, SimulateError> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(cores, |threads| threads as usize).min(plans.len());
    let (next, slots) = (AtomicUsize::new(0), Mutex::new(vec![None; plans.len()]));
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = plans.get(place) else { return };
            show_progress(place, plans.len());
            let outcome = run_one(plan);
            slots.lock()[place] = Some(outcome);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    show_progress(plans.len(), plans.len());
    let slots = slots.into_inner();
    let finished = plans.iter().zip(slots.into_iter().flatten());
    finished
        .map(|(plan, outcome)| {
            let Plan { policy, seed, load, .. } = *plan;
            let outcome = outcome.map_err(|what| {
                let command = arguments.repeat(policy, seed, load);
                SimulateError::Broken { seed, policy, what, command }
            })?;
            Ok(RunResult { policy, load, seed, outcome })
        })
        .collect()
}

/// Returns the outcome of one day, or the message of the invariant that broke.
pub fn run_one(plan: &Plan) -> Result<Outcome, String> {
    let plan = plan.clone();
    let outcome = catch_unwind(AssertUnwindSafe(|| actix_rt::System::new().block_on(play::run(plan))));
    outcome.map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

fn show_progress(done: usize, all: usize) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "" };
        write!(err, "\r{done} of {all} days{end}").ok();
    }
}

fn write(path: &Path, text: &str) -> Result<(), SimulateError> {
    std::fs::write(path, text).map_err(|error| SimulateError::Write { path: path.to_owned(), error })
}
