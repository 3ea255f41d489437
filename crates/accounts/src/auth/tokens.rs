//! Access tokens: JWTs with a person, a session and an expiry. The person's rights are looked up.

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, errors::ErrorKind};
use roadcall_platform::{
    error::{ApiError, ApiResult, Code},
    keys::KeyRing,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::secrets::ServerSecrets;

const ISSUER: &str = "roadcall";
/// The audience and key id of this kind of token, so that a token for another purpose is not accepted in its place.
const AUDIENCE: &str = "roadcall-access";

/// The claims of an access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessClaims {
    iss: String,
    aud: String,
    /// The person.
    pub sub: Uuid,
    /// The session: one sign-in on one device.
    pub sid: Uuid,
    /// The budget to which the requests are charged; tokens of older releases have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Uuid>,
    iat: i64,
    /// Seconds since 1970.
    exp: i64,
}

/// Signs and reads access tokens with HS256, and nothing else.
#[derive(derive_more::Debug)]
#[debug("AccessTokens {{ ttl_s: {ttl_s:?}, .. }}")]
pub struct AccessTokens {
    signing: EncodingKey,
    reading: KeyRing<DecodingKey>,
    validation: Validation,
    pub ttl_s: i64,
}

impl AccessTokens {
    pub fn new(secrets: &ServerSecrets, ttl_s: i64) -> Self {
        let keys = secrets.keys("access tokens");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The expiry is compared with our clock below, to the second.
        validation.validate_exp = false;
        let signing = EncodingKey::from_secret(keys.current());
        let reading = keys.map(|key| DecodingKey::from_secret(key));
        Self { signing, reading, validation, ttl_s }
    }

