//! A thin client of the public interface, as an app would have: sign-up, tokens that are renewed, requests with a
//! time limit and a few careful repeats.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use reqwest::{Method, Response, StatusCode, header::RETRY_AFTER};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use uuid::Uuid;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of times that a request is sent that is refused for now or gets no answer.
const TRIES: u32 = 3;
/// The longest wait before a repeat, even if `Retry-After` asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The name of a request with a file in error messages.
const BYTES: &str = "the bytes of a photo";

/// The reason why a request failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ApiError {
    #[error("{what}: {status} {code}: {message}")]
    Refused { what: String, status: u16, code: String, message: String },
    #[error("{what}: no answer: {why}")]
    Silent { what: String, why: String },
    #[error("{what}: an answer that is not as documented: {why}")]
    Odd { what: String, why: String },
}

impl ApiError {
    /// Returns the refusal's code, e.g. INVALID_TRANSITION.
    pub fn code(&self) -> Option<&str> {
        match self {
            ApiError::Refused { code, .. } => Some(code),
            ApiError::Silent { .. } | ApiError::Odd { .. } => None,
        }
    }
}

/// The status of a job (contract 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pending,
    Dispatching,
    Accepted,
    EnRoute,
    Arrived,
    InProgress,
    Completed,
    Paid,
    Cancelled,
    NoMechanicFound,
    Disputed,
    Resolved,
}

impl Status {
    /// Returns whether nothing in the demo changes the job any more.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Paid | Self::Cancelled | Self::Disputed | Self::Resolved)
    }

    /// Returns whether a mechanic has the job.
    pub fn is_served(self) -> bool {
        matches!(self, Self::Accepted | Self::EnRoute | Self::Arrived | Self::InProgress)
    }
}

/// The fields of a job that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Job {
    pub id: Uuid,
    pub status: Status,
    pub seq: i64,
    pub service_category_slug: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub destination: Option<Destination>,
    /// Since when the vehicle is on the truck.
    pub loaded_at: Option<DateTime<Utc>>,
    pub mechanic_profile_id: Option<Uuid>,
    /// The start code, which only customers see.
    pub start_code: Option<String>,
    pub created_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    /// The fee in rupees.
    pub cancellation_fee: Option<f64>,
}

/// The place to which a vehicle is towed.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Destination {
    pub lat: f64,
    pub lng: f64,
}

/// The fields of a line item that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct LineItem {
    pub id: Uuid,
    pub status: String,
    pub description: String,
    /// This and the total, in rupees, are what the customer agrees to.
    pub version: i64,
    pub total: f64,
}

/// The fields of an offer that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Offer {
    pub id: Uuid,
}

/// The fields of a service category that the demo reads.
#[derive(Debug, Clone, Deserialize)]
pub struct Category {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    pub vehicle_types: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Envelope<T> {
    data: T,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    error: RefusalDetail,
}

#[derive(Debug, Deserialize)]
struct RefusalDetail {
    code: String,
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    access_token: String,
    refresh_token: String,
}

#[derive(Deserialize)]
struct OtpSent {
    otp: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IdToken {
    id_token: String,
}

/// The service, for a client without a token.
#[derive(Debug, Clone)]
pub struct Api {
    http: reqwest::Client,
    base: String,
}

/// A person who is signed in. Clones share the tokens.
#[derive(Clone)]
pub struct Person {
    api: Api,
    tokens: Arc<Mutex<Tokens>>,
}

impl std::fmt::Debug for Person {
    // Tokens must not reach a log through a debug print.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Person").finish_non_exhaustive()
    }
}

/// The place to which the bytes of a file are uploaded.
#[derive(Deserialize)]
struct Announced {
    upload_id: Uuid,
    url: String,
    headers: BTreeMap<String, String>,
}

/// A file that the service has checked.
#[derive(Deserialize)]
struct Kept {
    file_url: String,
}

/// A request, which may be sent several times.
struct Request<'a> {
    method: Method,
    path: &'a str,
    body: Option<&'a Value>,
    idempotency_key: Option<&'a str>,
}

