use std::time::Duration;

use actix_web::web::Data;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    queries::{self, EventRow},
    store::Claim,
};
use crate::{
    money::{
        payments::{
            PaymentsContext, chargebacks,
            door::{self, Heard, Touched},
            dto::WebhookStatus,
            event::{self, Heard as Word},
            personal, reconcile, refunds,
        },
        wallet,
    },
    platform::{
        backoff::pause,
        error::{ApiError, ApiResult, Code, commit_error},
    },
    providers::payouts::Validation,
};

/// Events looked up at once, and dealt with at once.
const BATCH: i64 = 128;
const AT_ONCE: usize = 4;
/// Looked at anew at least this often: a wake may be lost, and a pause may have ended.
const LOOK: Duration = Duration::from_secs(1);

/// What an event came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    Processed,
    /// Of a kind that is not acted upon.
    Ignored,
    /// It fits nothing of ours, or dealing with it failed: then it is tried again.
    Failed(String),
    /// Somebody else has it in hand, or had.
    Elsewhere,
}

/// Deals with what is stored. Runs until it is aborted.
pub async fn receiving(context: Data<PaymentsContext>) {
    loop {
        let due = queries::due(&context.db, context.clock.now(), BATCH).await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(%error, "the inbox can't be read, to be tried again");
            Vec::new()
        });
        let came: Vec<Came> = stream::iter(due)
            .map(|id| process_unclaimed(&context, id))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let failed = came.iter().filter(|came| matches!(came, Came::Failed(_))).count();
        if failed > 0 {
            tracing::debug!(failed, "webhook events failed, to be tried again");
        }
        // What somebody else has in hand is due until they are done.
        if came.iter().all(|came| *came == Came::Elsewhere) {
            tokio::time::timeout(LOOK, context.money.inbox.woken()).await.ok();
        }
    }
}

async fn process_unclaimed(context: &PaymentsContext, id: Uuid) -> Came {
    match context.money.inbox.claim(id) {
        Some(claim) => process(context, &claim).await,
        None => Came::Elsewhere,
    }
}

/// Deals with one stored event. In each transaction its row is locked, too, because of other servers on the same database.
pub async fn process(context: &PaymentsContext, claim: &Claim) -> Came {
    let id = claim.id();
    // Twice, because the gateway may have to be asked in between, outside of any transaction.
    for _ in 0..2 {
        match attempt(context, id).await {
            Ok(Step::Came(came)) => return came,
            Ok(Step::Ask(subject)) => {
                if let Err(error) = reconcile::ask_about(context, &subject).await {
                    return failed(context, id, &error).await;
                }
            }
            Err(error) => return failed(context, id, &error).await,
        }
    }
    failed(
        context,
        id,
        &ApiError::new(Code::Conflict, "the gateway knows nothing of what the event is about"),
    )
    .await
}

enum Step {
    Came(Came),
    Ask(reconcile::Subject),
}

async fn attempt(context: &PaymentsContext, id: Uuid) -> ApiResult<Step> {
    let mut tx = context.db.begin().await?;
    let Some(row) = queries::take(&mut tx, id).await? else { return Ok(Step::Came(Came::Elsewhere)) };
    let mut touched = Touched::default();
    let (status, why, came) = match hear(&mut tx, context, &row, &mut touched).await? {
        Answer::Ask(subject) => {
            // A dropped transaction ends some time later: the row would still be locked when it is taken again.
            tx.rollback().await?;
            return Ok(Step::Ask(subject));
        }
        Answer::Heard => (WebhookStatus::Processed, None, Came::Processed),
        Answer::Ignored => (WebhookStatus::Ignored, None, Came::Ignored),
        Answer::Parked(why) => (WebhookStatus::Processed, Some(why.clone()), Came::Failed(why)),
    };
    let kept = settled(&row.body)?;
    queries::settle(&mut tx, id, status, why.as_deref(), &kept, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    touched.tell(context).await;
    Ok(Step::Came(came))
}

/// The body as it is kept from now on: what it told of a person was read.
fn settled(body: &str) -> ApiResult<String> {
    let body: Value = serde_json::from_str(body).map_err(ApiError::internal)?;
    Ok(personal::to_show(body).to_string())
}

enum Answer {
    Heard,
    Ignored,
    Parked(String),
    Ask(reconcile::Subject),
}

async fn hear(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    row: &EventRow,
    touched: &mut Touched,
) -> ApiResult<Answer> {
    let body: Value = serde_json::from_str(&row.body).map_err(ApiError::internal)?;
    let word = event::read(&row.event, &body["payload"])
        .map_err(|why| ApiError::new(Code::Conflict, why.to_string()))?;
    match word {
        Word::Unknown => Ok(Answer::Ignored),
        Word::Attempt(attempt) => {
            let heard = door::hear_attempt(tx, context, &attempt, touched).await?;
            Ok(answer(heard, reconcile::Subject::Attempt(attempt.id)))
        }
        Word::OrderPaid { order_id } => Ok(Answer::Ask(reconcile::Subject::Order(order_id))),
        Word::Refund { refund, attempt } => {
            if let Some(attempt) = &attempt {
                door::hear_attempt(tx, context, attempt, touched).await?;
            }
            let heard = refunds::hear(tx, context, &refund, touched).await?;
            Ok(answer(heard, reconcile::Subject::Attempt(refund.attempt_id)))
        }
        Word::Chargeback { id, attempt_id, amount_paise, reason, status } => {
            let about =
                chargebacks::About { id, attempt_id: attempt_id.clone(), amount_paise, reason, status };
            let heard = chargebacks::hear(tx, context, &about, touched).await?;
            Ok(answer(heard, reconcile::Subject::Attempt(attempt_id)))
        }
        Word::Payout(payout) => Ok(known(wallet::on_payout(tx, &context.wallet, &payout).await?)),
        Word::Validation { id, upi_account_id, outcome } => {
            let validation = Validation { id, fund_account_id: None, outcome };
            Ok(known(wallet::on_validation(tx, &context.wallet, upi_account_id, &validation).await?))
        }
    }
}

fn answer(heard: Heard, subject: reconcile::Subject) -> Answer {
    match heard {
        Heard::Taken => Answer::Heard,
        Heard::Parked(reason) => Answer::Parked(format!("parked: {reason}")),
        Heard::AskFirst => Answer::Ask(subject),
    }
}

/// What is about nothing of ours is no concern of ours.
fn known(is_known: bool) -> Answer {
    if is_known { Answer::Heard } else { Answer::Ignored }
}

async fn failed(context: &PaymentsContext, id: Uuid, error: &ApiError) -> Came {
    error.log();
    let why = error.to_string();
    tracing::warn!(webhook_event.id = %id, %why, "a webhook event failed");
    let now = context.clock.now();
    let row = queries::find(&context.db, id).await;
    let tries = row.ok().flatten().map_or(1, |row| row.attempts + 1);
    let gateway = &context.settings.gateway;
    let next = now + pause(gateway.inbox_retry_s, tries);
    if let Err(error) = queries::fail(&context.db, id, &why, next, gateway.inbox_attempts, now).await {
        tracing::warn!(%error, "a failed webhook event could not be marked, it is tried again at once");
    }
    Came::Failed(why)
}
