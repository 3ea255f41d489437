//! Firebase Cloud Messaging, HTTP v1 (firebase.google.com/docs/cloud-messaging/send/v1-api): a signed JWT is exchanged for an
//! access token, and each push to a device is one POST.

mod account;
mod answer;
mod message;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Client, Response, Url, header};
use roadcall_base::clock::Clock;
use tokio::sync::Mutex;

use super::{
    device::PushDevice,
    error::{PushError, PushStartError, no_answer, wait_of},
    message::PushMessage,
    provider::Push,
    settings::PushSettings,
};
use crate::sending;
use account::Account;
use answer::Verdict;
use roadcall_platform::{https, settings::web_url};

/// A larger answer is not read; a hundred usual ones would fit.
const MAX_BYTES: usize = 64 * 1024;
/// An access token with less time left is not used, so that none expires on its way.
const MIN_LEFT: TimeDelta = TimeDelta::minutes(5);
/// After a failed request for an access token, other pushes wait this long before they ask for one.
const ASK_AGAIN: TimeDelta = TimeDelta::seconds(1);

/// Pushes under one service account.
#[derive(derive_more::Debug)]
#[debug("Fcm {{ host: {:?}, .. }}", self.send.host_str())]
pub struct Fcm {
    client: Client,
    send: Url,
    account: Account,
    clock: Clock,
    /// Locked during a fetch, so that others wait for its result.
    access: Mutex<Access>,
}

#[derive(Default)]
struct Access {
    token: Option<Arc<str>>,
    /// When to replace the token.
    until: DateTime<Utc>,
    /// When the last fetch failed, and why.
    failed: Option<(DateTime<Utc>, String)>,
}

/// Why a POST failed.
enum Fault {
    /// The access token is not accepted.
    Access,
    Push(PushError),
}

impl Fcm {
    /// Starts the provider. `settings.timeout_ms` bounds a whole request. Redirects are not followed and no proxy of the
    /// environment is used: the keys go only where the settings say.
    pub fn start(
        settings: &PushSettings,
        is_production: bool,
        clock: &Clock,
    ) -> Result<Self, PushStartError> {
        let account = Account::load(settings)?;
        let mut send = web_url(&settings.fcm_base_url).ok_or(PushStartError::Url("push.fcm_base_url"))?;
        if is_production && account.token_uri.scheme() != "https" {
            return Err(PushStartError::Url("token_uri"));
        }
        let base = send.path().trim_end_matches('/').to_owned();
        send.set_path(&format!("{base}/v1/projects/{}/messages:send", account.project_id));
        let timeout = Duration::from_millis(settings.timeout_ms);
        let redirects = reqwest::redirect::Policy::none();
        let client = https::client().timeout(timeout).connect_timeout(timeout).redirect(redirects);
        let client = client.no_proxy().build()?;
        Ok(Self { client, send, account, clock: clock.clone(), access: Mutex::default() })
    }

    async fn post(&self, access: &str, device: &PushDevice, message: &PushMessage) -> Result<(), Fault> {
        let now = self.clock.now();
        let request = self.client.post(self.send.clone()).bearer_auth(access);
        let request = request.json(&message::body(device, message, now));
        let response = sending::send(request, "fcm").await.map_err(|error| Fault::Push(no_answer(&error)))?;
        let status = response.status();
        let wait = wait_of(&response, now);
        // A 2xx status is enough: we do not need FCM's name of the message.
        if status.is_success() {
            return Ok(());
        }
        let body = read(response).await.map_err(Fault::Push)?;
        match answer::verdict(status.as_u16(), &body) {
            Verdict::Gone => Err(Fault::Push(PushError::Gone)),
            Verdict::Refused(why) => Err(Fault::Push(PushError::Refused(why))),
            Verdict::Unauthenticated => Err(Fault::Access),
            Verdict::Unavailable(why) => Err(Fault::Push(PushError::Unavailable { why, after: wait })),
        }
    }

    /// Returns an access token that is good for a while, and is not the one that was `refused`.
    async fn access(&self, refused: Option<&str>) -> Result<Arc<str>, PushError> {
        let mut access = self.access.lock().await;
        let now = self.clock.now();
        if let Some(token) = &access.token
            && now < access.until
            && refused != Some(token)
        {
            return Ok(token.clone());
        }
        if let Some((at, why)) = &access.failed
            && (now - *at).abs() < ASK_AGAIN
        {
            return Err(PushError::unavailable(why.clone()));
        }
        match self.fetch(now).await {
            Ok((token, expires_in)) => {
                let token: Arc<str> = token.into();
                // A short-lived token is used for half of its life.
                let lasts = (expires_in - MIN_LEFT).max(expires_in / 2);
                *access = Access { token: Some(token.clone()), until: now + lasts, failed: None };
                Ok(token)
            }
            Err(why) => {
                tracing::warn!(why, "could not get an access token for fcm");
                access.failed = Some((self.clock.now(), why.clone()));
                Err(PushError::unavailable(why))
            }
        }
    }

    /// Fetches a token (RFC 7523), and returns how long it lasts. Errors leave out the other side's text, which may quote us.
    async fn fetch(&self, now: DateTime<Utc>) -> Result<(String, TimeDelta), String> {
        let assertion = self.account.assertion(now)?;
        let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
        let form = crate::form(&[("grant_type", grant), ("assertion", &assertion)]);
        let request = self.client.post(self.account.token_uri.clone());
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let in_words = |error: PushError| match error {
            PushError::Unavailable { why, .. } | PushError::Refused(why) => format!("access token: {why}"),
            PushError::Gone => "access token: gone".to_owned(),
        };
        let response =
            sending::send(request, "fcm.token").await.map_err(|error| in_words(no_answer(&error)))?;
        let status = response.status();
        if !status.is_success() {
            return Err(format!("access token: status {}", status.as_u16()));
        }
        answer::access_token(&read(response).await.map_err(in_words)?)
    }
}

#[async_trait]
impl Push for Fcm {
    async fn push(&self, device: &PushDevice, message: &PushMessage) -> Result<(), PushError> {
        let access = self.access(None).await?;
        match self.post(&access, device, message).await {
            Ok(()) => Ok(()),
            Err(Fault::Push(error)) => Err(error),
            // The token was revoked, or our clock is wrong: try once more with a new one.
            Err(Fault::Access) => {
                let access = self.access(Some(&access)).await?;
                self.post(&access, device, message).await.map_err(|fault| match fault {
                    Fault::Push(error) => error,
                    Fault::Access => {
                        tracing::error!("fcm does not accept the service account's access token");
                        PushError::unavailable("the access token is not accepted")
                    }
                })
            }
        }
    }
}

async fn read(response: Response) -> Result<Vec<u8>, PushError> {
    let body = sending::read(response, MAX_BYTES).await.map_err(|error| no_answer(&error))?;
    body.ok_or_else(|| PushError::unavailable(format!("the answer is larger than {MAX_BYTES} bytes")))
}
