//! The local time: `operator.time_zone`.

use std::str::FromStr;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Offset, TimeDelta, Utc};
use jiff::{
    Timestamp,
    civil::Date,
    tz::{self, TimeZoneDatabase},
};
use serde::Deserialize;

/// A zone of the IANA database, which is cheap to clone.
#[derive(derive_more::Debug, derive_more::Display, Clone, PartialEq, Eq, Deserialize)]
#[debug("TimeZone({:?})", self.name())]
#[display("{}", self.name())]
#[serde(try_from = "String")]
pub struct TimeZone(tz::TimeZone);

/// A moment at which clocks are put forward or back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockChange {
    /// The first moment of the new offset.
    pub at: DateTime<Utc>,
    /// The new offset; east of Greenwich is positive.
    pub utc_offset: TimeDelta,
}

impl TimeZone {
    /// Returns the name as IANA spells it.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or_default()
    }

    /// Returns the local time at a moment.
    pub fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        let offset = FixedOffset::east_opt(self.0.to_offset(timestamp(at)).seconds());
        at.with_timezone(&offset.unwrap_or_else(|| Utc.fix()))
    }

    /// Returns the first moment of a day, which is not always 00:00: some zones put their clocks forward at midnight.
    pub fn start_of(&self, day: NaiveDate) -> DateTime<Utc> {
        let date = || {
            let (month, of_month) = (i8::try_from(day.month()).ok()?, i8::try_from(day.day()).ok()?);
            Date::new(i16::try_from(day.year()).ok()?, month, of_month).ok()
        };
        let start = date().and_then(|date| date.to_zoned(self.0.clone()).ok());
        let start = start.and_then(|start| moment(start.timestamp()));
        start.unwrap_or_else(|| day.and_time(NaiveTime::MIN).and_utc())
    }

    /// Returns the changes of clocks after `from`, until `to`, in order.
    pub fn changes(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<ClockChange> {
        let changes = self.0.following(timestamp(from)).map_while(|change| {
            let utc_offset = TimeDelta::seconds(change.offset().seconds().into());
            Some(ClockChange { at: moment(change.timestamp())?, utc_offset })
        });
        changes.take_while(|change| change.at <= to).collect()
    }
}

/// Drops the fraction of a second, within which an offset never changes.
fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_second(at.timestamp()).unwrap_or_default()
}

fn moment(at: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(at.as_second(), 0)
}

/// The reason why a text names no zone.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no time zone of the IANA database. operator.time_zone is a name such as \"Asia/Kolkata\", or \"UTC\""
)]
pub struct UnknownTimeZone(String);

impl FromStr for TimeZone {
    type Err = UnknownTimeZone;

    fn from_str(name: &str) -> Result<Self, UnknownTimeZone> {
        // Postgres reads other names without a slash as abbreviations, such as "CET", which know no summer time.
        let is_full = name == "UTC" || name.contains('/');
        // The system's data is updated with the system; a slim container may have none, or only a part.
        let find = || tz::TimeZone::get(name).or_else(|_| TimeZoneDatabase::bundled().get(name)).ok();
        let found = is_full.then(find).flatten().filter(|zone| zone.iana_name().is_some());
        found.map(Self).ok_or_else(|| UnknownTimeZone(name.to_owned()))
    }
}

impl TryFrom<String> for TimeZone {
    type Error = UnknownTimeZone;

