//! The worker that processes stored events.

use super::queries::{self, PendingEvent};
use crate::money::payments::{
    actions::webhooks::{self, EventOutcome},
    context::PaymentsContext,
};
use actix_web::web::Data;
use futures_util::{StreamExt, stream};

/// The numbers of events that are looked up, and that are processed, at once.
const BATCH: i64 = 128;
const AT_ONCE: usize = 8;

/// Processes stored events. Runs until it is aborted.
pub async fn process_inbox(context: Data<PaymentsContext>) {
    loop {
        let due = queries::due(&context.db, context.clock.now(), BATCH).await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(%error, "the webhook inbox can't be read; trying again");
            Vec::new()
        });
        let came: Vec<EventOutcome> = stream::iter(due)
            .map(|event| process_unclaimed(&context, event))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let failed = came.iter().filter(|came| matches!(came, EventOutcome::Failed(_))).count();
        if failed > 0 {
            tracing::debug!(failed, "webhook events failed, to be tried again");
        }
        // An event that another task or server is processing stays due until it is done.
        if came.iter().all(|came| *came == EventOutcome::TakenElsewhere) {
            context.inbox.wakeup().woken().await;
        }
    }
}

async fn process_unclaimed(context: &PaymentsContext, event: PendingEvent) -> EventOutcome {
    match context.inbox.claim(event.id) {
        Some(claim) => webhooks::process(context, &claim, &event).await,
        None => EventOutcome::TakenElsewhere,
    }
}
