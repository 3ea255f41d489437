//! How long a push service asks us to wait.

use std::time::Duration;

use chrono::{DateTime, Utc};

/// Reads a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3); anything else is `None`.
pub(super) fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTime::parse_from_rfc2822(value).ok()?;
    Some((at.to_utc() - now).to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_seconds_and_dates_are_read() {
        let now = DateTime::from_timestamp(784_111_777, 0).expect("Sun, 06 Nov 1994 08:49:37 GMT");
        for (value, expected) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(retry_after(value, now), expected.map(Duration::from_secs), "{value:?}");
        }
    }
}
