//! An identity provider as OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749 and RFC 7636 describe it. The test says who signs
//! in on its page (`OidcPeer::authorize`).

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use actix_web::{HttpResponse, http::StatusCode};
use aws_lc_rs::{
    digest,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use roadcall::{providers::identity::CodeFlowSettings, service::settings::Settings};
use serde_json::{Value, json};

use super::peer::{Manner, Peer, PeerRequest, Provider};

pub const CLIENT_ID: &str = "roadcall-console";
pub const CLIENT_SECRET: &str = "what the console's client knows: 7+7";
pub const PUBLIC_URL: &str = "http://roadcall.test";
pub const REDIRECT_URI: &str = "http://roadcall.test/console/sign-in";

/// A part of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Configuration,
    Keys,
    Tokens,
}

impl Part {
    fn path(self) -> &'static str {
        match self {
            Self::Configuration => "/realms/one/.well-known/openid-configuration",
            Self::Keys => "/realms/one/keys",
            Self::Tokens => "/realms/one/token",
        }
    }
}

/// The parameters with which the provider sends a browser back.
#[derive(Debug, Clone)]
pub struct Returned {
    pub code: String,
    pub state: String,
}

impl Returned {
    /// Returns the body that the console posts.
    pub fn body(&self) -> Value {
        json!({"code": self.code, "state": self.state})
    }
}

struct Granted {
    challenge: String,
    redirect_uri: String,
    claims: Value,
}

pub struct Oidc {
    key: EncodingKey,
    public: Value,
    /// Changes of the configuration; null leaves a field out.
    configuration: BTreeMap<String, Value>,
    granted: HashMap<String, Granted>,
    codes: usize,
    /// The way in which the client last authenticated.
    shown: Option<&'static str>,
    is_public: bool,
    /// An ID token that is given instead of the provider's own.
    id_token: Option<String>,
}

pub type OidcPeer = Peer<Oidc>;

impl Default for Oidc {
    fn default() -> Self {
        let (key, public) = key_pair("k");
        let (configuration, granted) = (BTreeMap::new(), HashMap::new());
        Self { key, public, configuration, granted, codes: 0, shown: None, is_public: false, id_token: None }
    }
}

impl Provider for Oidc {
    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        let parts = [Part::Configuration, Part::Keys, Part::Tokens];
        match parts.into_iter().find(|part| part.path() == request.path) {
            Some(Part::Configuration) => HttpResponse::Ok().json(self.configuration(request)),
            Some(Part::Keys) => HttpResponse::Ok().json(json!({"keys": [self.public]})),
            Some(Part::Tokens) => self.tokens(request),
            None => HttpResponse::NotFound().finish(),
        }
    }
}

impl OidcPeer {
    pub fn issuer(&self) -> String {
        issuer_at(self.port)
    }

    /// Changes the settings of a service so that its admins sign in here.
    pub fn set(&self, settings: &mut Settings) {
        set_issuer(settings, self.port);
    }

    /// Returns such settings for the provider's client alone.
    pub fn code_flow(issuer: &str) -> CodeFlowSettings<'_> {
        CodeFlowSettings {
            issuer,
            audience: "roadcall-admin",
            vouches_for_emails: false,
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
            scope: "openid email",
            redirect_uri: REDIRECT_URI.to_owned(),
            keys: None,
            role_claim: "",
            timeout: Duration::from_secs(10),
            max_age_s: 3600,
        }
    }

    /// Sets the manner in which a part answers from now on.
    pub fn speak(&self, part: Part, manner: Manner) {
        self.answer_at(part.path(), manner);
    }

    /// Changes a field of the configuration; null leaves it out.
    pub fn configure(&self, field: &str, value: Value) {
        self.provider().configuration.insert(field.to_owned(), value);
    }

    /// Makes the client one without a secret from now on.
    pub fn is_for_public_clients(&self) {
        self.provider().is_public = true;
    }

    /// Exchanges codes for this ID token from now on.
    pub fn answer_with(&self, id_token: String) {
        self.provider().id_token = Some(id_token);
    }

    pub fn asked(&self, part: Part) -> usize {
        self.requests().iter().filter(|request| request.path == part.path()).count()
    }

    /// Returns how the client last authenticated: by its secret in the header or in the body, or only by its name.
    pub fn shown(&self) -> Option<&'static str> {
        self.provider().shown
    }

    /// Opens the page of this URL as somebody who signs in; `claims` are theirs, and replace those of the ID token (null leaves a
    /// claim out).
    pub fn authorize(&self, url: &str, now: DateTime<Utc>, claims: Value) -> Returned {
        let url = url::Url::parse(url).expect("a URL");
        assert!(url.as_str().starts_with(&format!("{}/authorize?", self.issuer())), "{url}");
        let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        for (name, expected) in [
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge_method", "S256"),
        ] {
            assert_eq!(asked.get(name).map(String::as_str), Some(expected), "{name} in {url}");
        }
        assert!(asked["scope"].split(' ').any(|scope| scope == "openid"), "{url}");
        let seconds = |seconds| (now + TimeDelta::seconds(seconds)).timestamp();
        let mut whole = json!({"iss": self.issuer(), "aud": CLIENT_ID, "sub": "u-asha", "email": "asha@example.com",
            "email_verified": true, "iat": seconds(0), "exp": seconds(300), "nonce": asked["nonce"]});
        for (name, value) in claims.as_object().expect("claims") {
            whole[name] = value.clone();
        }
        whole.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let mut books = self.provider();
        books.codes += 1;
        let code = format!("code-{}-of-a-test", books.codes);
        let redirect_uri = asked["redirect_uri"].clone();
        let granted = Granted { challenge: asked["code_challenge"].clone(), redirect_uri, claims: whole };
        books.granted.insert(code.clone(), granted);
        Returned { code, state: asked["state"].clone() }
    }

    /// Returns an ID token that was not requested with a code.
    pub fn sign(&self, claims: &Value) -> String {
        signed(&self.provider().key, "k", claims)
    }
}

