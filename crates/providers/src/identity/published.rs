//! A document that an identity provider publishes: fetched on demand, and remembered.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Client, Response, StatusCode, Url, header::CACHE_CONTROL};
use roadcall_platform::https;
use tokio::sync::Mutex;

use crate::sending;

/// A larger answer of the provider is refused.
const MAX_BYTES: usize = 256 * 1024;
/// The minimum time between two fetches of a document that lacks what a caller needs: forged key ids must not become requests.
const INCOMPLETE_EVERY: TimeDelta = TimeDelta::seconds(60);
/// The minimum time between two attempts while the provider fails, so that sign-ins don't queue up behind its time limit.
const RETRY_EVERY: TimeDelta = TimeDelta::seconds(5);
/// A provider that forbids caching is still asked only this often.
const MIN_AGE_S: u64 = 30;

/// Why the provider gave no usable answer. Contains nothing that was sent to it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ProviderFault {
    #[error("it can't be reached: {0}")]
    Unreachable(String),
    #[error("its answer can't be used: {0}")]
    Unusable(String),
}

/// Makes the client for the provider: `timeout` bounds a whole request. Redirects are not followed: the settings and the
/// provider's document say where to ask.
pub(super) fn client(timeout: Duration) -> reqwest::Result<Client> {
    let redirects = reqwest::redirect::Policy::none();
    https::client().timeout(timeout).connect_timeout(timeout).redirect(redirects).build()
}

/// A document that is used for its `max-age`, within bounds. The old document stays in use when a fetch fails. One fetch runs at
/// a time.
#[derive(Debug)]
pub(super) struct Published<T> {
    /// The document's name in the log.
    name: &'static str,
    client: Client,
    max_age_s: u64,
    cache: Mutex<Remembered<T>>,
}

#[derive(Debug)]
struct Remembered<T> {
    document: Option<Arc<T>>,
    fresh_until: DateTime<Utc>,
    asked_at: Option<DateTime<Utc>>,
    fault: Option<ProviderFault>,
}

impl<T> Published<T> {
    pub fn new(name: &'static str, client: Client, max_age_s: u64) -> Self {
        let cache =
            Remembered { document: None, fresh_until: DateTime::UNIX_EPOCH, asked_at: None, fault: None };
        Self { name, client, max_age_s: max_age_s.max(MIN_AGE_S), cache: Mutex::new(cache) }
    }

    /// Returns the document at `url`. If the remembered one is not `is_complete`, it may be out of date.
    pub async fn get(
        &self,
        url: &Url,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
        is_complete: impl Fn(&T) -> bool,
        now: DateTime<Utc>,
    ) -> Result<Arc<T>, ProviderFault> {
        let mut cache = self.cache.lock().await;
        let is_due = cache.document.is_none() || cache.fresh_until <= now;
        let is_incomplete = cache.document.as_deref().is_some_and(|document| !is_complete(document));
        let waited = cache.asked_at.map_or(TimeDelta::MAX, |asked_at| now - asked_at);
        if (is_due && waited >= RETRY_EVERY) || (is_incomplete && waited >= INCOMPLETE_EVERY) {
            cache.asked_at = Some(now);
            match self.fetch(url, parse).await {
                Ok((document, max_age_s)) => {
                    cache.document = Some(Arc::new(document));
                    cache.fresh_until = now + TimeDelta::seconds(max_age_s);
                    cache.fault = None;
                }
                Err(fault) => {
                    let name = self.name;
                    tracing::warn!(error.cause = %fault, "the identity provider's {name} could not be fetched");
                    cache.fault = Some(fault);
                }
            }
        }
        let never = || ProviderFault::Unreachable("it has not answered yet".to_owned());
        cache.document.clone().ok_or_else(|| cache.fault.clone().unwrap_or_else(never))
    }

    /// Returns the document and for how many seconds it is fresh.
    async fn fetch(
        &self,
        url: &Url,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<(T, i64), ProviderFault> {
        let response = sending::send(self.client.get(url.clone()), "identity").await.map_err(no_answer)?;
        let control = response.headers().get(CACHE_CONTROL).and_then(|value| value.to_str().ok());
        let max_age_s = control.and_then(max_age_s).unwrap_or(self.max_age_s);
        let fresh_s = max_age_s.clamp(MIN_AGE_S, self.max_age_s);
        let (status, body) = read(response).await?;
        if status != StatusCode::OK {
            return Err(of_status(status));
        }
        let document = parse(&body).map_err(ProviderFault::Unusable)?;
        Ok((document, i64::try_from(fresh_s).unwrap_or(i64::MAX)))
    }
}

/// Reads the status and body of an answer.
pub(super) async fn read(response: Response) -> Result<(StatusCode, Vec<u8>), ProviderFault> {
    let status = response.status();
    let body = sending::read(response, MAX_BYTES).await.map_err(no_answer)?;
    let too_large = || ProviderFault::Unusable(format!("it is larger than {MAX_BYTES} bytes"));
    body.map(|body| (status, body)).ok_or_else(too_large)
}

/// Makes a fault of an unexpected status.
pub(super) fn of_status(status: StatusCode) -> ProviderFault {
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        ProviderFault::Unreachable(format!("it answers {}", status.as_u16()))
    } else {
        ProviderFault::Unusable(format!("it answers {}", status.as_u16()))
    }
}

pub(super) fn no_answer(error: reqwest::Error) -> ProviderFault {
    let why = if error.is_timeout() { "no answer in time".to_owned() } else { causes(&error.without_url()) };
    ProviderFault::Unreachable(why)
}

/// Joins the messages of an error and its causes; reqwest itself only says "error sending request".
fn causes(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        said = format!("{said}: {deeper}");
        cause = deeper.source();
    }
    said
}

/// Returns `max-age` of a Cache-Control header, in seconds.
fn max_age_s(control: &str) -> Option<u64> {
    let directives = control.split(',').map(|directive| directive.trim().to_ascii_lowercase());
    directives
        .filter_map(|directive| directive.strip_prefix("max-age=")?.trim_matches('"').parse().ok())
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_age_is_found_among_other_directives() {
        let cases = [
            ("max-age=600", Some(600)),
            ("public, Max-Age=60, must-revalidate", Some(60)),
            ("no-store", None),
            ("max-age=x", None),
            ("s-maxage=5", None),
        ];
        for (control, seconds) in cases {
            assert_eq!(max_age_s(control), seconds, "{control}");
        }
    }
}
