//! The outcomes of all runs, as every part of the report reads them. Pure.

use super::{outcome::Outcome, policy::Policy, stats::Interval};

/// The outcome of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunResult {
    pub policy: Policy,
    pub load: f64,
    pub seed: u64,
    pub outcome: Outcome,
}

/// All runs: the same days under each policy, at each load.
#[derive(Debug)]
pub struct Runs {
    pub policies: Vec<Policy>,
    pub loads: Vec<f64>,
    pub all: Vec<RunResult>,
    /// The number of days under each policy at each load.
    pub seeds: u64,
}

impl Runs {
    /// Returns the runs of a policy at a load, by seed.
    pub fn of(&self, policy: Policy, load: f64) -> impl Iterator<Item = &RunResult> {
        self.all.iter().filter(move |ran| ran.policy == policy && ran.load == load)
    }

    /// Returns the interval of one figure over the seeds.
    pub fn interval(&self, policy: Policy, load: f64, measure: usize) -> Interval {
        Interval::of(self.of(policy, load).map(|ran| ran.outcome.figures()[measure]))
    }

    /// Returns the difference of the same days under two policies: the spread between days cancels out.
    pub fn difference(&self, policy: Policy, less: Policy, load: f64, measure: usize) -> Interval {
        let pairs = self.of(policy, load).zip(self.of(less, load));
        Interval::of(pairs.map(|(one, other)| {
            debug_assert_eq!(one.seed, other.seed, "pairs are of the same day");
            one.outcome.figures()[measure] - other.outcome.figures()[measure]
        }))
    }

    /// Returns the first policy with each of the others.
    pub fn pairs(&self) -> Vec<(Policy, Policy)> {
        let Some((first, others)) = self.policies.split_first() else { return Vec::new() };
        others.iter().map(|other| (*first, *other)).collect()
    }

    /// Returns whether more than one day was simulated, so that intervals have a width.
    pub fn has_spread(&self) -> bool {
        self.seeds > 1
    }

    /// Returns a value for each policy at each load.
    pub fn every<T>(&self, of: impl Fn(Policy, f64) -> T) -> Vec<T> {
        let loads = self.loads.iter();
        let of = &of;
        loads.flat_map(|load| self.policies.iter().map(move |policy| of(*policy, *load))).collect()
    }
}
