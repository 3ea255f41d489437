//! A peer that answers as the documentation of FCM's HTTP v1 says (firebase.google.com/docs/reference/fcm/rest), and the
//! token endpoint that sells its access tokens (RFC 7523), on a port of its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, OnceLock},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der},
    rsa,
    signature::KeyPair,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use futures_util::stream;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use roadcall::service::settings::{PushProvider, PushSettings, Secret};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::within;

pub const PROJECT: &str = "roadcall-test";
pub const EMAIL: &str = "push@roadcall-test.iam.gserviceaccount.com";
pub const KEY_ID: &str = "0a1b2c3d";

/// The peer's way of answering from now on.
#[derive(Debug, Clone)]
pub enum Manner {
    /// It answers as documented.
    Documented,
    /// It answers any request with this status, body and Retry-After.
    Says(u16, String, Option<String>),
    /// It takes the request and does not respond.
    Silent,
    /// It ends the connection within the response.
    Cut,
}

/// The peer. It ends with the test.
pub struct FcmPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
    heard: watch::Receiver<usize>,
}

struct State {
    token_uri: String,
    books: Mutex<Books>,
    heard: watch::Sender<usize>,
}

#[derive(Default)]
struct Books {
    sending: Option<Manner>,
    granting: Option<Manner>,
    /// The refusal for each device's messages.
    devices: BTreeMap<String, Manner>,
    expires_in: i64,
    granted: usize,
    /// The valid access tokens.
    good: BTreeSet<String>,
    /// The requests to `messages:send`, with their access tokens.
    asked: Vec<(String, Value)>,
    taken: Vec<Value>,
    /// The faults of assertions.
    faults: Vec<String>,
}

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
    pub async fn start() -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, hears) = watch::channel(0);
        let token_uri = format!("http://127.0.0.1:{port}/token");
        let books = Mutex::new(Books { expires_in: 3599, ..Books::default() });
        let state = Arc::new(State { token_uri, books, heard });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::from(shared.clone()))
                .route("/token", web::post().to(grant))
                .default_service(web::to(send))
        });
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.listen(listener).unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle, heard: hears }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

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
        settings.fcm_token_uri = self.state.token_uri.clone();
    }

    pub fn answer_as(&self, manner: Manner) {
        self.books(|books| books.sending = Some(manner));
    }

    pub fn grant_as(&self, manner: Manner) {
        self.books(|books| books.granting = Some(manner));
    }

    pub fn answer_of(&self, device: &str, manner: Manner) {
        self.books(|books| drop(books.devices.insert(device.to_owned(), manner)));
    }

    /// Answers as if the app had been removed from the device.
    pub fn uninstalled(&self, device: &str) {
        let details = json!([{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "UNREGISTERED"}]);
        let body = error(404, "NOT_FOUND", "Requested entity was not found.", details);
        self.answer_of(device, Manner::Says(404, body, None));
    }

    /// Makes access tokens valid for this long from now on.
    pub fn lasts(&self, seconds: i64) {
        self.books(|books| books.expires_in = seconds);
    }

    /// Invalidates all access tokens granted so far.
    pub fn revoke_all(&self) {
        self.books(|books| books.good.clear());
    }

    pub fn granted(&self) -> usize {
        self.books(|books| books.granted)
    }

    /// Returns the requests to send, accepted or not.
    pub fn asked(&self) -> Vec<Value> {
        self.books(|books| books.asked.iter().map(|(_, body)| body["message"].clone()).collect())
    }

    /// Returns the accepted messages.
    pub fn taken(&self) -> Vec<Value> {
        self.books(|books| books.taken.clone())
    }

    /// Returns the faults of assertions.
    pub fn faults(&self) -> Vec<String> {
        self.books(|books| books.faults.clone())
    }

    /// Waits until at least this many requests to send have arrived.
    pub async fn until_asked(&self, count: usize) {
        let mut heard = self.heard.clone();
        within("the peer is asked to send", heard.wait_for(|asked| *asked >= count)).await.unwrap();
    }

    /// Waits for an accepted message of that type.
    pub async fn until_taken(&self, kind: &str) -> Value {
        let mut heard = self.heard.clone();
        let found = || self.taken().into_iter().find(|message| message["data"]["type"] == kind);
        within(&format!("{kind} is pushed"), async {
            loop {
                if let Some(message) = found() {
                    return message;
                }
                heard.changed().await.unwrap();
            }
        })
        .await
    }

    fn books<T>(&self, look: impl FnOnce(&mut Books) -> T) -> T {
        look(&mut self.state.books.lock().unwrap())
    }
}

