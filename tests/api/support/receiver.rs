//! A receiver of webhooks.

use actix_web::{HttpResponse, web::Bytes};
use serde_json::Value;

use super::peer::{Peer, PeerRequest, Provider};

/// A webhook that arrived.
#[derive(Debug, Clone)]
pub struct Told {
    pub event_id: String,
    pub signature: String,
    pub body: Bytes,
    event: String,
}

impl Told {
    fn new(request: &PeerRequest) -> Self {
        let header = |name| request.header(name).unwrap_or_default().to_owned();
        Self {
            event_id: header("x-gateway-event-id"),
            signature: header("x-gateway-signature"),
            body: request.body.clone(),
            event: request.json()["event"].as_str().unwrap_or_default().to_owned(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub fn event(&self) -> &str {
        &self.event
    }
}

#[derive(Default)]
pub struct Webhooks {
    /// The number that the test has taken.
    taken: usize,
    refusals: usize,
}

pub type Receiver = Peer<Webhooks>;

impl Provider for Webhooks {
    fn answer(&mut self, _request: &PeerRequest) -> HttpResponse {
        if self.refusals == 0 {
            return HttpResponse::Ok().finish();
        }
        self.refusals -= 1;
        HttpResponse::ServiceUnavailable().finish()
    }
}

impl Receiver {
    pub fn webhook_url(&self) -> String {
        self.url() + "/payments/webhook"
    }

    /// Answers the next webhooks with 503.
    pub fn refuse(&self, count: usize) {
        self.provider().refusals = count;
    }

    /// Skips everything that has arrived so far.
    pub fn forget(&self) {
        let count = self.count();
        self.provider().taken = count;
    }

    /// Waits for the next webhooks and returns them in the order of arrival.
    pub async fn take(&self, count: usize) -> Vec<Told> {
        let from = self.provider().taken;
        let look = || Some(self.requests()).filter(|all| all.len() >= from + count);
        let all = self.until(&format!("{count} webhooks come"), look).await;
        self.provider().taken = from + count;
        all[from..from + count].iter().map(Told::new).collect()
    }
}
