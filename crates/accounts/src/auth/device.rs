//! Devices that signed in before, known by a token that the sign-in returned. The token signs nobody in; it only
//! keeps strangers' attempts from counting for the device.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Signs the tokens.
#[derive(derive_more::Debug)]
#[debug("DeviceKey(..)")]
pub struct DeviceKey([u8; 32]);

const ID_BYTES: usize = 16;
const END_BYTES: usize = 8;
const TAG_BYTES: usize = 32;
const TOKEN_BYTES: usize = ID_BYTES + END_BYTES + TAG_BYTES;

impl DeviceKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Issues a token by which a device is known until `ends_at` when somebody signs in as `subject`, a phone number
    /// or an email. It holds the device's id, the second of its end, and an HMAC-SHA256 over both and the subject.
    pub fn issue(&self, subject: &str, device: Uuid, ends_at: DateTime<Utc>) -> String {
        let mut token = [device.as_bytes().as_slice(), &ends_at.timestamp().to_be_bytes()].concat();
        let tag = self.mac(subject, &token).finalize().into_bytes();
        token.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// Returns the device of a token; `None` if the token is not genuine, belongs to another subject, or is too old.
    pub fn read(&self, subject: &str, token: &str, now: DateTime<Utc>) -> Option<Uuid> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (signed, tag) = token.split_at_checked(ID_BYTES + END_BYTES)?;
        self.mac(subject, signed).verify_slice(tag).ok()?;
        let (id, end) = signed.split_at(ID_BYTES);
        let end = i64::from_be_bytes(end.try_into().ok()?);
        (now.timestamp() < end).then(|| Uuid::from_slice(id).ok()).flatten()
    }

    fn mac(&self, subject: &str, signed: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(signed);
        mac.update(subject.as_bytes());
        mac
    }
}

/// Returns the device that a token names, for any phone and whether or not it is genuine: a device keeps its id when
/// somebody else signs in on it. A count by this id takes nothing from others, as nobody else knows the id.
pub fn named_in(token: &str) -> Option<Uuid> {
    let token = URL_SAFE_NO_PAD.decode(token).ok().filter(|token| token.len() == TOKEN_BYTES)?;
    Uuid::from_slice(token.get(..ID_BYTES)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_to_its_own_subject_until_its_token_ends() {
        let (key, device) = (DeviceKey::new([1; 32]), Uuid::from_u128(7));
        let at = |second| DateTime::from_timestamp(second, 0).expect("a time");
        let token = key.issue("+919876543210", device, at(100));
        assert_eq!(key.read("+919876543210", &token, at(99)), Some(device));
        assert_eq!(key.read("+919876543210", &token, at(100)), None, "too old");
        assert_eq!(key.read("+919876543211", &token, at(99)), None, "another phone");
        assert_eq!(key.read("asha@example.com", &token, at(99)), None, "an email");
        assert_eq!(DeviceKey::new([2; 32]).read("+919876543210", &token, at(99)), None, "another key");
        for odd in ["", "x", "AAAA", &token[1..], &format!("{token}A")] {
            assert_eq!(key.read("+919876543210", odd, at(99)), None, "{odd}");
            assert_eq!(named_in(odd), None, "{odd}");
        }
        assert_eq!(named_in(&token), Some(device), "whoever signs in");
    }
}