impl Drop for FcmPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

/// Returns an error as documented.
pub fn error(code: u16, status: &str, message: &str, details: Value) -> String {
    json!({"error": {"code": code, "message": message, "status": status, "details": details}}).to_string()
}

async fn say(manner: Manner, documented: impl FnOnce() -> HttpResponse) -> HttpResponse {
    match manner {
        Manner::Documented => documented(),
        Manner::Says(status, body, after) => {
            let mut answer = HttpResponse::build(StatusCode::from_u16(status).unwrap());
            if let Some(after) = after {
                answer.insert_header(("retry-after", after));
            }
            answer.content_type("application/json").body(body)
        }
        Manner::Silent => std::future::pending().await,
        Manner::Cut => {
            let pieces = [Ok(Bytes::from_static(b"{\"err")), Err(std::io::Error::other("cut"))];
            HttpResponse::ServiceUnavailable()
                .content_type("application/json")
                .streaming(stream::iter(pieces))
        }
    }
}

/// Checks an assertion by RFC 7523, 3, and Google's own limits on it.
fn check_assertion(form: &[u8], token_uri: &str) -> Result<(), String> {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(form).into_owned().collect();
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

async fn grant(body: Bytes, state: web::Data<State>) -> HttpResponse {
    let manner = {
        let mut books = state.books.lock().unwrap();
        books.granted += 1;
        books.granting.clone().unwrap_or(Manner::Documented)
    };
    say(manner, || {
        let mut books = state.books.lock().unwrap();
        if let Err(why) = check_assertion(&body, &state.token_uri) {
            books.faults.push(why);
            return HttpResponse::BadRequest()
                .json(json!({"error": "invalid_grant", "error_description": "no"}));
        }
        let token = format!("ya29.{}", books.granted);
        books.good.insert(token.clone());
        HttpResponse::Ok()
            .json(json!({"access_token": token, "expires_in": books.expires_in, "token_type": "Bearer"}))
    })
    .await
}

async fn send(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let line = format!("{} {}", request.method(), request.path());
    if line != format!("POST /v1/projects/{PROJECT}/messages:send") {
        return HttpResponse::NotFound().body("<html>no such page</html>");
    }
    let bearer = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default().to_owned();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let device = body["message"]["token"].as_str().unwrap_or_default().to_owned();
    let (manner, is_good) = {
        let mut books = state.books.lock().unwrap();
        books.asked.push((bearer.clone(), body.clone()));
        let general = books.sending.clone().unwrap_or(Manner::Documented);
        let manner = books.devices.get(&device).cloned().unwrap_or(general);
        (manner, books.good.contains(&bearer))
    };
    let text = "Request had invalid authentication credentials.";
    let stranger = || Manner::Says(401, error(401, "UNAUTHENTICATED", text, json!([])), None);
    let manner = if is_good { manner } else { stranger() };
    let answer = say(manner, || {
        state.books.lock().unwrap().taken.push(body["message"].clone());
        HttpResponse::Ok().json(json!({"name": format!("projects/{PROJECT}/messages/0:1500415314455276")}))
    });
    // A test that waits for a request must not wait for a response that never comes.
    state.heard.send_modify(|asked| *asked += 1);
    let answer = answer.await;
    state.heard.send_modify(|_| ());
    answer
}
