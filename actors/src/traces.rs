//! Traces of the engine: the spans of `roadcall_base`, and an actor's work within one.

use std::{pin::Pin, task::Poll};

use actix::prelude::{Actor, ActorFuture, Message};
use opentelemetry::{Context, trace::SpanKind};

pub use roadcall_base::traces::{InContext, Spans, begin, current, in_context};

/// A message to an actor, with the context in which it is carried out.
#[derive(Debug, Clone)]
pub(crate) struct Traced<M> {
    pub message: M,
    pub context: Context,
}

impl<M: Message> Message for Traced<M> {
    type Result = M::Result;
}

/// An actor's work in a context.
pub(crate) struct ActorWork<F> {
    work: F,
    context: Option<Context>,
}

/// Runs an actor's work in a span below the one in `context`.
pub(crate) fn on_actor<F>(name: &'static str, context: Context, begin: impl FnOnce() -> F) -> ActorWork<F> {
    let _attached = context.attach();
    let context = self::begin(name, SpanKind::Internal, Vec::new).or_else(current);
    let _within = context.clone().map(Context::attach);
    ActorWork { work: begin(), context }
}

impl<A: Actor, F: ActorFuture<A> + Unpin> ActorFuture<A> for ActorWork<F> {
    type Output = F::Output;

    fn poll(
        mut self: Pin<&mut Self>,
        actor: &mut A,
        ctx: &mut A::Context,
        task: &mut std::task::Context<'_>,
    ) -> Poll<F::Output> {
        let _attached = self.context.clone().map(Context::attach);
        Pin::new(&mut self.work).poll(actor, ctx, task)
    }
}
