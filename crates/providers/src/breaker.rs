//! A circuit breaker: it stops requests to a provider that keeps failing. Pure.

use chrono::{DateTime, TimeDelta, Utc};

/// Failures in a row that open the breaker.
const FAILURES: u32 = 5;
/// How long an open breaker holds requests back; then one request probes whether the provider works again.
const PAUSE: TimeDelta = TimeDelta::seconds(5);

/// A closed breaker lets requests pass, an open one lets none pass. After [`PAUSE`] one request probes, and its outcome decides.
#[derive(Debug, Default)]
pub struct Breaker {
    failures: u32,
    /// When the breaker opened, or when its last probe went out.
    open_since: Option<DateTime<Utc>>,
}

/// How a report changed the breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    None,
    Opened,
    Closed,
}

impl Breaker {
    /// Returns whether a request may go out. While the breaker is open, the request that may go out is the probe.
    pub fn lets_pass(&mut self, now: DateTime<Utc>) -> bool {
        if !self.would_let_pass(now) {
            return false;
        }
        self.open_since = self.open_since.map(|_| now);
        true
    }

    /// Returns what [`Self::lets_pass`] would, and takes no probe.
    pub fn would_let_pass(&self, now: DateTime<Utc>) -> bool {
        // A clock that was put back must not keep the breaker open.
        self.open_since.is_none_or(|since| now < since || now - since >= PAUSE)
    }

    /// Returns whether the provider has failed and not answered since.
    pub fn is_open(&self) -> bool {
        self.open_since.is_some()
    }

    /// Takes note of how a request ended.
    pub fn report(&mut self, is_failure: bool, now: DateTime<Utc>) -> Turn {
        if !is_failure {
            self.failures = 0;
            return if self.open_since.take().is_some() { Turn::Closed } else { Turn::None };
        }
        self.failures = self.failures.saturating_add(1);
        let opens = self.open_since.is_none() && self.failures >= FAILURES;
        if opens {
            self.open_since = Some(now);
        }
        if opens { Turn::Opened } else { Turn::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(1_000 + seconds)
    }

    fn opened() -> Breaker {
        let mut breaker = Breaker::default();
        for failure in 1..=FAILURES {
            assert!(breaker.lets_pass(at(0)));
            let turn = breaker.report(true, at(0));
            assert_eq!(turn, if failure == FAILURES { Turn::Opened } else { Turn::None });
        }
        breaker
    }

    #[test]
    fn failures_in_a_row_open_the_breaker_unless_a_success_interrupts_them() {
        let mut breaker = opened();
        assert!(!breaker.lets_pass(at(4)));
        let mut mended = Breaker::default();
        for _ in 0..10 {
            for _ in 1..FAILURES {
                mended.report(true, at(0));
            }
            assert_eq!(mended.report(false, at(0)), Turn::None);
        }
        assert!(mended.lets_pass(at(0)));
    }

    #[test]
    fn one_probe_passes_after_the_pause_and_decides() {
        let mut breaker = opened();
        assert!(breaker.would_let_pass(at(5)) && breaker.lets_pass(at(5)));
        assert!(!breaker.lets_pass(at(5)), "one alone");
        breaker.report(true, at(6));
        assert!(!breaker.lets_pass(at(9)));
        assert!(breaker.lets_pass(at(10)));
        assert_eq!(breaker.report(false, at(10)), Turn::Closed);
        assert!(breaker.lets_pass(at(10)) && breaker.lets_pass(at(10)));
    }

    #[test]
    fn a_probe_that_never_reports_is_followed_by_another() {
        let mut breaker = opened();
        assert!(breaker.lets_pass(at(5)));
        assert!(breaker.lets_pass(at(10)));
    }

    #[test]
    fn a_clock_that_is_put_back_does_not_keep_the_breaker_open() {
        let mut breaker = opened();
        assert!(breaker.lets_pass(at(-500)));
    }
}
