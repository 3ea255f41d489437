//! The outcome of a run and its figures. Pure.

use roadcall_actors::{
    dispatcher::pricing::Market,
    experience::{Calibration, HoldCounts},
};

use super::{
    places::Zone,
    prices::PricesOfDay,
    stats::{Interval, gini, quantile},
};

/// The time within which an arrival is in time.
pub const IN_TIME_S: f64 = 1800.0;

/// A run as it ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    pub jobs: Vec<JobOutcome>,
    pub mechanics: Vec<MechanicOutcome>,
    /// The service's calibration of promises at the end.
    pub calibration: Calibration,
    /// The prices of the day; empty without `--roster`.
    pub prices: PricesOfDay,
    /// The counts of holds, since the service last started.
    pub holds: HoldCounts,
    pub beside_held: BesideHeld,
}

/// The share of the online mechanics who were free beside jobs that were held back from them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BesideHeld {
    sum: f64,
    looks: f64,
}

impl BesideHeld {
    /// Adds a look at the markets.
    pub fn look(&mut self, markets: &[Market]) {
        let online: f64 = markets.iter().map(|market| market.guard.online()).sum();
        let beside = markets.iter().map(|market| market.guard.idle_beside_held() * market.guard.online());
        if online > 0.0 {
            self.sum += beside.sum::<f64>() / online;
            self.looks += 1.0;
        }
    }

    /// Returns the mean in percent; NaN if there was no look.
    fn mean_percent(&self) -> f64 {
        100.0 * self.sum / self.looks
    }
}

/// The outcome of one job; times in seconds from its creation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JobOutcome {
    /// The time of the first acceptance.
    pub assigned_s: Option<f64>,
    /// The time of the arrival that led to the work.
    pub arrived_s: Option<f64>,
    pub is_completed: bool,
    /// The end of the search that brought no mechanic: `no_mechanic_found` of the last attempt, or the customer's own
    /// cancellation during it. `None` if the job had a mechanic in the end.
    pub given_up_s: Option<f64>,
    /// Whether the last search had found no mechanic when the customer gave up.
    pub is_unfound: bool,
    pub offers: u32,
    pub accepted: u32,
    pub declined: u32,
    pub expired: u32,
    pub revoked: u32,
    pub released: u32,
    /// How often the job was taken from a mechanic whose phone was silent, and how often that mechanic took it back.
    pub silent: u32,
    pub taken_back: u32,
    /// The chance to be in time that the customer was shown first, in thousandths.
    pub promised: Option<u32>,
    /// The category's place in the scenario's list.
    pub category: usize,
    pub zone: Zone,
}

/// A mechanic's totals in the run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MechanicOutcome {
    pub jobs: u32,
    pub shift_s: f64,
    /// The seconds from acceptances to the ends of the jobs.
    pub busy_s: f64,
    /// The metres driven to pickups.
    pub driven_m: f64,
    /// The metres driven without a job.
    pub idle_m: f64,
}

/// The meaning of a figure, and which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// The name in JSON.
    pub name: &'static str,
    /// The title in tables.
    pub title: &'static str,
    pub unit: Unit,
    pub better: Better,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Percent,
    Seconds,
    Count,
    Ratio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Higher,
    Lower,
    /// Neither is better by itself.
    Neither,
}

const fn measure(name: &'static str, title: &'static str, unit: Unit, better: Better) -> Measure {
    Measure { name, title, unit, better }
}

/// The places of the three measures in [`MEASURES`] that only together say how good a policy is.
pub const IN_TIME: usize = 0;
pub const SERVED: usize = 1;
pub const NOBODY_FOUND: usize = 2;

