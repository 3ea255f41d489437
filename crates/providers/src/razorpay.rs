//! Razorpay's HTTP API (razorpay.com/docs/api), as far as the gateway and the payout provider share it: its address, the key, and
//! the errors.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use roadcall_platform::{https, settings::Secret};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{
    ProviderError,
    sending::{self, no_answer},
};

/// A larger answer is not read; a hundred payments take less.
const MAX_BYTES: usize = 1024 * 1024;
/// Characters of a refusal's text that rows and logs keep.
const MAX_DESCRIPTION: usize = 200;
/// The number of rows in a list: the most that Razorpay gives at once.
pub const LIST: &str = "100";

/// Asks Razorpay under one key.
#[derive(derive_more::Debug, Clone)]
#[debug("Api {{ host: {:?}, .. }}", self.base.host_str())]
pub struct Api {
    client: Client,
    base: Url,
    key_id: String,
    key_secret: Secret,
}

/// A list of objects of a kind.
#[derive(Debug, Deserialize)]
pub struct Collection<T> {
    pub items: Vec<T>,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorDetail,
}

#[derive(Deserialize)]
struct ErrorDetail {
    code: String,
    description: Option<String>,
}

impl Api {
    /// Makes the client. `timeout` bounds a whole request. Redirects are not followed and no proxy of the environment is used:
    /// the key goes only where the settings say.
    pub fn new(base: Url, key_id: &str, key_secret: &Secret, timeout: Duration) -> reqwest::Result<Self> {
        let redirects = reqwest::redirect::Policy::none();
        let client = https::client().timeout(timeout).connect_timeout(timeout).redirect(redirects);
        let client = client.no_proxy().build()?;
        Ok(Self { client, base, key_id: key_id.to_owned(), key_secret: key_secret.clone() })
    }

    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// Gets an object; `None` if it does not exist.
    pub async fn find<T: DeserializeOwned>(&self, path: &[&str]) -> Result<Option<T>, ProviderError> {
        match self.get(path, &[]).await {
            Err(error) if is_absent(&error) => Ok(None),
            found => found.map(Some),
        }
    }

    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, ProviderError> {
        let mut url = self.url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.ask(self.client.get(url)).await
    }

    /// Posts a body. `key` is the header of an idempotency key, and the key.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &impl Serialize,
        key: Option<(&str, Uuid)>,
    ) -> Result<T, ProviderError> {
        let request = self.client.post(self.url(path)).json(body);
        let request = match key {
            Some((header, key)) => request.header(header, key.to_string()),
            None => request,
        };
        self.ask(request).await
    }

    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        let base = self.base.path().trim_end_matches('/');
        url.set_path(&format!("{base}/v1/{}", path.join("/")));
        url
    }

    async fn ask<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ProviderError> {
        let request = request.basic_auth(&self.key_id, Some(&self.key_secret.0));
        let response = sending::send(request, "razorpay").await.map_err(|error| no_answer(&error))?;
        let status = response.status();
        let body = read(response).await?;
        if status.is_success() {
            let read = serde_json::from_slice(&body);
            return read.map_err(|_| {
                ProviderError::Unknown("the answer does not have the documented form".to_owned())
            });
        }
        Err(refusal(status, &body))
    }
}

async fn read(response: Response) -> Result<Vec<u8>, ProviderError> {
    let body = sending::read(response, MAX_BYTES).await.map_err(|error| no_answer(&error))?;
    body.ok_or_else(|| ProviderError::Unknown(format!("the answer is larger than {MAX_BYTES} bytes")))
}

fn refusal(status: StatusCode, body: &[u8]) -> ProviderError {
    let description = format!("status {}", status.as_u16());
    match status {
        StatusCode::TOO_MANY_REQUESTS => return ProviderError::Unavailable(description),
        // Razorpay did nothing, and will do it once an operator has corrected the key.
        StatusCode::UNAUTHORIZED => {
            tracing::error!("razorpay does not accept gateway.key_id and gateway.key_secret");
            return ProviderError::Unavailable("the key is not accepted".to_owned());
        }
        // A timeout, or an unfinished request with the same idempotency key.
        StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT => return ProviderError::Unknown(description),
        _ if !status.is_client_error() => return ProviderError::Unknown(description),
        _ => {}
    }
    match serde_json::from_slice(body) {
        Ok(ErrorBody { error }) => ProviderError::Refused {
            code: shown(&error.code),
            description: shown(&error.description.unwrap_or_default()),
        },
        // The answer came from something between us and Razorpay.
        Err(_) => ProviderError::Unknown(description),
    }
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_DESCRIPTION).collect()
}

/// Returns whether the object does not exist: Razorpay refuses an unknown id with 400.
fn is_absent(error: &ProviderError) -> bool {
    let ProviderError::Refused { description, .. } = error else { return false };
    description.to_ascii_lowercase().contains("does not exist")
}

/// Returns whether an id is safe in a path: ids come from apps and webhooks.
pub fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the id of an object that must exist, if it is safe in a path.
pub fn id(id: &str) -> Result<&str, ProviderError> {
    let refused = || ProviderError::Refused {
        code: "BAD_REQUEST_ERROR".to_owned(),
        description: "The id provided does not exist".to_owned(),
    };
    is_id(id).then_some(id).ok_or_else(refused)
}

/// Turns an unknown outcome into a failure, for a call that comes before the decisive one: the decisive call was surely not made.
pub fn not_yet(error: ProviderError) -> ProviderError {
    match error {
        ProviderError::Unknown(why) => ProviderError::Unavailable(why),
        error => error,
    }
}

/// Makes the error of an answer about a different object.
pub fn wrong_answer(what: &str) -> ProviderError {
    ProviderError::Unknown(format!("the answer is about another {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_go_into_paths() {
        for odd in ["", "..", "pay_1/capture", "pay 1", "pay_1?x", "é", "pay-1", &"a".repeat(65)] {
            assert!(!is_id(odd) && id(odd).is_err(), "{odd:?}");
        }
        assert_eq!(id("pay_29QQoUBi66xm2f"), Ok("pay_29QQoUBi66xm2f"));
    }
}
