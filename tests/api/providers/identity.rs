//! The verifier of ID tokens against a provider over HTTP, with keys made here.

use std::time::Duration;

use actix_web::HttpResponse;
use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    rand::SystemRandom,
    rsa,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use roadcall::providers::identity::{
    Expected, Identity, IdentityError, IdentityVerifier, JwksVerifier, LocalProvider,
};
use serde_json::{Value, json};

use crate::support::{
    bodies::{self, set},
    peer::{Peer, PeerRequest, Provider, says},
};

/// A provider's JWKS endpoint, which has no keys yet.
#[derive(Default)]
pub struct Jwks;

pub type JwksPeer = Peer<Jwks>;

impl Provider for Jwks {
    fn answer(&mut self, _request: &PeerRequest) -> HttpResponse {
        HttpResponse::Ok().json(json!({"keys": []}))
    }
}

impl JwksPeer {
    pub fn keys_url(&self) -> String {
        self.url() + "/jwks"
    }

    pub fn publish(&self, keys: Value) {
        self.serve("max-age=600", keys);
    }

    pub fn break_down(&self) {
        self.answer_as(says(500, ""));
    }

    fn serve(&self, cache: &str, body: impl ToString) {
        self.answer_as(says(200, body).with("cache-control", cache));
    }
}

fn expected() -> Expected {
    Expected {
        issuer: "https://idp.example".to_owned(),
        audience: "roadcall-admin".to_owned(),
        vouches_for_emails: false,
    }
}

