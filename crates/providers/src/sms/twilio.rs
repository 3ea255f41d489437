//! Twilio's Messages API (twilio.com/docs/messaging/api/message-resource): one form to post.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Response, StatusCode, Url, header};
use roadcall_platform::settings::{Secret, web_url};
use serde::Deserialize;

use super::{
    SmsError, SmsSender, TextMessage,
    handing_over::{self, Fault},
    settings::SmsSettings,
};
use crate::{form, sending};

/// Sends from one account.
#[derive(derive_more::Debug)]
#[debug("Twilio {{ host: {:?}, .. }}", self.messages.host_str())]
pub struct Twilio {
    client: Client,
    messages: Url,
    account_sid: String,
    auth_token: Secret,
    /// `From` or `MessagingServiceSid`, and its value.
    sender: (&'static str, String),
    /// The time limit of a whole send, including its repetition.
    limit: Duration,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
}

impl Twilio {
    pub fn start(settings: &SmsSettings) -> Result<Self, SmsError> {
        let base = web_url(&settings.twilio_base_url);
        let mut messages =
            base.ok_or_else(|| SmsError::NotTaken("sms.twilio_base_url is not a URL".to_owned()))?;
        let path = messages.path().trim_end_matches('/').to_owned();
        messages
            .set_path(&format!("{path}/2010-04-01/Accounts/{}/Messages.json", settings.twilio_account_sid));
        let limit = Duration::from_millis(settings.timeout_ms);
        let sender = match settings.twilio_messaging_service_sid.as_str() {
            "" => ("From", settings.twilio_from.clone()),
            service => ("MessagingServiceSid", service.to_owned()),
        };
        Ok(Self {
            client: handing_over::client(limit)?,
            messages,
            account_sid: settings.twilio_account_sid.clone(),
            auth_token: settings.twilio_auth_token.clone(),
            sender,
            limit,
        })
    }

    async fn post(&self, message: &TextMessage) -> Result<(), Fault> {
        let form =
            form(&[("To", message.to.e164()), (self.sender.0, &self.sender.1), ("Body", &message.text)]);
        let request = self.client.post(self.messages.clone());
        let request = request.basic_auth(&self.account_sid, Some(&self.auth_token.0));
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let response = sending::send(request, "twilio").await.map_err(|error| Fault::of_request(&error))?;
        if response.status().is_success() { Ok(()) } else { Err(refusal(response).await) }
    }
}

#[async_trait]
impl SmsSender for Twilio {
    async fn send(&self, message: &TextMessage) -> Result<(), SmsError> {
        handing_over::hand_over(self.limit, || self.post(message)).await
    }
}

/// Keeps only the number of Twilio's error: its message quotes the recipient's number (21211, 21214, 21610 …).
async fn refusal(response: Response) -> Fault {
    let (status, after) = (response.status(), handing_over::retry_after(&response));
    if status == StatusCode::UNAUTHORIZED {
        tracing::error!("twilio does not accept sms.twilio_account_sid and sms.twilio_auth_token");
    }
    let body = handing_over::body(response).await.unwrap_or_default();
    let code = serde_json::from_slice(&body).ok().map(|Refusal { code }| code);
    let why = match code {
        Some(code) => format!("status {}, twilio {code}", status.as_u16()),
        None => format!("status {}", status.as_u16()),
    };
    Fault::of_answer(status, after, why)
}
