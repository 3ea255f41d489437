//! Pushes to phones and browsers.

mod fcm;
mod log;
mod retry_after;
pub mod web_push;

use std::{collections::BTreeMap, fmt, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use reqwest::{Response, header};
use roadcall_actors::{clock::Clock, random::Random};
use uuid::Uuid;

pub use fcm::Fcm;
pub use log::LogPush;

use self::web_push::{SubscriptionKeys, WebPush};
use crate::{
    http::text_enum,
    platform::settings::{PushProvider, Settings},
};

text_enum! {
    /// What the app runs on.
    Platform { Android = "android", Ios = "ios", Web = "web", }
}

/// An app on a device, or a page in a browser.
#[derive(Clone)]
pub struct PushDevice {
    /// Whose it is.
    pub owner: Uuid,
    /// Of a browser that subscribed with our own key: the endpoint.
    pub token: String,
    pub platform: Platform,
    /// Of such a browser.
    pub keys: Option<SubscriptionKeys>,
}

impl fmt::Debug for PushDevice {
    // Anyone who has the token may wake the phone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushDevice").field("platform", &self.platform).finish_non_exhaustive()
    }
}

/// What is pushed.
#[derive(Clone)]
pub struct PushMessage {
    /// The notification's: a device that gets it twice shows it once.
    pub id: Uuid,
    pub kind: &'static str,
    pub title: String,
    pub body: String,
    /// Ids by name.
    pub data: BTreeMap<String, Uuid>,
    /// Whether a sleeping phone must wake.
    pub is_urgent: bool,
    /// A device that comes back later does not get it any more.
    pub life: Duration,
}

impl fmt::Debug for PushMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Why a push was not taken. The texts hold no token and nothing of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// No app has this token any more: delete it.
    #[error("the token is of no app any more")]
    Gone,
    /// The same push would be refused again.
    #[error("refused by the push service: {0}")]
    Refused(String),
    /// It was not accepted, or its outcome is unknown; it may be tried again, after this time if the service gives one.
    #[error("the push service can't be reached: {why}")]
    Unavailable { why: String, after: Option<Duration> },
}

impl PushError {
    fn unavailable(why: impl Into<String>) -> Self {
        Self::Unavailable { why: why.into(), after: None }
    }
}

fn no_answer(error: &reqwest::Error) -> PushError {
    PushError::unavailable(if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "no answer in time"
    } else {
        "the connection was cut"
    })
}

fn wait_of(response: &Response, now: DateTime<Utc>) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    retry_after::retry_after(value, now)
}

/// Hands messages to apps' push services. An implementation has its own time limit, tries once, and writes
/// neither token nor text anywhere.
pub trait Push: Send + Sync + fmt::Debug {
    /// `Ok` means accepted for delivery, not shown.
    fn push<'a>(
        &'a self,
        device: &'a PushDevice,
        message: &'a PushMessage,
    ) -> BoxFuture<'a, Result<(), PushError>>;
}

/// Why there is no provider of pushes.
#[derive(Debug, thiserror::Error)]
pub enum PushStartError {
    #[error("push.fcm_service_account_file: {0}")]
    File(String),
    #[error("push: {0} is in neither push.fcm_service_account_file nor the settings")]
    Missing(&'static str),
    #[error("push: the private key of the service account is no RSA key in PEM")]
    Key,
    #[error("push: {0} is no http or https URL, or not https in production")]
    Url(&'static str),
    #[error("push: the HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// Every way to push, chosen by the device: apps by the provider that the settings name, browsers by Web Push.
#[derive(Debug)]
pub struct Pushes {
    apps: Box<dyn Push>,
    browsers: WebPush,
}

impl Pushes {
    /// Makes no request. The seed is that of our own key.
    pub fn start(
        settings: &Settings,
        clock: &Clock,
        random: &Random,
        seed: [u8; 32],
    ) -> Result<Self, PushStartError> {
        let apps: Box<dyn Push> = match settings.push.provider {
            PushProvider::Log => Box::new(LogPush),
            PushProvider::Fcm => Box::new(Fcm::start(&settings.push, settings.is_production(), clock)?),
        };
        Ok(Self { apps, browsers: WebPush::start(settings, clock, random, seed)? })
    }

    /// `Ok` means accepted for delivery, not shown.
    pub async fn push(&self, device: &PushDevice, message: &PushMessage) -> Result<(), PushError> {
        match &device.keys {
            Some(keys) => self.browsers.push(device.owner, &device.token, keys, message).await,
            None => self.apps.push(device, message).await,
        }
    }

    /// What browsers subscribe with (`applicationServerKey`), in base64url.
    pub fn web_key(&self) -> &str {
        self.browsers.public_key()
    }
}