pub fn issuer_at(port: u16) -> String {
    format!("http://127.0.0.1:{port}/realms/one")
}

/// Changes the settings of a service so that its admins sign in at the provider of that port.
pub fn set_issuer(settings: &mut Settings, port: u16) {
    settings.server.public_url = PUBLIC_URL.to_owned();
    settings.identity.issuer = issuer_at(port);
    settings.identity.provider_name = "Example".to_owned();
    settings.identity.client_id = CLIENT_ID.to_owned();
    settings.identity.client_secret.0 = CLIENT_SECRET.to_owned();
    settings.identity.jwks_timeout_ms = 10_000;
    settings.limits.admin_login_per_minute = 100_000;
}

/// Returns a private key, and its public half under that id.
pub fn key_pair(kid: &str) -> (EncodingKey, Value) {
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let key = EncodingKey::from_ec_der(pkcs8.as_ref());
    let mut public = serde_json::to_value(Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap()).unwrap();
    public["kid"] = json!(kid);
    (key, public)
}

pub fn signed(key: &EncodingKey, kid: &str, claims: &Value) -> String {
    let header = Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::ES256) };
    jsonwebtoken::encode(&header, claims, key).unwrap()
}

impl Oidc {
    fn configuration(&self, request: &PeerRequest) -> Value {
        let issuer = format!("http://{}/realms/one", request.header("host").unwrap_or_default());
        let mut document = json!({"issuer": issuer, "jwks_uri": format!("{issuer}/keys"),
            "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
            "end_session_endpoint": format!("{issuer}/logout"), "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"]});
        for (field, value) in &self.configuration {
            document[field] = value.clone();
        }
        document.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        document
    }

    fn tokens(&mut self, request: &PeerRequest) -> HttpResponse {
        let refused = |status: u16, error: &str| {
            let description = "the description names code, secret and verifier";
            HttpResponse::build(StatusCode::from_u16(status).unwrap())
                .json(json!({"error": error, "error_description": description}))
        };
        let form = request.form();
        if request.method != "POST"
            || request.header("content-type") != Some("application/x-www-form-urlencoded")
        {
            return refused(400, "invalid_request");
        }
        let has = |name: &str, value: &str| form.get(name).is_some_and(|given| given == value);
        let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let basic = STANDARD.encode(format!("{}:{}", encoded(CLIENT_ID), encoded(CLIENT_SECRET)));
        self.shown = match request.header("authorization") {
            Some(given) => (given == format!("Basic {basic}")).then_some("header"),
            None if has("client_secret", CLIENT_SECRET) && has("client_id", CLIENT_ID) => Some("body"),
            None => (has("client_id", CLIENT_ID) && !form.contains_key("client_secret")).then_some("name"),
        };
        if self.shown.is_none() || self.is_public != (self.shown == Some("name")) {
            return refused(401, "invalid_client");
        }
        if !has("grant_type", "authorization_code") {
            return refused(400, "unsupported_grant_type");
        }
        // A code is good once, whether it succeeds or not.
        let granted = form.get("code").and_then(|code| self.granted.remove(code));
        let verifier = form.get("code_verifier").map(String::as_str).unwrap_or_default();
        let challenge = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()));
        let Some(granted) = granted.filter(|granted| {
            granted.challenge == challenge
                && has("redirect_uri", &granted.redirect_uri)
                && verifier.len() >= 43
        }) else {
            return refused(400, "invalid_grant");
        };
        let access_token = "an access token of the provider";
        let mut claims = granted.claims;
        if claims.get("at_hash").is_none() {
            let hash = digest::digest(&digest::SHA256, access_token.as_bytes());
            claims["at_hash"] = json!(URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]));
        }
        let id_token = self.id_token.clone().unwrap_or_else(|| signed(&self.key, "k", &claims));
        HttpResponse::Ok()
            .json(json!({"access_token": access_token, "token_type": "Bearer", "expires_in": 300,
            "id_token": id_token, "scope": "openid email"}))
    }
}
