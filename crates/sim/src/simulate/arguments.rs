//! The arguments of `roadcall simulate`.

use std::path::PathBuf;

use clap::Args;

use super::{
    faults::Faults,
    policy::{Kind, Policy},
    scenario::{MAX_HOURS, MAX_JOBS, MAX_MECHANICS, Scenario},
};

const MAX_SEEDS: u64 = 1_000;
const MAX_LOADS: usize = 12;
const MAX_POLICIES: usize = 12;
const MAX_LOAD: f64 = 10.0;
const MAX_THREADS: u64 = 64;
/// The number of simulated jobs of one invocation, over all runs: about a day of one core.
const MAX_JOBS_IN_ALL: f64 = 50_000_000.0;

/// Compare dispatch policies in a simulated city, without traffic
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// low, even, scarce or another that docs/SIMULATION.md names, or a file such as bench/scenarios/even.toml
    #[arg(long, default_value = "even", value_name = "NAME|FILE")]
    pub scenario: String,
    /// Play a file of `roadcall recording export` instead; the scenario then says what the file does not
    #[arg(long, value_name = "FILE", conflicts_with_all = ["jobs", "mechanics", "hours", "sweep"])]
    pub replay: Option<PathBuf>,
    /// The first seed; the same seed and arguments give the same report
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many days are simulated per policy, with this many seeds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=MAX_SEEDS))]
    pub seeds: u64,
    /// ours, advised, exact, nearest, broadcast, several of them, or all; nearest@600 searches for 600 s in each attempt
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
    /// Also print the share served in time by category and by zone of the city
    #[arg(long)]
    pub groups: bool,
    /// Also print the cost of mechanics' time by hour of the day and crew, under the first policy with prices
    #[arg(long)]
    pub roster: bool,
    /// Also print how often promises to customers came true
    #[arg(long)]
    pub calibration: bool,
    /// How wrong the service's estimates of trips are: standard deviation of the logarithm of their error, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "SIGMA", allow_negative_numbers = true, value_parser = eta_error)]
    pub eta_error: f64,
    /// How many percent of the mechanics wait where the service advises them to, under the policy `advised`
    #[arg(long, default_value_t = 50.0, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    pub follow: f64,
    /// Faults to cause: journal-refusals=0.01,unknown-outcomes=0.005,lost-messages=0.01,dark-phones=0.02,maps-apps=0.5,untold-maps-apps=0.5,trackers=0.5,crash-every=3600
    #[arg(long, value_name = "RATES")]
    pub faults: Option<Faults>,
    /// Check the invariants after every step; without it, only at the end of each run
    #[arg(long)]
    pub check_every_step: bool,
    /// Compute what was possible: a ceiling that no policy beats, and the best plan found with everything known
    #[arg(long, conflicts_with_all = ["faults", "replay"])]
    pub bound: bool,
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
    if text == "all" { Ok(Policies::All) } else { text.parse().map(Policies::One) }
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

fn percent(text: &str) -> Result<f64, String> {
    number(text, 0.0, 100.0)
}

fn eta_error(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1.0)
}

impl Arguments {
    /// Returns the scenario with the command line's values on top.
    pub fn over(&self, mut scenario: Scenario) -> Scenario {
        scenario.jobs = self.jobs.unwrap_or(scenario.jobs);
        scenario.mechanics = self.mechanics.unwrap_or(scenario.mechanics);
        scenario.hours = self.hours.unwrap_or(scenario.hours);
        scenario
    }

    /// Returns the policies in the order in which they were asked for, each once.
    pub fn policies(&self) -> Vec<Policy> {
        let mut policies = Vec::new();
        for asked in &self.policy {
            let these = match asked {
                Policies::One(policy) => vec![*policy],
                Policies::All => Kind::ALL.map(Policy::plain).to_vec(),
            };
            let new: Vec<Policy> = these.into_iter().filter(|policy| !policies.contains(policy)).collect();
            policies.extend(new);
        }
        policies
    }

    /// Returns the load 1 and those of the sweep, in order.
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

