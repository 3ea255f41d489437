//! A receiver of webhooks, on a port of its own.

use std::sync::{Arc, Mutex};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    web::{self, Bytes},
};
use serde_json::Value;
use tokio::sync::Notify;

use super::within;

/// A webhook that arrived.
#[derive(Debug, Clone)]
pub struct Told {
    pub event_id: String,
    pub signature: String,
    pub body: Bytes,
    event: String,
}

impl Told {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub fn event(&self) -> &str {
        &self.event
    }
}

/// The receiver. It ends with the test.
pub struct Receiver {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    told: Mutex<Vec<Told>>,
    /// The number that the test has taken.
    taken: Mutex<usize>,
    refusals: Mutex<usize>,
    came: Notify,
}

impl Receiver {
    pub async fn start() -> Self {
        let state = Arc::new(State::default());
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(hear))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/payments/webhook", self.port)
    }

    /// Answers the next webhooks with 503.
    pub fn refuse(&self, count: usize) {
        *self.state.refusals.lock().unwrap() = count;
    }

    /// Skips everything that has arrived so far.
    pub fn forget(&self) {
        *self.state.taken.lock().unwrap() = self.count();
    }

    /// Returns how many arrived, including refused ones.
    pub fn count(&self) -> usize {
        self.state.told.lock().unwrap().len()
    }

    /// Waits for the next webhooks and returns them in the order of arrival.
    pub async fn take(&self, count: usize) -> Vec<Told> {
        let from = *self.state.taken.lock().unwrap();
        let all = async {
            while self.count() < from + count {
                self.state.came.notified().await;
            }
        };
        within(&format!("{count} webhooks come"), all).await;
        *self.state.taken.lock().unwrap() = from + count;
        self.state.told.lock().unwrap()[from..from + count].to_vec()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn hear(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let json: Value = serde_json::from_slice(&body).unwrap_or_default();
    let event = json["event"].as_str().unwrap_or_default().to_owned();
    let (event_id, signature) = (header("X-Gateway-Event-Id"), header("X-Gateway-Signature"));
    let refused = {
        let mut refusals = state.refusals.lock().unwrap();
        let is_refused = *refusals > 0;
        *refusals = refusals.saturating_sub(1);
        is_refused
    };
    state.told.lock().unwrap().push(Told { event_id, signature, body, event });
    state.came.notify_one();
    if refused { HttpResponse::ServiceUnavailable().finish() } else { HttpResponse::Ok().finish() }
}
