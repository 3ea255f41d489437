//! Twilio's Messages API (twilio.com/docs/messaging/api/message-resource): one form to post.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use reqwest::{Client, Response, StatusCode, Url, header};
use serde::Deserialize;
use tokio::time::{sleep, timeout};

use super::{SmsError, SmsSender, TextNumber};
use crate::{
    platform::settings::{Secret, SmsSettings, web_url},
    providers::form,
};

/// Before the one repetition, where Twilio does not say how long to wait.
const PAUSE: Duration = Duration::from_millis(250);
/// A larger answer is not read.
const MAX_BYTES: usize = 64 * 1024;

/// Sends from one account.
pub struct Twilio {
    client: Client,
    messages: Url,
    account_sid: String,
    auth_token: Secret,
    /// `From` or `MessagingServiceSid`, and its value.
    sender: (&'static str, String),
    /// With `{code}` in it.
    otp_text: String,
    /// With `{link}` in it.
    share_text: String,
    number_changed_text: String,
    /// Time limit of a whole send, its repetition included.
    limit: Duration,
}

impl std::fmt::Debug for Twilio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twilio").field("host", &self.messages.host_str()).finish_non_exhaustive()
    }
}

/// How one request ended without the message being taken for sure.
struct Fault {
    error: SmsError,
    /// The pause after which it may be taken. `None`: it would be refused again, or its outcome is unknown.
    again: Option<Duration>,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
}

impl Twilio {
    /// Redirects are not followed and no proxy of the environment is used: the token goes where the settings say.
    pub fn start(settings: &SmsSettings) -> Result<Self, SmsError> {
        let base = web_url(&settings.twilio_base_url);
        let mut messages =
            base.ok_or_else(|| SmsError::NotTaken("sms.twilio_base_url is not a URL".to_owned()))?;
        let path = messages.path().trim_end_matches('/').to_owned();
        messages
            .set_path(&format!("{path}/2010-04-01/Accounts/{}/Messages.json", settings.twilio_account_sid));
        let limit = Duration::from_millis(settings.timeout_ms);
        let redirects = reqwest::redirect::Policy::none();
        let client = Client::builder().timeout(limit).connect_timeout(limit).redirect(redirects).no_proxy();
        let sender = match settings.twilio_messaging_service_sid.as_str() {
            "" => ("From", settings.twilio_from.clone()),
            service => ("MessagingServiceSid", service.to_owned()),
        };
        Ok(Self {
            client: client
                .build()
                .map_err(|error| SmsError::NotTaken(format!("the HTTP client: {error}")))?,
            messages,
            account_sid: settings.twilio_account_sid.clone(),
            auth_token: settings.twilio_auth_token.clone(),
            sender,
            otp_text: settings.otp_text.clone(),
            share_text: settings.share_text.clone(),
            number_changed_text: settings.number_changed_text.clone(),
            limit,
        })
    }

    /// Once, and once more where Twilio was busy.
    async fn send(&self, phone: &str, text: &str) -> Result<(), SmsError> {
        let Err(fault) = self.post(phone, text).await else { return Ok(()) };
        // The caller waits for this: an error now is better than an answer that is too late.
        let Some(pause) = fault.again.filter(|pause| *pause < self.limit) else { return Err(fault.error) };
        sleep(pause).await;
        self.post(phone, text).await.map_err(|second| match (fault.error, second.error) {
            (SmsError::Unknown(_), SmsError::NotTaken(why)) => SmsError::Unknown(why),
            (_, error) => error,
        })
    }

    async fn send_in_time(&self, phone: &str, text: String) -> Result<(), SmsError> {
        let sent = timeout(self.limit, self.send(phone, &text)).await;
        sent.unwrap_or_else(|_| Err(SmsError::Unknown("no answer in time".to_owned())))
    }

    async fn post(&self, phone: &str, text: &str) -> Result<(), Fault> {
        let form = form(&[("To", phone), (self.sender.0, &self.sender.1), ("Body", text)]);
        let request = self.client.post(self.messages.clone());
        let request = request.basic_auth(&self.account_sid, Some(&self.auth_token.0));
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let response = request.send().await.map_err(|error| {
            let unknown = |why: &str| Fault { error: SmsError::Unknown(why.to_owned()), again: None };
            if error.is_connect() {
                Fault { error: SmsError::NotTaken("no connection".to_owned()), again: Some(PAUSE) }
            } else if error.is_timeout() {
                unknown("no answer in time")
            } else {
                unknown("the connection was cut")
            }
        })?;
        if response.status().is_success() { Ok(()) } else { Err(refusal(response).await) }
    }
}

impl SmsSender for Twilio {
    fn send_otp<'a>(&'a self, to: &'a TextNumber, code: &'a str) -> BoxFuture<'a, Result<(), SmsError>> {
        self.send_in_time(to.e164(), self.otp_text.replace("{code}", code)).boxed()
    }

    fn send_share_link<'a>(
        &'a self,
        to: &'a TextNumber,
        link: &'a str,
    ) -> BoxFuture<'a, Result<(), SmsError>> {
        self.send_in_time(to.e164(), self.share_text.replace("{link}", link)).boxed()
    }

    fn send_number_changed<'a>(&'a self, to: &'a TextNumber) -> BoxFuture<'a, Result<(), SmsError>> {
        self.send_in_time(to.e164(), self.number_changed_text.clone()).boxed()
    }
}

/// Only the number of Twilio's error is kept: its message quotes the recipient's number.
async fn refusal(mut response: Response) -> Fault {
    let status = response.status();
    let wait = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let after = wait.and_then(|value| value.trim().parse().ok()).map(Duration::from_secs);
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        if body.len() + chunk.len() > MAX_BYTES {
            break;
        }
        body.extend_from_slice(&chunk);
    }
    let code = serde_json::from_slice(&body).ok().map(|Refusal { code }| code);
    let why = match code {
        Some(code) => format!("status {}, twilio {code}", status.as_u16()),
        None => format!("status {}", status.as_u16()),
    };
    match status {
        StatusCode::UNAUTHORIZED => {
            tracing::error!("twilio does not accept sms.twilio_account_sid and sms.twilio_auth_token");
            Fault { error: SmsError::NotTaken(why), again: None }
        }
        StatusCode::TOO_MANY_REQUESTS => {
            Fault { error: SmsError::NotTaken(why), again: Some(after.unwrap_or(PAUSE)) }
        }
        status if status.is_server_error() => {
            Fault { error: SmsError::Unknown(why), again: Some(after.unwrap_or(PAUSE)) }
        }
        // A number that can't be reached (21211, 21214, 21217, 21408, 21610, 21612, 21614 …) and whatever else is wrong with
        // the message: it would be refused again.
        _ => Fault { error: SmsError::NotTaken(why), again: None },
    }
}
