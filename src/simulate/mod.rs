//! `roadcall simulate`: the engine, under virtual time, in a seeded city; to compare policies and to find what breaks.
//!
//! `scenario.rs` reads the city, `demand.rs` and `people.rs` draw a day in it with `dice.rs`, `policy.rs` sets the
//! engine. `run.rs` plays the day: `queue.rs` holds what is due, `customers.rs`, `mechanics.rs` and `work.rs` do it,
//! `ears.rs` hears what the engine says, `faults.rs` spoils it, `world.rs` is the engine. `outcome.rs` reads the
//! figures, `stats.rs` compares them, `report.rs` and `picture.rs` show them. docs/SIMULATION.md tells the model.

mod arguments;
mod city;
mod customers;
mod demand;
mod dice;
mod ears;
mod faults;
mod mechanics;
mod outcome;
mod people;
mod picture;
mod policy;
mod queue;
mod report;
mod run;
mod scenario;
mod stats;
mod work;
mod world;

use std::{
    any::Any,
    io::{self, IsTerminal, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

pub use arguments::Arguments;
pub use outcome::Outcome;
pub use policy::Policy;
pub use report::{Ran, Report};
pub use run::Plan;
pub use scenario::{BUILT_IN, Scenario, ScenarioError};

use crate::platform::settings::{Settings, SettingsError};

/// Why nothing, or no report, came of it.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("{0}")]
    Argument(String),
    #[error("seed {seed}, {}: what must hold did not: {what}\nrepeat it with: {command}", policy.as_str())]
    Broken { seed: u64, policy: Policy, what: String, command: String },
    #[error("could not write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Runs everything asked for, prints the table and writes the files.
pub fn main(arguments: &Arguments) -> Result<(), SimulateError> {
    let report = simulate(arguments)?;
    if let Some(path) = &arguments.json {
        write(path, &report.json())?;
    }
    if let Some(path) = &arguments.svg {
        write(path, &report.picture())?;
    }
    // A pipe that was closed ends the reading, and nothing else.
    io::stdout().lock().write_all(report.table().as_bytes()).ok();
    Ok(())
}

/// Runs every policy at every load with every seed.
pub fn simulate(arguments: &Arguments) -> Result<Report, SimulateError> {
    let scenario = Arc::new(arguments.over(Scenario::load(&arguments.scenario)?));
    arguments.check(&scenario).map_err(SimulateError::Argument)?;
    let service = Arc::new(Settings::load(arguments.config.as_deref())?);
    let plans = plans(arguments, &scenario, &service);
    let ran = play_all(arguments, &plans)?;
    Ok(Report::new(arguments, &scenario, ran))
}

fn plans(arguments: &Arguments, scenario: &Arc<Scenario>, service: &Arc<Settings>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for load in arguments.loads() {
        for seed in arguments.seeds() {
            plans.extend(arguments.policies().into_iter().map(|policy| Plan {
                scenario: scenario.clone(),
                service: service.clone(),
                policy,
                load,
                seed,
                faults: arguments.faults.unwrap_or_default(),
                check_every_step: arguments.check_every_step,
            }));
        }
    }
    plans
}

/// Each run on a system of its own, so that it makes no difference how many go on beside it.
fn play_all(arguments: &Arguments, plans: &[Plan]) -> Result<Vec<Ran>, SimulateError> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(cores, |threads| threads as usize).min(plans.len());
    let (next, slots) = (AtomicUsize::new(0), Mutex::new(vec![None; plans.len()]));
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = plans.get(place) else { return };
            tell_progress(place, plans.len());
            let outcome = play(plan);
            slots.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(outcome);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    tell_progress(plans.len(), plans.len());
    let slots = slots.into_inner().unwrap_or_else(PoisonError::into_inner);
    let finished = plans.iter().zip(slots.into_iter().flatten());
    finished
        .map(|(plan, outcome)| {
            let Plan { policy, seed, load, .. } = *plan;
            let outcome = outcome.map_err(|what| {
                let command = arguments.repeat(policy, seed, load);
                SimulateError::Broken { seed, policy, what, command }
            })?;
            Ok(Ran { policy, load, seed, outcome })
        })
        .collect()
}

/// Plays one day, or says what broke.
pub fn play(plan: &Plan) -> Result<Outcome, String> {
    let plan = plan.clone();
    let played = catch_unwind(AssertUnwindSafe(|| actix_rt::System::new().block_on(run::run(plan))));
    played.map_err(|panic| words(panic.as_ref()))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

fn tell_progress(done: usize, all: usize) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "" };
        write!(err, "\r{done} of {all} days{end}").ok();
    }
}

fn write(path: &Path, text: &str) -> Result<(), SimulateError> {
    std::fs::write(path, text).map_err(|error| SimulateError::Write { path: path.to_owned(), error })
}
