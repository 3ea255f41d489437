//! The worker that processes stored events.

use std::collections::VecDeque;

use super::{
    queries,
    reading::{StoredEvent, by_order},
};
use crate::money::payments::{
    actions::webhooks::{self, EventOutcome},
    context::PaymentsContext,
};
use actix_web::web::Data;
use futures_util::{StreamExt, stream};

/// The maximum number of events that are looked up at once: many, so that those of an order are found together in a burst.
const BATCH: i64 = 1024;
/// The number of orders whose events are processed at once: as many as two statements book.
const AT_ONCE: usize = 64;

/// Processes stored events. Runs until it is aborted.
pub async fn process_inbox(context: Data<PaymentsContext>) {
    loop {
        let due = queries::due(&context.db, context.clock.now(), BATCH).await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(%error, "the webhook inbox can't be read; trying again");
            Vec::new()
        });
        let came: Vec<Vec<EventOutcome>> = stream::iter(by_order(due))
            .map(|events| process_unclaimed(&context, events))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let came = came.concat();
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

/// Processes the events of an order that no other task has.
async fn process_unclaimed(context: &PaymentsContext, events: Vec<StoredEvent>) -> Vec<EventOutcome> {
    let (mut outcomes, mut claimed) = (Vec::with_capacity(events.len()), VecDeque::new());
    for (id, read) in events {
        match (context.inbox.claim(id), read) {
            (Some(claim), Ok(read)) => claimed.push_back((claim, read)),
            (Some(claim), Err(error)) => outcomes.push(webhooks::failed(context, claim.id(), &error).await),
            (None, _) => outcomes.push(EventOutcome::TakenElsewhere),
        }
    }
    outcomes.extend(webhooks::process_order(context, claimed).await);
    outcomes
}
