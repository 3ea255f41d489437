//! The report on the wire.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::ReportRow;
use crate::http::{Param, Timestamp, ValidationErrors};

/// The longest period of a report for a person.
const MAX_DAYS: i64 = 366;
/// The longest period of a report for a program, which may ask many times a minute.
const MAX_DAYS_OF_PROGRAM: i64 = 92;
/// The period of a report that names none.
const USUAL_DAYS: i64 = 30;

/// `?from=&to=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ReportPeriod {
    #[deserr(default)]
    pub from: Option<Param<Timestamp>>,
    #[deserr(default)]
    pub to: Option<Param<Timestamp>>,
}

impl ReportPeriod {
    /// Returns the first moment of the period and the first moment after it, by default those of the last 30 days.
    pub fn read(
        self,
        is_program: bool,
        now: DateTime<Utc>,
    ) -> Result<(DateTime<Utc>, DateTime<Utc>), ValidationErrors> {
        let most = if is_program { MAX_DAYS_OF_PROGRAM } else { MAX_DAYS };
        let to = self.to.map_or(now, |to| to.0.0);
        let from = self.from.map_or(to - TimeDelta::days(USUAL_DAYS), |from| from.0.0);
        let mut faults = ValidationErrors::default();
        if from >= to {
            faults.add("to", "must be after from");
        } else if to - from > TimeDelta::days(most) {
            faults.add("from", format!("must be at most {most} days before to"));
        }
        if faults.0.is_empty() { Ok((from, to)) } else { Err(faults) }
    }
}

/// How well the service served the cases that were made in a period. Shares are in percent of what they are shares of, and null
/// without any.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerReport {
    pub from: Timestamp,
    /// The first moment after the period.
    pub to: Timestamp,
    /// The cases that were made in the period.
    pub cases: i64,
    /// Their jobs.
    pub jobs: i64,
    /// The jobs that a mechanic took, in percent of all.
    pub acceptance_percent: Option<f64>,
    /// The jobs that were completed, in percent of all.
    pub completion_percent: Option<f64>,
    /// The jobs that were completed.
    pub completed: i64,
    /// The jobs that somebody cancelled.
    pub cancelled: i64,
    /// The jobs for which nobody was found.
    pub no_mechanic_found: i64,
    /// The promised times that were kept, in percent of those that are over.
    pub kept_promises_percent: Option<f64>,
    /// The mechanics who arrived by the promised time, extensions included.
    pub kept_promises: i64,
    /// The mechanics who arrived later, or not at all.
    pub missed_promises: i64,
    /// The promised times that were extended.
    pub extended_promises: i64,
    /// How long the stages took.
    pub stages: StageTimes,
    /// How many people rated their mechanic.
    pub ratings: i64,
    /// Their average, 1 to 5; null without any.
    pub average_rating: Option<f64>,
}

/// How long the stages of jobs took on average, in seconds; null without a job that went through the stage.
#[derive(Debug, Serialize, ToSchema)]
pub struct StageTimes {
    /// From the order until a mechanic had the job.
    pub acceptance_s: Option<f64>,
    /// From then until the mechanic arrived.
    pub arrival_s: Option<f64>,
    /// From the arrival until the work began.
    pub start_s: Option<f64>,
    /// From then until it was completed.
    pub work_s: Option<f64>,
}

impl PartnerReport {
    pub fn of(row: &ReportRow, (from, to): (DateTime<Utc>, DateTime<Utc>)) -> Self {
        let ended = row.promises_kept + row.promises_missed;
        Self {
            from: from.into(),
            to: to.into(),
            cases: row.cases,
            jobs: row.jobs,
            acceptance_percent: percent(row.accepted, row.jobs),
            completion_percent: percent(row.completed, row.jobs),
            completed: row.completed,
            cancelled: row.cancelled,
            no_mechanic_found: row.no_mechanic_found,
            kept_promises_percent: percent(row.promises_kept, ended),
            kept_promises: row.promises_kept,
            missed_promises: row.promises_missed,
            extended_promises: row.promises_extended,
            stages: StageTimes {
                acceptance_s: row.to_acceptance_s.map(f64::round),
                arrival_s: row.to_arrival_s.map(f64::round),
                start_s: row.to_start_s.map(f64::round),
                work_s: row.work_s.map(f64::round),
            },
            ratings: row.ratings,
            average_rating: row.rating.map(|rating| (rating * 100.0).round() / 100.0),
        }
    }
}

/// Returns a share in percent, with one decimal place.
fn percent(part: i64, all: i64) -> Option<f64> {
    (all > 0).then(|| (part as f64 * 1000.0 / all as f64).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_unknown() {
        assert_eq!(percent(0, 0), None);
        assert_eq!(percent(0, 3), Some(0.0));
        assert_eq!(percent(2, 3), Some(66.7));
        assert_eq!(percent(3, 3), Some(100.0));
    }

    #[test]
    fn a_report_is_about_a_year_at_most_and_a_programs_about_a_quarter() {
        let day = |days| DateTime::UNIX_EPOCH + TimeDelta::days(days);
        let asked = |is_program, from: Option<i64>, to: Option<i64>| {
            let at = |days: Option<i64>| days.map(|days| Param(Timestamp(day(days))));
            ReportPeriod { from: at(from), to: at(to) }.read(is_program, day(400)).ok()
        };
        let period = |from, to| asked(false, from, to);
        assert_eq!(period(None, None), Some((day(370), day(400))));
        assert_eq!(period(Some(34), None), Some((day(34), day(400))));
        assert_eq!(period(None, Some(40)), Some((day(10), day(40))));
        for (from, to) in [(Some(33), None), (Some(400), None), (Some(5), Some(5)), (Some(6), Some(5))] {
            assert_eq!(period(from, to), None, "{from:?} to {to:?}");
        }
        assert_eq!(asked(true, Some(308), None), Some((day(308), day(400))));
        assert_eq!(asked(true, Some(307), None), None);
    }
}
