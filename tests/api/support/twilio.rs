//! A peer that answers as the documentation of Twilio's Messages API says.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use roadcall::service::settings::{Secret, SmsProvider, SmsSettings};
use serde_json::json;

use super::peer::{Manner, Peer, PeerRequest, Provider, says};

pub const ACCOUNT: &str = "AC00000000000000000000000000000001";
pub const TOKEN: &str = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6";
pub const SENDER: &str = "+15005550006";

#[derive(Default)]
pub struct Twilio;

pub type TwilioPeer = Peer<Twilio>;

impl TwilioPeer {
    /// Changes settings to send through this peer.
    pub fn set(&self, settings: &mut SmsSettings) {
        settings.provider = SmsProvider::Twilio;
        settings.timeout_ms = 20_000;
        settings.twilio_base_url = self.url();
        settings.twilio_account_sid = ACCOUNT.to_owned();
        settings.twilio_auth_token = Secret(TOKEN.to_owned());
        settings.twilio_from = SENDER.to_owned();
    }

    /// Returns the forms that arrived.
    pub fn asked(&self) -> Vec<BTreeMap<String, String>> {
        self.requests().iter().map(PeerRequest::form).collect()
    }
}

impl Provider for Twilio {
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        if request.line() != format!("POST /2010-04-01/Accounts/{ACCOUNT}/Messages.json")
            || request.header("content-type") != Some("application/x-www-form-urlencoded")
        {
            return Some(error(404, 20404, "not found"));
        }
        (!request.is_by(ACCOUNT, TOKEN)).then(|| error(401, 20003, "Authenticate"))
    }

    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        let form = request.form();
        HttpResponse::Created().json(json!({
            "sid": "SM00000000000000000000000000000001", "account_sid": ACCOUNT, "to": form.get("To"),
            "from": form.get("From"), "messaging_service_sid": form.get("MessagingServiceSid"),
            "body": form.get("Body"), "status": "queued", "error_code": null, "error_message": null,
        }))
    }
}

/// Returns an error as documented.
pub fn error(status: u16, code: u32, message: &str) -> Manner {
    let more = format!("https://www.twilio.com/docs/errors/{code}");
    says(status, json!({"code": code, "message": message, "more_info": more, "status": status}))
}
