//! The report's section about the ceiling and the best plan: text and JSON. Pure.

use std::fmt::Write;

use serde::Serialize;

use super::super::stats::{Interval, finite};

/// The bounds of one day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    pub load: f64,
    pub seed: u64,
    pub jobs: u32,
    /// The number of jobs in time that no policy exceeds.
    pub ceiling: u32,
    /// The number of jobs in time of the best plan found.
    pub plan: u32,
}

impl Bound {
    /// Returns the ceiling in percent of the jobs; NaN on a day without jobs.
    pub fn ceiling_percent(&self) -> f64 {
        100.0 * f64::from(self.ceiling) / f64::from(self.jobs)
    }

    /// Returns the best plan in percent of the jobs; NaN on a day without jobs.
    pub fn plan_percent(&self) -> f64 {
        100.0 * f64::from(self.plan) / f64::from(self.jobs)
    }
}

/// A policy's share of jobs in time on the same days, in percent, in the order of the bounds.
#[derive(Debug, Clone)]
pub struct Served {
    pub policy: String,
    /// Whether all ways are measured from this policy.
    pub is_nearest: bool,
    pub in_time_percent: Vec<f64>,
}

/// The section of one load.
#[derive(Debug, Serialize)]
pub struct Section {
    load: f64,
    days: Vec<DayFigures>,
    ceiling_percent: Mean,
    plan_percent: Mean,
    /// The policy from which ways are measured.
    from: Option<String>,
    policies: Vec<Way>,
}

#[derive(Debug, Serialize)]
struct DayFigures {
    seed: u64,
    jobs: u32,
    ceiling_percent: Option<f64>,
    plan_percent: Option<f64>,
}

/// A mean over seeds, with half the width of the 95 % confidence interval.
#[derive(Debug, Clone, Copy, Serialize)]
struct Mean {
    mean: Option<f64>,
    half_width: f64,
}

/// How much of the way from `nearest` to the bounds a policy covers.
#[derive(Debug, Serialize)]
struct Way {
    policy: String,
    in_time_percent: Mean,
    /// The share of the way to the best plan; 100 is as good as that plan. A ratio of means over the days.
    to_plan_percent: Mean,
    /// The least and the most of a single day.
    to_plan_percent_by_day: Option<[f64; 2]>,
    /// The share of the way to the ceiling, which is 100.
    to_ceiling_percent: Mean,
}

impl Mean {
    fn of(interval: Interval) -> Self {
        Self { mean: finite(interval.mean), half_width: finite(interval.half).unwrap_or(0.0) }
    }

    fn shown(&self, unit: &str) -> String {
        match self.mean {
            Some(mean) => format!("{mean:.1} ±{:.1}{unit}", self.half_width),
            None => "none".to_owned(),
        }
    }
}

impl Section {
    /// Builds the section of the days of one load.
    pub fn new(bounds: &[Bound], policies: &[Served]) -> Self {
        let plan: Vec<f64> = bounds.iter().map(Bound::plan_percent).collect();
        let ceiling: Vec<f64> = bounds.iter().map(Bound::ceiling_percent).collect();
        let nearest = policies.iter().find(|served| served.is_nearest);
        let way = |served: &Served, to: &[f64]| {
            let from = nearest.filter(|nearest| nearest.policy != served.policy);
            let shares = from.map(|from| gained(&served.in_time_percent, &from.in_time_percent, to));
            Mean::of(shares.unwrap_or(Interval { mean: f64::NAN, half: 0.0 }))
        };
        let range = |served: &Served| {
            let from = nearest.filter(|nearest| nearest.policy != served.policy)?;
            range(&served.in_time_percent, &from.in_time_percent, &plan)
        };
        let policies = policies.iter().map(|served| Way {
            policy: served.policy.clone(),
            to_plan_percent_by_day: range(served),
            in_time_percent: Mean::of(Interval::of(served.in_time_percent.iter().copied())),
            to_plan_percent: way(served, &plan),
            to_ceiling_percent: way(served, &ceiling),
        });
        Self {
            load: bounds.first().map_or(1.0, |bound| bound.load),
            days: bounds.iter().map(figures).collect(),
            from: nearest.map(|nearest| nearest.policy.clone()),
            policies: policies.collect(),
            ceiling_percent: Mean::of(Interval::of(ceiling.iter().copied())),
            plan_percent: Mean::of(Interval::of(plan.iter().copied())),
        }
    }