impl Api {
    /// Creates a client of the service at `base`, such as `http://127.0.0.1:8080`, without a slash at its end.
    pub fn new(base: &str) -> Result<Self, ApiError> {
        let http = reqwest::Client::builder().timeout(REQUEST_TIMEOUT).no_proxy().build();
        let http = http
            .map_err(|error| ApiError::Silent { what: "the HTTP client".into(), why: error.to_string() })?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned() })
    }

    /// Returns the address at which sockets are opened.
    pub fn socket_url(&self) -> String {
        format!("{}/ws", self.base.replacen("http", "ws", 1))
    }

    /// Signs in with a phone number; the first time creates the account. The one-time password is read from the answer, which
    /// shows it only in development.
    pub async fn sign_in(&self, phone: &str, name: &str) -> Result<Person, ApiError> {
        let sent: Envelope<OtpSent> = self.post("/auth/send-otp", &json!({ "phone": phone })).await?;
        let otp = sent.data.otp.ok_or_else(|| ApiError::Odd {
            what: "POST /auth/send-otp".into(),
            why: "it shows no one-time password; the demo needs a service in development".into(),
        })?;
        let body = json!({ "phone": phone, "otp": otp, "name": name });
        let tokens: Envelope<Tokens> = self.post("/auth/verify-otp", &body).await?;
        Ok(self.person(tokens.data))
    }

    /// Signs an admin in by the embedded identity provider.
    pub async fn sign_in_admin(&self, email: &str, password: &str) -> Result<Person, ApiError> {
        let token: IdToken =
            self.post("/idp/token", &json!({ "email": email, "password": password })).await?;
        let tokens: Envelope<Tokens> =
            self.post("/auth/admin-login", &json!({ "idpIdToken": token.id_token })).await?;
        Ok(self.person(tokens.data))
    }

    /// Returns the holder of this access token, for as long as it is valid.
    pub fn holder_of(&self, access_token: &str) -> Person {
        self.person(Tokens { access_token: access_token.to_owned(), refresh_token: String::new() })
    }

    fn person(&self, tokens: Tokens) -> Person {
        Person { api: self.clone(), tokens: Arc::new(Mutex::new(tokens)) }
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, ApiError> {
        let request = Request { method: Method::POST, path, body: Some(body), idempotency_key: None };
        read(&request, self.send(&request, None).await?).await
    }

    async fn send(&self, request: &Request<'_>, token: Option<&str>) -> Result<Response, ApiError> {
        repeated(|| self.send_once(request, token)).await
    }

    /// Sends the bytes of a file to its link. A link to the service itself is rewritten to the address at which this client
    /// reaches it.
    async fn send_file(&self, to: &Announced, bytes: Vec<u8>) -> Result<(), ApiError> {
        let path = format!("/uploads/{}/content", to.upload_id);
        let own = to.url.find(&path).map(|start| format!("{}{}", self.base, &to.url[start..]));
        let url = own.as_deref().unwrap_or(&to.url);
        let answer = repeated(|| self.send_file_once(url, to, bytes.clone())).await?;
        match answer.status() {
            // A try that got no answer may have brought the bytes.
            status if status.is_success() || status == StatusCode::CONFLICT => Ok(()),
            status => Err(ApiError::Odd { what: BYTES.to_owned(), why: status.to_string() }),
        }
    }

    async fn send_file_once(&self, url: &str, to: &Announced, bytes: Vec<u8>) -> Result<Response, ApiError> {
        let mut request = self.http.put(url);
        for (name, value) in &to.headers {
            request = request.header(name.as_str(), value.as_str());
        }
        let sent = request.body(bytes).send().await;
        sent.map_err(|error| ApiError::Silent {
            what: BYTES.to_owned(),
            why: error.without_url().to_string(),
        })
    }

    async fn send_once(&self, request: &Request<'_>, token: Option<&str>) -> Result<Response, ApiError> {
        let mut built = self.http.request(request.method.clone(), format!("{}{}", self.base, request.path));
        if let Some(body) = request.body {
            built = built.json(body);
        }
        if let Some(token) = token {
            built = built.bearer_auth(token);
        }
        if let Some(key) = request.idempotency_key {
            built = built.header("idempotency-key", key);
        }
        built
            .send()
            .await
            .map_err(|error| ApiError::Silent { what: request.name(), why: error.without_url().to_string() })
    }
}

impl Request<'_> {
    /// Returns the request's name for error messages.
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

impl Person {
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiError> {
        self.ask(Request { method: Method::GET, path, body: None, idempotency_key: None }).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, ApiError> {
        self.ask(Request { method: Method::POST, path, body: Some(&body), idempotency_key: None }).await
    }

    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, ApiError> {
        self.ask(Request { method: Method::PUT, path, body: Some(&body), idempotency_key: None }).await
    }

    /// Creates something at most once, however often the request has to be sent.
    pub async fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: Value,
        key: &str,
    ) -> Result<T, ApiError> {
        self.ask(Request { method: Method::POST, path, body: Some(&body), idempotency_key: Some(key) }).await
    }

    /// Uploads a picture for this purpose, and returns the URL by which bodies name it.
    pub async fn upload(&self, purpose: &str, png: Vec<u8>) -> Result<String, ApiError> {
        let new = json!({ "purpose": purpose, "content_type": "image/png", "size_bytes": png.len() });
        let announced: Announced = self.post("/uploads/presign", new).await?;
        self.api.send_file(&announced, png).await?;
        let kept: Kept = self.post(&format!("/uploads/{}/complete", announced.upload_id), json!({})).await?;
        Ok(kept.file_url)
    }

