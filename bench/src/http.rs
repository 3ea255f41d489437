//! The public HTTP interface, as a client sees it.

use reqwest::{Method, header::RETRY_AFTER};
use serde_json::Value;

/// A client of the interface: a cheap clone of one connection pool.
#[derive(Debug, Clone)]
pub struct Api {
    client: reqwest::Client,
    base: String,
}

/// An answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// `error.code` of the envelope; TRANSPORT where no answer came, NO_ENVELOPE where the answer had another form.
    pub code: String,
    pub message: String,
    /// The status; `None` where no answer came.
    pub status: Option<u16>,
    /// The seconds of `Retry-After`.
    pub retry_after_s: Option<u64>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Refused {}

impl Refused {
    pub fn new(code: &str, message: impl ToString) -> Self {
        Self { code: code.to_owned(), message: message.to_string(), status: None, retry_after_s: None }
    }

    fn of(status: u16, retry_after_s: Option<u64>, body: &Value) -> Self {
        let text = |field: &str| body["error"][field].as_str().map(str::to_owned);
        let code = text("code").unwrap_or_else(|| "NO_ENVELOPE".to_owned());
        let errors = body["error"].get("errors").map(Value::to_string).unwrap_or_default();
        let message = text("message").unwrap_or_else(|| format!("status {status}: {body}")) + &errors;
        Self { code, message, status: Some(status), retry_after_s }
    }
}

impl Api {
    /// Creates a client of `base`, which has no slash at its end.
    pub fn new(base: &str) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .tcp_nodelay(true)
            .timeout(std::time::Duration::from_secs(15))
            .build()?;
        Ok(Self { client, base: base.to_owned() })
    }

    /// Returns the address of the socket: `ws://…/ws`.
    pub fn socket_url(&self) -> String {
        format!("{}/ws", self.base.replacen("http", "ws", 1))
    }

    pub async fn get(&self, path: &str, token: &str) -> Result<Value, Refused> {
        self.call(Method::GET, path, token, None).await
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Result<Value, Refused> {
        self.call(Method::POST, path, token, Some(body)).await
    }

    /// Returns the body at this path, as text.
    pub async fn text(&self, path: &str) -> Result<String, reqwest::Error> {
        let response = self.client.get(format!("{}{path}", self.base)).send().await?;
        response.error_for_status()?.text().await
    }

    /// Sends a request. An empty `token` is left out. An answer without a body is null.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> Result<Value, Refused> {
        self.send(method, path, token, body, None).await
    }

    /// Posts under a key, by which repeats are carried out once.
    pub async fn post_once(&self, path: &str, token: &str, body: Value, key: &str) -> Result<Value, Refused> {
        self.send(Method::POST, path, token, Some(body), Some(key)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
        key: Option<&str>,
    ) -> Result<Value, Refused> {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let response = request.send().await.map_err(|error| Refused::new("TRANSPORT", error))?;
        let status = response.status();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
        let bytes = response.bytes().await.map_err(|error| Refused::new("TRANSPORT", error))?;
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        if status.is_success() { Ok(body) } else { Err(Refused::of(status.as_u16(), retry_after, &body)) }
    }
}
