//! A gateway for text messages, which takes all of them unless the test wants it otherwise.

use actix_web::HttpResponse;
use roadcall::service::settings::{Secret, SmsHttpContent, SmsProvider, SmsSettings};

use super::peer::{Peer, PeerRequest, Provider};

#[derive(Default)]
pub struct TextGateway;

pub type SmsGateway = Peer<TextGateway>;

impl Provider for TextGateway {
    fn answer(&mut self, _request: &PeerRequest) -> HttpResponse {
        HttpResponse::Ok().body("OK")
    }
}

impl SmsGateway {
    /// Returns a URL of the gateway.
    pub fn link(&self, rest: &str) -> Secret {
        Secret(self.url() + rest)
    }

    /// Changes settings to post a JSON with number, text and template to this gateway.
    pub fn set(&self, sms: &mut SmsSettings) {
        sms.provider = SmsProvider::Http;
        sms.timeout_ms = 20_000;
        sms.http.url = self.link("/send");
        sms.http.content = SmsHttpContent::Json;
        sms.http.body = Secret(r#"{"to": "{to}", "text": "{text}", "id": "{id}"}"#.to_owned());
    }

    /// Returns the texts that were posted to this number as JSON, without one-time passwords.
    pub fn texts_to(&self, phone: &str) -> Vec<String> {
        let bodies = self.requests().into_iter().map(|request| request.json());
        let texts = bodies.filter(|body| body["to"] == phone);
        let texts = texts.map(|body| body["text"].as_str().expect("a text").to_owned());
        texts.filter(|text| !text.contains("is your Roadcall code")).collect()
    }

    /// Waits until so many texts were posted to this number.
    pub async fn until_texts(&self, phone: &str, count: usize) -> Vec<String> {
        let look = || Some(self.texts_to(phone)).filter(|texts| texts.len() >= count);
        self.until(&format!("{count} texts"), look).await
    }
}