/// The figures of a run, in the order of [`Outcome::figures`]. The first is the main one.
pub const MEASURES: [Measure; 23] = [
    measure("in_time_percent", "served in time (30 min)", Unit::Percent, Better::Higher),
    measure("served_percent", "served", Unit::Percent, Better::Higher),
    measure("lost_percent", "nobody found", Unit::Percent, Better::Lower),
    measure("cancelled_percent", "cancelled by waiting customers", Unit::Percent, Better::Lower),
    measure("assign_p50_s", "time to assign, p50", Unit::Seconds, Better::Lower),
    measure("assign_p90_s", "time to assign, p90", Unit::Seconds, Better::Lower),
    measure("assign_p99_s", "time to assign, p99", Unit::Seconds, Better::Lower),
    measure("arrive_p50_s", "time to arrive, p50", Unit::Seconds, Better::Lower),
    measure("arrive_p90_s", "time to arrive, p90", Unit::Seconds, Better::Lower),
    measure("arrive_p99_s", "time to arrive, p99", Unit::Seconds, Better::Lower),
    measure("given_up_p50_s", "search in vain ended after, p50", Unit::Seconds, Better::Lower),
    measure("given_up_p90_s", "search in vain ended after, p90", Unit::Seconds, Better::Lower),
    measure("offers_per_job", "offers per job", Unit::Ratio, Better::Lower),
    measure("refused_percent", "offers declined or expired", Unit::Percent, Better::Lower),
    measure("revoked_percent", "offers taken back", Unit::Percent, Better::Lower),
    measure("km_per_job", "km driven to pickups per served job", Unit::Ratio, Better::Lower),
    measure("idle_km_per_job", "km driven without a job per served job", Unit::Ratio, Better::Lower),
    measure("utilisation_percent", "mechanics' time on jobs", Unit::Percent, Better::Neither),
    measure("gini", "Gini of jobs per mechanic hour", Unit::Ratio, Better::Lower),
    measure("beside_held_percent", "mechanics free beside held jobs", Unit::Percent, Better::Lower),
    measure("wasted_percent", "holds that were in vain", Unit::Percent, Better::Lower),
    measure("offers_decided", "offers decided", Unit::Count, Better::Neither),
    measure("jobs", "jobs", Unit::Count, Better::Neither),
];

impl Outcome {
    /// Returns the figures in the order of [`MEASURES`]. Shares are of all jobs made; a quantile of nothing is NaN.
    pub fn figures(&self) -> [f64; MEASURES.len()] {
        let count = |holds: fn(&JobOutcome) -> bool| self.jobs.iter().filter(|job| holds(job)).count() as f64;
        let sum = |of: fn(&JobOutcome) -> u32| self.jobs.iter().map(|job| f64::from(of(job))).sum::<f64>();
        let all = self.jobs.len() as f64;
        let (served, offers) = (count(|job| job.is_completed), sum(|job| job.offers));
        let assigned = sorted(self.jobs.iter().filter_map(|job| job.assigned_s));
        let arrived = self.arrivals();
        let given_up = sorted(self.jobs.iter().filter_map(|job| job.given_up_s));
        let total = |of: fn(&MechanicOutcome) -> f64| self.mechanics.iter().map(of).sum::<f64>();
        let decided = |job: &JobOutcome| job.accepted + job.declined + job.expired + job.revoked;
        let worked = self.mechanics.iter().filter(|mechanic| mechanic.shift_s > 0.0);
        let rates = worked.map(|mechanic| f64::from(mechanic.jobs) / (mechanic.shift_s / 3600.0));
        [
            100.0 * count(JobOutcome::is_in_time) / all,
            100.0 * served / all,
            100.0 * count(|job| !job.is_completed && job.is_unfound) / all,
            100.0 * count(|job| !job.is_completed && !job.is_unfound) / all,
            quantile(&assigned, 0.5),
            quantile(&assigned, 0.9),
            quantile(&assigned, 0.99),
            quantile(&arrived, 0.5),
            quantile(&arrived, 0.9),
            quantile(&arrived, 0.99),
            quantile(&given_up, 0.5),
            quantile(&given_up, 0.9),
            offers / all,
            100.0 * sum(|job| job.declined + job.expired) / offers,
            100.0 * sum(|job| job.revoked) / offers,
            total(|mechanic| mechanic.driven_m) / 1000.0 / served,
            total(|mechanic| mechanic.idle_m) / 1000.0 / served,
            100.0 * total(|mechanic| mechanic.busy_s) / total(|mechanic| mechanic.shift_s),
            gini(&rates.collect::<Vec<_>>()),
            self.beside_held.mean_percent(),
            100.0 * self.holds.wasted as f64 / self.holds.sum() as f64,
            self.jobs.iter().map(|job| f64::from(decided(job))).sum(),
            all,
        ]
    }

