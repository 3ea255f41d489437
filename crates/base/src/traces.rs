//! Traces (OpenTelemetry): spans below the one in the caller's context.
//!
//! Outside of a recorded trace, this module makes no span, allocates nothing, and adds no field to a message.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Poll, ready},
};

use opentelemetry::{
    Context, KeyValue,
    global::BoxedTracer,
    trace::{SpanKind, TraceContextExt, Tracer},
};
use pin_project_lite::pin_project;

/// Makes the spans of one service. It is in the context of every trace that this service records.
#[derive(Debug, Clone)]
pub struct Spans(Arc<BoxedTracer>);

impl Spans {
    pub fn new(tracer: BoxedTracer) -> Self {
        Self(Arc::new(tracer))
    }

    /// Begins a span below the one in `parent`, or the first of a trace. The span ends when the last copy of its
    /// context is gone.
    pub fn begin(
        &self,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
        attributes: Vec<KeyValue>,
        parent: &Context,
    ) -> Context {
        let span = self.0.span_builder(name).with_kind(kind).with_attributes(attributes);
        let span = span.start_with_context(&*self.0, parent);
        match parent.get::<Self>() {
            Some(_) => parent.with_span(span),
            None => parent.with_value(self.clone()).with_span(span),
        }
    }
}

/// Returns the current context, if it belongs to a trace, recorded or not.
pub fn current() -> Option<Context> {
    Context::map_current(|context| context.has_active_span().then(|| context.clone()))
}

/// Begins a span below the current one, or returns `None` if that is not recorded.
pub fn begin(
    name: &'static str,
    kind: SpanKind,
    attributes: impl FnOnce() -> Vec<KeyValue>,
) -> Option<Context> {
    let parent = current()?;
    if !parent.span().span_context().is_sampled() {
        return None;
    }
    Some(parent.get::<Spans>()?.begin(name, kind, attributes(), &parent))
}

pin_project! {
    /// Work in a context, or just the work if there is no context.
    #[derive(Debug)]
    pub struct InContext<F> {
        #[pin]
        work: F,
        context: Option<Context>,
    }
}

/// Runs work in this context.
pub fn in_context<F: Future>(work: F, context: Option<Context>) -> InContext<F> {
    InContext { work, context }
}

impl<F: Future> Future for InContext<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut std::task::Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _attached = this.context.clone().map(Context::attach);
        let output = ready!(this.work.poll(task));
        // The span ends with the work, even where this future is kept for longer.
        *this.context = None;
        Poll::Ready(output)
    }
}
