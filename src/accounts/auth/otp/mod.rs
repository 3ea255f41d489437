//! The rules of one-time passwords, without the database: what is counted, and what is refused.

pub mod queries;

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{
    http::text_enum,
    platform::{
        error::{ApiError, Code},
        settings::AuthSettings,
    },
};

/// Digits of a code.
pub const DIGITS: u32 = 6;
const HOUR: TimeDelta = TimeDelta::hours(1);
const DAY: TimeDelta = TimeDelta::days(1);

/// Turns codes into what is stored of them.
pub struct OtpKey([u8; 32]);

impl std::fmt::Debug for OtpKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OtpKey(..)")
    }
}

impl OtpKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The HMAC of a code for a phone: a code of one phone is nothing for another.
    pub fn seal(&self, phone: &str, code: &str) -> Vec<u8> {
        self.mac(phone, code).finalize().into_bytes().to_vec()
    }

    /// Compares in constant time.
    pub fn matches(&self, phone: &str, code: &str, sealed: &[u8]) -> bool {
        self.mac(phone, code).verify_slice(sealed).is_ok()
    }

    fn mac(&self, phone: &str, code: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(phone.as_bytes());
        mac.update(b"\0");
        mac.update(code.as_bytes());
        mac
    }
}

text_enum! {
    /// What the limits count.
    OtpAttempt {
        /// A code sent to a phone.
        Send = "send",
        /// A wrong code tried for a phone.
        Wrong = "wrong",
        /// A request from an address, whatever the phone.
        Request = "request",
    }
}

/// What was counted in a sliding window: how many, and when the one that must leave before there is room came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    pub count: i64,
    /// The time of the `limit`-th newest; `None` while there is room.
    pub blocking: Option<DateTime<Utc>>,
}

/// So many in so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub most: i64,
    pub window: TimeDelta,
}

impl Limit {
    /// Sends per phone and hour.
    pub fn sends(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_sends_per_hour, window: HOUR }
    }

    /// Requests per client address and hour.
    pub fn requests(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_requests_per_address_per_hour, window: HOUR }
    }

    /// Wrong tries per phone and address, in the time that a code lives.
    pub fn wrong_here(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_wrong_tries, window: TimeDelta::seconds(settings.otp_ttl_s) }
    }

    /// Wrong tries per phone and day, from wherever.
    pub fn wrong_today(settings: &AuthSettings) -> Self {
        Self { most: settings.otp_wrong_tries_per_day, window: DAY }
    }

    /// Times after this one count.
    pub fn since(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now - self.window
    }

    /// Seconds until there is room again; `None` where there is room now.
    pub fn wait_s(self, counted: Counted, now: DateTime<Utc>) -> Option<u64> {
        if counted.count < self.most {
            return None;
        }
        let free_at = counted.blocking.map_or(now, |at| at + self.window);
        Some(u64::try_from((free_at - now).num_seconds() + 1).unwrap_or(1))
    }

    /// 429 where nothing more fits.
    pub fn check(self, counted: Counted, now: DateTime<Utc>) -> Result<(), ApiError> {
        self.wait_s(counted, now).map_or(Ok(()), |seconds| Err(ApiError::rate_limited(seconds)))
    }
}

/// Seconds after which asking for another code makes sense.
pub fn resend_after_s(settings: &AuthSettings, sends: Counted, now: DateTime<Utc>) -> i64 {
    let blocked = Limit::sends(settings).wait_s(sends, now).unwrap_or_default();
    settings.otp_resend_after_s.max(i64::try_from(blocked).unwrap_or(i64::MAX))
}

/// The one answer to a wrong, used, expired or never sent code.
pub fn refused() -> ApiError {
    ApiError::new(Code::InvalidOtp, "The code is wrong or has expired. Check it, or ask for a new one.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    #[test]
    fn a_code_matches_its_own_phone_alone() {
        let key = OtpKey::new([1; 32]);
        let sealed = key.seal("+919876543210", "012345");
        assert!(key.matches("+919876543210", "012345", &sealed));
        let cases = [
            ("+919876543210", "012346", &sealed[..], "another code"),
            ("+919876543211", "012345", &sealed[..], "another phone"),
            ("+9198765432100", "12345", &sealed[..], "the same text cut elsewhere"),
            ("+919876543210", "012345", &sealed[..31], "a shortened seal"),
        ];
        for (phone, code, sealed, why) in cases {
            assert!(!key.matches(phone, code, sealed), "{why}");
        }
        assert!(!OtpKey::new([2; 32]).matches("+919876543210", "012345", &sealed), "another key");
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
            let code =
                limit.check(counted, at(now)).err().map(|refusal| (refusal.code, refusal.retry_after_s));
            assert_eq!(code, wait.map(|seconds| (Code::RateLimited, Some(seconds))));
        }
    }
}
