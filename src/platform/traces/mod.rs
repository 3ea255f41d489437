//! Traces by OTLP, if `traces.otlp_url` names a collector. docs/LOGGING.md names the spans and what they never hold.
//!
//! | file | what |
//! | --- | --- |
//! | `parent.rs` | `traceparent`, read and written |
//! | `queue.rs` | spans on their way to the collector: bounded, and nobody waits |
//! | `collector.rs` | one request to it |

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
use roadcall_actors::traces::{self, Spans};
use uuid::Uuid;

pub use self::parent::{TRACEPARENT, current_traceparent};
use self::{collector::Collector, queue::Exporting};
use super::settings::Settings;

/// How long what follows from a job's last command belongs to its trace: offers, notifications and frames come within moments.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(120);
/// Jobs of which that is remembered; of more, the first are forgotten.
const MOST_JOBS: u64 = 10_000;

/// The spans of this server. A cheap clone, and nothing at all while no collector is named.
#[derive(Debug, Clone, Default)]
pub struct Traces(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    spans: Spans,
    /// By job, the span of its last commit.
    jobs: Cache<Uuid, SpanContext>,
    exporting: Exporting,
}

impl Traces {
    /// Begins to send spans if the settings name a collector. `server` is this server's id.
    pub fn start(settings: &Settings, server: Uuid) -> reqwest::Result<Self> {
        let Some(endpoint) = settings.traces.endpoint() else { return Ok(Self::default()) };
        let collector = Collector::new(endpoint, &settings.traces.authorization, server)?;
        let (queue, exporting) = queue::start(collector);
        let of_root = Sampler::TraceIdRatioBased(settings.traces.sample_ratio);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(queue)
            .with_sampler(Sampler::ParentBased(Box::new(of_root)))
            .with_id_generator(RandomIdGenerator::default())
            .build();
        let spans = Spans::new(BoxedTracer::new(Box::new(provider.tracer("roadcall"))));
        let jobs = Cache::builder().max_capacity(MOST_JOBS).time_to_live(FOLLOWS_WITHIN).build();
        Ok(Self(Some(Arc::new(Inner { spans, jobs, exporting }))))
    }

    /// The first span of a request. Its trace goes on from the caller's, if there is one.
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

    /// The first span of what a socket's client asks for.
    pub fn of_frame(&self, kind: &'static str) -> Option<Context> {
        let inner = self.0.as_ref()?;
        Some(inner.spans.begin(kind, SpanKind::Server, Vec::new(), &Context::new()))
    }

    /// What another server asks for, by the `traceparent` of its message.
    pub fn of_server(&self, traceparent: Option<&str>) -> Option<Context> {
        let inner = self.0.as_ref()?;
        let parent = Context::new().with_remote_span_context(parent::read(traceparent?)?);
        Some(inner.spans.begin("cluster.request", SpanKind::Server, Vec::new(), &parent))
    }

    /// A span of what is done to a job: in the current trace, or else in that of the job's last change.
    pub fn on_job(&self, name: &'static str, kind: SpanKind, job: Uuid) -> Option<Context> {
        let inner = self.0.as_ref()?;
        let parent = match traces::current() {
            Some(current) => current,
            None => Context::new().with_remote_span_context(inner.jobs.get(&job)?),
        };
        if !parent.span().span_context().is_sampled() {
            // What follows is no longer part of the trace of an earlier change.
            inner.jobs.invalidate(&job);
            return None;
        }
        Some(inner.spans.begin(name, kind, vec![of_job(job)], &parent))
    }

    /// A frame about a job goes out: part of the trace of the job's last change.
    pub fn sent(&self, frame: &'static str, job: Uuid) {
        if let Some(inner) = &self.0
            && let Some(change) = inner.jobs.get(&job)
        {
            let parent = Context::new().with_remote_span_context(change);
            inner.spans.begin(frame, SpanKind::Producer, vec![of_job(job)], &parent);
        }
    }

    /// What follows from this job from now on belongs to the trace of `change`.
    pub fn changed(&self, job: Uuid, change: &Context) {
        if let Some(inner) = &self.0 {
            inner.jobs.insert(job, change.span().span_context().clone());
        }
    }

    /// The same with the current trace, after a change that no actor made.
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

    /// The `traceparent` of a job's last change, for other servers; `None` if it is not recorded.
    pub fn last_change(&self, job: Uuid) -> Option<String> {
        self.0.as_ref()?.jobs.get(&job).as_ref().map(parent::write)
    }

    /// Another server says which span changed the job.
    pub fn changed_elsewhere(&self, job: Uuid, traceparent: Option<&str>) {
        let Some(inner) = &self.0 else { return };
        match traceparent.and_then(parent::read) {
            Some(change) if change.is_sampled() => inner.jobs.insert(job, change),
            _ => inner.jobs.invalidate(&job),
        }
    }

    /// Sends what waits, within a moment. Spans that end later are lost.
    pub async fn finish(&self) {
        if let Some(inner) = &self.0 {
            inner.exporting.finish().await;
        }
    }
}

fn of_job(job: Uuid) -> KeyValue {
    KeyValue::new("job.id", job.to_string())
}

/// Notes a value on a span: an id, a number, a word of the service's own. Never what a person wrote.
pub fn note(context: &Context, key: &'static str, value: impl Into<Value>) {
    context.span().set_attribute(KeyValue::new(key, value));
}

/// The work of the span failed, for a reason of the service's own words.
pub fn failed(context: &Context, why: impl Into<Cow<'static, str>>) {
    context.span().set_status(Status::error(why));
}

/// The id of the current trace, for a line of the log.
pub fn current_id() -> Option<opentelemetry::trace::TraceId> {
    Context::map_current(|context| {
        context.has_active_span().then(|| context.span().span_context().trace_id())
    })
}