    /// Returns the text for the printed report, with a line end.
    pub fn text(&self) -> String {
        let mut text =
            format!("\n{:<36}{:>20}{:>20}\n", "what was possible in time", "ceiling", "best plan found");
        let percent = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.1} %"));
        for day in &self.days {
            let what = format!("seed {}, {} jobs", day.seed, day.jobs);
            let (ceiling, plan) = (percent(day.ceiling_percent), percent(day.plan_percent));
            writeln!(text, "{what:<36}{ceiling:>20}{plan:>20}").ok();
        }
        let (ceiling, plan) = (self.ceiling_percent.shown(" %"), self.plan_percent.shown(" %"));
        writeln!(text, "{:<36}{ceiling:>20}{plan:>20}", "mean ± 95 % interval").ok();
        let (to_ceiling, to_plan, by_day) = ("to the ceiling", "to the best plan", "least to most of a day");
        let head = format!("way gone from {} (0 %)", self.from.as_deref().unwrap_or("nearest"));
        writeln!(text, "\n{head:<36}{to_ceiling:>20}{to_plan:>20}{by_day:>25}").ok();
        for way in &self.policies {
            let (to_ceiling, to_plan) = (way.to_ceiling_percent.shown(" %"), way.to_plan_percent.shown(" %"));
            let by_day = way.to_plan_percent_by_day;
            let by_day =
                by_day.map_or("none".to_owned(), |[least, most]| format!("{least:.1} to {most:.1} %"));
            let what = format!("{}, {} in time", way.policy, way.in_time_percent.shown(" %"));
            writeln!(text, "{what:<36}{to_ceiling:>20}{to_plan:>20}{by_day:>25}").ok();
        }
        text
    }
}

fn figures(bound: &Bound) -> DayFigures {
    DayFigures {
        seed: bound.seed,
        jobs: bound.jobs,
        ceiling_percent: finite(bound.ceiling_percent()),
        plan_percent: finite(bound.plan_percent()),
    }
}

/// Returns the share of the way from one figure to another, in percent: the ratio of the means over the days. Its interval is
/// that of a ratio of paired means (linearised), by Student's t; NaN where there is no way to go.
fn gained(policy: &[f64], from: &[f64], to: &[f64]) -> Interval {
    let days = || policy.iter().zip(from).zip(to).map(|((policy, from), to)| (policy - from, to - from));
    let days = || days().filter(|(gain, way)| gain.is_finite() && way.is_finite());
    let count = days().count() as f64;
    let (gain, way) = days().fold((0.0, 0.0), |sum, day| (sum.0 + day.0 / count, sum.1 + day.1 / count));
    if way <= 1e-9 || !way.is_finite() {
        return Interval { mean: f64::NAN, half: 0.0 };
    }
    let ratio = gain / way;
    let residuals = Interval::of(days().map(|(gain, each)| 100.0 * (gain - ratio * each) / way));
    Interval { mean: 100.0 * ratio, half: residuals.half }
}

/// Returns the least and the most of the shares of single days; leaves out days on which there is no way to go.
fn range(policy: &[f64], from: &[f64], to: &[f64]) -> Option<[f64; 2]> {
    let days = policy.iter().zip(from).zip(to).map(|((policy, from), to)| (policy - from, to - from));
    let ways = days.filter(|(_, way)| *way > 1e-9).map(|(gain, way)| 100.0 * gain / way);
    let ends = ways.fold(None, |ends: Option<[f64; 2]>, way| {
        Some(ends.map_or([way, way], |[least, most]| [least.min(way), most.max(way)]))
    });
    ends.and_then(|[least, most]| Some([finite(least)?, finite(most)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_covered_way_is_a_ratio_of_means() {
        let gain = gained(&[80.0, 84.0], &[70.0, 80.0], &[90.0, 88.0]);
        assert!((gain.mean - 50.0).abs() < 1e-9, "{gain:?}");
        assert!(gain.half < 1e-9, "each day went half of its way: {gain:?}");
        let gain = gained(&[80.0, 80.0, 80.0], &[70.0, 72.0, 74.0], &[90.0, 90.0, 90.0]);
        assert!((gain.mean - 100.0 * 8.0 / 18.0).abs() < 1e-9);
        assert!(gain.half > 1.0);
        assert!(gained(&[80.0], &[90.0], &[90.0]).mean.is_nan());
        assert!(gained(&[], &[], &[]).mean.is_nan());
        let days = range(&[80.0, 80.0, 90.0], &[70.0, 72.0, 90.0], &[90.0, 88.0, 90.0]);
        assert_eq!(days, Some([50.0, 50.0]), "the last day has no way to go");
        assert_eq!(range(&[75.0, 80.0], &[70.0, 72.0], &[90.0, 88.0]), Some([25.0, 50.0]));
    }

    #[test]
    fn a_section_shows_each_day_and_each_policy() {
        let day = |seed, ceiling, plan| Bound { load: 1.0, seed, jobs: 200, ceiling, plan };
        let served = |policy: &str, is_nearest, in_time_percent| Served {
            policy: policy.to_owned(),
            is_nearest,
            in_time_percent,
        };
        let policies = [served("ours", false, vec![80.0, 82.0]), served("nearest", true, vec![70.0, 72.0])];
        let section = Section::new(&[day(1, 190, 180), day(2, 194, 184)], &policies);
        let text = section.text();
        assert!(text.contains("seed 2, 200 jobs"), "{text}");
        assert!(text.contains("40.0 ±0.0 %") && text.contains("50.0 ±0.0 %"), "{text}");
        assert!(text.contains("none"), "nearest goes no way: {text}");
        assert!(text.contains("50.0 to 50.0 %"), "{text}");
    }
}
