//! The secrets that sign webhooks, as Standard Webhooks describes them, and the form in which they are kept. Pure.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_base::random::Random;
use sha2::Sha256;
use uuid::Uuid;

const PREFIX: &str = "whsec_";
const SECRET_BYTES: usize = 32;

/// The secret that a subscription's webhooks are signed with. Its receiver knows it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}

impl WebhookSecret {
    pub fn random(random: &Random) -> Self {
        Self(random.bytes::<SECRET_BYTES>().to_vec())
    }

    /// Returns the secret as its receiver gets it.
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// Returns the signature of a webhook: `v1,` and the HMAC of its id, its time in seconds and its body.
    pub(super) fn sign(&self, id: &str, timestamp: i64, body: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body.as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// A key of the server that seals the secrets of subscriptions, so that a copy of the database shows none.
pub struct SecretSeal(LessSafeKey);

impl fmt::Debug for SecretSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretSeal(..)")
    }
}

impl SecretSeal {
    pub fn new(key: [u8; 32]) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, &key).expect("AES-256 takes 32 bytes");
        Self(LessSafeKey::new(key))
    }

    /// Encrypts the secret of a subscription: returns a random nonce, then the ciphertext with its tag.
    pub fn seal(&self, subscription: Uuid, secret: &WebhookSecret, random: &Random) -> Vec<u8> {
        let nonce = random.bytes::<NONCE_LEN>();
        let mut sealed = secret.0.clone();
        let given = Nonce::assume_unique_for_key(nonce);
        let encrypted =
            self.0.seal_in_place_append_tag(given, Aad::from(subscription.as_bytes()), &mut sealed);
        encrypted.expect("32 bytes are not too long");
        [&nonce[..], &sealed].concat()
    }

    /// Decrypts a secret; `None` if it was sealed with another key or for another subscription.
    pub fn open(&self, subscription: Uuid, sealed: &[u8]) -> Option<WebhookSecret> {
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut opened = ciphertext.to_vec();
        let secret = self.0.open_in_place(nonce, Aad::from(subscription.as_bytes()), &mut opened).ok()?;
        Some(WebhookSecret(secret.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the example of the specification's libraries.
    #[test]
    fn the_example_of_the_standard_is_signed_alike() {
        let secret = WebhookSecret(STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64"));
        assert_eq!(secret.text(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn every_part_of_a_webhook_is_signed() {
        let secret = WebhookSecret(vec![1; SECRET_BYTES]);
        let signature = secret.sign("a", 1, "{}");
        assert_ne!(signature, secret.sign("b", 1, "{}"));
        assert_ne!(signature, secret.sign("a", 2, "{}"));
        assert_ne!(signature, secret.sign("a", 1, "{ }"));
        assert_ne!(signature, WebhookSecret(vec![2; SECRET_BYTES]).sign("a", 1, "{}"));
    }

    #[test]
    fn a_sealed_secret_is_opened_by_its_own_key_for_its_own_subscription() {
        let random = Random::seeded(1);
        let (key, other, own) = (SecretSeal::new([1; 32]), SecretSeal::new([2; 32]), Uuid::from_u128(1));
        let secret = WebhookSecret::random(&random);
        let sealed = key.seal(own, &secret, &random);
        assert_eq!(key.open(own, &sealed), Some(secret.clone()));
        assert_eq!(key.open(Uuid::from_u128(2), &sealed), None);
        assert_eq!(other.open(own, &sealed), None);
        assert_eq!(key.open(own, &sealed[1..]), None);
        assert_ne!(key.seal(own, &secret, &random), sealed, "each has a nonce of its own");
    }
}
