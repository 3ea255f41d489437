//! A collector of traces (OTLP over HTTP), on a port of its own.

use std::sync::{Arc, Mutex, MutexGuard};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    web::{self, Bytes},
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value, trace::v1::Span,
};
use prost::Message;
use roadcall::service::settings::Settings;
use tokio::sync::Notify;

use super::within;

/// A collector. It ends with the test.
pub struct Collector {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    spans: Mutex<Vec<Span>>,
    /// The requests as they arrived, with the names of their headers.
    requests: Mutex<Vec<(Bytes, String)>>,
    is_stalled: Mutex<bool>,
    came: Notify,
}

impl Collector {
    pub async fn start() -> Self {
        let state = Arc::new(State::default());
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::from(shared.clone()))
                .app_data(web::PayloadConfig::new(16 * 1024 * 1024))
                .route("/v1/traces", web::post().to(take))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    /// Makes a server send it this share of its traces.
    pub fn set(&self, settings: &mut Settings, sample_ratio: f64) {
        settings.traces.otlp_url = format!("http://127.0.0.1:{}", self.port);
        settings.traces.sample_ratio = sample_ratio;
    }

    /// Accepts requests from now on, and answers none.
    pub fn stall(&self) {
        *self.state.is_stalled.lock().unwrap() = true;
    }

    pub fn spans(&self) -> MutexGuard<'_, Vec<Span>> {
        self.state.spans.lock().unwrap()
    }

    /// Returns all requests as they arrived.
    pub fn requests(&self) -> Vec<(Bytes, String)> {
        self.state.requests.lock().unwrap().clone()
    }

    /// Waits for a span, and returns it.
    pub async fn find(&self, what: &str, fits: impl Fn(&Span) -> bool) -> Span {
        let found = async {
            loop {
                let found = self.spans().iter().find(|span| fits(span)).cloned();
                if let Some(span) = found {
                    return span;
                }
                self.state.came.notified().await;
            }
        };
        within(what, found).await
    }

    /// Waits for a span of this name.
    pub async fn named(&self, name: &str) -> Span {
        self.find(&format!("the span {name} comes"), |span| span.name == name).await
    }

    /// Waits until it has received a request, even while it is stalled.
    pub async fn asked(&self) {
        within("spans are sent", async {
            while self.requests().is_empty() {
                self.state.came.notified().await;
            }
        })
        .await;
    }

    /// Waits for the parent of this span.
    pub async fn parent(&self, span: &Span) -> Span {
        let above = |other: &Span| other.span_id == span.parent_span_id;
        self.find(&format!("the parent of {} comes", span.name), above).await
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn take(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    assert_eq!(request.headers().get("content-type").unwrap(), "application/x-protobuf");
    let headers: Vec<String> =
        request.headers().iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    let export = ExportTraceServiceRequest::decode(body.clone()).expect("a request of OTLP");
    let spans = export.resource_spans.into_iter().flat_map(|of| of.scope_spans).flat_map(|of| of.spans);
    state.spans.lock().unwrap().extend(spans);
    state.requests.lock().unwrap().push((body, headers.join("\n")));
    let is_stalled = *state.is_stalled.lock().unwrap();
    state.came.notify_one();
    if is_stalled {
        std::future::pending::<()>().await;
    }
    HttpResponse::Ok().content_type("application/x-protobuf").finish()
}

/// Returns an attribute of a span as text.
pub fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    Some(match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}
