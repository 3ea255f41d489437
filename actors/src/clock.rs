//! The only place where the time is read. Rules take `now` as an argument.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};

/// Wall time for rules and rows. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Source>);

#[derive(Debug)]
enum Source {
    System {
        start: Instant,
    },
    /// Follows tokio's clock, which a test may pause and advance.
    Virtual {
        base: DateTime<Utc>,
        start: tokio::time::Instant,
    },
    Controlled {
        start: Instant,
        set: Mutex<Set>,
    },
}

/// Holds how a test has set its clock.
#[derive(Debug)]
struct Set {
    /// How much later it is by this clock than by the machine's.
    ahead: TimeDelta,
    /// The part of it by which the clock was set forward since it was made.
    skipped: Duration,
    /// The readings of the machine's clocks at the moment when this one was stopped.
    stopped: Option<(DateTime<Utc>, Instant)>,
}

impl Set {
    /// Returns the readings of the machine's clocks: those of now, or of the moment when this clock was stopped.
    #[allow(clippy::disallowed_methods)]
    fn machine(&self) -> (DateTime<Utc>, Instant) {
        self.stopped.unwrap_or_else(|| (Utc::now(), Instant::now()))
    }
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Arc::new(Source::System { start: Instant::now() }))
    }

    /// Starts at `base` and advances with tokio's (pausable) clock.
    pub fn virtual_from(base: DateTime<Utc>) -> Self {
        #[allow(clippy::disallowed_methods)]
        let start = tokio::time::Instant::now();
        Self(Arc::new(Source::Virtual { base, start }))
    }

    /// Starts at `base` and runs as the machine's clock does, until a test stops it or sets it forward. Timers that run already
    /// take no notice of that.
    pub fn controlled(base: DateTime<Utc>) -> Self {
        #[allow(clippy::disallowed_methods)]
        let ahead = base - Utc::now();
        let set = Mutex::new(Set { ahead, skipped: Duration::ZERO, stopped: None });
        Self(Arc::new(Source::Controlled { start: Instant::now(), set }))
    }

    /// Stops a controlled clock: from now on time passes only by [`Clock::advance`].
    ///
    /// # Panics
    /// If the clock is not [`Clock::controlled`].
    pub fn stop(&self) {
        let mut set = self.set();
        set.stopped = Some(set.machine());
    }

    /// Sets a controlled clock forward, whether it runs or not.
    ///
    /// # Panics
    /// If the clock is not [`Clock::controlled`].
    pub fn advance(&self, by: Duration) {
        let mut set = self.set();
        set.skipped += by;
        set.ahead += TimeDelta::from_std(by).unwrap_or(TimeDelta::MAX);
    }

    fn set(&self) -> MutexGuard<'_, Set> {
        match self.0.as_ref() {
            Source::Controlled { set, .. } => set.lock().unwrap_or_else(PoisonError::into_inner),
            Source::System { .. } | Source::Virtual { .. } => panic!("only a controlled clock can be set"),
        }
    }

    /// Returns the time that has passed since the clock was made. It never goes back, even if the machine's time is set.
    pub fn elapsed(&self) -> Duration {
        match self.0.as_ref() {
            Source::System { start } => start.elapsed(),
            Source::Virtual { start, .. } => start.elapsed(),
            Source::Controlled { start, .. } => {
                let set = self.set();
                set.machine().1.saturating_duration_since(*start) + set.skipped
            }
        }
    }

    /// The current time in UTC, truncated to the microseconds that Postgres keeps.
    pub fn now(&self) -> DateTime<Utc> {
        #[allow(clippy::disallowed_methods)]
        let now = match self.0.as_ref() {
            Source::System { .. } => Utc::now(),
            Source::Virtual { base, start } => {
                *base + TimeDelta::from_std(start.elapsed()).unwrap_or(TimeDelta::MAX)
            }
            Source::Controlled { .. } => {
                let set = self.set();
                set.machine().0 + set.ahead
            }
        };
        // A time that was stored and read back must equal the one in memory.
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controlled_clock_that_is_stopped_passes_only_what_it_is_set_forward() {
        let clock = Clock::controlled(DateTime::UNIX_EPOCH);
        clock.stop();
        let (now, elapsed) = (clock.now(), clock.elapsed());
        assert_eq!((clock.clone().now(), clock.elapsed()), (now, elapsed));
        clock.advance(Duration::from_millis(1_500));
        assert_eq!(clock.now() - now, TimeDelta::milliseconds(1_500));
        assert_eq!(clock.elapsed() - elapsed, Duration::from_millis(1_500));
    }

    #[test]
    fn a_controlled_clock_that_runs_is_as_far_ahead_as_it_was_set_forward() {
        let clock = Clock::controlled(DateTime::UNIX_EPOCH);
        let before = (clock.now(), clock.elapsed());
        clock.advance(Duration::from_secs(3_600));
        assert!(clock.now() - before.0 >= TimeDelta::hours(1));
        assert!(clock.elapsed() - before.1 >= Duration::from_secs(3_600));
    }
}
