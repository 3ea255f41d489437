use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_http::{Money, Param, Timestamp, ValidationErrors, Whole};
use roadcall_platform::error::ApiResult;
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::{StatsRow, StepRow};

/// The maximum number of days of a period.
pub const MAX_DAYS: i64 = 366;
/// The number of days of a period whose start is not given.
const USUAL_DAYS: i64 = 30;
/// The limits of a step's length, in seconds: an hour to a week.
const MIN_STEP_S: i64 = 3_600;
const MAX_STEP_S: i64 = 7 * 86_400;
/// No chart of a period shows more steps.
const MAX_STEPS: i64 = 62;

/// `?from=&to=&step_s=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct StatsQuery {
    #[deserr(default)]
    pub from: Option<Param<Timestamp>>,
    #[deserr(default)]
    pub to: Option<Param<Timestamp>>,
    #[deserr(default)]
    pub step_s: Option<Param<Whole>>,
}

/// A time that includes `from`, but not `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatsPeriod {
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
}

impl StatsQuery {
    /// Returns the period; `to` is now if not given, `from` 30 days before it.
    pub fn period(self, now: DateTime<Utc>) -> ApiResult<StatsPeriod> {
        let to = self.to.map_or(now, |to| to.0.0);
        let usual = to.checked_sub_signed(TimeDelta::days(USUAL_DAYS));
        let from = self.from.map(|from| from.0.0).or(usual).unwrap_or(to);
        let mut errors = ValidationErrors::default();
        if from >= to {
            errors.add("from", "must be before to");
        } else if to - from > TimeDelta::days(MAX_DAYS) {
            errors.add("from", format!("must be at most {MAX_DAYS} days before to"));
        }
        errors.into_result()?;
        Ok(StatsPeriod { from, to })
    }
}

impl StatsPeriod {
    /// Returns the length of the requested steps, in seconds.
    pub fn step_s(self, asked: Option<Param<Whole>>) -> ApiResult<Option<i64>> {
        let Some(step_s) = asked.map(|step| step.0.0) else { return Ok(None) };
        let mut errors = ValidationErrors::default();
        if !(MIN_STEP_S..=MAX_STEP_S).contains(&step_s) {
            errors.add("step_s", format!("must be {MIN_STEP_S} to {MAX_STEP_S}"));
        } else if self.to - self.from > TimeDelta::seconds(step_s * MAX_STEPS) {
            errors.add("step_s", format!("must divide the period into at most {MAX_STEPS} steps"));
        }
        errors.into_result()?;
        Ok(Some(step_s))
    }

    /// Returns every step, also those without a row; the last one ends with the period.
    fn steps(self, step_s: i64, rows: &[StepRow]) -> Vec<StatsStep> {
        let starts = (0..MAX_STEPS)
            .map_while(|number| {
                Some((number, self.from.checked_add_signed(TimeDelta::seconds(number * step_s))?))
            })
            .take_while(|(_, from)| *from < self.to);
        let of = |number: i64| rows.iter().find(|row| row.step == number);
        starts
            .map(|(number, from)| StatsStep {
                from: from.into(),
                jobs: of(number).map_or(0, |row| row.jobs),
                earnings: Money(of(number).map_or(0, |row| row.earnings_paise)),
            })
            .collect()
    }
}

/// A mechanic's earnings in one step of a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatsStep {
    pub from: Timestamp,
    /// The number of jobs that were paid in the step, without cancelled jobs that owed a fee.
    pub jobs: i64,
    /// The mechanic's shares of what was paid in the step, fees included, as in the figures of the whole period.
    pub earnings: Money,
}

/// A mechanic's figures in a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct MechanicStats {
    pub from: Timestamp,
    /// The first moment after the period.
    pub to: Timestamp,
    /// The number of offers made in the period, whatever their outcome.
    pub offers_received: i64,
    pub offers_accepted: i64,
    pub offers_declined: i64,
    pub offers_expired: i64,
    /// The number of offers taken back because another mechanic was faster or the customer cancelled.
    pub offers_revoked: i64,
    /// The share of accepted offers among those that the mechanic could answer (accepted, declined, expired), 0 to 1; null if
    /// there were none.
    pub acceptance_rate: Option<f64>,
    pub jobs_completed: i64,
    /// The number of jobs that the customer or an admin cancelled after the mechanic had accepted.
    pub jobs_cancelled: i64,
    /// The number of jobs that the mechanic gave back, or that were taken from them.
    pub jobs_released: i64,
    /// The average of the ratings given in the period that the mechanic may read; null if there are none.
    pub avg_rating: Option<f64>,
    /// The number of ratings in the period.
    pub ratings: i64,
    /// The unit of all amounts.
    pub currency: String,
    /// The amount that customers paid, including cash. Of a job whose organisation hides its prices, the mechanic's share.
    pub gross: Money,
    /// The commission on the gross, before refunds.
    pub commission: Money,
    /// The tax on the gross, before refunds.
    pub tax: Money,
    /// The part of the gross that was refunded to customers so far.
    pub refunds: Money,
    /// The mechanic's shares of what was paid and not refunded, including cash.
    pub earnings: Money,
    /// The straight-line metres of the trips to customers whose time and place are known (`trips`).
    pub driven_m: i64,
    /// The duration of those trips, in seconds.
    pub driving_s: i64,
    /// The number of those trips.
    pub trips: i64,
    /// The time from start to completion of the completed jobs, in seconds.
    pub working_s: i64,
    /// The earnings of the period in steps of `step_s`, for a chart; empty without `step_s`.
    pub steps: Vec<StatsStep>,
}