fn verifier(peer: &JwksPeer) -> JwksVerifier {
    roadcall::platform::https::install_tls_provider();
    JwksVerifier::new(peer.keys_url().parse().unwrap(), expected(), Duration::from_secs(5), 3600).unwrap()
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

fn asha() -> Identity {
    Identity {
        uid: "u1".to_owned(),
        email: "asha@example.com".to_owned(),
        email_verified: true,
        account_version: None,
        roles: Vec::new(),
    }
}

/// Returns a provider with its own Ed25519 key, whose tokens are valid for a day.
fn provider(seed: u8) -> LocalProvider {
    LocalProvider::new([seed; 32], expected(), 86_400).unwrap()
}

fn set_of(providers: &[&LocalProvider]) -> Value {
    let keys: Vec<&Jwk> = providers.iter().flat_map(|provider| &provider.published.keys).collect();
    json!({ "keys": keys })
}

fn claims() -> Value {
    json!({"iss": "https://idp.example", "aud": "roadcall-admin", "sub": "u1", "email": "asha@example.com",
        "email_verified": true, "exp": at(300).timestamp()})
}

/// Returns a key pair of an algorithm: the private half, and the public one under the id "k".
fn key_pair(algorithm: Algorithm) -> (EncodingKey, Value) {
    let key = match algorithm {
        Algorithm::ES256 => {
            let pkcs8 =
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
            EncodingKey::from_ec_der(pkcs8.as_ref())
        }
        _ => {
            let pair = rsa::KeyPair::generate(rsa::KeySize::Rsa2048).unwrap();
            let pkcs8: Pkcs8V1Der<'static> = pair.as_der().unwrap();
            // PKCS#8 of a 2048-bit key wraps the RSAPrivateKey in 26 bytes.
            EncodingKey::from_rsa_der(&pkcs8.as_ref()[26..])
        }
    };
    let mut jwk = serde_json::to_value(Jwk::from_encoding_key(&key, algorithm).unwrap()).unwrap();
    jwk["kid"] = json!("k");
    (key, jwk)
}

fn signed(algorithm: Algorithm, key: &EncodingKey, claims: &Value) -> String {
    let header = Header { kid: Some("k".to_owned()), ..Header::new(algorithm) };
    jsonwebtoken::encode(&header, claims, key).unwrap()
}

fn is_invalid(outcome: &Result<Identity, IdentityError>) -> bool {
    matches!(outcome, Err(IdentityError::Invalid(_)))
}

#[actix_web::test]
async fn tokens_are_read_by_the_algorithm_of_their_key() {
    let peer = JwksPeer::start().await;
    for algorithm in [Algorithm::RS256, Algorithm::ES256] {
        let (key, jwk) = key_pair(algorithm);
        peer.publish(json!({"keys": [{"kty": "unheard of", "kid": "odd"}, jwk]}));
        let verifier = verifier(&peer);
        let read = verifier.verify(&signed(algorithm, &key, &claims()), at(0)).await;
        assert_eq!(read.unwrap(), asha(), "{algorithm:?}");
    }
    let ed = provider(1);
    peer.publish(set_of(&[&ed]));
    assert_eq!(verifier(&peer).verify(&ed.issue(&asha(), at(0)).unwrap(), at(0)).await.unwrap(), asha());
}

#[actix_web::test]
async fn another_algorithm_than_the_keys_own_is_refused() {
    let peer = JwksPeer::start().await;
    let (key, jwk) = key_pair(Algorithm::RS256);
    let public = jwk["n"].as_str().unwrap().to_owned();
    let symmetric = json!({"kty": "oct", "kid": "k", "k": "c2VjcmV0", "alg": "HS256"});
    let encryption = set(&jwk, "use", json!("enc"));
    let from_secret = |secret: &[u8]| EncodingKey::from_secret(secret);
    let cases = [
        ("RS384 by an RS256 key", jwk.clone(), signed(Algorithm::RS384, &key, &claims())),
        ("HS256 by the modulus", jwk, signed(Algorithm::HS256, &from_secret(public.as_bytes()), &claims())),
        ("a symmetric key", symmetric, signed(Algorithm::HS256, &from_secret(b"secret"), &claims())),
        ("a key for encryption", encryption, signed(Algorithm::RS256, &key, &claims())),
    ];
    for (why, jwk, token) in cases {
        peer.publish(json!({"keys": [jwk]}));
        let outcome = verifier(&peer).verify(&token, at(0)).await;
        assert!(is_invalid(&outcome), "{why}: {outcome:?}");
    }
}

#[actix_web::test]
async fn claims_that_are_missing_or_wrong_are_refused() {
    let peer = JwksPeer::start().await;
    let (key, jwk) = key_pair(Algorithm::ES256);
    peer.publish(json!({"keys": [jwk]}));
    let verifier = verifier(&peer);
    let without = |name: &str| bodies::without(&claims(), name);
    let with = |name: &str, value: Value| set(&claims(), name, value);
    let cases = [
        ("no iss", without("iss")),
        ("no aud", without("aud")),
        ("no exp", without("exp")),
        ("no sub", without("sub")),
        ("no email", without("email")),
        ("another issuer", with("iss", json!("https://evil.example"))),
        ("issuers in a list", with("iss", json!(["https://idp.example", "https://evil.example"]))),
        ("another audience", with("aud", json!(["a", "b"]))),
        ("another client", set(&with("aud", json!(["other", "roadcall-admin"])), "azp", json!("other"))),
        ("expired", with("exp", json!(at(-61).timestamp()))),
        ("not yet valid", with("nbf", json!(at(120).timestamp()))),
        ("made in the future", with("iat", json!(at(61).timestamp()))),
        ("an empty sub", with("sub", json!(""))),
        ("a sub with a null character", with("sub", json!("a\0b"))),
        ("exp as text", with("exp", json!("tomorrow"))),
    ];
    for (why, claims) in cases {
        let outcome = verifier.verify(&signed(Algorithm::ES256, &key, &claims), at(0)).await;
        assert!(is_invalid(&outcome), "{why}: {outcome:?}");
    }
    let unsaid = verifier.verify(&signed(Algorithm::ES256, &key, &without("email_verified")), at(0)).await;
    assert!(!unsaid.unwrap().email_verified, "what is not said is not verified");
    for (said, is_verified) in [
        (json!("true"), true),
        (json!("false"), false),
        (json!("yes"), false),
        (json!(1), false),
        (json!(null), false),
    ] {
        let token = signed(Algorithm::ES256, &key, &with("email_verified", said.clone()));
        let read = verifier.verify(&token, at(0)).await.unwrap();
        assert_eq!(read.email_verified, is_verified, "{said}");
    }
    let vouching = Expected { vouches_for_emails: true, ..expected() };
    let keys = peer.keys_url().parse().unwrap();
    let vouching = JwksVerifier::new(keys, vouching, Duration::from_secs(5), 3600).unwrap();
    for (claims, is_verified) in
        [(without("email_verified"), true), (with("email_verified", json!(false)), false)]
    {
        let read = vouching.verify(&signed(Algorithm::ES256, &key, &claims), at(0)).await.unwrap();
        assert_eq!(read.email_verified, is_verified, "{claims}");
    }
    let header = json!({"typ": "JWT", "alg": "ES256", "kid": "k", "crit": ["exp"]});
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(&header), part(&claims()));
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::ES256).unwrap();
    let outcome = verifier.verify(&format!("{message}.{signature}"), at(0)).await;
    assert!(is_invalid(&outcome), "an extension that must be understood: {outcome:?}");
    let among = with("aud", json!(["other", "roadcall-admin"]));
    assert!(verifier.verify(&signed(Algorithm::ES256, &key, &among), at(0)).await.is_ok());
    assert_eq!(peer.count(), 2, "one of each verifier");
}

