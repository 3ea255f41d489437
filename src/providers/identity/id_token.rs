//! The check of one ID token against one key, and a provider's published set of keys.

use chrono::{DateTime, Utc};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse},
};
use serde::Deserialize;

use super::model::{Identity, IdentityError};

/// Clocks of two machines may differ by this much.
const LEEWAY_S: i64 = 60;
/// Keys of one provider that are looked at.
const MAX_KEYS: usize = 64;

/// Which issuer's tokens are accepted, and which audience they must name.
#[derive(Debug, Clone)]
pub struct Expected {
    pub issuer: String,
    pub audience: String,
}

#[derive(Debug, Deserialize)]
struct IdClaims {
    sub: String,
    exp: i64,
    nbf: Option<i64>,
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
    account_version: Option<i64>,
}

/// The usable keys of a JWK set; what we don't understand in it is left out, as RFC 7517, section 5, asks.
#[derive(Debug, Clone, Default)]
pub struct Keys(Vec<(String, Algorithm, DecodingKey)>);

#[derive(Deserialize)]
struct RawSet {
    keys: Vec<serde_json::Value>,
}

impl Keys {
    /// Reads a JWK set; a document that is none is an error.
    pub fn parse(json: &[u8]) -> Result<Self, serde_json::Error> {
        let set: RawSet = serde_json::from_slice(json)?;
        let jwks = set.keys.into_iter().take(MAX_KEYS).filter_map(|key| serde_json::from_value(key).ok());
        Ok(Self(jwks.filter_map(|jwk: Jwk| usable(&jwk)).collect()))
    }

    pub fn of(jwk: &Jwk) -> Self {
        Self(usable(jwk).into_iter().collect())
    }

    pub fn has(&self, kid: &str) -> bool {
        self.0.iter().any(|(id, ..)| id == kid)
    }

    /// Who the token says its holder is.
    pub fn read(
        &self,
        token: &str,
        expected: &Expected,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        let kid = kid(token)?;
        let known = self.0.iter().find(|(id, ..)| *id == kid);
        let (_, algorithm, key) = known.ok_or_else(|| invalid("signed with an unknown key"))?;
        let mut validation = Validation::new(*algorithm);
        validation.set_issuer(&[&expected.issuer]);
        validation.set_audience(&[&expected.audience]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // Compared with our clock below.
        validation.validate_exp = false;
        let read = jsonwebtoken::decode::<IdClaims>(token, key, &validation);
        let claims = read.map_err(|why| invalid(&why.to_string()))?.claims;
        let now = now.timestamp();
        if claims.exp.saturating_add(LEEWAY_S) <= now {
            return Err(invalid("expired"));
        }
        if claims.nbf.is_some_and(|nbf| nbf.saturating_sub(LEEWAY_S) > now) {
            return Err(invalid("not valid yet"));
        }
        let email =
            claims.email.filter(|email| !email.is_empty()).ok_or_else(|| invalid("has no email address"))?;
        let is_odd = |text: &str, most: usize| text.len() > most || text.chars().any(char::is_control);
        if claims.sub.is_empty() || is_odd(&claims.sub, 255) || is_odd(&email, 254) {
            return Err(invalid("has an invalid sub or email"));
        }
        // ASCII alone: elsewhere in Unicode are letters that become a k or an s, and somebody else's address with it.
        let email = email.to_ascii_lowercase();
        Ok(Identity {
            uid: claims.sub,
            email,
            email_verified: claims.email_verified,
            account_version: claims.account_version,
        })
    }
}

/// The key id that a token names; one without is refused.
pub fn kid(token: &str) -> Result<String, IdentityError> {
    let header = jsonwebtoken::decode_header(token).map_err(|why| invalid(&why.to_string()))?;
    header.kid.ok_or_else(|| invalid("names no key"))
}

/// The key with its one algorithm: what the key is decides, and `alg` of the JWK must agree where it is given.
fn usable(jwk: &Jwk) -> Option<(String, Algorithm, DecodingKey)> {
    let kid = jwk.common.key_id.clone()?;
    if jwk.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
        return None;
    }
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        // Other curves, and symmetric keys: one in a public document would let everybody sign.
        _ => return None,
    };
    if jwk.common.key_algorithm.is_some_and(|named| named != algorithm.into()) {
        return None;
    }
    Some((kid, algorithm, DecodingKey::from_jwk(jwk).ok()?))
}

pub(super) fn invalid(why: &str) -> IdentityError {
    IdentityError::Invalid(why.to_owned())
}
