//! What operators see: logs, spans and metrics. docs/LOGGING.md names the fields and what is never logged.

use std::{
    io::{self, IsTerminal},
    net::TcpListener,
    sync::OnceLock,
    time::{Duration, Instant},
};

use actix_web::{
    App, Error, HttpMessage, HttpResponse, HttpServer,
    body::MessageBody,
    dev::{Server, ServiceRequest, ServiceResponse},
    http::{Method, StatusCode},
    web::Data,
};
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Span, field::Empty};
use tracing_actix_web::RootSpanBuilder;
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    http::RequestInfo,
    platform::settings::{LogFormat, LogSettings},
    state::AppState,
};

/// Upper bounds in seconds, from a cached read to the longest a request may take.
const LATENCY_BUCKETS_S: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// How long a scrape waits for the engine's numbers.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(1);

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
            registry.with(layer.with_writer(io::stderr)).try_init()?;
        }
        LogFormat::Json => {
            let layer = fmt::layer().json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(layer.with_writer(io::stderr)).try_init()?;
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message is left out: it may hold what was being worked on.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.location = place, "a thread panicked");
    }));
    Ok(())
}

/// The span around each request.
#[derive(Debug)]
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let extensions = request.extensions();
        let Some(info) = extensions.get::<RequestInfo>() else { return Span::none() };
        tracing::info_span!(
            "request",
            request.id = %info.id,
            http.method = %request.method(),
            http.route = %info.route,
            // Told by whoever reads the token, and the path.
            user.id = Empty,
            job.id = Empty,
        )
    }

    fn on_request_end<B: MessageBody>(_: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        // An error is logged at the edge, which outlives the request.
        let Ok(response) = outcome else { return };
        let request = response.request();
        let extensions = request.extensions();
        let Some(info) = extensions.get::<RequestInfo>() else { return };
        let status = response.status().as_u16();
        let latency_us = info.started.elapsed().as_micros();
        if info.route.starts_with("/health") || &*info.route == "/metrics" {
            tracing::debug!(http.status = status, latency_us, "answered");
        } else {
            tracing::info!(http.status = status, latency_us, "answered");
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

/// Everything that is measured, in Prometheus' text format. Gauges are read now, so that they need no timer.
pub async fn render(state: &AppState) -> String {
    let (open, idle) = state.db.connections();
    gauge!("roadcall_db_connections", "state" => "open").set(f64::from(open));
    gauge!("roadcall_db_connections", "state" => "idle").set(idle as f64);
    gauge!("roadcall_db_waiting").set(state.db.waiting() as f64);
    gauge!("roadcall_db_connections", "state" => "max")
        .set(f64::from(state.settings.database.max_connections));
    gauge!("roadcall_ws_sockets").set(state.hub.sockets() as f64);
    gauge!("roadcall_ws_watched_jobs").set(state.hub.watched_jobs() as f64);
    gauge!("roadcall_ws_openings", "state" => "waiting").set(state.openings.waiting() as f64);
    gauge!("roadcall_ws_openings", "state" => "under_way").set(state.openings.under_way() as f64);
    state.etas.measure();
    let asked = Instant::now();
    let counts = state.engine.counts(ENGINE_TIMEOUT).await;
    // What a caller waits for in the dispatcher's mailbox; at its limit when nobody answered.
    gauge!("roadcall_engine_lag_seconds").set(asked.elapsed().as_secs_f64());
    if let Some(counts) = counts {
        let dispatcher = counts.dispatcher;
        gauge!("roadcall_waiting_jobs").set(dispatcher.waiting_jobs as f64);
        gauge!("roadcall_mechanics", "state" => "online").set(dispatcher.online_mechanics as f64);
        gauge!("roadcall_mechanics", "state" => "free").set(dispatcher.free_mechanics as f64);
        let exact = dispatcher.contested - dispatcher.bounded;
        counter!("roadcall_dispatch_passes_total").absolute(dispatcher.passes);
        counter!("roadcall_dispatch_contested_total", "method" => "exact").absolute(exact);
        counter!("roadcall_dispatch_contested_total", "method" => "bounded").absolute(dispatcher.bounded);
        counter!("roadcall_dispatch_solved_beside_total").absolute(dispatcher.beside);
        counter!("roadcall_dispatch_eta_tables_total").absolute(dispatcher.eta_tables);
        counter!("roadcall_dispatch_stale_total").absolute(dispatcher.stale);
        gauge!("roadcall_engine_actors", "kind" => "job").set(counts.job_actors as f64);
        gauge!("roadcall_engine_actors", "kind" => "mechanic").set(counts.mechanic_actors as f64);
    }
    recorder().render()
}

/// The content type of Prometheus' text format.
pub const METRICS_CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A listener of its own for `/metrics`, so that production shows it to the machine alone.
pub fn metrics_server(listener: TcpListener, state: Data<AppState>) -> io::Result<Server> {
    let server = HttpServer::new(move || {
        App::new().app_data(state.clone()).route("/metrics", actix_web::web::get().to(serve_metrics))
    });
    Ok(server.workers(1).disable_signals().listen(listener)?.run())
}

async fn serve_metrics(state: Data<AppState>) -> HttpResponse {
    HttpResponse::Ok().content_type(METRICS_CONTENT_TYPE).body(render(&state).await)
}
