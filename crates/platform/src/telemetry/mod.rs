//! Logs, spans and metrics for operators. docs/LOGGING.md lists the fields and what is never logged.

mod help;
mod json;

use std::{
    io::{self, IsTerminal},
    path::Path,
    sync::OnceLock,
    time::Duration,
};

use actix_web::http::{Method, StatusCode};
use metrics::{Recorder, counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use nix::sys::statvfs::statvfs;
use tracing::{Event, Subscriber, field::Visit};
use tracing_subscriber::{
    Layer, fmt,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

use self::json::{JsonLines, SpanFields};
use super::{
    log_filter,
    settings::{LogFormat, LogSettings},
};

/// Upper bounds in seconds, from a cached read to the longest time that a request may take.
const LATENCY_BUCKETS_S: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Upper bounds in seconds for metrics that include a person's reaction.
const PATIENCE_BUCKETS_S: [f64; 11] = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 90.0];

/// Upper bounds of the number of changes that are written at once.
const BATCH_BUCKETS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The reason why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("log.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    #[error("logging is set up already: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Sends logs, and the place of every panic, to stderr as `settings` say. Called once per process.
pub fn init(settings: &LogSettings) -> Result<(), TelemetryError> {
    let registry = tracing_subscriber::registry().with(log_filter::layer(&settings.filter)?);
    let registry = registry.with(WithoutMalformedHttp);
    match settings.format {
        LogFormat::Text => {
            let layer = fmt::layer().with_ansi(io::stderr().is_terminal());
            registry.with(layer.with_writer(io::stderr)).try_init()?;
        }
        LogFormat::Json => {
            let layer = fmt::layer().with_ansi(false).fmt_fields(SpanFields).event_format(JsonLines);
            registry.with(layer.with_writer(io::stderr)).try_init()?;
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message is left out since it may quote the data that was processed.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.location = place, "a thread panicked");
    }));
    Ok(())
}

/// Leaves out what the HTTP server logs as an error although a client is to blame: bytes that are not HTTP, and connections that
/// end midway. Anyone could fill the log with those. It is a layer, because a filter of another layer would be asked about each
/// span and event anew.
struct WithoutMalformedHttp;

impl<S: Subscriber> Layer<S> for WithoutMalformedHttp {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let target = event.metadata().target();
        if !is_http_server(target) {
            return true;
        }
        let mut message = Message::default();
        event.record(&mut message);
        !is_clients_fault(&message.0)
    }
}

fn is_http_server(target: &str) -> bool {
    target.starts_with("actix_http::h1")
}

/// Returns whether the HTTP server's message is about what a client sent. Its other errors, such as "stream error: internal
/// error", are the server's own.
fn is_clients_fault(message: &str) -> bool {
    BY_CLIENTS.iter().any(|beginning| message.starts_with(beginning))
}

/// The beginnings of those messages (actix-http 3.20).
const BY_CLIENTS: [&str; 4] =
    ["stream error: I/O error: ", "stream error: request parse error: ", "MAX_BUFFER_SIZE ", "write zero; "];

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

/// Returns the process's recorder, which is installed at first use.
fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &LATENCY_BUCKETS_S)
            .and_then(|builder| {
                let shown = Matcher::Full(OFFER_SHOWN.to_owned());
                builder.set_buckets_for_metric(shown, &PATIENCE_BUCKETS_S)
            })
            .and_then(|builder| {
                let changes = Matcher::Full(WRITTEN_CHANGES.to_owned());
                builder.set_buckets_for_metric(changes, &BATCH_BUCKETS)
            })
            .expect("the lists of buckets are not empty")
            .build_recorder();
        for (name, text) in help::texts() {
            // The exporter keeps one text per name, whatever the kind of metric.
            recorder.describe_gauge(name.into(), None, text.into());
        }
        let handle = recorder.handle();
        // This fails only if there is another recorder, which a program that embeds this library may want.
        metrics::set_global_recorder(recorder).ok();
        handle
    })
}

/// Renders all metrics as text.
pub fn rendered() -> String {
    recorder().render()
}

/// Moves samples into their buckets; without this, a service that is never scraped would keep every sample.
pub fn fold_histograms() {
    recorder().run_upkeep();
}

/// Counts an answered request, and records how long it took.
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

/// Counts a decision of the dispatcher that was not recorded.
pub fn count_lost_decision() {
    recorder();
    counter!("roadcall_dispatch_decisions_lost_total").increment(1);
}

/// Counts one load, and its keys.
pub fn count_load(of: &'static str, keys: usize) {
    recorder();
    counter!("roadcall_batch_loads_total", "of" => of).increment(1);
    counter!("roadcall_batch_keys_total", "of" => of).increment(keys as u64);
}

const WRITTEN_CHANGES: &str = "roadcall_journal_write_changes";

/// Records how many changes of jobs one write has.
pub fn measure_write(how: &'static str, changes: usize) {
    recorder();
    histogram!(WRITTEN_CHANGES, "how" => how).record(changes as f64);
}

/// Records how long a change of a job waited for its write to begin.
pub fn measure_wait_to_write(how: &'static str, waited: Duration) {
    recorder();
    histogram!("roadcall_journal_wait_seconds", "how" => how).record(waited);
}

/// Counts a request or a socket that was refused because there is too much work.
pub fn count_refusal(kind: &'static str, reason: &'static str) {
    recorder();
    counter!("roadcall_refused_total", "kind" => kind, "reason" => reason).increment(1);
}

const OFFER_SHOWN: &str = "roadcall_offer_shown_seconds";

/// Records how long it took until an offer was on its mechanic's screen.
pub fn measure_shown_offer(seconds: f64) {
    recorder();
    histogram!(OFFER_SHOWN).record(seconds);
}

