//! A peer that answers as the documentation of 100ms' rooms says.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use roadcall::service::settings::{CallProvider, CallSettings, Secret};
use serde_json::{Value, json};

use super::peer::{Manner, Peer, PeerRequest, Provider, says};

pub const ACCESS_KEY: &str = "64a1f0c2e4b0a1b2c3d4e5f6";
pub const SECRET: &str = "a secret of an account at 100ms, which nobody else knows";

#[derive(Default)]
pub struct Hms {
    /// The ids of rooms by their names.
    rooms: BTreeMap<String, String>,
}

pub type HmsPeer = Peer<Hms>;

impl HmsPeer {
    /// Changes settings to create rooms at this peer.
    pub fn set(&self, settings: &mut CallSettings) {
        settings.provider = CallProvider::Hms;
        settings.hms_base_url = self.url();
        settings.hms_access_key = ACCESS_KEY.to_owned();
        settings.hms_secret = Secret(SECRET.to_owned());
        settings.hms_timeout_ms = 20_000;
    }

    /// Returns the claims and bodies of requests.
    pub fn asked(&self) -> Vec<(Value, Value)> {
        let requests = self.requests();
        requests.iter().filter_map(|request| Some((claims_of(request)?, request.json()))).collect()
    }
}

impl Provider for Hms {
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        if request.line() != "POST /v2/rooms" {
            return Some(says(404, json!({"code": 404, "message": "not found"})));
        }
        let Some(claims) = claims_of(request) else {
            return Some(says(401, json!({"code": 401, "message": "invalid token"})));
        };
        let is_manager =
            claims["type"] == "management" && claims["version"] == 2 && claims["access_key"] == ACCESS_KEY;
        (!is_manager).then(|| says(403, json!({"code": 403, "message": "not a management token"})))
    }

    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        let body = request.json();
        let name = body["name"].as_str().unwrap_or_default().to_owned();
        let number = self.rooms.len() + 1;
        let id = self.rooms.entry(name.clone()).or_insert_with(|| format!("62f4b4b2d2b4b4b2d2b4{number:04}"));
        HttpResponse::Ok().json(json!({"id": id, "name": name, "enabled": true, "region": "in"}))
    }
}

fn claims_of(request: &PeerRequest) -> Option<Value> {
    claims(request.bearer()?, SECRET.as_bytes())
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