#[actix_web::test]
async fn a_set_is_kept_for_its_max_age() {
    let peer = JwksPeer::start().await;
    let ed = provider(1);
    peer.publish(set_of(&[&ed]));
    let (verifier, token) = (verifier(&peer), ed.issue(&asha(), at(0)).unwrap());
    // Each pair is a number of seconds, and how often the provider has been asked by then.
    for (seconds, requests) in [(0, 1), (1, 1), (599, 1), (600, 2), (1199, 2), (1200, 3)] {
        verifier.verify(&token, at(seconds)).await.unwrap();
        assert_eq!(peer.count(), requests, "at {seconds} s");
    }
    // These are longer and shorter than we allow: the age is limited in both directions.
    for (cache, still, again) in
        [("max-age=86400", 3599, 3600), ("max-age=0", 29, 30), ("no-store", 3599, 3600)]
    {
        peer.serve(cache, set_of(&[&ed]));
        let verifier = self::verifier(&peer);
        let before = peer.count();
        for (seconds, requests) in [(0, 1), (still, 1), (again, 2)] {
            verifier.verify(&token, at(seconds)).await.unwrap();
            assert_eq!(peer.count() - before, requests, "{cache} at {seconds} s");
        }
    }
}

#[actix_web::test]
async fn an_unknown_key_id_asks_again_at_most_once_a_minute() {
    let peer = JwksPeer::start().await;
    let (old, new, forged) = (provider(1), provider(2), provider(3));
    peer.publish(set_of(&[&old]));
    let verifier = verifier(&peer);
    verifier.verify(&old.issue(&asha(), at(0)).unwrap(), at(0)).await.unwrap();
    peer.publish(set_of(&[&old, &new]));
    let rotated = new.issue(&asha(), at(0)).unwrap();
    assert!(is_invalid(&verifier.verify(&rotated, at(59)).await), "asked a moment ago");
    assert_eq!(peer.count(), 1);
    verifier.verify(&rotated, at(60)).await.unwrap();
    assert_eq!(peer.count(), 2);
    let forged = forged.issue(&asha(), at(0)).unwrap();
    for seconds in 60..130 {
        assert!(is_invalid(&verifier.verify(&forged, at(seconds)).await));
    }
    assert_eq!(peer.count(), 3, "one more in seventy seconds");
}

#[actix_web::test]
async fn the_last_set_is_used_while_the_provider_fails() {
    let peer = JwksPeer::start().await;
    let ed = provider(1);
    peer.publish(set_of(&[&ed]));
    let (verifier, token) = (verifier(&peer), ed.issue(&asha(), at(0)).unwrap());
    verifier.verify(&token, at(0)).await.unwrap();
    let broken = ["not json".to_owned(), json!({"keys": 3}).to_string(), "x".repeat(300_000)];
    for (number, body) in broken.into_iter().enumerate() {
        peer.serve("max-age=600", body);
        let seconds = 1000 + 100 * i64::try_from(number).unwrap();
        assert_eq!(verifier.verify(&token, at(seconds)).await.unwrap(), asha());
    }
    peer.break_down();
    assert_eq!(verifier.verify(&token, at(2000)).await.unwrap(), asha());
    assert_eq!(peer.count(), 5, "each was tried");
}

#[actix_web::test]
async fn a_provider_that_never_answered_is_reported_and_not_asked_at_every_login() {
    let peer = JwksPeer::start().await;
    peer.break_down();
    let ed = provider(1);
    let (verifier, token) = (verifier(&peer), ed.issue(&asha(), at(0)).unwrap());
    for seconds in 0..5 {
        let outcome = verifier.verify(&token, at(seconds)).await;
        assert!(matches!(outcome, Err(IdentityError::Provider(_))), "{outcome:?}");
    }
    assert_eq!(peer.count(), 1);
    peer.publish(set_of(&[&ed]));
    verifier.verify(&token, at(5)).await.unwrap();
}
