//! The share served in time by group of customers: by their need and by their place.

use std::fmt::Write;

use serde::Serialize;

use super::{
    outcome::{JobOutcome, MEASURES, Measure, Outcome, shown, verdict},
    places::Zone,
    policy::{Kind, Policy},
    runs::Runs,
    scenario::Scenario,
    stats::{Interval, finite},
};

/// Customers with something in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Group {
    /// A category, by its place in the scenario's list and its name.
    Category(usize, String),
    Zone(Zone),
}

impl Group {
    /// Returns all groups of a scenario; a customer is in one of the categories and in one of the zones.
    pub fn all(scenario: &Scenario) -> Vec<Self> {
        let names = scenario.categories.iter().enumerate();
        let categories = names.map(|(place, category)| Self::Category(place, category.name.clone()));
        categories.chain(Zone::ALL.map(Self::Zone)).collect()
    }

    fn by(&self) -> &'static str {
        match self {
            Self::Category(..) => "category",
            Self::Zone(_) => "zone",
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Category(_, name) => name,
            Self::Zone(zone) => zone.as_str(),
        }
    }

    fn has(&self, job: &JobOutcome) -> bool {
        match self {
            Self::Category(place, _) => job.category == *place,
            Self::Zone(zone) => job.zone == *zone,
        }
    }

    /// Returns the percentage of all jobs that are in the group; NaN without jobs.
    fn size(&self, outcome: &Outcome) -> f64 {
        let size = outcome.jobs.iter().filter(|job| self.has(job)).count();
        100.0 * size as f64 / outcome.jobs.len() as f64
    }

    /// Returns the percentage of the group's jobs that were served in time; NaN without jobs.
    fn in_time(&self, outcome: &Outcome) -> f64 {
        let jobs = || outcome.jobs.iter().filter(|job| self.has(job));
        100.0 * jobs().filter(|job| job.is_in_time()).count() as f64 / jobs().count() as f64
    }
}

/// One group under one policy, over the seeds.
#[derive(Debug, Serialize)]
pub struct GroupFigures {
    policy: Policy,
    load: f64,
    /// The kind of the group: category or zone.
    by: &'static str,
    group: String,
    /// The group's share of all jobs, in percent.
    size_percent: Option<f64>,
    in_time_percent: Option<f64>,
    half_width: f64,
}

/// The first policy's share in time in one group less that of another policy, paired over the seeds.
#[derive(Debug, Serialize)]
pub struct GroupDifference {
    policy: Policy,
    less: Policy,
    load: f64,
    by: &'static str,
    group: String,
    /// The mean difference in percentage points.
    mean: Option<f64>,
    half_width: f64,
    /// The verdict: better, worse, tie.
    verdict: &'static str,
}

/// The measure by which groups are compared.
const IN_TIME: &Measure = &MEASURES[0];

/// Returns the figures of every group under every policy at every load.
pub fn figures(runs: &Runs, groups: &[Group]) -> Vec<GroupFigures> {
    let mut figures = Vec::new();
    for load in &runs.loads {
        for policy in &runs.policies {
            figures.extend(groups.iter().map(|group| {
                let in_time = share(runs, group, *policy, *load);
                let sizes = runs.of(*policy, *load).map(|ran| group.size(&ran.outcome));
                GroupFigures {
                    policy: *policy,
                    load: *load,
                    by: group.by(),
                    group: group.name().to_owned(),
                    size_percent: finite(Interval::of(sizes).mean),
                    in_time_percent: finite(in_time.mean),
                    half_width: finite(in_time.half).unwrap_or(0.0),
                }
            }));
        }
    }
    figures
}

/// Returns the differences of every group between the first policy and each `nearest`.
pub fn differences(runs: &Runs, groups: &[Group]) -> Vec<GroupDifference> {
    let mut differences = Vec::new();
    for load in &runs.loads {
        for (policy, less) in pairs(runs) {
            differences.extend(groups.iter().map(|group| {
                let interval = difference(runs, group, (policy, less), *load);
                GroupDifference {
                    policy,
                    less,
                    load: *load,
                    by: group.by(),
                    group: group.name().to_owned(),
                    mean: finite(interval.mean),
                    half_width: finite(interval.half).unwrap_or(0.0),
                    verdict: verdict(IN_TIME, &interval),
                }
            }));
        }
    }
    differences
}

/// Returns the figures at the load 1 as a table.
pub fn table(runs: &Runs, groups: &[Group]) -> String {
    let mut text = format!("\n{:<36}", "served in time, by group");
    let pairs = pairs(runs);
    runs.policies.iter().for_each(|policy| write!(text, "{:>20}", policy.to_string()).unwrap_or_default());
    for (policy, less) in &pairs {
        write!(text, "{:>28}", format!("{policy} less {less}")).ok();
    }
    text.push('\n');
    for group in groups {
        let Some(first) = runs.policies.first() else { continue };
        let size = Interval::of(runs.of(*first, 1.0).map(|ran| group.size(&ran.outcome))).mean;
        let name = format!("{} ({size:.0} % of jobs)", group.name());
        write!(text, "{name:<36}").ok();
        for policy in &runs.policies {
            write!(text, "{:>20}", shown(IN_TIME, &share(runs, group, *policy, 1.0))).ok();
        }
        for pair in &pairs {
            write!(text, "{:>28}", shown(IN_TIME, &difference(runs, group, *pair, 1.0))).ok();
        }
        text.push('\n');
    }
    for (policy, less) in pairs {
        let is_worse =
            |group: &&Group| verdict(IN_TIME, &difference(runs, group, (policy, less), 1.0)) == "worse";
        let worse: Vec<&str> = groups.iter().filter(is_worse).map(Group::name).collect();
        let worse =
            if worse.is_empty() { "in no group".to_owned() } else { format!("in {}", worse.join(", ")) };
        writeln!(text, "{policy} is worse than {less} {worse}").ok();
    }
    text
}

