//! The stretch of time to record. Pure.

use chrono::{DateTime, Datelike, FixedOffset, TimeDelta, Timelike, Utc, Weekday};

use super::{error::RecordingError, limits::MAX_DAYS};

/// Times that are farther than this from the beginning of the stretch are cut to it.
const MAX_OFF: TimeDelta = TimeDelta::days(30);

/// The time from one moment until before another, with the offset from UTC at the place, which decides the hours of the day.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    begins: DateTime<FixedOffset>,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
}

impl Stretch {
    pub fn new(from: DateTime<FixedOffset>, to: DateTime<FixedOffset>) -> Result<Self, RecordingError> {
        if from >= to {
            return Err(RecordingError::Empty);
        }
        if to - from > TimeDelta::days(MAX_DAYS) {
            return Err(RecordingError::TooLong);
        }
        Ok(Self { begins: from, from: from.to_utc(), to: to.to_utc() })
    }

    pub fn weekday(&self) -> &'static str {
        match self.begins.weekday() {
            Weekday::Mon => "monday",
            Weekday::Tue => "tuesday",
            Weekday::Wed => "wednesday",
            Weekday::Thu => "thursday",
            Weekday::Fri => "friday",
            Weekday::Sat => "saturday",
            Weekday::Sun => "sunday",
        }
    }

    pub fn date(&self) -> String {
        self.begins.date_naive().to_string()
    }

    /// Returns the hour at which the stretch begins: 0 to just below 24, to the second.
    pub fn start_hour(&self) -> f64 {
        f64::from(self.begins.num_seconds_from_midnight()) / 3600.0
    }

    pub fn hours(&self) -> f64 {
        (self.to - self.from).num_seconds() as f64 / 3600.0
    }

    /// Returns the whole seconds since the stretch began, at most thirty days off.
    pub fn seconds(&self, at: DateTime<Utc>) -> i64 {
        (at - self.from).clamp(-MAX_OFF, MAX_OFF).num_seconds()
    }

    pub fn contains(&self, at: DateTime<Utc>) -> bool {
        self.from <= at && at < self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(from: &str, to: &str) -> Result<Stretch, RecordingError> {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).expect("a time");
        Stretch::new(at(from), at(to))
    }

    #[test]
    fn the_weekday_and_the_hour_are_local_to_the_place() {
        let friday = stretch("2026-11-20T06:30:00+05:30", "2026-11-21T00:00:00+05:30").expect("a stretch");
        assert_eq!((friday.weekday(), friday.start_hour(), friday.hours()), ("friday", 6.5, 17.5));
        assert_eq!(friday.seconds(friday.to), 63_000);
        let same = stretch("2026-11-20T01:00:00Z", "2026-11-20T02:00:00Z").expect("a stretch");
        assert_eq!((same.from, same.start_hour()), (friday.from, 1.0));
        assert_eq!(friday.seconds(friday.from + TimeDelta::days(99)), 30 * 86_400);
    }

    #[test]
    fn a_stretch_without_time_or_of_more_than_a_week_is_refused() {
        let refused = |from: &str, to: &str| stretch(from, to).expect_err(to).to_string();
        assert!(refused("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z").starts_with("--to "));
        assert!(refused("2026-11-20T00:00:00Z", "2026-11-27T00:00:01Z").contains("7 days"));
        assert!(stretch("2026-11-20T00:00:00Z", "2026-11-27T00:00:00Z").is_ok());
    }
}
