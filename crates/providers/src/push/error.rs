use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::{Response, header};

use super::retry_after::retry_after;

/// Why a push was not taken. The texts contain neither the token nor any part of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// No app has this token any longer: delete it.
    #[error("the token is of no app any more")]
    Gone,
    /// The push service would refuse the same push again.
    #[error("refused by the push service: {0}")]
    Refused(String),
    /// The push was not accepted, or its outcome is unknown; it may be tried again, after this time if the service gives one.
    #[error("the push service can't be reached: {why}")]
    Unavailable { why: String, after: Option<Duration> },
}

impl PushError {
    pub(super) fn unavailable(why: impl Into<String>) -> Self {
        Self::Unavailable { why: why.into(), after: None }
    }
}

pub(super) fn no_answer(error: &reqwest::Error) -> PushError {
    PushError::unavailable(if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "no answer in time"
    } else {
        "the connection was cut"
    })
}

pub(super) fn wait_of(response: &Response, now: DateTime<Utc>) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    retry_after(value, now)
}

/// Why the push provider can't be started.
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