    /// Returns the seconds to the arrivals, in order.
    pub fn arrivals(&self) -> Vec<f64> {
        sorted(self.jobs.iter().filter_map(|job| job.arrived_s))
    }
}

impl JobOutcome {
    pub fn is_in_time(&self) -> bool {
        self.arrived_s.is_some_and(|seconds| seconds <= IN_TIME_S)
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns whether a difference of this measure is better, worse, a tie, or other where neither way is better.
pub fn verdict(measure: &Measure, difference: &Interval) -> &'static str {
    let is_more = difference.mean > 0.0;
    match measure.better {
        _ if difference.is_tie() || !difference.mean.is_finite() => "tie",
        Better::Neither => "other",
        Better::Higher if is_more => "better",
        Better::Lower if !is_more => "better",
        Better::Higher | Better::Lower => "worse",
    }
}

/// Returns a figure of this measure with half the width of its interval.
pub fn shown(measure: &Measure, interval: &Interval) -> String {
    let Interval { mean, half } = interval;
    if !mean.is_finite() {
        return "none".to_owned();
    }
    match measure.unit {
        Unit::Percent => format!("{mean:.1} ±{half:.1} %"),
        Unit::Seconds => format!("{mean:.0} ±{half:.0} s"),
        Unit::Count => format!("{mean:.0} ±{half:.0}"),
        Unit::Ratio => format!("{mean:.2} ±{half:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_equal_a_count_by_hand() {
        let served = |assigned_s: f64, arrived_s: f64| JobOutcome {
            assigned_s: Some(assigned_s),
            arrived_s: Some(arrived_s),
            is_completed: true,
            offers: 2,
            accepted: 1,
            declined: 1,
            ..JobOutcome::default()
        };
        let unfound =
            JobOutcome { is_unfound: true, offers: 4, expired: 3, revoked: 1, ..JobOutcome::default() };
        let unfound = JobOutcome { given_up_s: Some(400.0), ..unfound };
        let cancelled =
            JobOutcome { assigned_s: Some(50.0), accepted: 1, offers: 1, ..JobOutcome::default() };
        let jobs = vec![served(10.0, 600.0), served(30.0, 2400.0), unfound, cancelled];
        let worker = |jobs, busy_s| MechanicOutcome {
            jobs,
            shift_s: 7200.0,
            busy_s,
            driven_m: 6_000.0,
            idle_m: 500.0,
        };
        let outcome =
            Outcome { jobs, mechanics: vec![worker(2, 3600.0), worker(0, 0.0)], ..Outcome::default() };
        let holds = HoldCounts { justified: 2, free: 1, wasted: 1 };
        let outcome = Outcome { holds, beside_held: BesideHeld { sum: 0.3, looks: 6.0 }, ..outcome };
        let expected = [
            25.0,
            50.0,
            25.0,
            25.0,
            30.0,
            50.0,
            50.0,
            600.0,
            2400.0,
            2400.0,
            400.0,
            400.0,
            2.25,
            100.0 * 5.0 / 9.0,
            100.0 / 9.0,
            6.0,
            0.5,
            25.0,
            0.5,
            5.0,
            25.0,
            9.0,
            4.0,
        ];
        for ((measure, figure), expected) in MEASURES.iter().zip(outcome.figures()).zip(expected) {
            assert!((figure - expected).abs() < 1e-9, "{}: {figure}, not {expected}", measure.name);
        }
    }
}
