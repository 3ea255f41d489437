//! Spans on their way to the collector. Ending a span never waits: without room, the span is dropped and counted.

use std::time::Duration;

use actix_web::rt;
use opentelemetry::Context;
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanProcessor},
};
use parking_lot::Mutex;
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};

use super::collector::Collector;
use crate::telemetry::count_spans;

/// The maximum number of spans that wait, at about a kilobyte each.
const MAX_WAITING: usize = 4_096;
/// The maximum number of spans in one request to the collector.
const AT_ONCE: usize = 512;
/// How long the first span of a request waits for others.
const GATHER: Duration = Duration::from_millis(500);
/// How long a stop waits for the collector to take the last spans.
const LAST_WITHIN: Duration = Duration::from_secs(1);

/// Takes spans that have ended.
#[derive(Debug)]
pub(super) struct Queue(mpsc::Sender<SpanData>);

/// The task that sends them.
#[derive(Debug)]
pub(super) struct Exporting {
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

pub(super) fn start(collector: Collector) -> (Queue, Exporting) {
    let (sender, spans) = mpsc::channel(MAX_WAITING);
    let (stop, stopped) = watch::channel(false);
    let task = Mutex::new(Some(rt::spawn(export(spans, stopped, collector))));
    (Queue(sender), Exporting { stop, task })
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            count_spans("dropped", 1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

impl Exporting {
    pub(super) async fn finish(&self) {
        self.stop.send_replace(true);
        let task = self.task.lock().take();
        if let Some(mut task) = task
            && tokio::time::timeout(LAST_WITHIN, &mut task).await.is_err()
        {
            task.abort();
            tracing::warn!("the collector did not take the last traces in time");
        }
    }
}

async fn export(
    mut spans: mpsc::Receiver<SpanData>,
    mut stopped: watch::Receiver<bool>,
    mut collector: Collector,
) {
    let mut batch = Vec::new();
    loop {
        let is_over = tokio::select! {
            count = spans.recv_many(&mut batch, AT_ONCE) => count == 0,
            _ = stopped.wait_for(|is_over| *is_over) => true,
        };
        if !is_over && batch.len() < AT_ONCE {
            tokio::select! {
                () = tokio::time::sleep(GATHER) => {}
                _ = stopped.wait_for(|is_over| *is_over) => {}
            }
        }
        while batch.len() < AT_ONCE
            && let Ok(span) = spans.try_recv()
        {
            batch.push(span);
        }
        if batch.is_empty() && is_over {
            return;
        }
        collector.take(std::mem::take(&mut batch)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use opentelemetry::trace::{Tracer as _, TracerProvider as _};
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use uuid::Uuid;

    use super::*;
    use crate::{https, settings::Secret, telemetry};

    #[actix_web::test]
    async fn spans_without_room_are_dropped_and_counted_while_the_collector_hangs() {
        // The collector accepts connections, and answers nothing.
        let hanging = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let url = format!("http://{}", hanging.local_addr().expect("an address"));
        https::install_tls_provider();
        let collector = Collector::new(url.parse().expect("a URL"), &Secret::default(), Uuid::nil());
        let (queue, exporting) = start(collector.expect("a client"));
        let provider = SdkTracerProvider::builder().with_span_processor(queue).build();
        let tracer = provider.tracer("test");
        // None of this waits: the exporter does not even run meanwhile.
        for _ in 0..MAX_WAITING + 7 {
            tracer.start("a span");
        }
        let dropped = r#"roadcall_spans_total{outcome="dropped"} 7"#;
        let metrics = telemetry::rendered();
        assert!(metrics.contains(dropped), "{metrics}");
        exporting.finish().await;
        assert!(exporting.task.lock().is_none());
    }
}