/// Counts a finished push by its outcome.
pub fn count_push(status: &'static str) {
    recorder();
    counter!("roadcall_pushes_total", "status" => status).increment(1);
}

/// Counts a text message by its kind and by what became of it.
pub fn count_text_message(kind: &'static str, status: &'static str) {
    recorder();
    counter!("roadcall_text_messages_total", "kind" => kind, "status" => status).increment(1);
}

/// Sets how much of each kind waits for a provider or for an admin, and the age of the oldest in seconds.
pub fn measure_waiting(counts: &[(&'static str, i64)], ages: &[(&'static str, i64)]) {
    recorder();
    for (what, count) in counts {
        gauge!("roadcall_waiting", "what" => *what).set(*count as f64);
    }
    for (what, age_s) in ages {
        gauge!("roadcall_waiting_oldest_seconds", "what" => *what).set(*age_s as f64);
    }
}

/// Sets the size of the database on its disk.
pub fn measure_database(bytes: i64) {
    recorder();
    gauge!("roadcall_db_size_bytes").set(bytes as f64);
}

/// Measures the size of the disk with the data folder and the space that the service may still use, which is returned, in
/// bytes. Blocks while the disk answers.
pub fn measure_disk(folder: &Path) -> Option<u64> {
    // A disk that does not report its size is not measured.
    let disk = statvfs(folder).ok()?;
    recorder();
    let bytes = |blocks: u64| blocks.saturating_mul(disk.fragment_size());
    let free = bytes(disk.blocks_available());
    gauge!("roadcall_disk_bytes", "state" => "all").set(bytes(disk.blocks()) as f64);
    gauge!("roadcall_disk_bytes", "state" => "free").set(free as f64);
    Some(free)
}

/// Counts messages of the bus that were refused, by the reason.
pub fn count_refused_messages(why: &'static str, count: u64) {
    recorder();
    counter!("roadcall_cluster_refused_messages_total", "why" => why).increment(count);
}

/// Counts spans by their outcome.
pub fn count_spans(outcome: &'static str, count: usize) {
    recorder();
    counter!("roadcall_spans_total", "outcome" => outcome).increment(count as u64);
}

/// Counts a mail that was settled, by its kind and outcome.
pub fn count_mail(kind: &'static str, status: &'static str) {
    recorder();
    counter!("roadcall_mails_total", "kind" => kind, "status" => status).increment(1);
}

/// Counts a try to send a webhook to a partner, by the kind of the webhook and the outcome.
pub fn count_webhook(kind: &'static str, outcome: &'static str) {
    recorder();
    counter!("roadcall_webhooks_sent_total", "kind" => kind, "outcome" => outcome).increment(1);
}

/// Returns the method as a label. A client may send any word as a method, which must not become a label.
pub fn known_method(method: &Method) -> &'static str {
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

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        sync::{Arc, Mutex},
    };

    use actix_web::{App, HttpServer, rt};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use super::*;

    /// A log in memory.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("the log").extend(text);
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Log {
        fn errors(&self) -> usize {
            String::from_utf8_lossy(&self.0.lock().expect("the log")).matches("ERROR").count()
        }
    }

    /// Sends these bytes, and reads until the server ends the connection.
    async fn send(address: std::net::SocketAddr, bytes: &[u8]) {
        let mut connection = TcpStream::connect(address).await.expect("a connection");
        // The server may answer before it has read everything.
        connection.write_all(bytes).await.ok();
        connection.read_to_end(&mut Vec::new()).await.ok();
    }

    /// Sends bytes that are not HTTP to a server whose log may have a filter, and returns the log.
    async fn log_of_malformed_http(is_filtered: bool) -> Log {
        let log = Log::default();
        let to = log.clone();
        let server = HttpServer::new(move || {
            let to = to.clone();
            let (registry, to_log) = (tracing_subscriber::registry(), move || to.clone());
            // The subscriber holds for as long as this worker's thread lives.
            std::mem::forget(if is_filtered {
                let layer = fmt::layer().with_ansi(false).with_writer(to_log);
                tracing::subscriber::set_default(registry.with(WithoutMalformedHttp).with(layer))
            } else {
                let layer = fmt::layer().with_ansi(false).with_writer(to_log);
                tracing::subscriber::set_default(registry.with(layer))
            });
            App::new()
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .expect("a port");
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        rt::spawn(server);
        let endless = [b"GET / HTTP/1.1\r\nx: ".as_slice(), &vec![b'a'; 200_000]].concat();
        for bytes in [b"\x16\x03\x01 a greeting by TLS\r\n\r\n".as_slice(), &endless] {
            send(address, bytes).await;
        }
        handle.stop(false).await;
        log
    }

    #[actix_web::test]
    async fn bytes_that_are_not_http_leave_no_error_in_the_log() {
        let (whole, filtered) = (log_of_malformed_http(false).await, log_of_malformed_http(true).await);
        assert!(whole.errors() > 0, "the HTTP server logs none of it any more: the filter can go");
        assert_eq!(filtered.errors(), 0, "the HTTP server words it differently now");
    }

    #[test]
    fn only_errors_caused_by_clients_are_left_out() {
        for message in ["stream error: request parse error: Invalid Header provided", "write zero; closing"] {
            assert!(is_clients_fault(message), "{message}");
        }
        for message in
            ["stream error: internal error", "Response payload stream error: x", "Upgrade handler error: x"]
        {
            assert!(!is_clients_fault(message), "{message}");
        }
        assert!(is_http_server("actix_http::h1::dispatcher") && !is_http_server("roadcall::edge"));
    }
}
