//! Limits requests to so many a second, one after the other. Pure.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

/// Hands out turns that are a fixed time apart.
#[derive(Debug)]
pub(super) struct Pace {
    apart: TimeDelta,
    /// When the next turn is free.
    free_at: Option<DateTime<Utc>>,
}

impl Pace {
    pub fn new(per_second: f64) -> Self {
        let apart = TimeDelta::microseconds((1_000_000.0 / per_second).ceil() as i64);
        Self { apart, free_at: None }
    }

    /// Takes the next turn and returns how long to wait for it. If that is longer than `patience`, takes no turn and returns the
    /// wait as the error.
    pub fn take(&mut self, now: DateTime<Utc>, patience: Duration) -> Result<Duration, Duration> {
        // Turns farther ahead than anybody waits come from a clock that was put back.
        let most = TimeDelta::from_std(patience).unwrap_or(TimeDelta::MAX) + self.apart;
        let free_at = self.free_at.filter(|at| *at > now && *at - now <= most).unwrap_or(now);
        let wait = (free_at - now).to_std().unwrap_or_default();
        if wait > patience {
            return Err(wait);
        }
        self.free_at = Some(free_at + self.apart);
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(1_000_000 + millis)
    }

    #[test]
    fn turns_are_apart_and_nobody_waits_beyond_their_patience() {
        let (mut pace, patience) = (Pace::new(1.0), Duration::from_secs(2));
        let mut take = |millis| pace.take(at(millis), patience).map(|wait| wait.as_millis());
        assert_eq!([take(0), take(0), take(0)], [Ok(0), Ok(1_000), Ok(2_000)]);
        assert_eq!(take(0), Err(Duration::from_secs(3)));
        assert_eq!(take(1_500), Ok(1_500));
        assert_eq!(take(10_000), Ok(0), "turns that nobody took are not saved up");
        assert_eq!(take(-3_600_000), Ok(0), "a clock that was put back stops nobody");
    }

    #[test]
    fn a_pace_may_be_slower_than_a_second_and_faster() {
        for (per_second, apart) in [(0.1, 10_000), (10.0, 100), (1_000.0, 1)] {
            let mut pace = Pace::new(per_second);
            let mut take = || pace.take(at(0), Duration::from_secs(60)).map(|wait| wait.as_millis());
            assert_eq!([take(), take()], [Ok(0), Ok(apart)], "{per_second}");
        }
    }
}
