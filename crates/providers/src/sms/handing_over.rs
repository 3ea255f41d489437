//! Shared code of senders over HTTP: the client, the repetition of a send, and the meaning of an answer.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode, header};
use roadcall_platform::https;
use tokio::time::{sleep, timeout};

use super::SmsError;
use crate::sending;

/// The pause before the one repetition, if the provider does not say how long to wait.
const PAUSE: Duration = Duration::from_millis(250);
/// A larger answer is not read.
const MAX_BYTES: usize = 64 * 1024;

/// How one request ended if it is not certain that the message was taken.
#[derive(Debug)]
pub(super) struct Fault {
    error: SmsError,
    /// The pause after which the message may be taken; `None` if it would be refused again, or if the outcome is unknown.
    again: Option<Duration>,
}

impl Fault {
    /// Makes the fault of a message that would be refused again.
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self { error: SmsError::NotTaken(why.into()), again: None }
    }

    pub(super) fn unknown(why: impl Into<String>) -> Self {
        Self { error: SmsError::Unknown(why.into()), again: None }
    }

    /// Makes the fault of a request without an answer. It never quotes the error, which contains the URL.
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

    /// Makes the fault of an answer whose status is no success. A number that can't be reached, or a faulty message, would be
    /// refused again.
    pub(super) fn of_answer(status: StatusCode, after: Option<Duration>, why: String) -> Self {
        let after = after.unwrap_or(PAUSE);
        match status {
            StatusCode::TOO_MANY_REQUESTS => Self { error: SmsError::NotTaken(why), again: Some(after) },
            status if status.is_server_error() => Self { error: SmsError::Unknown(why), again: Some(after) },
            _ => Self::refused(why),
        }
    }
}

/// Makes the client. Redirects are not followed and no proxy of the environment is used: credentials go only where the settings
/// say.
pub(super) fn client(limit: Duration) -> Result<Client, SmsError> {
    let redirects = reqwest::redirect::Policy::none();
    let client = https::client().timeout(limit).connect_timeout(limit).redirect(redirects).no_proxy();
    client.build().map_err(|error| SmsError::NotTaken(format!("the HTTP client: {error}")))
}

/// Sends once, and once more if the provider was busy; both within the limit.
pub(super) async fn hand_over<F>(limit: Duration, post: impl Fn() -> F) -> Result<(), SmsError>
where
    F: Future<Output = Result<(), Fault>>,
{
    let send = async {
        let Err(fault) = post().await else { return Ok(()) };
        // The caller is waiting: an error now is better than an answer that is too late.
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

/// Reads the body; `None` if it is too large or breaks off.
pub(super) async fn body(response: Response) -> Option<Vec<u8>> {
    sending::read(response, MAX_BYTES).await.ok().flatten()
}
