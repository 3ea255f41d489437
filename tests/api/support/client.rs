use std::{collections::BTreeSet, net::SocketAddr};

use reqwest::{
    ClientBuilder, Method, RequestBuilder,
    header::HeaderMap,
    redirect::{Action, Attempt, Policy},
};
use roadcall_client::Api;
use serde_json::Value;

use super::{LIMIT, document};

/// A caller. It checks each response against the OpenAPI document.
#[derive(Debug, Clone)]
pub struct Client {
    api: Api,
    token: Option<String>,
}

/// Returns a client for servers of this process, which use no TLS. It reads no certificates, since that takes longer than
/// starting a server.
pub fn plain_http() -> ClientBuilder {
    reqwest::Client::builder().tls_certs_only([])
}

/// Follows a redirect unless it is a signed link: that begins with the service's public address, which leads nowhere in a
/// test.
fn redirected(to: Attempt<'_>) -> Action {
    if to.url().query().is_some() { to.stop() } else { to.follow() }
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The JSON body, or null if the response has none.
    pub body: Value,
    pub text: String,
    /// The method and path, for messages.
    asked: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        let http = plain_http().timeout(LIMIT).redirect(Policy::custom(redirected));
        let http = http.build().expect("an HTTP client");
        Self { api: Api::with(http, &format!("http://{address}")), token: None }
    }

    /// Returns the same client with another token.
    pub fn with_token(&self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self.clone() }
    }

    /// Returns the same client at another server.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { api: Api::with(self.api.http().clone(), &format!("http://{address}")), ..self.clone() }
    }

    /// Returns the same client as somebody who is not signed in.
    pub fn without_token(&self) -> Self {
        Self { token: None, ..self.clone() }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// Returns the items of a list.
    pub async fn list(&self, path: &str) -> Vec<Value> {
        match self.get(path).await.expect(200)["data"].take() {
            Value::Array(items) => items,
            other => panic!("{path} has no list: {other}"),
        }
    }

    /// Returns a field of each item of a list. Its name may be a path: `after/status`.
    pub async fn column(&self, path: &str, field: &str) -> Vec<Value> {
        let pointer = format!("/{field}");
        self.list(path).await.iter().map(|item| item.pointer(&pointer).cloned().unwrap_or_default()).collect()
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Posts a body under an `Idempotency-Key`.
    pub async fn post_once(&self, path: &str, body: &Value, key: &str) -> Answer {
        self.send_as(Method::POST, path, |request| request.header("idempotency-key", key).json(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Sends a request with a JSON body, if one is given.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.send_as(method, path, |request| match &body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }

    /// Sends a request with any change that `alter` makes to it: unusual headers and bodies.
    pub async fn send_as(
        &self,
        method: Method,
        path: &str,
        alter: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let answer = self.try_send_as(&method, path, alter).await;
        answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// POSTs a body unchanged to the webhook, with headers.
    pub async fn webhook(&self, body: impl Into<reqwest::Body>, headers: &[(&str, &str)]) -> Answer {
        let path = "/payments/webhook";
        self.send_as(Method::POST, path, |request| {
            let request = request.header("content-type", "application/json").body(body);
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
        })
        .await
    }

    /// POSTs a body. Returns `None` if the connection ended before the response.
    pub async fn try_post(&self, path: &str, body: Value) -> Option<Answer> {
        self.try_send_as(&Method::POST, path, |request| request.json(&body)).await.ok()
    }

    /// Does the same with any method.
    pub async fn try_send(&self, method: &Method, path: &str, body: Option<&Value>) -> Option<Answer> {
        let alter = |request: RequestBuilder| match body {
            Some(body) => request.json(body),
            None => request,
        };
        self.try_send_as(method, path, alter).await.ok()
    }

    async fn try_send_as(
        &self,
        method: &Method,
        path: &str,
        alter: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> reqwest::Result<Answer> {
        let request = self.api.request(method.clone(), path);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let response = alter(request).send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // An endless response is read by the code that waits for its events (`stream.rs`).
        let is_endless = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let text = if is_endless { String::new() } else { response.text().await? };
        let body = document::check_answer(method, path, status, &headers, &text);
        Ok(Answer { status, headers, body, text, asked: format!("{method} {path}") })
    }
}

impl Answer {
    /// Returns the body of a response with that status; panics with the actual response otherwise.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        self.body
    }

    /// Expects that status and that code in the error envelope.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Value {
        let asked = self.asked.clone();
        let body = self.expect(status);
        assert_eq!(body["error"]["code"], code, "{asked}: {body}");
        body
    }

    /// Expects a refusal whose message has this part.
    #[track_caller]
    pub fn refused_saying(self, status: u16, code: &str, part: &str) -> Value {
        let body = self.refused(status, code);
        let message = body["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{part:?} in {message}");
        body
    }

    /// Expects 422 that names exactly this field: the place inside the field, and the field itself.
    #[track_caller]
    pub fn refused_field(self, field: &str) -> Value {
        let asked = self.asked.clone();
        let body = self.refused(422, "VALIDATION_FAILED");
        let errors = body["error"]["errors"].as_object();
        let named: BTreeSet<&str> = errors.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let whole = field.split(['.', '[']).next().unwrap_or(field);
        assert_eq!(named, BTreeSet::from([whole, field]), "{asked}: {body}");
        body
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
