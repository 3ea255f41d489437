//! A peer that answers as the documentation of Twilio's Messages API says, on a port of its own.

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
use base64::{Engine, engine::general_purpose::STANDARD};
use roadcall::service::settings::{Secret, SmsProvider, SmsSettings};
use serde_json::json;

pub const ACCOUNT: &str = "AC00000000000000000000000000000001";
pub const TOKEN: &str = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6";
pub const SENDER: &str = "+15005550006";

/// The peer's way of answering one request.
#[derive(Debug, Clone)]
pub enum Manner {
    /// It answers with this status, body and Retry-After.
    Says(u16, String, Option<&'static str>),
    /// It takes the request and does not respond.
    Silent,
}

/// The peer. It ends with the test.
pub struct TwilioPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    /// The answers to the next requests, one after the other; afterwards it answers as documented.
    manners: Mutex<Vec<Manner>>,
    asked: Mutex<Vec<BTreeMap<String, String>>>,
}

impl TwilioPeer {
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

    /// Changes settings to send through this peer.
    pub fn set(&self, settings: &mut SmsSettings) {
        settings.provider = SmsProvider::Twilio;
        settings.timeout_ms = 20_000;
        settings.twilio_base_url = format!("http://127.0.0.1:{}", self.port);
        settings.twilio_account_sid = ACCOUNT.to_owned();
        settings.twilio_auth_token = Secret(TOKEN.to_owned());
        settings.twilio_from = SENDER.to_owned();
    }

    pub fn answer_next(&self, manners: impl IntoIterator<Item = Manner>) {
        self.state.manners.lock().unwrap().extend(manners);
    }

    /// Returns the forms that arrived.
    pub fn asked(&self) -> Vec<BTreeMap<String, String>> {
        self.state.asked.lock().unwrap().clone()
    }
}

impl Drop for TwilioPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

/// Returns an error as documented.
pub fn error(status: u16, code: u32, message: &str) -> Manner {
    let more = format!("https://www.twilio.com/docs/errors/{code}");
    let body = json!({"code": code, "message": message, "more_info": more, "status": status});
    Manner::Says(status, body.to_string(), None)
}

fn says(status: u16, body: String) -> HttpResponse {
    HttpResponse::build(StatusCode::from_u16(status).unwrap()).content_type("application/json").body(body)
}

async fn answer(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(&body).into_owned().collect();
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let line = format!("{} {}", request.method(), request.path());
    if line != format!("POST /2010-04-01/Accounts/{ACCOUNT}/Messages.json")
        || header("content-type") != Some("application/x-www-form-urlencoded")
    {
        return says(404, json!({"code": 20404, "message": "not found", "status": 404}).to_string());
    }
    state.asked.lock().unwrap().push(form.clone());
    let expected = format!("Basic {}", STANDARD.encode(format!("{ACCOUNT}:{TOKEN}")));
    if header("authorization") != Some(&expected) {
        return says(401, json!({"code": 20003, "message": "Authenticate", "status": 401}).to_string());
    }
    let next = {
        let mut manners = state.manners.lock().unwrap();
        if manners.is_empty() { None } else { Some(manners.remove(0)) }
    };
    match next {
        Some(Manner::Silent) => std::future::pending().await,
        Some(Manner::Says(status, body, after)) => {
            let mut answer = HttpResponse::build(StatusCode::from_u16(status).unwrap());
            if let Some(after) = after {
                answer.insert_header(("retry-after", after));
            }
            answer.content_type("application/json").body(body)
        }
        None => says(
            201,
            json!({
                "sid": "SM00000000000000000000000000000001", "account_sid": ACCOUNT, "to": form.get("To"),
                "from": form.get("From"), "messaging_service_sid": form.get("MessagingServiceSid"),
                "body": form.get("Body"), "status": "queued", "error_code": null, "error_message": null,
            })
            .to_string(),
        ),
    }
}