    /// Issues a token for `user_id` on `session_id`, valid for `ttl_s` from `now`.
    pub fn issue(
        &self,
        user_id: Uuid,
        session_id: Uuid,
        budget: Uuid,
        now: DateTime<Utc>,
    ) -> ApiResult<String> {
        let exp = now + TimeDelta::seconds(self.ttl_s);
        let claims = AccessClaims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: user_id,
            sid: session_id,
            budget: Some(budget),
            iat: now.timestamp(),
            exp: exp.timestamp(),
        };
        let header = Header { kid: Some(AUDIENCE.to_owned()), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, &claims, &self.signing).map_err(ApiError::internal)
    }

    /// Reads the claims of a token; fails with TOKEN_EXPIRED if it was once genuine, else UNAUTHORIZED.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> ApiResult<AccessClaims> {
        let read_by = |key: &DecodingKey| jsonwebtoken::decode::<AccessClaims>(token, key, &self.validation);
        let read = read_by(self.reading.current());
        // Another key is tried only if the signature is not that of this one.
        let read = match read {
            Err(why) if *why.kind() == ErrorKind::InvalidSignature => {
                let others = self.reading.accepted();
                others.iter().find_map(|key| read_by(key).ok()).ok_or(why)
            }
            read => read,
        };
        let read =
            read.map_err(|why| ApiError::unauthorized("The access token is not valid.").caused_by(why))?;
        if read.header.kid.as_deref() != Some(AUDIENCE) {
            return Err(ApiError::unauthorized("The access token is not valid."));
        }
        if read.claims.exp <= now.timestamp() {
            return Err(ApiError::new(Code::TokenExpired, "The access token has expired. Refresh it."));
        }
        Ok(read.claims)
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use serde_json::{Value, json};

    use super::*;
    use crate::auth::ServerSecret;

    const NOW: i64 = 1_800_000_000;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a time")
    }

    fn with_keys(current: [u8; 32], accepted: Vec<[u8; 32]>) -> AccessTokens {
        let ring = KeyRing::new(current, accepted);
        AccessTokens::new(&ServerSecrets(ring.map(|bytes| ServerSecret::new(*bytes))), 900)
    }

    fn tokens() -> AccessTokens {
        with_keys([1; 32], Vec::new())
    }

    fn claims() -> Value {
        json!({"iss": ISSUER, "aud": AUDIENCE, "sub": Uuid::nil(), "sid": Uuid::nil(), "iat": NOW, "exp": NOW + 900})
    }

    fn signed(header: &Header, claims: &Value, secret: &ServerSecret) -> String {
        let key = EncodingKey::from_secret(&secret.key("access tokens"));
        jsonwebtoken::encode(header, claims, &key).expect("signed")
    }

    fn header() -> Header {
        Header { kid: Some(AUDIENCE.to_owned()), ..Header::new(Algorithm::HS256) }
    }

    fn unsigned(header: Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(&header), part(claims))
    }

    #[test]
    fn a_token_names_a_person_and_a_session_until_it_expires() {
        let (user, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let budget = Uuid::from_u128(3);
        let token = tokens().issue(user, session, budget, at(NOW)).expect("issued");
        let read = tokens().read(&token, at(NOW + 899)).expect("genuine");
        assert_eq!((read.sub, read.sid, read.budget), (user, session, Some(budget)));
        assert_eq!(tokens().read(&token, at(NOW + 900)).expect_err("expired").code, Code::TokenExpired);
    }

    #[test]
    fn a_token_that_was_never_genuine_is_unauthorized() {
        let secret = ServerSecret::new([1; 32]);
        let without = |name: &str| {
            let mut claims = claims();
            claims.as_object_mut().expect("an object").remove(name);
            signed(&header(), &claims, &secret)
        };
        let with = |name: &str, value: Value| {
            let mut claims = claims();
            claims[name] = value;
            signed(&header(), &claims, &secret)
        };
        let genuine = signed(&header(), &claims(), &secret);
        let (head, rest) = genuine.split_once('.').expect("three parts");
        let (body, signature) = rest.split_once('.').expect("three parts");
        let other_body = URL_SAFE_NO_PAD.encode(claims().to_string().replace("900", "901"));
        let cases = [
            ("empty", String::new()),
            ("nonsense", "a.b.c".to_owned()),
            ("another secret", signed(&header(), &claims(), &ServerSecret::new([2; 32]))),
            ("alg none", unsigned(json!({"alg": "none", "typ": "JWT", "kid": AUDIENCE}), &claims())),
            ("alg HS256 unsigned", unsigned(json!({"alg": "HS256", "kid": AUDIENCE}), &claims())),
            ("alg HS512", signed(&Header { alg: Algorithm::HS512, ..header() }, &claims(), &secret)),
            ("a changed body", format!("{head}.{other_body}.{signature}")),
            ("no signature", format!("{head}.{body}.")),
            ("no exp", without("exp")),
            ("no iss", without("iss")),
            ("no aud", without("aud")),
            ("no sub", without("sub")),
            ("no sid", without("sid")),
            ("another audience", with("aud", json!("roadcall-share"))),
            ("another issuer", with("iss", json!("someone"))),
            ("exp as text", with("exp", json!("2100-01-01"))),
            ("sub that is no id", with("sub", json!("admin"))),
            ("another kid", signed(&Header { kid: Some("x".into()), ..header() }, &claims(), &secret)),
            ("no kid", signed(&Header { kid: None, ..header() }, &claims(), &secret)),
        ];
        for (why, token) in cases {
            let refusal = tokens().read(&token, at(NOW)).expect_err(why);
            assert_eq!(refusal.code, Code::Unauthorized, "{why}");
        }
        tokens().read(&genuine, at(NOW)).expect("the untouched one is taken");
    }

    #[test]
    fn tokens_of_the_rings_secrets_are_read_and_no_others() {
        let (user, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let issued = |tokens: &AccessTokens| tokens.issue(user, session, user, at(NOW)).expect("issued");
        let (old, new) = (with_keys([1; 32], vec![[2; 32]]), with_keys([2; 32], vec![[3; 32], [1; 32]]));
        for (from, by) in [(&old, &old), (&old, &new), (&new, &old), (&new, &new)] {
            assert_eq!(by.read(&issued(from), at(NOW + 1)).expect("genuine").sub, user);
            let expired = by.read(&issued(from), at(NOW + 900)).expect_err("expired");
            assert_eq!(expired.code, Code::TokenExpired);
        }
        let rotated = with_keys([2; 32], vec![[3; 32]]);
        assert_eq!(rotated.read(&issued(&old), at(NOW + 1)).expect_err("gone").code, Code::Unauthorized);
        assert!(rotated.read(&issued(&new), at(NOW + 1)).is_ok());
    }

    #[test]
    fn an_expired_forgery_is_not_answered_as_expired() {
        let forged = signed(&header(), &claims(), &ServerSecret::new([2; 32]));
        assert_eq!(tokens().read(&forged, at(NOW + 10_000)).expect_err("forged").code, Code::Unauthorized);
    }
}