    /// Checks the conditions that no argument shows alone.
    pub fn check(&self, scenario: &Scenario) -> Result<(), String> {
        if self.sweep.len() > MAX_LOADS {
            return Err(format!("--sweep must have at most {MAX_LOADS} loads"));
        }
        if self.policies().len() > MAX_POLICIES {
            return Err(format!("--policy must have at most {MAX_POLICIES} policies"));
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

    /// Returns the command that repeats one run alone.
    pub fn repeat(&self, policy: Policy, seed: u64, load: f64) -> String {
        let mut command = format!(
            "roadcall simulate --scenario {} --seed {seed} --seeds 1 --policy {policy}",
            self.scenario
        );
        let mut add = |name: &str, value: Option<String>| {
            value.into_iter().for_each(|value| command.push_str(&format!(" --{name} {value}")));
        };
        add("replay", self.replay.as_ref().map(|path| path.display().to_string()));
        add("jobs", self.jobs.map(|jobs| jobs.to_string()));
        add("mechanics", self.mechanics.map(|mechanics| mechanics.to_string()));
        add("hours", self.hours.map(|hours| hours.to_string()));
        add("sweep", (load != 1.0).then(|| load.to_string()));
        add("eta-error", (self.eta_error != 0.0).then(|| self.eta_error.to_string()));
        add("follow", (self.follow != 50.0).then(|| self.follow.to_string()));
        add("faults", self.faults.map(|faults| faults.as_text()).filter(|text| !text.is_empty()));
        add("config", self.config.as_ref().map(|path| path.display().to_string()));
        command.push_str(" --check-every-step");
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::scenario::ScenarioFile;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parsed(more: &[&str]) -> Result<Arguments, String> {
        let line = ["simulate"].iter().chain(more);
        Line::try_parse_from(line).map(|line| line.arguments).map_err(|error| error.to_string())
    }

    fn names(policy: &str) -> Vec<String> {
        let policies = parsed(&["--policy", policy]).expect("policies").policies();
        policies.iter().map(Policy::to_string).collect()
    }

    #[test]
    fn policies_are_listed_once_in_the_order_of_the_arguments() {
        assert_eq!(names("all"), ["ours", "advised", "exact", "nearest", "broadcast"]);
        assert_eq!(names("nearest@600,ours,nearest@180,nearest@600"), ["nearest@600", "ours", "nearest@180"]);
        assert_eq!(names("exact@300,all,exact").len(), 6);
        for odd in ["nearest@20", "nearest@4000", "ours@", "luck@60"] {
            assert!(parsed(&["--policy", odd]).is_err(), "{odd}");
        }
    }

    #[test]
    fn an_error_of_estimates_is_between_0_and_1() {
        assert_eq!(parsed(&["--eta-error", "0.3"]).map(|arguments| arguments.eta_error), Ok(0.3));
        for odd in ["-0.1", "1.1", "NaN", "inf"] {
            assert!(parsed(&["--eta-error", odd]).is_err(), "{odd}");
        }
    }

    #[test]
    fn the_command_that_repeats_a_run_names_everything_that_changes_it() {
        let arguments = parsed(&["--eta-error", "0.25", "--jobs", "30"]).expect("arguments");
        let policy = "nearest@600".parse().expect("a policy");
        let command = arguments.repeat(policy, 7, 1.0);
        let repeated = parsed(&command.split(' ').skip(2).collect::<Vec<_>>()).expect(&command);
        assert_eq!((repeated.seed, repeated.seeds, repeated.policies()), (7, 1, vec![policy]));
        assert_eq!((repeated.eta_error, repeated.jobs), (0.25, Some(30)));
    }

    #[test]
    fn too_many_policies_are_refused() {
        let many: Vec<String> = (30..43).map(|seconds| format!("nearest@{seconds}")).collect();
        let arguments = parsed(&["--policy", &many.join(",")]).expect("arguments");
        let scenario = Scenario::load("low").expect("built in");
        assert!(arguments.check(&scenario).is_err_and(|why| why.contains("--policy")));
    }
}
