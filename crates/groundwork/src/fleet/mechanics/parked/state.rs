//! Decides how soon mechanics who did not answer their offers may wait at a place again. Pure.

use chrono::{DateTime, TimeDelta, Utc};

/// The longest cooldown.
const LONGEST: TimeDelta = TimeDelta::hours(6);

/// Returns when a mechanic may wait at a place again who let so many offers in a row expire, the last one at that time. Each
/// `most` of them double the cooldown, which is `first` at the beginning.
pub fn may_park_at(
    unanswered: i64,
    last: Option<DateTime<Utc>>,
    most: i64,
    first: TimeDelta,
) -> Option<DateTime<Utc>> {
    let times = unanswered / most.max(1);
    let doublings = (times - 1).clamp(0, 12);
    let cooldown = LONGEST.min(first * (1_i32 << doublings));
    last.filter(|_| times > 0).map(|last| last + cooldown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cooldown_doubles_as_long_as_no_offer_is_answered() {
        let last = DateTime::from_timestamp(1_800_000_000, 0);
        let minutes = |unanswered| {
            let at = may_park_at(unanswered, last, 2, TimeDelta::minutes(10))?;
            Some((at - last?).num_minutes())
        };
        let cases = [
            (0, None),
            (1, None),
            (2, Some(10)),
            (3, Some(10)),
            (4, Some(20)),
            (6, Some(40)),
            (99, Some(360)),
        ];
        for (unanswered, expected) in cases {
            assert_eq!(minutes(unanswered), expected, "{unanswered}");
        }
        assert_eq!(may_park_at(0, None, 2, TimeDelta::minutes(10)), None);
    }
}
