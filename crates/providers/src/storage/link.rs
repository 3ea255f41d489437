//! Signed links to our own store. A link allows one action on one file until a time.

use chrono::{DateTime, TimeZone, Utc};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_platform::keys::KeyRing;
use sha2::Sha256;
use uuid::Uuid;

use crate::gateway::from_hex;

/// The keys that sign links.
#[derive(derive_more::Debug, Clone)]
#[debug("LinkKey(..)")]
pub struct LinkKey(KeyRing<String>);

/// The action that a link allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Put,
    Get,
}

/// Why a link is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// This service did not sign the link for this action and file.
    Forged,
    Expired,
}

impl LinkKey {
    pub fn new(keys: KeyRing<String>) -> Self {
        Self(keys)
    }

    /// Returns the hex HMAC-SHA256 over the verb, the id and the second of its end.
    pub fn sign(&self, verb: Verb, id: Uuid, expires_at: DateTime<Utc>) -> String {
        hex::encode(mac(self.0.current(), verb, id, expires_at.timestamp()).finalize().into_bytes())
    }

    /// Checks a link. `expires` is the second (Unix time) in the link. The signature is compared in constant time, and before the
    /// time.
    pub fn check(
        &self,
        verb: Verb,
        id: Uuid,
        expires: i64,
        signature: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Broken> {
        let tag = from_hex(signature).ok_or(Broken::Forged)?;
        if !self.0.any(|key| mac(key, verb, id, expires).verify_slice(&tag).is_ok()) {
            return Err(Broken::Forged);
        }
        let ends = Utc.timestamp_opt(expires, 0).single().ok_or(Broken::Forged)?;
        if now < ends { Ok(()) } else { Err(Broken::Expired) }
    }
}

fn mac(key: &str, verb: Verb, id: Uuid, expires: i64) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
    let verb = match verb {
        Verb::Put => "put",
        Verb::Get => "get",
    };
    mac.update(format!("{verb}\n{id}\n{expires}").as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        Utc.timestamp_opt(second, 0).single().expect("a time")
    }

    fn signed_with(keys: &[&str]) -> LinkKey {
        let mut keys = keys.iter().map(|key| (*key).to_owned());
        LinkKey::new(KeyRing::new(keys.next().expect("a key"), keys.collect()))
    }

    #[test]
    fn an_old_link_is_valid_while_its_key_is_accepted() {
        let id = Uuid::from_u128(1);
        let (old, new) = (signed_with(&["a"]), signed_with(&["b", "a"]));
        let signature = old.sign(Verb::Put, id, at(100));
        assert_eq!(new.check(Verb::Put, id, 100, &signature, at(99)), Ok(()));
        assert_eq!(new.check(Verb::Put, id, 100, &signature, at(100)), Err(Broken::Expired));
        assert_eq!(new.check(Verb::Get, id, 100, &signature, at(99)), Err(Broken::Forged));
        let signature = new.sign(Verb::Put, id, at(100));
        assert_eq!(old.check(Verb::Put, id, 100, &signature, at(99)), Err(Broken::Forged));
    }

    #[test]
    fn a_link_is_valid_for_its_action_and_file_until_it_expires() {
        let (key, id) = (signed_with(&["a"]), Uuid::from_u128(1));
        let signature = key.sign(Verb::Get, id, at(100));
        let check =
            |verb, id, expires, signature: &str, now| key.check(verb, id, expires, signature, at(now));
        assert_eq!(check(Verb::Get, id, 100, &signature, 99), Ok(()));
        assert_eq!(check(Verb::Get, id, 100, &signature.to_uppercase(), 99), Ok(()));
        assert_eq!(check(Verb::Get, id, 100, &signature, 100), Err(Broken::Expired));
        let forged = [
            check(Verb::Put, id, 100, &signature, 99),
            check(Verb::Get, Uuid::from_u128(2), 100, &signature, 99),
            check(Verb::Get, id, 101, &signature, 99),
            check(Verb::Get, id, i64::MAX, &signature, 99),
            check(Verb::Get, id, 100, "", 99),
            check(Verb::Get, id, 100, &signature[2..], 99),
            check(Verb::Get, id, 100, &signature.replace(&signature[..1], "g"), 99),
            signed_with(&["b"]).check(Verb::Get, id, 100, &signature, at(99)),
        ];
        assert_eq!(forged, [Err(Broken::Forged); 8]);
    }
}
