//! What operators see: logs, spans and metrics. docs/LOGGING.md names the fields and what is never logged.

use std::{
    io::{self, IsTerminal},
    sync::OnceLock,
    time::Duration,
};

use actix_web::http::{Method, StatusCode};
use metrics::{counter, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Event, Metadata, field::Visit};
use tracing_subscriber::{
    EnvFilter, Layer, fmt,
    layer::{Context, Filter, SubscriberExt},
    util::SubscriberInitExt,
};

use crate::platform::settings::{LogFormat, LogSettings};

/// Upper bounds in seconds, from a cached read to the longest a request may take.
const LATENCY_BUCKETS_S: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("log.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    #[error("logging is set up already: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Sends logs to stderr as `settings` say, and the place of every panic with them. Once per process.
pub fn init(settings: &LogSettings) -> Result<(), TelemetryError> {
    let filter = EnvFilter::builder().parse(&settings.filter)?;
    let registry = tracing_subscriber::registry().with(filter);
    match settings.format {
        LogFormat::Text => {
            let layer = fmt::layer().with_ansi(io::stderr().is_terminal());
            registry.with(layer.with_writer(io::stderr).with_filter(WithoutMalformedHttp)).try_init()?;
        }
        LogFormat::Json => {
            let layer = fmt::layer().json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(layer.with_writer(io::stderr).with_filter(WithoutMalformedHttp)).try_init()?;
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message is left out: it may hold what was being worked on.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.location = place, "a thread panicked");
    }));
    Ok(())
}

/// Leaves out what the HTTP server logs as errors although a client is to blame: bytes that are no HTTP, connections that end midway.
/// Anybody could fill the log with them.
struct WithoutMalformedHttp;

impl<S> Filter<S> for WithoutMalformedHttp {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        if !event.metadata().target().starts_with("actix_http::h1") {
            return true;
        }
        let mut message = Message::default();
        event.record(&mut message);
        !BY_CLIENTS.iter().any(|beginning| message.0.starts_with(beginning))
    }
}

/// How those lines begin.
const BY_CLIENTS: [&str; 3] = ["stream error: ", "MAX_BUFFER_SIZE ", "write zero; "];

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

/// The process's recorder, installed at first use.
fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &LATENCY_BUCKETS_S)
            .expect("the list of buckets is not empty")
            .build_recorder();
        let handle = recorder.handle();
        // Fails only if another recorder is there, which a program that embeds this library may want.
        metrics::set_global_recorder(recorder).ok();
        handle
    })
}

/// All counters and histograms as text.
pub fn rendered() -> String {
    recorder().render()
}

/// Moves samples into their buckets; without it a service that nobody scrapes would keep every sample.
pub fn fold_histograms() {
    recorder().run_upkeep();
}

/// Counts an answered request and how long it took.
pub fn count_request(method: &Method, route: &std::sync::Arc<str>, status: StatusCode, took: Duration) {
    recorder();
    let method = known_method(method);
    let route = metrics::SharedString::from_shared(route.clone());
    let class = match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    };
    counter!("roadcall_http_requests_total", "method" => method, "route" => route.clone(), "status" => class)
        .increment(1);
    histogram!("roadcall_http_request_duration_seconds", "method" => method, "route" => route, "status" => class)
        .record(took);
}

/// Counts a decision of the dispatcher that is not kept.
pub fn count_lost_decision() {
    recorder();
    counter!("roadcall_dispatch_decisions_lost_total").increment(1);
}

/// Counts a load of so many keys at once.
pub fn count_load(of: &'static str, keys: usize) {
    recorder();
    counter!("roadcall_batch_loads_total", "of" => of).increment(1);
    counter!("roadcall_batch_keys_total", "of" => of).increment(keys as u64);
}

/// Counts a push that has ended, by how it did.
pub fn count_push(status: &'static str) {
    recorder();
    counter!("roadcall_pushes_total", "status" => status).increment(1);
}

/// A client may send any word as a method; a label must not be made of it.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