impl MechanicStats {
    /// Makes the figures. `steps`: the length of the steps in seconds and the earnings in them, if they were requested.
    pub fn of(
        row: StatsRow,
        period: StatsPeriod,
        steps: Option<(i64, Vec<StepRow>)>,
        currency: String,
    ) -> Self {
        Self {
            from: period.from.into(),
            to: period.to.into(),
            offers_received: row.received,
            offers_accepted: row.accepted,
            offers_declined: row.declined,
            offers_expired: row.expired,
            offers_revoked: row.revoked,
            acceptance_rate: acceptance_rate(row.accepted, row.declined, row.expired),
            jobs_completed: row.completed,
            jobs_cancelled: row.cancelled,
            jobs_released: row.released,
            avg_rating: row.avg_rating,
            ratings: row.ratings,
            currency,
            gross: Money(row.gross_paise),
            commission: Money(row.commission_paise),
            tax: Money(row.tax_paise),
            refunds: Money(row.refunds_paise),
            earnings: Money(row.earnings_paise),
            driven_m: row.driven_m,
            driving_s: row.driving_s,
            trips: row.trips,
            working_s: row.working_s,
            steps: steps.map(|(step_s, rows)| period.steps(step_s, &rows)).unwrap_or_default(),
        }
    }
}

/// Returns the rate, rounded to four decimal places.
fn acceptance_rate(accepted: i64, declined: i64, expired: i64) -> Option<f64> {
    let answerable = accepted + declined + expired;
    (answerable > 0).then(|| (accepted as f64 / answerable as f64 * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn a_period_has_an_order_and_a_length() {
        let now = time("2026-03-15T00:00:00Z");
        let period = |from: Option<&str>, to: Option<&str>| {
            let param = |text: &str| Param(Timestamp(time(text)));
            StatsQuery { from: from.map(param), to: to.map(param), step_s: None }.period(now).ok()
        };
        let usual = StatsPeriod { from: time("2026-02-13T00:00:00Z"), to: now };
        assert_eq!(period(None, None), Some(usual));
        let last = StatsPeriod { from: time("2025-12-02T00:00:00Z"), to: time("2026-01-01T00:00:00Z") };
        assert_eq!(period(None, Some("2026-01-01T00:00:00Z")), Some(last));
        assert!(period(Some("2025-03-14T00:00:00Z"), None).is_some(), "366 days");
        for (from, to) in [
            ("2025-03-13T23:59:59Z", None),
            ("2026-03-15T00:00:00Z", None),
            ("2026-03-14T00:00:00Z", Some("2026-03-13T00:00:00Z")),
        ] {
            assert_eq!(period(Some(from), to), None, "{from} to {to:?}");
        }
    }

    #[test]
    fn a_period_is_divided_into_few_steps_of_an_hour_to_a_week() {
        let week = StatsPeriod { from: time("2026-03-08T18:30:00Z"), to: time("2026-03-15T18:30:00Z") };
        let asked = |step_s| week.step_s(Some(Param(Whole(step_s)))).ok();
        assert_eq!(week.step_s(None).ok(), Some(None));
        assert_eq!(asked(86_400), Some(Some(86_400)));
        assert_eq!(asked(604_800), Some(Some(604_800)));
        for wrong in [-86_400, 0, 3_599, 604_801, 3_600, i64::MAX] {
            assert_eq!(asked(wrong), None, "{wrong}: too short, too long, or 168 steps");
        }
    }

    #[test]
    fn steps_without_earnings_are_listed_and_the_last_one_ends_with_the_period() {
        let period = StatsPeriod { from: time("2026-03-08T18:30:00Z"), to: time("2026-03-11T08:00:00Z") };
        let rows = [StepRow { step: 1, jobs: 2, earnings_paise: 50_830 }];
        let steps = period.steps(86_400, &rows);
        let shown: Vec<_> = steps.iter().map(|step| (step.from.0, step.jobs, step.earnings.0)).collect();
        assert_eq!(
            shown,
            [
                (time("2026-03-08T18:30:00Z"), 0, 0),
                (time("2026-03-09T18:30:00Z"), 2, 50_830),
                (time("2026-03-10T18:30:00Z"), 0, 0),
            ]
        );
    }

    #[test]
    fn the_rate_counts_only_offers_that_the_mechanic_could_answer() {
        for (counts, rate) in [((0, 0, 0), None), ((1, 1, 1), Some(0.3333)), ((3, 0, 0), Some(1.0))] {
            assert_eq!(acceptance_rate(counts.0, counts.1, counts.2), rate, "{counts:?}");
        }
    }
}
