//! A provider somewhere else: its keys are fetched over HTTP and remembered.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{BoxFuture, FutureExt};
use reqwest::{Client, Url, header::CACHE_CONTROL};
use tokio::sync::Mutex;

use super::{
    id_token::{self, Expected, Keys},
    model::{Identity, IdentityError, IdentityVerifier},
};

/// A key set larger than this is refused.
const MAX_BYTES: usize = 256 * 1024;
/// Least time between two fetches that an unknown key id asks for: forged ids must not become requests.
const UNKNOWN_KID_EVERY: TimeDelta = TimeDelta::seconds(60);
/// Least time between two attempts while the provider fails, so that logins don't queue up behind its time limit.
const RETRY_EVERY: TimeDelta = TimeDelta::seconds(5);
/// A provider that forbids caching is still asked only this often.
const LEAST_AGE_S: u64 = 30;

/// Verifies against a JWK set at a URL. The set is fetched when first needed and used for its `max-age`, within
/// bounds; when a fetch fails the old set goes on serving; one fetch runs at a time.
#[derive(Debug)]
pub struct JwksVerifier {
    url: Url,
    client: Client,
    expected: Expected,
    max_age_s: u64,
    cache: Mutex<Remembered>,
}

#[derive(Debug, Default)]
struct Remembered {
    keys: Option<Arc<Keys>>,
    fresh_until: DateTime<Utc>,
    asked_at: Option<DateTime<Utc>>,
}

impl JwksVerifier {
    /// `timeout` bounds a whole fetch. Redirects are not followed: the URL is the root of trust.
    pub fn new(url: Url, expected: Expected, timeout: Duration, max_age_s: u64) -> reqwest::Result<Self> {
        let redirects = reqwest::redirect::Policy::none();
        let client = Client::builder().timeout(timeout).redirect(redirects).build()?;
        let max_age_s = max_age_s.max(LEAST_AGE_S);
        Ok(Self { url, client, expected, max_age_s, cache: Mutex::default() })
    }

    async fn keys_for(&self, kid: &str, now: DateTime<Utc>) -> Result<Arc<Keys>, IdentityError> {
        let mut cache = self.cache.lock().await;
        let is_due = cache.keys.is_none() || cache.fresh_until <= now;
        let is_unknown = cache.keys.as_ref().is_some_and(|keys| !keys.has(kid));
        let waited = cache.asked_at.map_or(TimeDelta::MAX, |asked_at| now - asked_at);
        if (is_due && waited >= RETRY_EVERY) || (is_unknown && waited >= UNKNOWN_KID_EVERY) {
            cache.asked_at = Some(now);
            match self.fetch().await {
                Ok((keys, max_age_s)) => {
                    cache.keys = Some(Arc::new(keys));
                    cache.fresh_until = now + TimeDelta::seconds(max_age_s);
                }
                Err(why) => {
                    tracing::warn!(error.cause = %why, "the identity provider's keys could not be fetched")
                }
            }
        }
        cache
            .keys
            .clone()
            .ok_or_else(|| IdentityError::Provider("its keys have never been fetched".to_owned()))
    }

    /// The set and for how many seconds it is fresh.
    async fn fetch(&self) -> Result<(Keys, i64), String> {
        let response = self.client.get(self.url.clone()).send().await.map_err(|why| why.to_string())?;
        let mut response = response.error_for_status().map_err(|why| why.to_string())?;
        let control = response.headers().get(CACHE_CONTROL).and_then(|value| value.to_str().ok());
        let max_age_s = control.and_then(max_age_s).unwrap_or(self.max_age_s);
        let fresh_s = max_age_s.clamp(LEAST_AGE_S, self.max_age_s);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|why| why.to_string())? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(format!("the key set is larger than {MAX_BYTES} bytes"));
            }
            body.extend_from_slice(&chunk);
        }
        let keys = Keys::parse(&body).map_err(|why| why.to_string())?;
        Ok((keys, i64::try_from(fresh_s).unwrap_or(i64::MAX)))
    }
}

impl IdentityVerifier for JwksVerifier {
    fn verify<'a>(
        &'a self,
        id_token: &'a str,
        now: DateTime<Utc>,
    ) -> BoxFuture<'a, Result<Identity, IdentityError>> {
        async move {
            let kid = id_token::kid(id_token)?;
            let keys = self.keys_for(&kid, now).await?;
            let identity = keys.read(id_token, &self.expected, now)?;
            // A claim of that name means nothing here.
            Ok(Identity { account_version: None, ..identity })
        }
        .boxed()
    }
}

/// `max-age` of a Cache-Control header, in seconds.
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
