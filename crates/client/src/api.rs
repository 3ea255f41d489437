//! Requests with JSON.

use std::{fmt, time::Duration};

use bytes::Bytes;
use reqwest::{Client, Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ClientError, Patience};

/// A client of a server. Clones share its connections.
///
/// The requests of this type return JSON as it came; an empty `token` is left out, and an answer without a body is null. Those of
/// a [`Person`](crate::Person) have their token, and read a type.
#[derive(Debug, Clone)]
pub struct Api {
    http: Client,
    base: String,
    patience: Patience,
}

/// A request with JSON, which may be sent several times.
#[derive(Clone, Default, derive_more::Display)]
#[display("{method} {path}")]
pub(crate) struct Request<'a> {
    pub method: Method,
    pub path: &'a str,
    pub token: &'a str,
    pub body: Option<&'a Value>,
    /// The key by which repeats are carried out once.
    pub key: Option<&'a str>,
}

impl Api {
    /// Creates a client of the server at `base`, such as `http://127.0.0.1:8080`, which waits this long for an answer.
    pub fn new(base: &str, limit: Duration) -> Result<Self, ClientError> {
        let http = Client::builder().no_proxy().timeout(limit).build();
        Ok(Self::with(http.map_err(|error| ClientError::silent("the HTTP client", error))?, base))
    }

    /// Creates a client of the server at `base` that sends as `http` does.
    pub fn with(http: Client, base: &str) -> Self {
        Self { http, base: base.trim_end_matches('/').to_owned(), patience: Patience::NONE }
    }

    /// Returns the same client, which repeats requests.
    pub fn patient(&self, patience: Patience) -> Self {
        Self { patience, ..self.clone() }
    }

    /// Returns the client of any server.
    pub fn http(&self) -> &Client {
        &self.http
    }

    /// Returns the server's address, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the address of the socket: `ws://…/ws`.
    pub fn socket_url(&self) -> String {
        format!("{}/ws", self.base.replacen("http", "ws", 1))
    }

    /// Returns a request with its method and path alone, which the caller completes.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str, token: &str) -> Result<Value, ClientError> {
        self.call(&Request { path, token, ..Request::default() }).await
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Result<Value, ClientError> {
        let (method, body) = (Method::POST, Some(&body));
        self.call(&Request { method, path, token, body, key: None }).await
    }

    pub async fn put(&self, path: &str, token: &str, body: Value) -> Result<Value, ClientError> {
        let (method, body) = (Method::PUT, Some(&body));
        self.call(&Request { method, path, token, body, key: None }).await
    }

    /// Posts under a key, by which repeats are carried out once.
    pub async fn post_once(
        &self,
        path: &str,
        token: &str,
        body: Value,
        key: &str,
    ) -> Result<Value, ClientError> {
        let (method, body) = (Method::POST, Some(&body));
        self.call(&Request { method, path, token, body, key: Some(key) }).await
    }

    /// Returns the body at this path, as text.
    pub async fn text(&self, path: &str) -> Result<String, ClientError> {
        let request = Request { path, ..Request::default() };
        let body = sent(self.build(&request), &request).await?;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    pub(crate) async fn call<T: DeserializeOwned>(&self, request: &Request<'_>) -> Result<T, ClientError> {
        let body = self.patience.repeat(|| sent(self.build(request), request)).await?;
        let json: &[u8] = if body.is_empty() { b"null" } else { &body };
        serde_json::from_slice(json).map_err(|error| ClientError::odd(request, error))
    }

    fn build(&self, request: &Request<'_>) -> RequestBuilder {
        let mut built = self.request(request.method.clone(), request.path);
        if !request.token.is_empty() {
            built = built.bearer_auth(request.token);
        }
        if let Some(body) = request.body {
            built = built.json(body);
        }
        if let Some(key) = request.key {
            built = built.header("idempotency-key", key);
        }
        built
    }
}

/// Sends a request of any form once, and returns the body of a success. `asked` names it in errors.
pub async fn sent(request: RequestBuilder, asked: impl fmt::Display) -> Result<Bytes, ClientError> {
    let silent = |error: reqwest::Error| ClientError::silent(&asked, error.without_url());
    let mut response = request.send().await.map_err(silent)?;
    let status = response.status();
    if status.is_success() {
        return response.bytes().await.map_err(silent);
    }
    let headers = std::mem::take(response.headers_mut());
    let body = response.bytes().await.map_err(silent)?;
    Err(ClientError::refused(&asked, status.as_u16(), &headers, &body))
}
