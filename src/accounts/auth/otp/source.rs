//! Where an attempt to sign in comes from: what its limits are counted by.
//!
//! Anybody can try wrong codes for somebody's phone until it is locked. A device that signed in with that phone before shows
//! the token that it was given then, and answers for itself alone.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// What an attempt counts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    is_known_device: bool,
}

impl Source {
    /// An address, as limits count it.
    pub fn address(bucket: String) -> Self {
        Self { name: bucket, is_known_device: false }
    }

    /// A device that signed in with the phone before.
    pub fn device(id: Uuid) -> Self {
        Self { name: format!("device {id}"), is_known_device: true }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// By whom the limits of a phone are used up: by everybody together (`None`), or by a known device alone.
    pub fn own(&self) -> Option<&str> {
        self.is_known_device.then_some(&self.name)
    }
}

/// Signs the tokens by which devices are known again.
pub struct DeviceKey([u8; 32]);

impl std::fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeviceKey(..)")
    }
}

const ID_BYTES: usize = 16;
const END_BYTES: usize = 8;

impl DeviceKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// A token that tells a device of this phone again until `ends_at`: its id, the second of its end, and an HMAC-SHA256
    /// over both and the phone.
    pub fn issue(&self, phone: &str, device: Uuid, ends_at: DateTime<Utc>) -> String {
        let mut token = [device.as_bytes().as_slice(), &ends_at.timestamp().to_be_bytes()].concat();
        let tag = self.mac(phone, &token).finalize().into_bytes();
        token.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The device of a token for this phone; `None` where it is not genuine, another phone's, or too old.
    pub fn read(&self, phone: &str, token: &str, now: DateTime<Utc>) -> Option<Uuid> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (signed, tag) = token.split_at_checked(ID_BYTES + END_BYTES)?;
        self.mac(phone, signed).verify_slice(tag).ok()?;
        let (id, end) = signed.split_at(ID_BYTES);
        let end = i64::from_be_bytes(end.try_into().ok()?);
        (now.timestamp() < end).then(|| Uuid::from_slice(id).ok()).flatten()
    }

    fn mac(&self, phone: &str, signed: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(signed);
        mac.update(phone.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_for_its_own_phone_until_its_token_ends() {
        let (key, device) = (DeviceKey::new([1; 32]), Uuid::from_u128(7));
        let at = |second| DateTime::from_timestamp(second, 0).expect("a time");
        let token = key.issue("+919876543210", device, at(100));
        assert_eq!(key.read("+919876543210", &token, at(99)), Some(device));
        assert_eq!(key.read("+919876543210", &token, at(100)), None, "too old");
        assert_eq!(key.read("+919876543211", &token, at(99)), None, "another phone");
        assert_eq!(DeviceKey::new([2; 32]).read("+919876543210", &token, at(99)), None, "another key");
        for odd in ["", "x", "AAAA", &token[1..], &format!("{token}A")] {
            assert_eq!(key.read("+919876543210", odd, at(99)), None, "{odd}");
        }
    }
}
