//! The key of the embedded provider: it signs ID tokens for `POST /idp/token`, and reads them without a network. The provider's
//! accounts and routes are in `crates/accounts/src/auth/idp`.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash},
};
use roadcall_platform::keys::KeyRing;
use serde_json::json;

use super::{
    id_token::{self, Expected, Keys},
    model::{Identity, IdentityError, IdentityVerifier},
};

/// PKCS#8 (RFC 8410, section 7) of an Ed25519 key, up to the 32 bytes of its seed.
const ED25519_PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// A provider with one Ed25519 key.
#[derive(derive_more::Debug)]
#[debug("LocalProvider {{ kid: {kid:?}, .. }}")]
pub struct LocalProvider {
    signing: EncodingKey,
    keys: Keys,
    /// The key set that `/.well-known/jwks.json` shows.
    pub published: JwkSet,
    kid: String,
    pub expected: Expected,
    pub token_ttl_s: i64,
}

impl LocalProvider {
    /// Makes a provider whose key has this seed; its `kid` is the key's thumbprint (RFC 7638).
    pub fn new(seed: [u8; 32], expected: Expected, token_ttl_s: i64) -> jsonwebtoken::errors::Result<Self> {
        Self::with_keys(&KeyRing::alone(seed), expected, token_ttl_s)
    }

    /// Signs with the key of the seed in use; publishes and accepts the keys of the other seeds, too.
    pub fn with_keys(
        seeds: &KeyRing<[u8; 32]>,
        expected: Expected,
        token_ttl_s: i64,
    ) -> jsonwebtoken::errors::Result<Self> {
        let (signing, jwk) = key_of(seeds.current())?;
        let kid = jwk.common.key_id.clone().unwrap_or_default();
        let mut published = vec![jwk];
        for seed in seeds.accepted() {
            published.push(key_of(seed)?.1);
        }
        let keys = Keys::of(&published);
        Ok(Self { signing, keys, published: JwkSet { keys: published }, kid, expected, token_ttl_s })
    }

    /// Signs an ID token for one of the provider's accounts.
    pub fn issue(&self, identity: &Identity, now: DateTime<Utc>) -> jsonwebtoken::errors::Result<String> {
        let claims = json!({
            "iss": self.expected.issuer,
            "aud": self.expected.audience,
            "sub": identity.uid,
            "email": identity.email,
            "email_verified": identity.email_verified,
            "account_version": identity.account_version,
            "iat": now.timestamp(),
            "exp": (now + TimeDelta::seconds(self.token_ttl_s)).timestamp(),
        });
        let header = Header { kid: Some(self.kid.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, &claims, &self.signing)
    }
}

fn key_of(seed: &[u8; 32]) -> jsonwebtoken::errors::Result<(EncodingKey, Jwk)> {
    let signing = EncodingKey::from_ed_der(&[ED25519_PKCS8.as_slice(), seed].concat());
    let mut jwk = Jwk::from_encoding_key(&signing, Algorithm::EdDSA)?;
    jwk.common.key_id = Some(jwk.thumbprint(ThumbprintHash::SHA256)?);
    jwk.common.public_key_use = Some(PublicKeyUse::Signature);
    Ok((signing, jwk))
}

#[async_trait]
impl IdentityVerifier for LocalProvider {
    async fn verify(&self, id_token: &str, now: DateTime<Utc>) -> Result<Identity, IdentityError> {
        let identity = self.keys.read(id_token, &self.expected, now)?;
        let is_of_an_account = identity.account_version.is_some();
        is_of_an_account.then_some(identity).ok_or_else(|| id_token::invalid("does not belong to an account"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Expected {
        Expected {
            issuer: "http://idp.example".into(),
            audience: "roadcall-admin".into(),
            vouches_for_emails: false,
        }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    fn asha() -> Identity {
        Identity {
            uid: "u1".into(),
            email: "asha@example.com".into(),
            email_verified: true,
            account_version: None,
            roles: Vec::new(),
        }
    }

    #[test]
    fn a_token_of_the_provider_is_accepted_until_it_expires() {
        let provider = LocalProvider::new([3; 32], expected(), 300).expect("a key");
        let token = provider.issue(&asha(), at(0)).expect("signed");
        assert_eq!(provider.keys.read(&token, &expected(), at(359)).expect("genuine"), asha());
        assert!(provider.keys.read(&token, &expected(), at(360)).is_err(), "expired, with a minute's grace");
    }

    #[test]
    fn tokens_of_the_previous_key_are_read_while_it_is_accepted() {
        let old = LocalProvider::new([3; 32], expected(), 300).expect("a key");
        let ring = KeyRing::new([4; 32], vec![[3; 32]]);
        let new = LocalProvider::with_keys(&ring, expected(), 300).expect("keys");
        assert_eq!(new.published.keys.len(), 2);
        for provider in [&old, &new] {
            let token = provider.issue(&asha(), at(0)).expect("signed");
            assert_eq!(new.keys.read(&token, &expected(), at(1)).expect("genuine"), asha());
        }
        let token = new.issue(&asha(), at(0)).expect("signed");
        assert!(old.keys.read(&token, &expected(), at(1)).is_err());
    }

    #[test]
    fn tokens_by_others_or_for_others_are_refused() {
        let provider = LocalProvider::new([3; 32], expected(), 300).expect("a key");
        let other_key = LocalProvider::new([4; 32], expected(), 300).expect("a key");
        let other_issuer = Expected { issuer: "http://evil.example".into(), ..expected() };
        let other_audience = Expected { audience: "someone".into(), ..expected() };
        let of = |expected: Expected| {
            let provider = LocalProvider::new([3; 32], expected, 300).expect("a key");
            provider.issue(&asha(), at(0)).expect("signed")
        };
        let claims = json!({"iss": expected().issuer, "aud": expected().audience, "sub": "u1",
            "email": "asha@example.com", "email_verified": true, "exp": at(300).timestamp()});
        let header = |algorithm| Header { kid: Some(provider.kid.clone()), ..Header::new(algorithm) };
        // The classic confusion: the public key is taken for an HMAC secret.
        let public = serde_json::to_vec(&provider.published).expect("json");
        let confused =
            jsonwebtoken::encode(&header(Algorithm::HS256), &claims, &EncodingKey::from_secret(&public));
        let no_kid = jsonwebtoken::encode(&Header::new(Algorithm::EdDSA), &claims, &provider.signing);
        let cases = [
            ("another key", other_key.issue(&asha(), at(0)).expect("signed")),
            ("another issuer", of(other_issuer)),
            ("another audience", of(other_audience)),
            ("a symmetric algorithm", confused.expect("signed")),
            ("no kid", no_kid.expect("signed")),
            ("nonsense", "x.y.z".to_owned()),
        ];
        for (why, token) in cases {
            let refusal = provider.keys.read(&token, &expected(), at(0));
            assert!(matches!(refusal, Err(IdentityError::Invalid(_))), "{why}: {refusal:?}");
        }
    }
}
