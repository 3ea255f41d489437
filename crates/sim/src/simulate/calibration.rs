//! How often promises to customers came true.

use std::fmt::Write;

use roadcall_actors::experience::Calibration;
use serde::Serialize;

use super::{
    outcome::JobOutcome,
    plan::Plan,
    policy::Policy,
    runs::{RunResult, Runs},
    stats::finite,
};

/// Jobs with about the same promised chance to be served in time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Promised {
    /// The chances, from this percentage to below the next; the last includes 100.
    pub from_percent: u32,
    pub to_percent: u32,
    pub jobs: usize,
    /// The mean of the promises, and the share of these jobs that was served in time. `None` without jobs.
    pub promised_percent: Option<f64>,
    pub in_time_percent: Option<f64>,
}

/// The promises of a policy's runs at a load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Promises {
    pub policy: Policy,
    pub load: f64,
    pub promised: Vec<Promised>,
}

/// Groups the jobs by tenths of the chance.
pub fn of<'a>(jobs: impl Iterator<Item = &'a JobOutcome>) -> Vec<Promised> {
    let mut bins = [(0_usize, 0_u64, 0_usize); 10];
    for job in jobs {
        let Some(permille) = job.promised else { continue };
        let (jobs, sum, in_time) = &mut bins[(permille as usize / 100).min(9)];
        *jobs += 1;
        *sum += u64::from(permille);
        *in_time += usize::from(job.is_in_time());
    }
    let bins = bins.into_iter().zip((0..).step_by(10));
    bins.map(|((jobs, sum, in_time), from_percent)| Promised {
        from_percent,
        to_percent: from_percent + 10,
        jobs,
        promised_percent: percent(sum as f64 / 1000.0, jobs),
        in_time_percent: percent(in_time as f64, jobs),
    })
    .collect()
}

/// Returns the share in percent, or `None` of nothing.
fn percent(part: f64, of: usize) -> Option<f64> {
    finite(100.0 * part / of as f64)
}

/// Returns the calibration from the other days of the same policy and load, as if they had been one day.
pub fn of_other_days(results: &[RunResult], plan: &Plan) -> Calibration {
    let others = results
        .iter()
        .filter(|ran| (ran.policy, ran.load) == (plan.policy, plan.load) && ran.seed != plan.seed)
        .map(|ran| &ran.outcome.calibration);
    Calibration::merged(others)
}

/// Returns the promises of every policy and load.
pub fn promises(runs: &Runs) -> Vec<Promises> {
    runs.every(|policy, load| {
        let ran = runs.of(policy, load);
        Promises { policy, load, promised: of(ran.flat_map(|ran| &ran.outcome.jobs)) }
    })
}

/// Returns the table at the scenario's own load, for people.
pub fn table(runs: &Runs) -> String {
    let mut text = String::new();
    for promises in promises(runs).iter().filter(|promises| promises.load == 1.0) {
        let title = format!("{}: promised to be in time", promises.policy);
        writeln!(text, "\n{title:<36}{:>10}{:>14}{:>14}", "jobs", "promised", "in time").ok();
        for row in &promises.promised {
            let range = format!("{} to {} %", row.from_percent, row.to_percent);
            let shown = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.1} %"));
            let (promised, in_time) = (shown(row.promised_percent), shown(row.in_time_percent));
            writeln!(text, "{range:<36}{:>10}{promised:>14}{in_time:>14}", row.jobs).ok();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_compared_with_their_outcomes() {
        let job = |promised, arrived_s| JobOutcome { promised, arrived_s, ..JobOutcome::default() };
        let jobs = [
            job(Some(700), Some(600.0)),
            job(Some(750), Some(1_900.0)),
            job(Some(1_000), Some(60.0)),
            job(Some(0), None),
            job(None, Some(60.0)),
        ];
        let promised = of(jobs.iter());
        assert_eq!(promised.iter().map(|row| row.jobs).sum::<usize>(), 4, "one was promised nothing");
        let (seventy, most) = (promised[7], promised[9]);
        assert_eq!(
            (seventy.jobs, seventy.promised_percent, seventy.in_time_percent),
            (2, Some(72.5), Some(50.0))
        );
        assert_eq!((most.jobs, most.in_time_percent), (1, Some(100.0)));
        assert_eq!((promised[0].in_time_percent, promised[1].in_time_percent), (Some(0.0), None));
    }
}
