//! The check of one ID token against one key, and a provider's published set of keys.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::model::{Identity, IdentityError};

/// The clocks of two machines may differ by this much.
const LEEWAY_S: i64 = 60;
/// The number of keys of a provider that are read.
const MAX_KEYS: usize = 64;
/// The number of values of a claim that are read.
const MAX_VALUES: usize = 1000;

/// The issuer whose tokens are accepted, and the audience that they must name.
#[derive(Debug, Clone)]
pub struct Expected {
    pub issuer: String,
    pub audience: String,
    /// The operator vouches for the email addresses of an issuer that does not say whether they are verified.
    pub vouches_for_emails: bool,
}

#[derive(Debug, Deserialize)]
struct IdClaims {
    /// A single text, although libraries also take a list (OpenID Connect Core 1.0, 2).
    iss: String,
    sub: String,
    aud: Value,
    exp: i64,
    nbf: Option<i64>,
    iat: Option<f64>,
    email: Option<String>,
    email_verified: Option<Value>,
    account_version: Option<i64>,
    nonce: Option<String>,
    azp: Option<String>,
    at_hash: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The contents of a genuine token, and the algorithm that signed it.
#[derive(Debug)]
pub(super) struct Claims {
    pub identity: Identity,
    pub nonce: Option<String>,
    /// The client that the token was made for, if it names one.
    pub azp: Option<String>,
    pub has_several_audiences: bool,
    pub at_hash: Option<String>,
    pub algorithm: Algorithm,
    others: Map<String, Value>,
}

impl Claims {
    /// Returns the texts of a claim. If no claim has the whole name, the name is a path of claims that dots separate.
    pub(super) fn values_of(&self, claim: &str) -> Vec<String> {
        let within = || {
            let mut names = claim.split('.');
            let first = self.others.get(names.next()?)?;
            names.try_fold(first, |value, name| value.get(name))
        };
        match self.others.get(claim).or_else(within) {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => {
                let texts = list.iter().take(MAX_VALUES).filter_map(Value::as_str);
                texts.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The usable keys of a JWK set; keys that we don't understand are left out, as RFC 7517, section 5, asks.
#[derive(Debug, Clone, Default)]
pub struct Keys(Vec<(String, Algorithm, DecodingKey)>);

#[derive(Deserialize)]
struct RawSet {
    keys: Vec<serde_json::Value>,
}

impl Keys {
    /// Reads a JWK set; any other document is an error.
    pub fn parse(json: &[u8]) -> Result<Self, serde_json::Error> {
        let set: RawSet = serde_json::from_slice(json)?;
        let jwks = set.keys.into_iter().take(MAX_KEYS).filter_map(|key| serde_json::from_value(key).ok());
        Ok(Self(jwks.filter_map(|jwk: Jwk| usable(&jwk)).collect()))
    }

    pub fn of(jwks: &[Jwk]) -> Self {
        Self(jwks.iter().filter_map(usable).collect())
    }

    pub fn has(&self, kid: &str) -> bool {
        self.0.iter().any(|(id, ..)| id == kid)
    }

    /// Returns the identity that the token states.
    pub fn read(
        &self,
        token: &str,
        expected: &Expected,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        Ok(self.claims(token, expected, now)?.identity)
    }

    /// Returns all claims of the token.
    pub(super) fn claims(
        &self,
        token: &str,
        expected: &Expected,
        now: DateTime<Utc>,
    ) -> Result<Claims, IdentityError> {
        let kid = kid(token)?;
        if has_critical_extensions(token) {
            return Err(invalid("demands an extension that is not known"));
        }
        let known = self.0.iter().find(|(id, ..)| *id == kid);
        let (_, algorithm, key) = known.ok_or_else(|| invalid("signed with an unknown key"))?;
        let mut validation = Validation::new(*algorithm);
        validation.set_issuer(&[&expected.issuer]);
        validation.set_audience(&[&expected.audience]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The time is compared with our clock below.
        validation.validate_exp = false;
        let read = jsonwebtoken::decode::<IdClaims>(token, key, &validation);
        let claims = read.map_err(|why| invalid(&why.to_string()))?.claims;
        if claims.iss != expected.issuer {
            return Err(invalid("made by another issuer"));
        }
        // Google's tokens for its own sign-in name the app as the client, and the server as the audience.
        let has_several_audiences = claims.aud.as_array().is_some_and(|list| list.len() > 1);
        if has_several_audiences && claims.azp.as_ref().is_some_and(|azp| *azp != expected.audience) {
            return Err(invalid("made for another client"));
        }
        let now = now.timestamp();
        if claims.exp.saturating_add(LEEWAY_S) <= now {
            return Err(invalid("expired"));
        }
        let latest = now.saturating_add(LEEWAY_S);
        if claims.nbf.is_some_and(|nbf| nbf > latest) || claims.iat.is_some_and(|iat| iat > latest as f64) {
            return Err(invalid("not valid yet"));
        }
        let email =
            claims.email.filter(|email| !email.is_empty()).ok_or_else(|| invalid("has no email address"))?;
        let is_odd = |text: &str, most: usize| text.len() > most || text.chars().any(char::is_control);
        if claims.sub.is_empty() || is_odd(&claims.sub, 255) || is_odd(&email, 254) {
            return Err(invalid("has an invalid sub or email"));
        }
        // Only ASCII is lowered: elsewhere in Unicode some letters become a k or an s, and the address becomes somebody else's.
        let email = email.to_ascii_lowercase();
        let identity = Identity {
            uid: claims.sub,
            email,
            email_verified: is_verified(claims.email_verified.as_ref(), expected.vouches_for_emails),
            account_version: claims.account_version,
            roles: Vec::new(),
        };
        Ok(Claims {
            identity,
            nonce: claims.nonce,
            azp: claims.azp,
            has_several_audiences,
            at_hash: claims.at_hash,
            algorithm: *algorithm,
            others: claims.others,
        })
    }
}

/// Returns whether the token calls an address verified; some providers write true as a text. Returns `if_unsaid` if the token
/// does not say.
fn is_verified(said: Option<&Value>, if_unsaid: bool) -> bool {
    match said {
        None | Some(Value::Null) => if_unsaid,
        Some(Value::Bool(is_verified)) => *is_verified,
        Some(other) => other.as_str() == Some("true"),
    }
}

/// Returns whether the token's header names extensions that a reader must understand (RFC 7515, 4.1.11): we know none.
fn has_critical_extensions(token: &str) -> bool {
    let header = token.split('.').next().and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let header = header.and_then(|bytes| serde_json::from_slice::<Map<String, Value>>(&bytes).ok());
    header.is_none_or(|header| header.contains_key("crit"))
}

/// Returns the key id that a token names; a token without a key id is refused.
pub fn kid(token: &str) -> Result<String, IdentityError> {
    let header = jsonwebtoken::decode_header(token).map_err(|why| invalid(&why.to_string()))?;
    header.kid.ok_or_else(|| invalid("names no key"))
}

/// Returns the key with its one algorithm. The type of the key decides, and `alg` of the JWK must agree if it is given.
fn usable(jwk: &Jwk) -> Option<(String, Algorithm, DecodingKey)> {
    let kid = jwk.common.key_id.clone()?;
    if jwk.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
        return None;
    }
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        // Other curves are unknown; a symmetric key in a public document would let everybody sign.
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
