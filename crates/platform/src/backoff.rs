//! The pause before the next try.

use chrono::TimeDelta;

/// The longest pause between two tries of the same thing.
const LONGEST_PAUSE_S: i64 = 3600;

/// Returns the pause after so many failed tries: `first_s`, doubled each time, at most an hour.
pub fn pause(first_s: i64, tries: i32) -> TimeDelta {
    let doublings = u32::try_from(tries.clamp(1, 20) - 1).unwrap_or_default();
    TimeDelta::seconds(first_s.saturating_mul(1 << doublings).clamp(1, LONGEST_PAUSE_S))
}
