//! The limits on codes: the counts, and the refusals.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::text_enum;
use roadcall_platform::error::{ApiError, Code, in_words};

use crate::auth::settings::AuthSettings;

/// The number of IPv6 networks of 64 bits that may make as many requests together as all of the 48 bits around them.
const NETWORKS: i64 = 4;
const HOUR: TimeDelta = TimeDelta::hours(1);
const DAY: TimeDelta = TimeDelta::days(1);

text_enum! {
    /// The kinds of attempts that are counted.
    OtpAttempt {
        /// A code sent to a phone.
        Send = "send",
        /// A wrong code tried for a phone.
        Wrong = "wrong",
        /// A request from an address, whatever the phone.
        Request = "request",
    }
}

/// The count in a sliding window, and the time of the attempt that must leave the window before there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    pub count: i64,
    /// The time of the `limit`-th newest attempt; `None` while there is room.
    pub blocking: Option<DateTime<Utc>>,
}

/// The number of attempts allowed within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub most: i64,
    pub window: TimeDelta,
}

impl Limit {
    /// Returns the limit of sends per phone and hour; a known device has its own.
    pub fn sends(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_sends_per_hour, window: HOUR }
    }

    /// Returns the limit of requests per client address, or known device, and hour.
    pub fn requests(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_requests_per_address_per_hour, window: HOUR }
    }

    /// Returns the limit of requests per hour and network that a provider assigns as a whole.
    pub fn wide_requests(settings: &AuthSettings) -> Self {
        let one = Self::requests(settings);
        Self { most: one.most.saturating_mul(NETWORKS), ..one }
    }

    /// Returns the limit of wrong tries per phone and source, in the lifetime of a code.
    pub fn wrong_here(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_wrong_tries, window: TimeDelta::seconds(settings.otp_ttl_s) }
    }

    /// Returns the limit of wrong tries per phone and day from all sources; a known device has its own.
    pub fn wrong_today(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_wrong_tries_per_day, window: DAY }
    }

    /// Returns the start of the window: later attempts count.
    pub fn since(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now - self.window
    }

    /// Returns the seconds until there is room again; `None` if there is room now.
    pub fn wait_s(self, counted: Counted, now: DateTime<Utc>) -> Option<u64> {
        if counted.count < self.most {
            return None;
        }
        let free_at = counted.blocking.map_or(now, |at| at + self.window);
        Some(u64::try_from((free_at - now).num_seconds() + 1).unwrap_or(1))
    }

    /// Refuses with 429 if there is no room; `why` gets the time to wait in words.
    pub fn check(
        self,
        counted: Counted,
        now: DateTime<Utc>,
        why: impl FnOnce(String) -> String,
    ) -> Result<(), ApiError> {
        self.wait_s(counted, now).map_or(Ok(()), |seconds| Err(ApiError::wait(seconds, why)))
    }
}

/// Returns the seconds after which the code may be sent again.
pub fn resend_after_s(settings: &AuthSettings, sends: Counted, now: DateTime<Utc>) -> i64 {
    let blocked = Limit::sends(settings).wait_s(sends, now).unwrap_or_default();
    settings.otp_resend_after_s.max(i64::try_from(blocked).unwrap_or(i64::MAX))
}

/// Returns the one answer to a wrong, used, expired or never sent code. `locked_s` is the time of the lock if this
/// was the last try from here.
pub(super) fn refused(locked_s: Option<u64>) -> ApiError {
    match locked_s.map(in_words) {
        None => ApiError::new(
            Code::InvalidOtp,
            "The code is wrong or has expired. Check it, or request a new one.",
        ),
        Some(wait) => ApiError::new(
            Code::InvalidOtp,
            format!(
                "The code is wrong or has expired, and that was your last try. Request a new code in {wait}."
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    #[test]
    fn a_full_window_is_refused_until_the_oldest_that_blocks_has_left_it() {
        let limit = Limit { most: 5, window: TimeDelta::seconds(300) };
        let full = Counted { count: 5, blocking: Some(at(0)) };
        let cases = [
            (Counted { count: 4, blocking: None }, 10, None),
            (full, 0, Some(301)),
            (full, 299, Some(2)),
            (Counted { count: 9, blocking: Some(at(100)) }, 200, Some(201)),
        ];
        for (counted, now, wait) in cases {
            assert_eq!(limit.wait_s(counted, at(now)), wait, "{counted:?} at {now}");
            let refused = limit.check(counted, at(now), |wait| wait);
            let code = refused.err().map(|refusal| (refusal.code, refusal.retry_after_s));
            assert_eq!(code, wait.map(|seconds| (Code::RateLimited, Some(seconds))));
        }
    }
}
