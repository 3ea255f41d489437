//! A peer that answers as the documentation of FCM's HTTP v1 says (firebase.google.com/docs/reference/fcm/rest), and the
//! token endpoint that sells its access tokens (RFC 7523).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use actix_web::HttpResponse;
use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der},
    rsa,
    signature::KeyPair,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use roadcall::service::settings::{PushProvider, PushSettings, Secret};
use serde_json::{Value, json};

use super::peer::{Manner, Peer, PeerRequest, Provider, says};

pub const PROJECT: &str = "roadcall-test";
pub const EMAIL: &str = "push@roadcall-test.iam.gserviceaccount.com";
pub const KEY_ID: &str = "0a1b2c3d";

const GRANT: &str = "POST /token";
const SEND: &str = "POST /v1/projects/roadcall-test/messages:send";

#[derive(Default)]
pub struct Fcm {
    /// The refusal for each device's messages.
    devices: BTreeMap<String, Manner>,
    /// How long access tokens are valid, if not for 3599 s.
    expires_in: Option<i64>,
    granted: usize,
    /// The valid access tokens.
    good: BTreeSet<String>,
    taken: Vec<Value>,
    /// The faults of assertions.
    faults: Vec<String>,
}

pub type FcmPeer = Peer<Fcm>;

/// Returns the private and the public key, in PEM.
fn keys() -> &'static (String, String) {
    static KEYS: OnceLock<(String, String)> = OnceLock::new();
    KEYS.get_or_init(|| {
        let pair = rsa::KeyPair::generate(rsa::KeySize::Rsa2048).unwrap();
        let private: Pkcs8V1Der<'static> = pair.as_der().unwrap();
        let public: PublicKeyX509Der<'static> = pair.public_key().as_der().unwrap();
        (pem("PRIVATE KEY", private.as_ref()), pem("PUBLIC KEY", public.as_ref()))
    })
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<&str> = (0..text.len()).step_by(64).map(|at| &text[at..text.len().min(at + 64)]).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

pub fn private_key() -> &'static str {
    &keys().0
}

impl FcmPeer {
    /// Changes settings to push through this peer and to retry quickly.
    pub fn set(&self, settings: &mut PushSettings) {
        settings.provider = PushProvider::Fcm;
        settings.timeout_ms = 20_000;
        settings.retry_s = 1;
        settings.fcm_base_url = self.url();
        settings.fcm_project_id = PROJECT.to_owned();
        settings.fcm_client_email = EMAIL.to_owned();
        settings.fcm_private_key_id = KEY_ID.to_owned();
        settings.fcm_private_key = Secret(private_key().to_owned());
        settings.fcm_token_uri = self.url() + "/token";
    }

    pub fn send_as(&self, manner: Manner) {
        self.answer_at(SEND, manner);
    }

    pub fn grant_as(&self, manner: Manner) {
        self.answer_at(GRANT, manner);
    }

    pub fn answer_of(&self, device: &str, manner: Manner) {
        self.provider().devices.insert(device.to_owned(), manner);
    }

    /// Answers as if the app had been removed from the device.
    pub fn uninstalled(&self, device: &str) {
        let details = json!([{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "UNREGISTERED"}]);
        let body = error(404, "NOT_FOUND", "Requested entity was not found.", details);
        self.answer_of(device, says(404, body));
    }

    /// Makes access tokens valid for this long from now on.
    pub fn lasts(&self, seconds: i64) {
        self.provider().expires_in = Some(seconds);
    }

    /// Invalidates all access tokens granted so far.
    pub fn revoke_all(&self) {
        self.provider().good.clear();
    }

    /// Returns how many access tokens were asked for.
    pub fn granted(&self) -> usize {
        self.lines().iter().filter(|line| *line == GRANT).count()
    }

    /// Returns the requests to send, accepted or not.
    pub fn asked(&self) -> Vec<Value> {
        let requests = self.requests().into_iter().filter(|request| request.line() == SEND);
        requests.map(|request| request.json()["message"].take()).collect()
    }

    /// Returns the accepted messages.
    pub fn taken(&self) -> Vec<Value> {
        self.provider().taken.clone()
    }

    /// Returns the faults of assertions.
    pub fn faults(&self) -> Vec<String> {
        self.provider().faults.clone()
    }

    /// Waits until at least this many requests to send have arrived.
    pub async fn until_asked(&self, count: usize) {
        self.until("the peer is asked to send", || (self.asked().len() >= count).then_some(())).await;
    }

    /// Waits for an accepted message of that type.
    pub async fn until_taken(&self, kind: &str) -> Value {
        let found = || self.taken().into_iter().find(|message| message["data"]["type"] == kind);
        self.until(&format!("{kind} is pushed"), found).await
    }
}

impl Provider for Fcm {
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        match request.line().as_str() {
            GRANT => return None,
            SEND => {}
            _ => return Some(says(404, "<html>no such page</html>")),
        }
        if !request.bearer().is_some_and(|token| self.good.contains(token)) {
            let text = "Request had invalid authentication credentials.";
            return Some(says(401, error(401, "UNAUTHENTICATED", text, json!([]))));
        }
        request.json()["message"]["token"].as_str().and_then(|device| self.devices.get(device)).cloned()
    }

    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        if request.line() == GRANT {
            return self.grant(request);
        }
        self.taken.push(request.json()["message"].take());
        HttpResponse::Ok().json(json!({"name": format!("projects/{PROJECT}/messages/0:1500415314455276")}))
    }
}

impl Fcm {
    fn grant(&mut self, request: &PeerRequest) -> HttpResponse {
        let token_uri = format!("http://{}/token", request.header("host").unwrap_or_default());
        if let Err(why) = check_assertion(&request.form(), &token_uri) {
            self.faults.push(why);
            return HttpResponse::BadRequest()
                .json(json!({"error": "invalid_grant", "error_description": "no"}));
        }
        self.granted += 1;
        let token = format!("ya29.{}", self.granted);
        self.good.insert(token.clone());
        let expires_in = self.expires_in.unwrap_or(3599);
        HttpResponse::Ok()
            .json(json!({"access_token": token, "expires_in": expires_in, "token_type": "Bearer"}))
    }
}

/// Returns an error as documented.
pub fn error(code: u16, status: &str, message: &str, details: Value) -> String {
    json!({"error": {"code": code, "message": message, "status": status, "details": details}}).to_string()
}

/// Checks an assertion by RFC 7523, 3, and Google's own limits on it.
fn check_assertion(form: &BTreeMap<String, String>, token_uri: &str) -> Result<(), String> {
    let given = |name: &str| form.get(name).cloned().unwrap_or_default();
    if given("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
        return Err("grant_type".to_owned());
    }
    let mut rules = Validation::new(Algorithm::RS256);
    rules.set_audience(&[token_uri]);
    rules.set_issuer(&[EMAIL]);
    rules.set_required_spec_claims(&["exp", "aud", "iss"]);
    let key = DecodingKey::from_rsa_pem(keys().1.as_bytes()).unwrap();
    let read =
        jsonwebtoken::decode::<Value>(given("assertion"), &key, &rules).map_err(|why| why.to_string())?;
    if read.header.kid.as_deref() != Some(KEY_ID) {
        return Err("kid".to_owned());
    }
    let claims = read.claims;
    if claims["scope"] != "https://www.googleapis.com/auth/firebase.messaging" {
        return Err("scope".to_owned());
    }
    let life = claims["exp"].as_i64().unwrap_or_default() - claims["iat"].as_i64().unwrap_or_default();
    if (1..=3600).contains(&life) { Ok(()) } else { Err(format!("a life of {life} s")) }
}
