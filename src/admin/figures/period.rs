//! The days of the figures. Pure.

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::{
    http::{Day, ValidationErrors},
    platform::settings::TimeZone,
};

/// Longest period: a quarter of a year.
pub const MAX_DAYS: u64 = 92;
/// The days of a period whose beginning is not given, including today.
const USUAL_DAYS: u64 = 7;

/// Local days, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiguresPeriod {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub zone: TimeZone,
}

impl FiguresPeriod {
    /// Returns the period that was asked for at `now`. A missing end is today, a missing start six days before the end.
    pub fn new(
        from: Option<Day>,
        to: Option<Day>,
        zone: &TimeZone,
        now: DateTime<Utc>,
    ) -> Result<Self, ValidationErrors> {
        let today = zone.local(now).date_naive();
        let to = to.map_or(today, |day| day.0);
        let before = |days: u64| to.checked_sub_days(Days::new(days - 1)).unwrap_or(to);
        let from = from.map_or_else(|| before(USUAL_DAYS), |day| day.0);
        let mut errors = ValidationErrors::default();
        if from > to {
            errors.add("to", "must not be before from");
        } else if from < before(MAX_DAYS) {
            errors.add("from", format!("must be at most {} days before to", MAX_DAYS - 1));
        }
        if errors.0.is_empty() { Ok(Self { from, to, zone: zone.clone() }) } else { Err(errors) }
    }

    /// Returns the period's first moment.
    pub fn start(&self) -> DateTime<Utc> {
        self.zone.start_of(self.from)
    }

    /// Returns the first moment after the period.
    pub fn end(&self) -> DateTime<Utc> {
        self.zone.start_of(self.to.succ_opt().unwrap_or(self.to))
    }

    /// Returns each day of the period.
    pub fn days(&self) -> impl Iterator<Item = NaiveDate> + use<> {
        let to = self.to;
        self.from.iter_days().take_while(move |day| *day <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        name.parse().expect(name)
    }

    /// Asks at 20:00 UTC on 14 March 2026, which is the next day in India.
    fn asked(from: Option<&str>, to: Option<&str>) -> Result<FiguresPeriod, Vec<String>> {
        let day = |text: &str| Day::parse(text.to_owned()).expect(text);
        let now = DateTime::parse_from_rfc3339("2026-03-14T20:00:00Z").expect("a time").to_utc();
        let period = FiguresPeriod::new(from.map(day), to.map(day), &zone("Asia/Kolkata"), now);
        period.map_err(|errors| errors.0.into_keys().collect())
    }

    #[test]
    fn a_period_is_of_local_days_and_not_too_long() {
        let week = asked(None, None).expect("the usual");
        assert_eq!((week.from.to_string(), week.to.to_string()), ("2026-03-09".into(), "2026-03-15".into()));
        assert_eq!(week.start().to_rfc3339(), "2026-03-08T18:30:00+00:00");
        assert_eq!(week.end().to_rfc3339(), "2026-03-15T18:30:00+00:00");
        assert_eq!(week.days().count(), 7);
        assert_eq!(asked(Some("2026-03-15"), None).map(|period| period.days().count()), Ok(1));
        assert!(asked(Some("2025-12-01"), Some("2026-03-02")).is_ok(), "92 days");
        for (from, to, field) in [
            (Some("2025-11-30"), Some("2026-03-02"), "from"),
            (Some("2026-03-03"), Some("2026-03-02"), "to"),
            (Some("2026-03-16"), None, "to"),
        ] {
            assert_eq!(asked(from, to), Err(vec![field.to_owned()]), "{from:?} {to:?}");
        }
    }

    #[test]
    fn days_of_23_and_25_hours_are_whole_days() {
        for (name, day, start, end) in [
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
            ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"),
            ("Africa/Casablanca", "2026-02-15", "2026-02-14T23:00:00Z", "2026-02-16T00:00:00Z"),
            ("Asia/Kathmandu", "2026-02-15", "2026-02-14T18:15:00Z", "2026-02-15T18:15:00Z"),
        ] {
            let asked = || Some(Day::parse(day.to_owned()).expect(day));
            let period = FiguresPeriod::new(asked(), asked(), &zone(name), DateTime::UNIX_EPOCH).expect(day);
            let at = |text: &str| text.parse::<DateTime<Utc>>().expect(text);
            assert_eq!((period.start(), period.end()), (at(start), at(end)), "{name}");
            assert_eq!(period.days().count(), 1);
        }
    }
}
