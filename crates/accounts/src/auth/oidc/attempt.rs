//! A sign-in that continues at the provider, as the browser that began it stores it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_http::Proof;
use roadcall_platform::error::ApiError;
use roadcall_providers::identity::SignInSecrets;
use sha2::Sha256;

/// The time that people may take at the provider.
pub const TTL: TimeDelta = TimeDelta::minutes(10);
const SEED_BYTES: usize = 32;
const END_BYTES: usize = 8;

/// Makes the secrets of sign-ins, each from a random seed, and marks the values that browsers keep.
#[derive(derive_more::Debug)]
#[debug("AttemptKey(..)")]
pub struct AttemptKey([u8; 32]);

/// One sign-in. Its secrets follow from the seed with the service's key alone.
#[derive(derive_more::Debug, Clone, PartialEq, Eq)]
#[debug("SignInAttempt(..)")]
pub struct SignInAttempt([u8; SEED_BYTES]);

impl SignInAttempt {
    pub(super) fn new(seed: [u8; SEED_BYTES]) -> Self {
        Self(seed)
    }

    /// Returns the proof by which the requests of this sign-in are counted: the service made it.
    pub fn proof(&self) -> Proof {
        Proof::of(&format!("sign-in {:?}", &self.0[..16]))
    }
}

impl AttemptKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Returns the value that the browser keeps until `ends_at`: the seed, the second of the end, and an HMAC-SHA256
    /// over both.
    pub(super) fn kept(&self, attempt: &SignInAttempt, ends_at: DateTime<Utc>) -> String {
        let mut kept = [attempt.0.as_slice(), &ends_at.timestamp().to_be_bytes()].concat();
        let tag = self.mac("kept", &kept).finalize().into_bytes();
        kept.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(kept)
    }

    /// Reads the browser's value; `None` if it is not ours, or too old.
    pub(super) fn read(&self, kept: &str, now: DateTime<Utc>) -> Option<SignInAttempt> {
        let kept = URL_SAFE_NO_PAD.decode(kept).ok()?;
        let (signed, tag) = kept.split_at_checked(SEED_BYTES + END_BYTES)?;
        self.mac("kept", signed).verify_slice(tag).ok()?;
        let (seed, end) = signed.split_at(SEED_BYTES);
        let is_alive = now.timestamp() < i64::from_be_bytes(end.try_into().ok()?);
        is_alive.then(|| seed.try_into().ok().map(SignInAttempt)).flatten()
    }

    pub(super) fn secrets(&self, attempt: &SignInAttempt) -> SignInSecrets {
        let text = |purpose| URL_SAFE_NO_PAD.encode(self.mac(purpose, &attempt.0).finalize().into_bytes());
        SignInSecrets { state: text("state"), nonce: text("nonce"), verifier: text("verifier") }
    }

    /// Returns whether this state is the attempt's, in constant time.
    pub(super) fn is_state_of(&self, attempt: &SignInAttempt, state: &str) -> bool {
        let state = URL_SAFE_NO_PAD.decode(state).unwrap_or_default();
        self.mac("state", &attempt.0).verify_slice(&state).is_ok()
    }

    fn mac(&self, purpose: &str, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(bytes);
        mac
    }
}

/// Returns the 401 for a browser that has not begun this sign-in.
pub(super) fn not_begun() -> ApiError {
    ApiError::unauthorized(
        "This sign-in was not begun in this browser, or it took longer than ten minutes. Sign in again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).expect("a time")
    }

    #[test]
    fn a_browser_brings_its_sign_in_back_until_it_ends() {
        let (key, attempt) = (AttemptKey::new([1; 32]), SignInAttempt::new([7; SEED_BYTES]));
        let kept = key.kept(&attempt, at(100));
        assert_eq!(key.read(&kept, at(99)), Some(attempt));
        assert_eq!(key.read(&kept, at(100)), None, "too old");
        assert_eq!(AttemptKey::new([2; 32]).read(&kept, at(99)), None, "another key");
        for odd in ["", "x", "AAAA", &kept[1..], &format!("{kept}A")] {
            assert_eq!(key.read(odd, at(99)), None, "{odd}");
        }
    }

    #[test]
    fn each_sign_in_has_its_own_secrets_which_its_cookie_does_not_show() {
        let key = AttemptKey::new([1; 32]);
        let (one, two) = (SignInAttempt::new([7; SEED_BYTES]), SignInAttempt::new([8; SEED_BYTES]));
        let (own, others) = (key.secrets(&one), key.secrets(&two));
        assert!(key.is_state_of(&one, &own.state) && !key.is_state_of(&one, &others.state));
        assert!(!key.is_state_of(&one, "") && !key.is_state_of(&one, &own.nonce));
        let all = [&own.state, &own.nonce, &own.verifier, &others.state, &others.nonce, &others.verifier];
        for (number, secret) in all.iter().enumerate() {
            assert_eq!(secret.len(), 43);
            assert!(!all[..number].contains(secret) && !key.kept(&one, at(100)).contains(secret.as_str()));
        }
        assert_ne!(own.state, AttemptKey::new([2; 32]).secrets(&one).state);
    }
}