    fn try_from(name: String) -> Result<Self, UnknownTimeZone> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        name.parse().expect(name)
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect(text)
    }

    #[test]
    fn clocks_are_put_forward_and_back() {
        for (name, utc, local) in [
            ("UTC", "2026-03-14T18:30:00Z", "2026-03-14T18:30:00+00:00"),
            ("Asia/Kolkata", "2026-03-14T18:29:59Z", "2026-03-14T23:59:59+05:30"),
            ("Asia/Kathmandu", "2026-03-14T18:15:00Z", "2026-03-15T00:00:00+05:45"),
            ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:59:59+01:00"),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00"),
            ("Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25T02:59:59+02:00"),
            ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00+01:00"),
            ("America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T01:59:59-05:00"),
            ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00-04:00"),
            ("America/New_York", "2026-11-01T06:00:00Z", "2026-11-01T01:00:00-05:00"),
            // Clocks go back by an hour for Ramadan, and by half an hour in winter.
            ("Africa/Casablanca", "2026-02-15T01:59:59Z", "2026-02-15T02:59:59+01:00"),
            ("Africa/Casablanca", "2026-02-15T02:00:00Z", "2026-02-15T02:00:00+00:00"),
            ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "2026-04-05T01:30:00+10:30"),
            ("Europe/Berlin", "2150-07-01T12:00:00Z", "2150-07-01T14:00:00+02:00"),
        ] {
            let shown = zone(name).local(at(utc)).to_rfc3339();
            assert_eq!(shown, local, "{name} at {utc}");
        }
        let precise = at("2026-03-14T18:30:00.123456Z");
        assert_eq!(zone("Asia/Kolkata").local(precise), precise, "nothing of the moment is lost");
    }

    #[test]
    fn a_day_begins_where_the_day_before_ends() {
        for (name, day, start, hours) in [
            ("UTC", "2026-03-29", "2026-03-29T00:00:00Z", 24),
            ("Asia/Kolkata", "2026-03-29", "2026-03-28T18:30:00Z", 24),
            ("Asia/Kathmandu", "2026-03-29", "2026-03-28T18:15:00Z", 24),
            ("Europe/Berlin", "2026-03-28", "2026-03-27T23:00:00Z", 24),
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23),
            ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25),
            ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23),
            ("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25),
            ("Africa/Casablanca", "2026-02-15", "2026-02-14T23:00:00Z", 25),
            ("Africa/Casablanca", "2026-03-22", "2026-03-22T00:00:00Z", 23),
            // At midnight it becomes 1:00.
            ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23),
            // At 1:00 it becomes midnight again.
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25),
        ] {
            let (zone, day) = (zone(name), day.parse::<NaiveDate>().expect(day));
            let (begins, ends) = (zone.start_of(day), zone.start_of(day.succ_opt().expect("a day")));
            assert_eq!((begins, (ends - begins).num_hours()), (at(start), hours), "{name} {day}");
            assert_eq!(zone.local(begins).date_naive(), day, "{name}");
            assert_eq!(
                zone.local(begins - TimeDelta::seconds(1)).date_naive().succ_opt(),
                Some(day),
                "{name}"
            );
        }
        let end_of_years: NaiveDate = "9999-12-31".parse().expect("a day");
        let after = zone("Pacific/Honolulu").start_of(end_of_years.succ_opt().expect("a day"));
        assert!(after > zone("Pacific/Honolulu").start_of(end_of_years));
    }

    #[test]
    fn changes_are_limited_to_the_requested_time() {
        let year = |name| zone(name).changes(at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z"));
        let change = |time, hours| ClockChange { at: at(time), utc_offset: TimeDelta::hours(hours) };
        let expected = [change("2026-03-29T01:00:00Z", 2), change("2026-10-25T01:00:00Z", 1)];
        assert_eq!(year("Europe/Berlin"), expected);
        assert_eq!(year("Asia/Kolkata"), []);
        assert_eq!(year("UTC"), []);
    }

    #[test]
    fn only_names_that_postgres_reads_the_same_way_are_zones() {
        for name in [
            "",
            "Mars/Base",
            "Asia/",
            "/",
            "+05:30",
            "330",
            "IST",
            "CET",
            "EST",
            "EST5EDT",
            "Etc/Unknown",
            "Local",
            "posix/Europe/Berlin",
            "right/Europe/Berlin",
            "../../etc/passwd",
            "Europe/Berlin ",
            "Asia/Kolkata\n",
        ] {
            assert_eq!(name.parse::<TimeZone>(), Err(UnknownTimeZone(name.to_owned())), "{name:?}");
        }
        for name in ["UTC", "Etc/UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT-5"] {
            assert_eq!(zone(name).name(), name);
        }
        assert_eq!(zone("asia/kolkata").to_string(), "Asia/Kolkata");
        assert_eq!(format!("{:?}", zone("Asia/Kolkata")), "TimeZone(\"Asia/Kolkata\")");
    }
}
