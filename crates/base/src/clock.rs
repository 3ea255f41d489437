//! The only place where the time is read. Rules take `now` as an argument.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::{Mutex, MutexGuard, RwLock};

/// The largest lead over the followed clock that a clock makes up for by running slower. With a larger lead, it is
/// set back.
const MADE_UP_SLOWLY: TimeDelta = TimeDelta::seconds(60);
/// A clock that is ahead runs slower by one part in this many.
const SLOWER_BY: i32 = 10;

/// Wall time for rules and rows. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Hands>);

#[derive(Debug)]
struct Hands {
    source: Source,
    /// Set once this clock follows another one.
    followed: OnceLock<RwLock<Followed>>,
}

#[derive(Debug)]
enum Source {
    System {
        start: Instant,
        /// How far a test sets the machine's clock ahead.
        ahead: TimeDelta,
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

/// Holds the state of a clock that follows another one. Between comparisons only the monotonic clock moves it on.
#[derive(Debug, Clone, Copy)]
struct Followed {
    /// The time of the other clock when the two were last compared.
    at: DateTime<Utc>,
    /// The time that had passed by this clock at that moment.
    elapsed: Duration,
    /// How far this clock was ahead then. It runs slower until that is made up for.
    ahead: TimeDelta,
}

impl Followed {
    fn now(&self, elapsed: Duration) -> DateTime<Utc> {
        let since = delta(elapsed.saturating_sub(self.elapsed));
        self.at + since + (self.ahead - since / SLOWER_BY).max(TimeDelta::zero())
    }

    /// Returns the time of the other clock, without the part by which this clock is still ahead.
    fn shared_now(&self, elapsed: Duration) -> DateTime<Utc> {
        self.at + delta(elapsed.saturating_sub(self.elapsed))
    }

    /// Returns the state after a comparison that found the clock `ahead` while it showed `now`, after `elapsed`.
    fn corrected(now: DateTime<Utc>, elapsed: Duration, ahead: TimeDelta) -> Self {
        let is_made_up_slowly = ahead > TimeDelta::zero() && ahead <= MADE_UP_SLOWLY;
        Self { at: now - ahead, elapsed, ahead: if is_made_up_slowly { ahead } else { TimeDelta::zero() } }
    }
}

/// Converts a time that has passed. No process lives long enough for it not to fit.
fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
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
    /// Returns the readings of the machine's clocks, either current or from the moment when this clock was stopped.
    #[allow(clippy::disallowed_methods)]
    fn machine(&self) -> (DateTime<Utc>, Instant) {
        self.stopped.unwrap_or_else(|| (Utc::now(), Instant::now()))
    }
}

impl Clock {
    /// Returns the machine's clock.
    pub fn system() -> Self {
        Self::system_ahead(TimeDelta::zero())
    }

    /// Returns the clock of a machine whose time was set wrong by this much.
    pub fn system_ahead(ahead: TimeDelta) -> Self {
        Self::of(Source::System { start: Instant::now(), ahead })
    }

    /// Returns a clock that starts at `base` and advances with tokio's (pausable) clock.
    pub fn virtual_from(base: DateTime<Utc>) -> Self {
        #[allow(clippy::disallowed_methods)]
        let start = tokio::time::Instant::now();
        Self::of(Source::Virtual { base, start })
    }

    /// Returns a clock that starts at `base` and runs as the machine's clock does, until a test stops it or sets it
    /// forward. Timers that run already take no notice of that.
    pub fn controlled(base: DateTime<Utc>) -> Self {
        #[allow(clippy::disallowed_methods)]
        let ahead = base - Utc::now();
        let set = Mutex::new(Set { ahead, skipped: Duration::ZERO, stopped: None });
        Self::of(Source::Controlled { start: Instant::now(), set })
    }

    fn of(source: Source) -> Self {
        Self(Arc::new(Hands { source, followed: OnceLock::new() }))
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
        match &self.0.source {
            Source::Controlled { set, .. } => set.lock(),
            Source::System { .. } | Source::Virtual { .. } => panic!("only a controlled clock can be set"),
        }
    }

    /// Returns the time that has passed since the clock was made. It never goes back, even if the machine's time is set.
    pub fn elapsed(&self) -> Duration {
        match &self.0.source {
            Source::System { start, .. } => start.elapsed(),
            Source::Virtual { start, .. } => start.elapsed(),
            Source::Controlled { start, .. } => {
                let set = self.set();
                set.machine().1.saturating_duration_since(*start) + set.skipped
            }
        }
    }

    /// Returns the current time in UTC, truncated to the microseconds that Postgres keeps.
    pub fn now(&self) -> DateTime<Utc> {
        let Some(followed) = self.0.followed.get() else { return self.machine_now() };
        let followed = *followed.read();
        in_micros(followed.now(self.elapsed()))
    }

    /// Returns the time for messages between servers: the followed clock's, without the part by which this one is
    /// still ahead. It may go back, and is the same on a server that has just begun to follow the clock.
    pub fn shared_now(&self) -> DateTime<Utc> {
        let Some(followed) = self.0.followed.get() else { return self.machine_now() };
        let followed = *followed.read();
        in_micros(followed.shared_now(self.elapsed()))
    }