    /// Returns every category.
    pub async fn categories(&self) -> Result<Vec<Category>, ApiError> {
        Ok(self.get::<Envelope<_>>("/service-categories").await?.data)
    }

    /// Returns the address of the socket and the token to open it with.
    pub async fn socket(&self) -> (String, String) {
        (self.api.socket_url(), self.tokens.lock().await.access_token.clone())
    }

    /// Renews the pair of tokens.
    pub async fn renew(&self) -> Result<(), ApiError> {
        let mut tokens = self.tokens.lock().await;
        let body = json!({ "refreshToken": tokens.refresh_token });
        let renewed: Envelope<Tokens> = self.api.post("/auth/refresh", &body).await?;
        *tokens = renewed.data;
        Ok(())
    }

    async fn ask<T: DeserializeOwned>(&self, request: Request<'_>) -> Result<T, ApiError> {
        let token = self.tokens.lock().await.access_token.clone();
        let mut response = self.api.send(&request, Some(&token)).await?;
        if response.status() == StatusCode::UNAUTHORIZED {
            self.renew().await?;
            let token = self.tokens.lock().await.access_token.clone();
            response = self.api.send(&request, Some(&token)).await?;
        }
        read(&request, response).await
    }
}

/// Sends a request, and repeats it if it was refused for now (429, 503) or got no answer.
async fn repeated<F>(send_once: impl Fn() -> F) -> Result<Response, ApiError>
where
    F: Future<Output = Result<Response, ApiError>>,
{
    let mut tries = 1;
    loop {
        let answer = send_once().await;
        let wait = match &answer {
            Ok(response) if is_for_now(response.status()) => retry_after(response),
            Err(_) => Duration::from_millis(500),
            Ok(_) => return answer,
        };
        if tries == TRIES {
            return answer;
        }
        tries += 1;
        tokio::time::sleep(wait.min(LONGEST_WAIT)).await;
    }
}

fn is_for_now(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

fn retry_after(response: &Response) -> Duration {
    let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    Duration::from_secs(header.and_then(|seconds| seconds.parse().ok()).unwrap_or(1))
}

async fn read<T: DeserializeOwned>(request: &Request<'_>, response: Response) -> Result<T, ApiError> {
    let status = response.status();
    let body = response.bytes().await;
    let body = body
        .map_err(|error| ApiError::Silent { what: request.name(), why: error.without_url().to_string() })?;
    if status.is_success() {
        return serde_json::from_slice(&body)
            .map_err(|error| ApiError::Odd { what: request.name(), why: error.to_string() });
    }
    match serde_json::from_slice::<Refusal>(&body) {
        Ok(Refusal { error }) => Err(ApiError::Refused {
            what: request.name(),
            status: status.as_u16(),
            code: error.code,
            message: error.message,
        }),
        Err(error) => {
            Err(ApiError::Odd { what: request.name(), why: format!("{status} without an envelope: {error}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    const FILE: &[u8] = b"a picture";

    /// Sends a file to a server that gives these answers, and returns the outcome and how many of them were needed.
    async fn sent(answers: &[&str]) -> (Result<(), ApiError>, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let api =
            Api::new(&format!("http://{}", listener.local_addr().expect("an address"))).expect("a client");
        let upload_id = Uuid::from_u128(7);
        let url = format!("https://elsewhere.example/uploads/{upload_id}/content?signature=x");
        let to = Announced { upload_id, url, headers: BTreeMap::new() };
        let mut needed = 0;
        let serving = async {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.expect("a request");
                let (mut request, mut chunk) = (Vec::new(), [0; 1024]);
                while !request.ends_with(FILE) {
                    let read = stream.read(&mut chunk).await.expect("bytes");
                    assert!(read > 0, "the request is not whole");
                    request.extend_from_slice(&chunk[..read]);
                }
                needed += 1;
                let head = format!(
                    "HTTP/1.1 {answer}\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).await.expect("an answer");
            }
            std::future::pending::<()>().await;
        };
        let outcome = tokio::select! {
            outcome = api.send_file(&to, FILE.to_vec()) => outcome,
            () = serving => unreachable!("it serves for ever"),
        };
        (outcome, needed)
    }

    #[tokio::test]
    async fn a_file_that_is_refused_for_now_is_sent_again_and_not_for_ever() {
        let (busy, limited) = ("503 Service Unavailable", "429 Too Many Requests");
        for (answers, is_sent, tries) in [
            (vec!["200 OK"], true, 1),
            (vec![limited, busy, "200 OK"], true, 3),
            (vec![busy, "409 Conflict"], true, 2),
            (vec![busy; 4], false, 3),
            (vec!["403 Forbidden", "200 OK"], false, 1),
        ] {
            let (outcome, needed) = sent(&answers).await;
            assert_eq!((outcome.is_ok(), needed), (is_sent, tries), "{answers:?}: {outcome:?}");
        }
    }
}
