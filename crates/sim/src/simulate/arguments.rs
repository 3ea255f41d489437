//! The arguments of `roadcall simulate`.

use std::path::PathBuf;

use clap::Args;

use super::{
    faults::Faults,
    policy::Policy,
    scenario::{MAX_HOURS, MAX_JOBS, MAX_MECHANICS, Scenario},
};

const MAX_SEEDS: u64 = 1_000;
const MAX_LOADS: usize = 12;
const MAX_LOAD: f64 = 10.0;
const MAX_THREADS: u64 = 64;
/// Simulated jobs of one invocation, over all runs: about a day of one core.
const MAX_JOBS_IN_ALL: f64 = 50_000_000.0;

/// Compare dispatch policies in a simulated city, without traffic
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// low, even, scarce, speed, or a file such as bench/scenarios/even.toml
    #[arg(long, default_value = "even", value_name = "NAME|FILE")]
    pub scenario: String,
    /// The first seed; the same seed and arguments give the same report
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many days are simulated per policy, with this many seeds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=MAX_SEEDS))]
    pub seeds: u64,
    /// ours, nearest, broadcast, several of them, or all
    #[arg(long, default_value = "all", value_delimiter = ',', value_parser = policies)]
    pub policy: Vec<Policies>,
    /// Jobs expected over the hours, instead of the scenario's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_JOBS)))]
    pub jobs: Option<u32>,
    /// Mechanics, instead of the scenario's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MECHANICS)))]
    pub mechanics: Option<u32>,
    /// Hours of the day, instead of the scenario's
    #[arg(long, allow_negative_numbers = true, value_parser = hours)]
    pub hours: Option<f64>,
    /// Loads to run besides, as multiples of the jobs, e.g. 0.5,0.75,1,1.25,1.5,2
    #[arg(long, value_delimiter = ',', value_parser = load)]
    pub sweep: Vec<f64>,
    /// What goes wrong: journal-refusals=0.01,unknown-outcomes=0.005,lost-messages=0.01,dark-phones=0.02,crash-every=3600
    #[arg(long, value_name = "RATES")]
    pub faults: Option<Faults>,
    /// Check what must hold after every step; without it at the end of each run
    #[arg(long)]
    pub check_every_step: bool,
    /// Where to write the figures as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Where to draw the waiting times, and with --sweep the shares served in time
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Runs at the same time; no figure depends on it [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    pub threads: Option<u64>,
    /// A file of settings to try, over those in config/default.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// One policy, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policies {
    One(Policy),
    All,
}

fn policies(text: &str) -> Result<Policies, String> {
    let one = Policy::ALL.into_iter().find(|policy| policy.as_str() == text);
    match (one, text) {
        (Some(policy), _) => Ok(Policies::One(policy)),
        (None, "all") => Ok(Policies::All),
        (None, _) => Err("must be ours, nearest, broadcast or all".to_owned()),
    }
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let within = text.parse().ok().filter(|value| (least..=most).contains(value));
    within.ok_or_else(|| format!("must be a number from {least} to {most}"))
}

fn hours(text: &str) -> Result<f64, String> {
    number(text, 0.1, MAX_HOURS)
}

fn load(text: &str) -> Result<f64, String> {
    number(text, 0.05, MAX_LOAD)
}

impl Arguments {
    /// The scenario with what the command line says on top.
    pub fn over(&self, mut scenario: Scenario) -> Scenario {
        scenario.jobs = self.jobs.unwrap_or(scenario.jobs);
        scenario.mechanics = self.mechanics.unwrap_or(scenario.mechanics);
        scenario.hours = self.hours.unwrap_or(scenario.hours);
        scenario
    }

    /// In the order of the report, each once.
    pub fn policies(&self) -> Vec<Policy> {
        let is_asked = |policy: &Policy| {
            self.policy.iter().any(|each| matches!(each, Policies::All) || *each == Policies::One(*policy))
        };
        Policy::ALL.into_iter().filter(is_asked).collect()
    }

    /// The load 1 and those of the sweep, in order.
    pub fn loads(&self) -> Vec<f64> {
        let mut loads = self.sweep.clone();
        loads.push(1.0);
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        loads
    }

    pub fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.seeds).map(move |n| first.wrapping_add(n))
    }

    /// Checks what no argument shows alone.
    pub fn check(&self, scenario: &Scenario) -> Result<(), String> {
        if self.sweep.len() > MAX_LOADS {
            return Err(format!("--sweep must have at most {MAX_LOADS} loads"));
        }
        let days = self.loads().iter().sum::<f64>() * self.seeds as f64 * self.policies().len() as f64;
        let jobs = days * f64::from(scenario.jobs);
        if jobs > MAX_JOBS_IN_ALL {
            return Err(format!(
                "--seeds times --sweep makes {jobs:.0} jobs, more than {MAX_JOBS_IN_ALL:.0}"
            ));
        }
        Ok(())
    }

    /// The command that repeats one run alone.
    pub fn repeat(&self, policy: Policy, seed: u64, load: f64) -> String {
        let mut command = format!(
            "roadcall simulate --scenario {} --seed {seed} --seeds 1 --policy {}",
            self.scenario,
            policy.as_str()
        );
        let mut add = |name: &str, value: Option<String>| {
            value.into_iter().for_each(|value| command.push_str(&format!(" --{name} {value}")));
        };
        add("jobs", self.jobs.map(|jobs| jobs.to_string()));
        add("mechanics", self.mechanics.map(|mechanics| mechanics.to_string()));
        add("hours", self.hours.map(|hours| hours.to_string()));
        add("sweep", (load != 1.0).then(|| load.to_string()));
        add("faults", self.faults.map(|faults| faults.as_text()).filter(|text| !text.is_empty()));
        add("config", self.config.as_ref().map(|path| path.display().to_string()));
        command.push_str(" --check-every-step");
        command
    }
}
