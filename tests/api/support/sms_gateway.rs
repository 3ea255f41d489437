//! A gateway for text messages on a port of its own, which answers as each test wants.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use roadcall::service::settings::{Secret, SmsHttpContent, SmsProvider, SmsSettings};

use super::within;

/// The gateway's way of answering one request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It answers with this status and body.
    Says(u16, &'static str),
    /// It takes the request and does not respond.
    Silent,
    /// It answers 200, and sends more than anybody should read.
    Endless,
    /// It redirects to another path of its own.
    Redirect,
}

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    pub query: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// The gateway. It ends with the test.
pub struct SmsGateway {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    /// The replies to the next requests, one after the other; afterwards 200 and "OK".
    replies: Mutex<Vec<Reply>>,
    asked: Mutex<Vec<Asked>>,
}

impl SmsGateway {
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

    pub fn url(&self, rest: &str) -> Secret {
        Secret(format!("http://127.0.0.1:{}{rest}", self.port))
    }

    /// Changes settings to post a JSON with number, text and template to this gateway.
    pub fn set(&self, sms: &mut SmsSettings) {
        sms.provider = SmsProvider::Http;
        sms.timeout_ms = 20_000;
        sms.http.url = self.url("/send");
        sms.http.content = SmsHttpContent::Json;
        sms.http.body = Secret(r#"{"to": "{to}", "text": "{text}", "id": "{id}"}"#.to_owned());
    }

    pub fn answer_next(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.replies.lock().unwrap().extend(replies);
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    /// Returns the texts that were posted to this number as JSON, without one-time passwords.
    pub fn texts_to(&self, phone: &str) -> Vec<String> {
        let read = |asked: Asked| serde_json::from_str::<serde_json::Value>(&asked.body).expect("JSON");
        let of_phone = self.asked().into_iter().map(read).filter(|body| body["to"] == phone);
        let texts = of_phone.map(|body| body["text"].as_str().expect("a text").to_owned());
        texts.filter(|text| !text.contains("is your Roadcall code")).collect()
    }

    /// Waits until so many texts were posted to this number.
    pub async fn until_texts(&self, phone: &str, count: usize) -> Vec<String> {
        within(&format!("{count} texts"), async {
            loop {
                let texts = self.texts_to(phone);
                if texts.len() >= count {
                    return texts;
                }
                // Nothing signals what a worker does in the background.
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await
    }
}

impl Drop for SmsGateway {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn answer(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let header = |(name, value): (&actix_web::http::header::HeaderName, &_)| {
        let value: &actix_web::http::header::HeaderValue = value;
        (name.as_str().to_owned(), value.to_str().unwrap().to_owned())
    };
    state.asked.lock().unwrap().push(Asked {
        line: format!("{} {}", request.method(), request.path()),
        query: url::form_urlencoded::parse(request.query_string().as_bytes()).into_owned().collect(),
        headers: request.headers().iter().map(header).collect(),
        body: String::from_utf8(body.to_vec()).unwrap(),
    });
    let next = {
        let mut replies = state.replies.lock().unwrap();
        if replies.is_empty() { None } else { Some(replies.remove(0)) }
    };
    match next.unwrap_or(Reply::Says(200, "OK")) {
        Reply::Says(status, body) => HttpResponse::build(StatusCode::from_u16(status).unwrap()).body(body),
        Reply::Silent => std::future::pending().await,
        Reply::Endless => {
            let chunk = Bytes::from(vec![b'x'; 16 * 1024]);
            let chunks = futures_util::stream::repeat_with(move || Ok::<_, actix_web::Error>(chunk.clone()));
            HttpResponse::Ok().streaming(chunks)
        }
        Reply::Redirect => HttpResponse::Found().insert_header(("location", "/elsewhere")).finish(),
    }
}
