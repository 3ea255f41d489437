use actix_web::web::Data;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::WebhookStatus,
    queries::{self, EventRow},
    store::EventClaim,
};
use crate::{
    money::{
        payments::{
            PaymentsContext,
            apply::{self, AfterCommit, Applied},
            chargebacks,
            event::{self, GatewayEvent},
            reconcile, redact, refunds,
        },
        wallet,
    },
    platform::{
        backoff::pause,
        error::{ApiError, ApiResult, Code, commit_error},
    },
    providers::payouts::Validation,
};

/// Events looked up at once, and processed at once.
const BATCH: i64 = 128;
const AT_ONCE: usize = 8;

/// What an event came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventOutcome {
    Processed,
    /// The service does not use this kind of event.
    Ignored,
    /// It fits nothing that the service has, or processing failed and is tried again.
    Failed(String),
    /// Another task or server is processing it, or has processed it.
    TakenElsewhere,
}

/// Processes stored events. Runs until it is aborted.
pub async fn process_inbox(context: Data<PaymentsContext>) {
    loop {
        let due = queries::due(&context.db, context.clock.now(), BATCH).await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(%error, "the webhook inbox can't be read; trying again");
            Vec::new()
        });
        let came: Vec<EventOutcome> = stream::iter(due)
            .map(|id| process_unclaimed(&context, id))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let failed = came.iter().filter(|came| matches!(came, EventOutcome::Failed(_))).count();
        if failed > 0 {
            tracing::debug!(failed, "webhook events failed, to be tried again");
        }
        // What another task or server is processing stays due until it is done.
        if came.iter().all(|came| *came == EventOutcome::TakenElsewhere) {
            context.inbox.wakeup().woken().await;
        }
    }
}

async fn process_unclaimed(context: &PaymentsContext, id: Uuid) -> EventOutcome {
    match context.inbox.claim(id) {
        Some(claim) => process(context, &claim).await,
        None => EventOutcome::TakenElsewhere,
    }
}

/// Processes one stored event. In each transaction its row is locked, too, because of other servers on the same database.
pub async fn process(context: &PaymentsContext, claim: &EventClaim) -> EventOutcome {
    let id = claim.id();
    // Twice, because the gateway may have to be asked in between, outside any transaction.
    for _ in 0..2 {
        match attempt(context, id).await {
            Ok(Step::Done(outcome)) => return outcome,
            Ok(Step::Ask(lookup)) => {
                if let Err(error) = reconcile::ask_about(context, &lookup).await {
                    return failed(context, id, &error).await;
                }
            }
            Err(error) => return failed(context, id, &error).await,
        }
    }
    failed(context, id, &ApiError::new(Code::Conflict, "The gateway does not know what this event is about."))
        .await
}

enum Step {
    Done(EventOutcome),
    Ask(reconcile::Lookup),
}

async fn attempt(context: &PaymentsContext, id: Uuid) -> ApiResult<Step> {
    let mut tx = context.db.begin().await?;
    let Some(row) = queries::take(&mut tx, id).await? else {
        return Ok(Step::Done(EventOutcome::TakenElsewhere));
    };
    let mut after = AfterCommit::default();
    let (status, why, outcome) = match apply_event(&mut tx, context, &row, &mut after).await? {
        EventResult::Ask(lookup) => {
            // A dropped transaction ends later: the row would still be locked when taken again.
            tx.rollback().await?;
            return Ok(Step::Ask(lookup));
        }
        EventResult::Done => (WebhookStatus::Processed, None, EventOutcome::Processed),
        EventResult::Ignored => (WebhookStatus::Ignored, None, EventOutcome::Ignored),
        EventResult::Parked(why) => (WebhookStatus::Processed, Some(why.clone()), EventOutcome::Failed(why)),
    };
    let kept = redact::settled(&row.body).map_err(ApiError::internal)?;
    queries::settle(&mut tx, id, status, why.as_deref(), &kept, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(Step::Done(outcome))
}

enum EventResult {
    Done,
    Ignored,
    Parked(String),
    Ask(reconcile::Lookup),
}

async fn apply_event(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    row: &EventRow,
    after: &mut AfterCommit,
) -> ApiResult<EventResult> {
    let body: Value = serde_json::from_str(&row.body).map_err(ApiError::internal)?;
    let event = event::read(&row.event, &body["payload"])
        .map_err(|why| ApiError::new(Code::Conflict, why.to_string()))?;
    match event {
        GatewayEvent::Unknown => Ok(EventResult::Ignored),
        // Money may have moved: it ends dead, where admins see it and can replay it in a release that knows the status.
        GatewayEvent::UnknownStatus { attempt_id, status } => {
            let why = format!(
                "Payment {attempt_id} has the status \"{status}\", which this release does not know."
            );
            Err(ApiError::new(Code::Conflict, why))
        }
        GatewayEvent::Attempt(attempt) => {
            let applied = apply::apply_attempt(tx, context, &attempt, after).await?;
            Ok(result_of(applied, reconcile::Lookup::Attempt(attempt.id)))
        }
        GatewayEvent::OrderPaid { order_id } => Ok(EventResult::Ask(reconcile::Lookup::Order(order_id))),
        GatewayEvent::Refund { refund, attempt } => {
            if let Some(attempt) = &attempt {
                apply::apply_attempt(tx, context, attempt, after).await?;
            }
            let applied = refunds::apply(tx, context, &refund, after).await?;
            Ok(result_of(applied, reconcile::Lookup::Attempt(refund.attempt_id)))
        }
        GatewayEvent::Chargeback { id, attempt_id, amount_paise, currency, reason, status } => {
            let chargeback =
                chargebacks::Chargeback { id, attempt_id, amount_paise, currency, reason, status };
            let applied = chargebacks::apply(tx, context, &chargeback, after).await?;
            Ok(result_of(applied, reconcile::Lookup::Attempt(chargeback.attempt_id)))
        }
        GatewayEvent::Payout(payout) => Ok(known(wallet::apply_payout(tx, &context.wallet, &payout).await?)),
        GatewayEvent::Validation { id, upi_account_id, outcome } => {
            let validation = Validation { id, fund_account_id: None, outcome };
            Ok(known(wallet::apply_validation(tx, &context.wallet, upi_account_id, &validation).await?))
        }
    }
}

fn result_of(applied: Applied, lookup: reconcile::Lookup) -> EventResult {
    match applied {
        Applied::Done => EventResult::Done,
        Applied::Parked(reason) => EventResult::Parked(format!("parked: {reason}")),
        Applied::AskGateway => EventResult::Ask(lookup),
    }
}

/// An event about something that the service does not have is ignored.
fn known(is_known: bool) -> EventResult {
    if is_known { EventResult::Done } else { EventResult::Ignored }
}

async fn failed(context: &PaymentsContext, id: Uuid, error: &ApiError) -> EventOutcome {
    error.log();
    let why = error.to_string();
    tracing::warn!(webhook_event.id = %id, %why, "a webhook event could not be processed");
    let now = context.clock.now();
    let row = queries::find(&context.db, id).await;
    let tries = row.ok().flatten().map_or(1, |row| row.attempts + 1);
    let gateway = &context.settings.gateway;
    let next = now + pause(gateway.inbox_retry_s, tries);
    if let Err(error) = queries::fail(&context.db, id, &why, next, gateway.inbox_attempts, now).await {
        tracing::warn!(%error, "a failed webhook event could not be marked as failed; it is tried again at once");
    }
    EventOutcome::Failed(why)
}
