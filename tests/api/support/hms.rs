//! A peer that answers as the documentation of 100ms' rooms says, on a port of its own.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use roadcall::service::settings::{CallProvider, CallSettings, Secret};
use serde_json::{Value, json};

pub const ACCESS_KEY: &str = "64a1f0c2e4b0a1b2c3d4e5f6";
pub const SECRET: &str = "a secret of an account at 100ms, which nobody else knows";

/// The peer's way of answering one request.
#[derive(Debug, Clone)]
pub enum Manner {
    Says(u16, String),
    /// It takes the request and does not respond.
    Silent,
}

/// The peer. It ends with the test.
pub struct HmsPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    manners: Mutex<Vec<Manner>>,
    /// Room ids by name.
    rooms: Mutex<BTreeMap<String, String>>,
    /// The claims and bodies of requests.
    asked: Mutex<Vec<(Value, Value)>>,
}

impl HmsPeer {
    pub async fn start() -> Self {
        let state = Arc::new(State::default());
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(answer))
        });
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    /// Changes settings to create rooms at this peer.
    pub fn set(&self, settings: &mut CallSettings) {
        settings.provider = CallProvider::Hms;
        settings.hms_base_url = format!("http://127.0.0.1:{}", self.port);
        settings.hms_access_key = ACCESS_KEY.to_owned();
        settings.hms_secret = Secret(SECRET.to_owned());
        settings.hms_timeout_ms = 20_000;
    }

    pub fn answer_next(&self, manners: impl IntoIterator<Item = Manner>) {
        self.state.manners.lock().unwrap().extend(manners);
    }

    /// Returns the claims and bodies of requests.
    pub fn asked(&self) -> Vec<(Value, Value)> {
        self.state.asked.lock().unwrap().clone()
    }
}

impl Drop for HmsPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

/// Returns the claims of an HS256 token under this secret, decoded without the service's own code; `None` for any other
/// token.
pub fn claims(token: &str, secret: &[u8]) -> Option<Value> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let open = |part: &str| serde_json::from_slice::<Value>(&URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    hmac::verify(&key, signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    (open(header)?["alg"] == "HS256").then(|| open(claims)).flatten()
}

fn says(status: u16, body: impl ToString) -> HttpResponse {
    let mut answer = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    answer.content_type("application/json").body(body.to_string())
}

async fn answer(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    if (request.method().as_str(), request.path()) != ("POST", "/v2/rooms") {
        return says(404, json!({"code": 404, "message": "not found"}));
    }
    let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let token = header.and_then(|value| value.strip_prefix("Bearer "));
    let Some(claims) = token.and_then(|token| claims(token, SECRET.as_bytes())) else {
        return says(401, json!({"code": 401, "message": "invalid token"}));
    };
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    state.asked.lock().unwrap().push((claims.clone(), body.clone()));
    if claims["type"] != "management" || claims["version"] != 2 || claims["access_key"] != ACCESS_KEY {
        return says(403, json!({"code": 403, "message": "not a management token"}));
    }
    let next = {
        let mut manners = state.manners.lock().unwrap();
        if manners.is_empty() { None } else { Some(manners.remove(0)) }
    };
    match next {
        Some(Manner::Silent) => std::future::pending().await,
        Some(Manner::Says(status, body)) => says(status, body),
        None => {
            let name = body["name"].as_str().unwrap_or_default().to_owned();
            let mut rooms = state.rooms.lock().unwrap();
            let number = rooms.len() + 1;
            let id = rooms.entry(name.clone()).or_insert_with(|| format!("62f4b4b2d2b4b4b2d2b4{number:04}"));
            says(200, json!({"id": id, "name": name, "enabled": true, "region": "in"}))
        }
    }
}
