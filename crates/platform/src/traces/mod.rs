//! Traces by OTLP, if `traces.otlp_url` names a collector. docs/LOGGING.md lists the spans and what they never contain.
//!
//! | file | what |
//! | --- | --- |
//! | `parent.rs` | `traceparent`, read and written |
//! | `queue.rs` | spans on their way to the collector, in a bounded queue for which nobody waits |
//! | `collector.rs` | one request to the collector |

mod collector;
mod parent;
mod queue;

use std::{borrow::Cow, sync::Arc, time::Duration};

use actix_web::http::header::HeaderMap;
use moka::sync::Cache;
use opentelemetry::{
    Context, KeyValue, Value,
    global::BoxedTracer,
    trace::{SpanContext, SpanKind, Status, TraceContextExt, TracerProvider as _},
};
use opentelemetry_sdk::trace::{RandomIdGenerator, Sampler, SdkTracerProvider};
use roadcall_base::traces::{self, Spans};
use uuid::Uuid;

pub use self::parent::{TRACEPARENT, current_traceparent};
use self::{collector::Collector, queue::Exporting};
use super::settings::TraceSettings;

/// How long the consequences of a job's last command (offers, notifications and frames) belong to its trace.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(120);
/// The maximum number of jobs whose trace is remembered; beyond it, the first are forgotten.
const MAX_JOBS: u64 = 10_000;

/// The spans of this server. A clone is cheap; without a collector, nothing is recorded.
#[derive(Debug, Clone, Default)]
pub struct Traces(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    spans: Spans,
    /// The span of each job's last commit.
    jobs: Cache<Uuid, SpanContext>,
    exporting: Exporting,
}

impl Traces {
    /// Begins to send spans if the settings name a collector. `server` is this server's id.
    pub fn start(settings: &TraceSettings, server: Uuid) -> reqwest::Result<Self> {
        let Some(endpoint) = settings.endpoint() else { return Ok(Self::default()) };
        let collector = Collector::new(endpoint, &settings.authorization, server)?;
        let (queue, exporting) = queue::start(collector);
        let of_root = Sampler::TraceIdRatioBased(settings.sample_ratio);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(queue)
            .with_sampler(Sampler::ParentBased(Box::new(of_root)))
            .with_id_generator(RandomIdGenerator::default())
            .build();
        let spans = Spans::new(BoxedTracer::new(Box::new(provider.tracer("roadcall"))));
        let jobs = Cache::builder().max_capacity(MAX_JOBS).time_to_live(FOLLOWS_WITHIN).build();
        Ok(Self(Some(Arc::new(Inner { spans, jobs, exporting }))))
    }

    /// Begins the first span of a request. It continues the caller's trace, if there is one.
    pub fn of_request(&self, headers: &HeaderMap, method: &str, route: &str, id: &str) -> Option<Context> {
        let inner = self.0.as_ref()?;
        let parent = parent::of_headers(headers);
        let parent = parent.map_or_else(Context::new, |span| Context::new().with_remote_span_context(span));
        let attributes = vec![
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("request.id", id.to_owned()),
        ];
        Some(inner.spans.begin(format!("{method} {route}"), SpanKind::Server, attributes, &parent))
    }

    /// Begins the first span for a frame of a socket's client.
    pub fn of_frame(&self, kind: &'static str) -> Option<Context> {
        let inner = self.0.as_ref()?;
        Some(inner.spans.begin(kind, SpanKind::Server, Vec::new(), &Context::new()))
    }

    /// Begins a span for another server's request, in the trace of its `traceparent`.
    pub fn of_server(&self, traceparent: Option<&str>) -> Option<Context> {
        let inner = self.0.as_ref()?;
        let parent = Context::new().with_remote_span_context(parent::read(traceparent?)?);
        Some(inner.spans.begin("cluster.request", SpanKind::Server, Vec::new(), &parent))
    }

    /// Begins a span for work on a job: in the current trace, or else in that of the job's last change.
    pub fn on_job(&self, name: &'static str, kind: SpanKind, job: Uuid) -> Option<Context> {
        let inner = self.0.as_ref()?;
        let parent = match traces::current() {
            Some(current) => current,
            None => Context::new().with_remote_span_context(inner.jobs.get(&job)?),
        };
        if !parent.span().span_context().is_sampled() {
            // The consequences no longer belong to the trace of an earlier change.
            inner.jobs.invalidate(&job);
            return None;
        }
        Some(inner.spans.begin(name, kind, vec![of_job(job)], &parent))
    }

    /// Records that a frame about a job was sent, in the trace of the job's last change.
    pub fn sent(&self, frame: &'static str, job: Uuid) {
        if let Some(inner) = &self.0
            && let Some(change) = inner.jobs.get(&job)
        {
            let parent = Context::new().with_remote_span_context(change);
            inner.spans.begin(frame, SpanKind::Producer, vec![of_job(job)], &parent);
        }
    }

    /// Makes all further work on the job belong to the trace of `change`.
    pub fn changed(&self, job: Uuid, change: &Context) {
        if let Some(inner) = &self.0 {
            inner.jobs.insert(job, change.span().span_context().clone());
        }
    }

    /// Makes all further work on the job belong to the current trace, after a change that no actor made.
    pub fn changed_here(&self, job: Uuid) {
        let Some(inner) = &self.0 else { return };
        match traces::current() {
            Some(current) if current.span().span_context().is_sampled() => self.changed(job, &current),
            Some(_) => inner.jobs.invalidate(&job),
            None => {}
        }
    }

    pub fn are_made(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the `traceparent` of a job's last change, for other servers; `None` if it is not recorded.
    pub fn last_change(&self, job: Uuid) -> Option<String> {
        self.0.as_ref()?.jobs.get(&job).as_ref().map(parent::write)
    }

    /// Notes the span that changed the job on another server.
    pub fn changed_elsewhere(&self, job: Uuid, traceparent: Option<&str>) {
        let Some(inner) = &self.0 else { return };
        match traceparent.and_then(parent::read) {
            Some(change) if change.is_sampled() => inner.jobs.insert(job, change),
            _ => inner.jobs.invalidate(&job),
        }
    }

    /// Sends the waiting spans, within a moment. Spans that end later are lost.
    pub async fn finish(&self) {
        if let Some(inner) = &self.0 {
            inner.exporting.finish().await;
        }
    }
}

fn of_job(job: Uuid) -> KeyValue {
    KeyValue::new("job.id", job.to_string())
}

/// Notes a value on a span: an id, a number or a word of the service's own, never what a person wrote.
pub fn note(context: &Context, key: &'static str, value: impl Into<Value>) {
    context.span().set_attribute(KeyValue::new(key, value));
}

/// Marks the span as failed, for a reason in the service's own words.
pub fn failed(context: &Context, why: impl Into<Cow<'static, str>>) {
    context.span().set_status(Status::error(why));
}

/// Returns the id of the current trace, for a line of the log.
pub fn current_id() -> Option<opentelemetry::trace::TraceId> {
    Context::map_current(|context| {
        context.has_active_span().then(|| context.span().span_context().trace_id())
    })
}
