//! What senders over HTTP have in common: the client, when a send is repeated, and what an answer means.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode, header};
use tokio::time::{sleep, timeout};

use super::SmsError;
use crate::platform::https;

/// Before the one repetition, where the provider does not say how long to wait.
const PAUSE: Duration = Duration::from_millis(250);
/// A larger answer is not read.
const MAX_BYTES: usize = 64 * 1024;

/// How one request ended without the message being taken for sure.
#[derive(Debug)]
pub(super) struct Fault {
    error: SmsError,
    /// The pause after which it may be taken. `None`: it would be refused again, or its outcome is unknown.
    again: Option<Duration>,
}

impl Fault {
    /// It would be refused again.
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self { error: SmsError::NotTaken(why.into()), again: None }
    }

    pub(super) fn unknown(why: impl Into<String>) -> Self {
        Self { error: SmsError::Unknown(why.into()), again: None }
    }

    /// Of a request without an answer. Never the error itself: it quotes the URL.
    pub(super) fn of_request(error: &reqwest::Error) -> Self {
        if error.is_connect() {
            Self { error: SmsError::NotTaken("no connection".to_owned()), again: Some(PAUSE) }
        } else if error.is_timeout() {
            Self::unknown("no answer in time")
        } else if error.is_builder() {
            Self::refused("the request could not be made")
        } else {
            Self::unknown("the connection was cut")
        }
    }

    /// Of an answer whose status is no success. A number that can't be reached, and whatever else is wrong with the message,
    /// would be refused again.
    pub(super) fn of_answer(status: StatusCode, after: Option<Duration>, why: String) -> Self {
        let after = after.unwrap_or(PAUSE);
        match status {
            StatusCode::TOO_MANY_REQUESTS => Self { error: SmsError::NotTaken(why), again: Some(after) },
            status if status.is_server_error() => Self { error: SmsError::Unknown(why), again: Some(after) },
            _ => Self::refused(why),
        }
    }
}

/// Redirects are not followed and no proxy of the environment is used: credentials go where the settings say.
pub(super) fn client(limit: Duration) -> Result<Client, SmsError> {
    let redirects = reqwest::redirect::Policy::none();
    let client = https::client().timeout(limit).connect_timeout(limit).redirect(redirects).no_proxy();
    client.build().map_err(|error| SmsError::NotTaken(format!("the HTTP client: {error}")))
}

/// Once, and once more where the provider was busy; both within the limit.
pub(super) async fn hand_over<F>(limit: Duration, post: impl Fn() -> F) -> Result<(), SmsError>
where
    F: Future<Output = Result<(), Fault>>,
{
    let send = async {
        let Err(fault) = post().await else { return Ok(()) };
        // The caller waits for this: an error now is better than an answer that is too late.
        let Some(pause) = fault.again.filter(|pause| *pause < limit) else { return Err(fault.error) };
        sleep(pause).await;
        post().await.map_err(|second| match (fault.error, second.error) {
            (SmsError::Unknown(_), SmsError::NotTaken(why)) => SmsError::Unknown(why),
            (_, error) => error,
        })
    };
    timeout(limit, send).await.unwrap_or_else(|_| Err(SmsError::Unknown("no answer in time".to_owned())))
}

pub(super) fn retry_after(response: &Response) -> Option<Duration> {
    let wait = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    wait.trim().parse().ok().map(Duration::from_secs)
}

/// The body; `None` if it is too large or breaks off.
pub(super) async fn body(mut response: Response) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if body.len() + chunk.len() > MAX_BYTES {
            return None;
        }
        body.extend_from_slice(&chunk);
    }
    Some(body)
}
