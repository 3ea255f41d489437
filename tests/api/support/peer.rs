//! The server of another company, on a port of its own. It records its requests, and answers as its documentation says or as the
//! test has scripted.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use futures_util::stream;
use serde_json::Value;
use tokio::{net::TcpStream, sync::watch};

use super::within;

/// The largest body of a request that a peer takes.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// A peer's way of answering a request.
#[derive(Debug, Clone)]
pub enum Manner {
    /// It does what its documentation says.
    Documented,
    /// It answers with this status, these headers and this body.
    Says(u16, Vec<(&'static str, String)>, String),
    /// It takes the request and does not respond.
    Silent,
    /// It does what its documentation says, and ends the connection within a response with this status.
    Cut(u16),
    /// It sends more than anybody should read.
    Endless,
}

/// Returns an answer with this status and body, as JSON.
pub fn says(status: u16, body: impl ToString) -> Manner {
    Manner::Says(status, vec![("content-type", "application/json".to_owned())], body.to_string())
}

/// Returns an answer that redirects there.
pub fn redirects(to: impl ToString) -> Manner {
    says(302, "").with("location", to)
}

impl Manner {
    /// Returns the same answer with this header.
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        if let Self::Says(_, headers, _) = &mut self {
            headers.retain(|(known, _)| *known != name);
            headers.push((name, value.to_string()));
        }
        self
    }

    /// Returns the same answer with a `Retry-After`, if it has one.
    pub fn retry_after(self, after: Option<&str>) -> Self {
        match after {
            Some(after) => self.with("retry-after", after),
            None => self,
        }
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct PeerRequest {
    pub method: String,
    pub path: String,
    pub query: String,
    /// The headers by their names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Bytes,
}

impl PeerRequest {
    fn new(request: &HttpRequest, body: Bytes) -> Self {
        let headers = request.headers().iter();
        let headers =
            headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("").to_owned()));
        Self {
            method: request.method().to_string(),
            path: request.path().to_owned(),
            query: request.query_string().to_owned(),
            headers: headers.collect(),
            body,
        }
    }

    /// Returns method and path: `POST /v1/orders`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the token of RFC 6750.
    pub fn bearer(&self) -> Option<&str> {
        self.header("authorization")?.strip_prefix("Bearer ")
    }

    /// Returns whether it has this user and password (RFC 7617).
    pub fn is_by(&self, user: &str, password: &str) -> bool {
        let expected = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
        self.header("authorization").is_some_and(|given| given == expected)
    }

    pub fn parameters(&self) -> BTreeMap<String, String> {
        url::form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    /// Returns the fields of a form.
    pub fn form(&self) -> BTreeMap<String, String> {
        url::form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// Returns the body, or null if it is no JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The part of a peer that is special to its company.
pub trait Provider: Default + Send + 'static {
    /// Takes note of a request. Returns how it is answered whatever the test has scripted, e.g. for wrong credentials.
    fn receive(&mut self, _request: &PeerRequest) -> Option<Manner> {
        None
    }

    /// Responds as the documentation says.
    fn answer(&mut self, request: &PeerRequest) -> HttpResponse;
}

/// The server. It ends with the test.
pub struct Peer<P> {
    pub port: u16,
    state: Arc<State<P>>,
    server: ServerHandle,
}

#[derive(Default)]
struct State<P> {
    provider: Mutex<P>,
    script: Mutex<Script>,
    requests: watch::Sender<Vec<PeerRequest>>,
}

#[derive(Default)]
struct Script {
    /// The answers to the next requests, one after the other.
    next: VecDeque<Manner>,
    /// The answers to later requests whose line has this part. The last one that fits counts.
    later: Vec<(&'static str, Manner)>,
}

impl Script {
    fn manner(&mut self, request: &PeerRequest) -> Manner {
        let line = request.line();
        let later = || self.later.iter().rev().find(|(part, _)| line.contains(part));
        let next = self.next.pop_front();
        next.or_else(|| later().map(|(_, manner)| manner.clone())).unwrap_or(Manner::Documented)
    }
}

impl<P: Provider> Peer<P> {
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    /// Listens on this port, or on a free one if it is 0.
    pub async fn start_at(port: u16) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State<P>>::default();
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::from(shared.clone()))
                .app_data(web::PayloadConfig::new(MAX_BODY))
                .default_service(web::to(answer::<P>))
        });
        // A connection that outlives its request would outlive the peer's death.
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.listen(listener).unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn provider(&self) -> MutexGuard<'_, P> {
        self.state.provider.lock().unwrap()
    }

    /// Sets the manner of all answers from now on.
    pub fn answer_as(&self, manner: Manner) {
        self.answer_at("", manner);
    }

    /// Sets the manner of answers from now on to requests whose line has this part.
    pub fn answer_at(&self, part: &'static str, manner: Manner) {
        self.state.script.lock().unwrap().later.push((part, manner));
    }

    /// Sets the manners of the next answers, in their order.
    pub fn answer_next(&self, manners: impl IntoIterator<Item = Manner>) {
        self.state.script.lock().unwrap().next.extend(manners);
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<PeerRequest> {
        self.state.requests.borrow().clone()
    }

    pub fn count(&self) -> usize {
        self.state.requests.borrow().len()
    }

    pub fn last(&self) -> PeerRequest {
        self.requests().pop().expect("it was asked")
    }

    /// Returns the lines of all requests.
    pub fn lines(&self) -> Vec<String> {
        self.state.requests.borrow().iter().map(PeerRequest::line).collect()
    }

    /// Looks after each request, until something is found.
    pub async fn until<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let mut requests = self.state.requests.subscribe();
        let found = async {
            loop {
                if let Some(found) = look() {
                    return found;
                }
                requests.changed().await.unwrap();
            }
        };
        within(what, found).await
    }

    /// Makes its port refuse connections from now on.
    pub async fn die(&self) {
        self.server.stop(false).await;
        let closed = async {
            // The test gets no signal when the port is closed.
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        within("the port closes", closed).await;
    }
}

impl<P> Drop for Peer<P> {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn answer<P: Provider>(request: HttpRequest, body: Bytes, state: web::Data<State<P>>) -> HttpResponse {
    let request = PeerRequest::new(&request, body);
    let response = {
        let mut provider = state.provider.lock().unwrap();
        let manner = provider.receive(&request);
        match manner.unwrap_or_else(|| state.script.lock().unwrap().manner(&request)) {
            Manner::Documented => Some(provider.answer(&request)),
            Manner::Says(status, headers, body) => {
                let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
                for header in headers {
                    response.insert_header(header);
                }
                Some(response.body(body))
            }
            Manner::Silent => None,
            Manner::Cut(status) => {
                provider.answer(&request);
                let pieces = [Ok(Bytes::from_static(b"{\"")), Err(std::io::Error::other("cut"))];
                Some(streamed(status, stream::iter(pieces)))
            }
            Manner::Endless => {
                let piece = || Ok(Bytes::from_static(&[b' '; 65_536]));
                Some(streamed(200, stream::repeat_with(piece)))
            }
        }
    };
    // A test that waits for a request must not wait for a response that never comes.
    state.requests.send_modify(|all| all.push(request));
    match response {
        Some(response) => response,
        None => std::future::pending().await,
    }
}

fn streamed(
    status: u16,
    pieces: impl stream::Stream<Item = std::io::Result<Bytes>> + 'static,
) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    response.content_type("application/json").streaming(pieces)
}