/// Returns the first policy with each `nearest`; none for a single seed, which has no spread.
fn pairs(runs: &Runs) -> Vec<(Policy, Policy)> {
    let Some((first, others)) = runs.policies.split_first() else { return Vec::new() };
    let nearest = others.iter().filter(|other| other.kind == Kind::Nearest);
    nearest.map(|other| (*first, *other)).filter(|_| runs.has_spread()).collect()
}

fn share(runs: &Runs, group: &Group, policy: Policy, load: f64) -> Interval {
    Interval::of(runs.of(policy, load).map(|ran| group.in_time(&ran.outcome)))
}

fn difference(runs: &Runs, group: &Group, (policy, less): (Policy, Policy), load: f64) -> Interval {
    let pairs = runs.of(policy, load).zip(runs.of(less, load));
    Interval::of(pairs.map(|(one, other)| group.in_time(&one.outcome) - group.in_time(&other.outcome)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario::ScenarioFile, simulate::runs::RunResult};

    fn scenario() -> Scenario {
        Scenario::load("even").expect("built in")
    }

    /// Builds a day of six jobs, of which these were served in time: towing in the centre (two jobs), towing in the ring, battery
    /// in the ring, battery in the outskirts (two jobs).
    fn day(policy: &str, seed: u64, in_time: [bool; 6]) -> RunResult {
        let places = [
            (0, Zone::Centre),
            (0, Zone::Centre),
            (0, Zone::Ring),
            (1, Zone::Ring),
            (1, Zone::Outskirts),
            (1, Zone::Outskirts),
        ];
        let jobs = places.into_iter().zip(in_time).map(|((category, zone), in_time)| JobOutcome {
            category,
            zone,
            arrived_s: in_time.then_some(600.0),
            ..JobOutcome::default()
        });
        let outcome = Outcome { jobs: jobs.collect(), ..Outcome::default() };
        RunResult { policy: policy.parse().expect("a policy"), load: 1.0, seed, outcome }
    }

    /// Returns two days under each policy, at the load 1.
    fn runs(all: Vec<RunResult>) -> Runs {
        let mut policies: Vec<Policy> = all.iter().map(|ran| ran.policy).collect();
        policies.dedup();
        Runs { policies, loads: vec![1.0], all, seeds: 2 }
    }

    #[test]
    fn shares_and_paired_differences_equal_a_count_by_hand() {
        let (y, n) = (true, false);
        let groups = Group::all(&scenario());
        let runs = runs(vec![
            day("ours", 1, [y, y, y, y, n, n]),
            day("ours", 2, [y, y, y, y, n, y]),
            day("nearest@600", 1, [n, y, n, y, y, y]),
            day("nearest@600", 2, [n, y, n, y, y, y]),
        ]);
        let found = figures(&runs, &groups);
        let of = |policy: &str, group: &str| {
            let is_it = |each: &&GroupFigures| each.policy.to_string() == policy && each.group == group;
            let figures = found.iter().find(is_it).expect("a group");
            (figures.by, figures.size_percent, figures.in_time_percent)
        };
        assert_eq!(of("ours", "towing"), ("category", Some(50.0), Some(100.0)));
        assert_eq!(of("nearest@600", "centre"), ("zone", Some(33.333_333), Some(50.0)));
        assert_eq!(of("ours", "outskirts"), ("zone", Some(33.333_333), Some(25.0)));
        assert_eq!(of("ours", "fuel"), ("category", Some(0.0), None));
        let found = differences(&runs, &groups);
        let of = |group: &str| {
            let difference = found.iter().find(|each| each.group == group).expect("a group");
            (difference.mean, difference.half_width, difference.verdict)
        };
        assert_eq!(of("centre"), (Some(50.0), 0.0, "better"));
        assert_eq!(of("towing"), (Some(66.666_667), 0.0, "better"));
        // The values are −100 and −50, whose interval is 12.706 × 25 wide on either side.
        assert_eq!(of("outskirts"), (Some(-75.0), 317.65, "tie"));
        assert_eq!(of("ring"), (Some(50.0), 0.0, "better"));
        assert_eq!(of("fuel"), (None, 0.0, "tie"));
        let table = table(&runs, &groups);
        assert!(table.contains("ours is worse than nearest@600 in no group"), "{table}");
    }

    #[test]
    fn a_group_that_is_worse_off_is_named() {
        let (y, n) = (true, false);
        let runs = runs(vec![
            day("ours", 1, [y, y, y, y, n, n]),
            day("ours", 2, [y, y, y, y, n, n]),
            day("nearest", 1, [n, n, y, y, y, y]),
            day("nearest", 2, [n, n, y, y, y, y]),
        ]);
        let table = table(&runs, &Group::all(&scenario()));
        assert!(table.contains("ours is worse than nearest in battery, outskirts\n"), "{table}");
    }
}
