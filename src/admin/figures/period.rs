//! The days that figures are asked for. Pure.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};

use crate::http::{Day, ValidationErrors};

/// Longest period: a quarter of a year.
pub const MAX_DAYS: u64 = 92;
/// Days of a period whose beginning is not given, including today.
const USUAL_DAYS: u64 = 7;

/// Local days, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FiguresPeriod {
    pub from: NaiveDate,
    pub to: NaiveDate,
    /// East of Greenwich.
    pub utc_offset_minutes: i32,
}

impl FiguresPeriod {
    /// What was asked for at `now`; a missing end is today, a missing start six days before the end.
    pub fn new(
        from: Option<Day>,
        to: Option<Day>,
        utc_offset_minutes: i32,
        now: DateTime<Utc>,
    ) -> Result<Self, ValidationErrors> {
        let today = (now + TimeDelta::minutes(utc_offset_minutes.into())).date_naive();
        let to = to.map_or(today, |day| day.0);
        let before = |days: u64| to.checked_sub_days(Days::new(days - 1)).unwrap_or(to);
        let from = from.map_or_else(|| before(USUAL_DAYS), |day| day.0);
        let mut errors = ValidationErrors::default();
        if from > to {
            errors.add("to", "must not be before from");
        } else if from < before(MAX_DAYS) {
            errors.add("from", format!("must be at most {} days before to", MAX_DAYS - 1));
        }
        if errors.0.is_empty() { Ok(Self { from, to, utc_offset_minutes }) } else { Err(errors) }
    }

    /// Its first moment.
    pub fn start(&self) -> DateTime<Utc> {
        self.midnight(self.from)
    }

    /// The first moment after it.
    pub fn end(&self) -> DateTime<Utc> {
        self.midnight(self.to) + TimeDelta::days(1)
    }

    /// Each of its days.
    pub fn days(&self) -> impl Iterator<Item = NaiveDate> + use<> {
        let to = self.to;
        self.from.iter_days().take_while(move |day| *day <= to)
    }

    fn midnight(&self, day: NaiveDate) -> DateTime<Utc> {
        day.and_time(NaiveTime::MIN).and_utc() - TimeDelta::minutes(self.utc_offset_minutes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20:00 UTC on 14 March 2026, which is the next day in India.
    fn asked(from: Option<&str>, to: Option<&str>) -> Result<FiguresPeriod, Vec<String>> {
        let day = |text: &str| Day::parse(text.to_owned()).expect(text);
        let now = DateTime::parse_from_rfc3339("2026-03-14T20:00:00Z").expect("a time").to_utc();
        let period = FiguresPeriod::new(from.map(day), to.map(day), 330, now);
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
}
