//! An identity provider as OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749 and RFC 7636 describe it, on a port of its own.
//! The test says who signs in on its page (`OidcPeer::authorize`).

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
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
use futures_util::stream;
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use roadcall::{providers::identity::CodeFlowSettings, service::settings::Settings};
use serde_json::{Value, json};

pub const CLIENT_ID: &str = "roadcall-console";
pub const CLIENT_SECRET: &str = "what the console's client knows: 7+7";
pub const PUBLIC_URL: &str = "http://roadcall.test";
pub const REDIRECT_URI: &str = "http://roadcall.test/console/sign-in";

/// The way in which one of the provider's parts answers from now on.
#[derive(Debug, Clone)]
pub enum Speech {
    AsUsual,
    /// It answers with this status, content type and body.
    Says(u16, &'static str, String),
    /// It takes the request and does not respond.
    Silent,
    /// Its answer never stops.
    Endless,
}

/// A part of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Configuration,
    Keys,
    Tokens,
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

/// The provider. It ends with the test.
pub struct OidcPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

struct State {
    issuer: String,
    key: EncodingKey,
    public: Value,
    books: Mutex<Books>,
}

#[derive(Default)]
struct Books {
    speech: HashMap<Part, Speech>,
    asked: HashMap<Part, usize>,
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

impl OidcPeer {
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    pub async fn start_at(port: u16) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (key, public) = key_pair("k");
        let issuer = issuer_at(port);
        let state = Arc::new(State { issuer, key, public, books: Mutex::default() });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(answer))
        });
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.listen(listener).unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

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

    pub fn speak(&self, part: Part, speech: Speech) {
        self.books().speech.insert(part, speech);
    }

    /// Changes a field of the configuration; null leaves it out.
    pub fn configure(&self, field: &str, value: Value) {
        self.books().configuration.insert(field.to_owned(), value);
    }

    /// Makes the client one without a secret from now on.
    pub fn is_for_public_clients(&self) {
        self.books().is_public = true;
    }

    /// Exchanges codes for this ID token from now on.
    pub fn answer_with(&self, id_token: String) {
        self.books().id_token = Some(id_token);
    }

    pub fn asked(&self, part: Part) -> usize {
        self.books().asked.get(&part).copied().unwrap_or_default()
    }

    /// Returns how the client last authenticated: by its secret in the header or in the body, or only by its name.
    pub fn shown(&self) -> Option<&'static str> {
        self.books().shown
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
        let mut books = self.books();
        books.codes += 1;
        let code = format!("code-{}-of-a-test", books.codes);
        let redirect_uri = asked["redirect_uri"].clone();
        let granted = Granted { challenge: asked["code_challenge"].clone(), redirect_uri, claims: whole };
        books.granted.insert(code.clone(), granted);
        Returned { code, state: asked["state"].clone() }
    }

    /// Returns an ID token that was not requested with a code.
    pub fn sign(&self, claims: &Value) -> String {
        signed(&self.state.key, "k", claims)
    }

    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.state.books.lock().unwrap()
    }
}

impl Drop for OidcPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
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

async fn answer(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let part = match request.path() {
        "/realms/one/.well-known/openid-configuration" => Part::Configuration,
        "/realms/one/keys" => Part::Keys,
        "/realms/one/token" => Part::Tokens,
        _ => return HttpResponse::NotFound().finish(),
    };
    let speech = {
        let mut books = state.books.lock().unwrap();
        *books.asked.entry(part).or_default() += 1;
        books.speech.get(&part).cloned().unwrap_or(Speech::AsUsual)
    };
    match (speech, part) {
        (Speech::Says(status, kind, said), _) => {
            HttpResponse::build(StatusCode::from_u16(status).unwrap()).content_type(kind).body(said)
        }
        (Speech::Silent, _) => std::future::pending().await,
        (Speech::Endless, _) => {
            let piece = || Ok::<_, std::io::Error>(Bytes::from_static(&[b' '; 65_536]));
            let pieces = stream::iter(std::iter::repeat_with(piece));
            HttpResponse::Ok().content_type("application/json").streaming(pieces)
        }
        (Speech::AsUsual, Part::Configuration) => HttpResponse::Ok().json(configuration(&state)),
        (Speech::AsUsual, Part::Keys) => HttpResponse::Ok().json(json!({"keys": [state.public]})),
        (Speech::AsUsual, Part::Tokens) => tokens(&request, &body, &state),
    }
}

fn configuration(state: &State) -> Value {
    let issuer = &state.issuer;
    let mut document = json!({"issuer": issuer, "jwks_uri": format!("{issuer}/keys"),
        "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "end_session_endpoint": format!("{issuer}/logout"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
        "code_challenge_methods_supported": ["S256"]});
    for (field, value) in &state.books.lock().unwrap().configuration {
        document[field] = value.clone();
    }
    document.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    document
}

fn tokens(request: &HttpRequest, body: &[u8], state: &State) -> HttpResponse {
    let refused = |status: u16, error: &str| {
        let description = "the description names code, secret and verifier";
        HttpResponse::build(StatusCode::from_u16(status).unwrap())
            .json(json!({"error": error, "error_description": description}))
    };
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body).into_owned().collect();
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    if request.method() != "POST" || header("content-type") != Some("application/x-www-form-urlencoded") {
        return refused(400, "invalid_request");
    }
    let mut books = state.books.lock().unwrap();
    let has = |name: &str, value: &str| form.get(name).is_some_and(|given| given == value);
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let basic = STANDARD.encode(format!("{}:{}", encoded(CLIENT_ID), encoded(CLIENT_SECRET)));
    books.shown = match header("authorization") {
        Some(given) => (given == format!("Basic {basic}")).then_some("header"),
        None if has("client_secret", CLIENT_SECRET) && has("client_id", CLIENT_ID) => Some("body"),
        None => (has("client_id", CLIENT_ID) && !form.contains_key("client_secret")).then_some("name"),
    };
    if books.shown.is_none() || books.is_public != (books.shown == Some("name")) {
        return refused(401, "invalid_client");
    }
    if !has("grant_type", "authorization_code") {
        return refused(400, "unsupported_grant_type");
    }
    // A code is good once, whether it succeeds or not.
    let granted = form.get("code").and_then(|code| books.granted.remove(code));
    let verifier = form.get("code_verifier").map(String::as_str).unwrap_or_default();
    let challenge = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()));
    let Some(granted) = granted.filter(|granted| {
        granted.challenge == challenge && has("redirect_uri", &granted.redirect_uri) && verifier.len() >= 43
    }) else {
        return refused(400, "invalid_grant");
    };
    let access_token = "an access token of the provider";
    let mut claims = granted.claims;
    if claims.get("at_hash").is_none() {
        let hash = digest::digest(&digest::SHA256, access_token.as_bytes());
        claims["at_hash"] = json!(URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]));
    }
    let id_token = books.id_token.clone().unwrap_or_else(|| signed(&state.key, "k", &claims));
    HttpResponse::Ok().json(json!({"access_token": access_token, "token_type": "Bearer", "expires_in": 300,
        "id_token": id_token, "scope": "openid email"}))
}
