//! The rate at which the passwords of one email may be tried: without a pause at first, then with pauses that double
//! up to a limit, so that guessing is slow from any number of addresses. Tries from a device that signed in with the
//! email before count for that device alone. An attacker who uses every free try at once keeps the owner from signing
//! in on any new device; the way out is a known device, or `roadcall admin create` with another email. The module is
//! pure.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::FromRow;

/// Tries without a pause.
const FREE: i32 = 5;
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(15);
/// The time without a try after which counting starts again.
pub const FORGOTTEN_AFTER: TimeDelta = TimeDelta::days(1);

/// The tries since the last successful one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Tries {
    pub tries: i32,
    pub last_at: DateTime<Utc>,
}

impl Tries {
    /// Counts one more try; else returns the seconds until another one is allowed.
    pub fn one_more(self, now: DateTime<Utc>) -> Result<Self, u64> {
        let age = now - self.last_at;
        let tries = if age >= FORGOTTEN_AFTER { 0 } else { self.tries };
        let rest = pause_after(tries) - age;
        if rest > TimeDelta::zero() {
            return Err(u64::try_from(rest.num_seconds() + 1).unwrap_or(1));
        }
        Ok(Self { tries: tries.saturating_add(1), last_at: now })
    }

    /// Returns whether the next try has to wait for the longest pause.
    pub fn is_slowest(self) -> bool {
        pause_after(self.tries) == LONGEST_PAUSE
    }
}

fn pause_after(tries: i32) -> TimeDelta {
    let doublings = tries - FREE;
    match u32::try_from(doublings) {
        Err(_) => TimeDelta::zero(),
        Ok(doublings) => (FIRST_PAUSE * 2_i32.pow(doublings.min(10))).min(LONGEST_PAUSE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_tries_are_free_and_the_pauses_after_them_double_up_to_a_quarter_of_an_hour() {
        let start = DateTime::UNIX_EPOCH;
        let mut tried = Tries { tries: 0, last_at: start };
        for _ in 0..5 {
            tried = tried.one_more(start).expect("free");
        }
        let mut now = start;
        for pause_s in [30, 60, 120, 240, 480, 900, 900] {
            assert_eq!(tried.one_more(now + TimeDelta::seconds(pause_s - 1)), Err(2), "{pause_s}");
            now += TimeDelta::seconds(pause_s);
            tried = tried.one_more(now).expect("after the pause");
        }
        let far = Tries { tries: i32::MAX, last_at: start };
        assert!(far.one_more(start).is_err() && far.is_slowest());
        assert!(!Tries { tries: 9, last_at: start }.is_slowest());
        assert_eq!(far.one_more(start + FORGOTTEN_AFTER).map(|tried| tried.tries), Ok(1));
    }
}
