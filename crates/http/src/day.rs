//! A day without a time.

use chrono::NaiveDate;
use deserr::Deserr;

use super::Invalid;

/// A day, `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserr, utoipa::ToSchema)]
#[deserr(try_from(String) = Day::parse -> Invalid)]
#[schema(value_type = String, format = Date, example = "2026-01-01")]
pub struct Day(pub NaiveDate);

impl Day {
    pub fn parse(text: String) -> Result<Self, Invalid> {
        // Chrono would accept a sign before the year.
        let is_plain = text.len() == 10 && text.starts_with(|c: char| c.is_ascii_digit());
        let day = NaiveDate::parse_from_str(&text, "%Y-%m-%d").ok().filter(|_| is_plain);
        day.map(Self).ok_or_else(|| "must be a date, e.g. 2026-01-31".into())
    }
}
