//! Measures the effect of prices by hours with and without them. Pure.
//!
//! Every call counts for its hour, whatever its outcome, except calls in the first minutes of the hour, which still depend on the
//! hour before. A share is calls over calls. Its variance is computed as for a ratio of sampled hours, since the calls of
//! an hour share their luck.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::dto::{SwitchbackArm, SwitchbackDifference, SwitchbackReport};
use crate::catalogue::dispatch_settings::{
    DispatchSettings, SettingsRow,
    switchback::{HOUR, has_prices, hour_of, start_of},
};

/// Calls in the first minutes of an hour are left out.
pub const SETTLING: TimeDelta = TimeDelta::minutes(10);
/// A call's outcome counts once it is this old.
pub const KNOWN_AFTER: TimeDelta = TimeDelta::hours(2);
/// With fewer hours of a kind there is no interval.
const MIN_HOURS: usize = 8;
/// 95 % of a normal distribution are within this many standard deviations.
const QUANTILE: f64 = 1.96;

/// The calls of an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct HourCalls {
    pub hour: i64,
    pub calls: i64,
    pub served: i64,
    pub in_time: i64,
    pub unserved: i64,
}

/// Lists the hours in which prices were switched all along. `versions` begin with the one in force at `since`, unless that was
/// the file's.
pub fn switched_hours(
    file: &DispatchSettings,
    versions: &[SettingsRow],
    since: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Vec<i64> {
    let is_switched = |settings: &DispatchSettings| settings.mechanic_prices && settings.price_switchback;
    let (first, end) = (hour_of(since - TimeDelta::seconds(1)) + 1, hour_of(until));
    let hours = (first..end).filter(|hour| {
        let (from, to) = (start_of(*hour), start_of(*hour) + HOUR);
        let before = versions.iter().rev().find(|row| row.updated_at <= from);
        let began = before.map_or_else(|| is_switched(file), |row| is_switched(&row.over(file)));
        let mut during = versions.iter().filter(|row| row.updated_at > from && row.updated_at < to);
        began && during.all(|row| is_switched(&row.over(file)))
    });
    hours.collect()
}

/// Reports the outcomes of calls in these hours. Hours without calls count as hours.
pub fn report(
    is_on: bool,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    hours: &[i64],
    calls: &[HourCalls],
) -> SwitchbackReport {
    let calls: BTreeMap<i64, HourCalls> = calls.iter().map(|row| (row.hour, *row)).collect();
    let of = |with: bool| -> Vec<HourCalls> {
        let hours = hours.iter().filter(|hour| has_prices(**hour) == with);
        hours
            .map(|hour| calls.get(hour).copied().unwrap_or(HourCalls { hour: *hour, ..HourCalls::default() }))
            .collect()
    };
    let (with, without) = (of(true), of(false));
    let difference = |count: fn(&HourCalls) -> i64| difference(&with, &without, count);
    SwitchbackReport {
        is_on,
        since: since.into(),
        until: until.into(),
        with_prices: arm(&with),
        without_prices: arm(&without),
        in_time: difference(|row| row.in_time),
        served: difference(|row| row.served),
        unserved: difference(|row| row.unserved),
    }
}

fn arm(hours: &[HourCalls]) -> SwitchbackArm {
    let sum = |count: fn(&HourCalls) -> i64| hours.iter().map(count).sum::<i64>();
    let calls = sum(|row| row.calls);
    let percent = |part: i64| (calls > 0).then(|| tenths(100.0 * part as f64 / calls as f64));
    SwitchbackArm {
        hours: hours.len() as u64,
        calls,
        in_time_percent: percent(sum(|row| row.in_time)),
        served_percent: percent(sum(|row| row.served)),
        unserved_percent: percent(sum(|row| row.unserved)),
    }
}

/// Returns the share with prices minus the share without, in percentage points.
fn difference(
    with: &[HourCalls],
    without: &[HourCalls],
    count: fn(&HourCalls) -> i64,
) -> Option<SwitchbackDifference> {
    let ((share, variance), (other, other_variance)) = (ratio(with, count)?, ratio(without, count)?);
    let points = 100.0 * (share - other);
    let half = 100.0 * QUANTILE * (variance + other_variance).sqrt();
    Some(SwitchbackDifference {
        points: tenths(points),
        from: tenths(points - half),
        to: tenths(points + half),
    })
}

/// Returns the share of calls, and its variance over hours; `None` if there are too few.
fn ratio(hours: &[HourCalls], count: fn(&HourCalls) -> i64) -> Option<(f64, f64)> {
    let calls = hours.iter().map(|row| row.calls as f64).sum::<f64>();
    if hours.len() < MIN_HOURS || calls <= 0.0 {
        return None;
    }
    let share = hours.iter().map(|row| count(row) as f64).sum::<f64>() / calls;
    let squares = hours.iter().map(|row| (count(row) as f64 - share * row.calls as f64).powi(2)).sum::<f64>();
    let hours = hours.len() as f64;
    Some((share, squares * hours / (hours - 1.0) / (calls * calls)))
}

fn tenths(value: f64) -> f64 {
    // Adding 0 makes a zero of a negative one.
    (value * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::dispatch_settings::KnobColumns, service::settings::Settings};

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    fn settings(price_switchback: bool) -> DispatchSettings {
        DispatchSettings { price_switchback, ..Settings::defaults().dispatch }
    }

    fn version(version: i64, price_switchback: bool, minutes: i64) -> SettingsRow {
        let knobs = KnobColumns::of(&settings(price_switchback));
        SettingsRow { version, knobs, updated_by: uuid::Uuid::nil(), updated_at: at(minutes) }
    }

    #[test]
    fn only_hours_in_which_prices_were_switched_all_along_count() {
        let hours = |file: bool, versions: &[SettingsRow], since, until| {
            switched_hours(&settings(file), versions, at(since), at(until))
        };
        assert_eq!(hours(true, &[], 0, 180), [0, 1, 2]);
        assert_eq!(hours(true, &[], 1, 179), [1], "whole ones");
        assert_eq!(hours(false, &[], 0, 180), [0; 0]);
        assert_eq!(
            hours(false, &[version(1, true, 30), version(2, false, 200)], 0, 300),
            [1, 2],
            "from the next to the last"
        );
        assert_eq!(hours(true, &[version(1, true, 90)], 0, 180), [0, 1, 2], "another setting changed");
        assert_eq!(hours(true, &[version(1, false, 60), version(2, true, 61)], 0, 180), [0, 2]);
    }

    /// Makes `pairs` of an hour with prices and one without, of ten calls each, so many of them in time, in turns one more or
    /// less.
    fn calls(pairs: i64, with: i64, without: i64) -> Vec<HourCalls> {
        (0..2 * pairs)
            .map(|hour| {
                let luck = if hour.rem_euclid(4) < 2 { 1 } else { -1 };
                let in_time = if has_prices(hour) { with } else { without } + luck;
                HourCalls { hour, calls: 10, served: in_time, in_time, unserved: 10 - in_time }
            })
            .collect()
    }

    fn of(pairs: i64, with: i64, without: i64) -> SwitchbackReport {
        let hours: Vec<i64> = (0..2 * pairs).collect();
        report(true, at(0), at(0), &hours, &calls(pairs, with, without))
    }

    #[test]
    fn hours_with_and_without_prices_are_compared_and_more_hours_narrow_the_interval() {
        let few = of(20, 8, 6);
        assert_eq!((few.with_prices.hours, few.without_prices.calls), (20, 200));
        assert_eq!(
            (few.with_prices.in_time_percent, few.without_prices.served_percent),
            (Some(80.0), Some(60.0))
        );
        let of_few = few.in_time.expect("an interval");
        assert_eq!(of_few.points, 20.0);
        // Each hour is off by one call of ten: a deviation of 10 points over √19, for each of two kinds.
        assert!(
            (of_few.to - of_few.points - 1.96 * 10.0 * (2.0_f64 / 19.0).sqrt()).abs() < 0.06,
            "{of_few:?}"
        );
        assert_eq!(few.unserved.expect("an interval").points, -20.0);
        let many = of(200, 8, 6).in_time.expect("an interval");
        assert!(many.from > of_few.from && many.to < of_few.to, "{many:?}");
        let none = of(200, 7, 7).in_time.expect("an interval");
        assert!(none.from < 0.0 && none.to > 0.0, "{none:?}");
    }

    #[test]
    fn too_few_hours_give_no_interval() {
        let few = of(7, 8, 6);
        assert_eq!((few.in_time, few.with_prices.in_time_percent.is_some()), (None, true));
        let nothing = report(false, at(0), at(0), &[], &[]);
        assert_eq!(
            (nothing.with_prices.hours, nothing.with_prices.in_time_percent, nothing.served),
            (0, None, None)
        );
        let hours: Vec<i64> = (0..40).collect();
        assert_eq!(report(true, at(0), at(0), &hours, &[]).in_time, None, "hours without calls");
    }
}
