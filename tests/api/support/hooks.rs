//! A partner's receiver of webhooks: it checks each signature as Standard Webhooks says, and passes challenges.

use actix_web::HttpResponse;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use super::peer::{Peer, PeerRequest, Provider};

#[derive(Default)]
pub struct Hooks {
    /// Refuses every third event at its first try.
    is_flaky: bool,
    /// Answers challenges with something else.
    ignores_challenges: bool,
    /// The ids that were refused, and the number of events that arrived.
    refused: Vec<String>,
    arrived: usize,
}

pub type HookReceiver = Peer<Hooks>;

impl Provider for Hooks {
    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        let body = request.json();
        if body["type"] == "webhook.verify" && !self.ignores_challenges {
            let challenge = body["data"]["challenge"].as_str().unwrap_or_default().to_owned();
            return HttpResponse::Ok().body(challenge);
        }
        let id = request.header("webhook-id").unwrap_or_default().to_owned();
        if self.is_flaky && !self.refused.contains(&id) {
            self.arrived += 1;
            if self.arrived.is_multiple_of(3) {
                self.refused.push(id);
                return HttpResponse::ServiceUnavailable().finish();
            }
        }
        HttpResponse::NoContent().finish()
    }
}

impl HookReceiver {
    pub fn hooks_url(&self) -> String {
        self.url() + "/hooks"
    }

    pub fn be_flaky(&self) {
        self.provider().is_flaky = true;
    }

    pub fn ignore_challenges(&self, ignores: bool) {
        self.provider().ignores_challenges = ignores;
    }

    /// Returns the ids of the events that it has refused.
    pub fn refused(&self) -> Vec<String> {
        self.provider().refused.clone()
    }

    /// Returns every request with an event, in the order of arrival.
    pub fn events(&self) -> Vec<PeerRequest> {
        let is_event = |request: &PeerRequest| {
            !request.json()["type"].as_str().unwrap_or_default().starts_with("webhook.")
        };
        self.requests().into_iter().filter(is_event).collect()
    }

    /// Waits for so many requests with an event.
    pub async fn until_events(&self, count: usize) -> Vec<PeerRequest> {
        let look = || Some(self.events()).filter(|events| events.len() >= count);
        self.until(&format!("{count} events come"), look).await
    }
}

/// Returns whether this secret has made a signature of the webhook.
pub fn is_signed(request: &PeerRequest, secret: &str) -> bool {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("base64");
    let header = |name| request.header(name).unwrap_or_default();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
    mac.update(format!("{}.{}.", header("webhook-id"), header("webhook-timestamp")).as_bytes());
    mac.update(&request.body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    header("webhook-signature").split(' ').any(|signature| signature == expected)
}

/// Returns the number of a webhook's event within its case.
pub fn seq_of(request: &PeerRequest) -> i64 {
    request.json()["data"]["seq"].as_i64().expect("a number")
}

/// Returns the kind of a webhook's event.
pub fn kind_of(request: &PeerRequest) -> String {
    let body: Value = request.json();
    body["type"].as_str().expect("a kind").to_owned()
}