    /// Returns the time by this machine's own clock, whatever clock this one follows.
    pub fn machine_now(&self) -> DateTime<Utc> {
        #[allow(clippy::disallowed_methods)]
        let now = match &self.0.source {
            Source::System { ahead, .. } => Utc::now() + *ahead,
            Source::Virtual { base, start } => *base + delta(start.elapsed()),
            Source::Controlled { .. } => {
                let set = self.set();
                set.machine().0 + set.ahead
            }
        };
        in_micros(now)
    }

    /// Makes this clock follow another one, which it is `ahead` of, and no longer the machine's time.
    /// It goes forward at once, and back by running slower, unless it is far ahead. A controlled clock follows none.
    pub fn correct(&self, ahead: TimeDelta) {
        if matches!(self.0.source, Source::Controlled { .. }) {
            return;
        }
        // The elapsed time is read once, so that this thread may be paused anywhere.
        let elapsed = self.elapsed();
        match self.0.followed.get() {
            Some(followed) => {
                let mut followed = followed.write();
                *followed = Followed::corrected(followed.now(elapsed), elapsed, ahead);
            }
            // Until now this clock was the machine's, and has nothing to make up for.
            None => {
                let at = self.machine_now() - ahead;
                let first = Followed { at, elapsed, ahead: TimeDelta::zero() };
                self.0.followed.set(RwLock::new(first)).ok();
            }
        }
    }

    /// Returns the clock for messages between servers: this one, or the machine's if a test sets this one, which it
    /// does for all servers and their messages together.
    pub fn of_messages(&self) -> Self {
        match &self.0.source {
            Source::System { .. } => self.clone(),
            Source::Virtual { .. } | Source::Controlled { .. } => Self::system(),
        }
    }
}

/// Truncates a time to microseconds, so that a time which is stored and read back equals the one in memory.
fn in_micros(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(time.timestamp_micros()).unwrap_or(time)
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

    /// Returns the time that a clock shows so many seconds after it was found to be ahead by this much.
    fn corrected(ahead_s: i64) -> impl Fn(u64) -> TimeDelta {
        let (start, elapsed) = (DateTime::UNIX_EPOCH, Duration::from_secs(100));
        let followed = Followed::corrected(start, elapsed, TimeDelta::seconds(ahead_s));
        move |second| followed.now(elapsed + Duration::from_secs(second)) - start
    }

    #[test]
    fn a_clock_that_is_behind_goes_forward_at_once_and_one_that_is_ahead_never_goes_back() {
        let shown = corrected(-60);
        assert_eq!((shown(0), shown(10)), (TimeDelta::seconds(60), TimeDelta::seconds(70)));
        let shown = corrected(2);
        let slower = [(0, 0), (10, 9), (20, 18), (30, 28)];
        for (second, expected) in slower {
            assert_eq!(shown(second), TimeDelta::seconds(expected), "after {second} s");
        }
        let shown = corrected(3_600);
        assert_eq!(shown(0), TimeDelta::seconds(-3_600), "nothing takes that long");
    }

    #[test]
    fn messages_have_the_time_of_the_followed_clock_even_if_one_clock_is_still_ahead() {
        let (start, elapsed) = (DateTime::UNIX_EPOCH, Duration::from_secs(100));
        let followed = Followed::corrected(start, elapsed, TimeDelta::seconds(30));
        let later = elapsed + Duration::from_secs(10);
        assert_eq!(followed.now(later) - start, TimeDelta::seconds(9));
        assert_eq!(followed.shared_now(later) - start, TimeDelta::seconds(-20));

        let (long_ago, just_now) = (Clock::system(), Clock::system());
        assert!((long_ago.shared_now() - long_ago.machine_now()).abs() < TimeDelta::seconds(10));
        long_ago.correct(TimeDelta::zero());
        // The other clock is set back; a server that starts now never was ahead of it.
        long_ago.correct(TimeDelta::seconds(50));
        just_now.correct(TimeDelta::seconds(50));
        assert!(long_ago.now() - just_now.now() > TimeDelta::seconds(20));
        assert!((long_ago.shared_now() - just_now.shared_now()).abs() < TimeDelta::seconds(20));
    }

    #[test]
    fn a_clock_that_follows_another_does_not_depend_on_the_machines_setting() {
        let clock = Clock::system_ahead(TimeDelta::seconds(60));
        let seen = clock.clone();
        assert!(seen.now() - Clock::system().now() > TimeDelta::seconds(59));
        clock.correct(clock.now() - Clock::system().now());
        assert!((seen.now() - Clock::system().now()).abs() < TimeDelta::seconds(30));
        assert!(seen.machine_now() - seen.now() > TimeDelta::seconds(30));
        let set = Clock::controlled(DateTime::UNIX_EPOCH);
        set.correct(TimeDelta::hours(1));
        assert!(set.now() >= DateTime::UNIX_EPOCH, "a test decides what it shows");
    }
}
