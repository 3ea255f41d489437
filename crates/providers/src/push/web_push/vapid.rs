//! Identifies us to push services: a key pair of our own, and its signature for each service (RFC 8292).

use aws_lc_rs::{
    agreement::PrivateKey,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::encryption::{POINT_BYTES, key_pair};

/// How long a signature is valid; the standard allows up to a day.
const LIFE: TimeDelta = TimeDelta::hours(12);

/// The key pair whose public half browsers subscribe with. It has no debug print.
pub(super) struct VapidKey {
    pair: EcdsaKeyPair,
    /// The public key in base64url, as `applicationServerKey` takes it.
    pub public: String,
}

impl VapidKey {
    /// Makes the key of a seed; the same seed gives the same key.
    pub fn from_seed(mut seed: [u8; 32]) -> Self {
        loop {
            // One seed in four thousand million is not a valid key.
            if let Some(key) = key_pair(&seed).and_then(|pair| Self::new(&seed, &pair)) {
                return key;
            }
            seed = Sha256::digest(seed).into();
        }
    }

    fn new(seed: &[u8; 32], (_, public): &(PrivateKey, [u8; POINT_BYTES])) -> Option<Self> {
        let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(signing, seed, public).ok()?;
        Some(Self { pair, public: URL_SAFE_NO_PAD.encode(public) })
    }

    /// Returns the value of `Authorization` for a push to this endpoint. `contact` is where the push service's operator may reach
    /// us.
    pub fn authorization(
        &self,
        endpoint: &Url,
        contact: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<String, aws_lc_rs::error::Unspecified> {
        let audience = endpoint.origin().ascii_serialization();
        let mut claims = json!({"aud": audience, "exp": (now + LIFE).timestamp()});
        if let Some(contact) = contact {
            claims["sub"] = json!(contact);
        }
        let encoded = |part: serde_json::Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let signed = format!("{}.{}", encoded(json!({"typ": "JWT", "alg": "ES256"})), encoded(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes())?;
        let signature = URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_push_service_can_check_who_pushes_and_to_whom() {
        let key = VapidKey::from_seed([7; 32]);
        assert_eq!(key.public, VapidKey::from_seed([7; 32]).public);
        let endpoint = Url::parse("https://push.example:8443/send/abc?x=1").expect("a URL");
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let value = key.authorization(&endpoint, Some("https://roadcall.example"), now).expect("signed");
        let (token, public) =
            value.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("t and k");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public));
        public.verify(signed.as_bytes(), &decode(signature)).expect("a good signature");
        let claims: serde_json::Value =
            serde_json::from_slice(&decode(signed.split_once('.').expect("claims").1)).expect("JSON");
        let expected = json!({"aud": "https://push.example:8443", "exp": 1_800_043_200, "sub": "https://roadcall.example"});
        assert_eq!(claims, expected);
    }

    #[test]
    fn a_seed_that_is_no_key_gives_a_different_key() {
        assert_ne!(VapidKey::from_seed([0; 32]).public, VapidKey::from_seed([255; 32]).public);
    }
}
