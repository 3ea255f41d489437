//! The actions on a request to be called.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::CallbackOutcome,
    queries::{self, CallbackRow, Closing, QueuedRow},
    state::may_ask,
};
use crate::{
    accounts::auth,
    jobs::{context::JobsContext, log::details_changed, queries::JobRow, remembered::RememberedJob},
    notifications::{self, DomainEvent},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error, write_error},
        idempotency::{self, Claim},
        worker::done,
    },
};

/// The name of a request in a 404.
pub(super) const NAME: &str = "callback request";

/// Asks for a call, as the job's customer. A request that is open already stays as it is.
pub async fn ask(
    context: &JobsContext,
    job: &JobRow,
    note: Option<String>,
    claim: &Claim,
) -> ApiResult<CallbackRow> {
    let now = context.clock.now();
    may_ask(job.status.0, job.begin_at, now)?;
    let mut tx = context.db.begin().await?;
    // This keeps an account that is being deleted from leaving a note behind.
    auth::lock_account(&mut tx, job.customer_id).await?;
    let asked = queries::ask(&mut tx, job.id, note.as_deref(), now).await?;
    let asked = match asked {
        Some(asked) => asked,
        None => queries::find(&mut *tx, job.id).await?.ok_or_else(no_such_request)?.callback,
    };
    idempotency::complete(&mut tx, claim, job.id).await?;
    let change = context.remembered.begin(job.id);
    tx.commit().await.map_err(commit_error)?;
    change.end::<RememberedJob>(None);
    details_changed(context, Some(job.id)).await;
    recount(context).await;
    Ok(asked)
}

/// Returns the request as it was made.
pub async fn as_asked(context: &JobsContext, job_id: Uuid) -> ApiResult<CallbackRow> {
    // The outcome of the commit may have been unknown, so that the leader was not told.
    details_changed(context, Some(job_id)).await;
    let row = queries::find(&context.db, job_id).await?.ok_or_else(no_such_request)?.callback;
    Ok(CallbackRow { done_at: None, done_by: None, outcome: None, done_note: None, ..row })
}

/// Withdraws the request while it is open. Does nothing without a request.
pub async fn withdraw(context: &JobsContext, job_id: Uuid) -> ApiResult<()> {
    let mut connection = context.db.acquire().await?;
    let change = context.remembered.begin(job_id);
    let withdrawn = queries::withdraw(&mut *connection, job_id).await;
    let is_withdrawn = connection.ended(withdrawn).map_err(write_error)?;
    change.end::<RememberedJob>(None);
    if !is_withdrawn && queries::find(&context.db, job_id).await?.is_some() {
        let message = "This request is done, so there is nothing to withdraw.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    // This may repeat a withdrawal of which the leader was not told.
    details_changed(context, Some(job_id)).await;
    if is_withdrawn {
        recount(context).await;
    }
    Ok(())
}

fn no_such_request() -> ApiError {
    ApiError::not_found(NAME)
}

/// Closes the request for an admin, once. Notifies a customer who was not reached and may ask again.
pub async fn close(context: &JobsContext, job_id: Uuid, how: &Closing<'_>) -> ApiResult<QueuedRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let Some(closed) = queries::close(&mut tx, job_id, how, now).await? else {
        let found = queries::find(&mut *tx, job_id).await?;
        return Err(not_open(found));
    };
    let may_ask_again = may_ask(closed.job_status.0, closed.begin_at, now).is_ok();
    if how.outcome == CallbackOutcome::NotReached && may_ask_again {
        let missed = DomainEvent::CallbackNotReached { customer_id: closed.customer_id, job_id };
        notifications::record(&mut tx, &context.random, missed, now).await?;
    }
    audit::record(&mut tx, &context.random, now, entry(job_id, how)).await?;
    let change = context.remembered.begin(job_id);
    tx.commit().await.map_err(commit_error)?;
    change.end::<RememberedJob>(None);
    context.wakeups.notify();
    details_changed(context, Some(job_id)).await;
    recount(context).await;
    Ok(closed)
}

/// Returns why a request can't be closed. It may have been withdrawn since it was found.
fn not_open(row: Option<QueuedRow>) -> ApiError {
    let Some(row) = row else { return ApiError::not_found(NAME) };
    let message = match row.callback.settled(row.accepted_at).outcome {
        Some(CallbackOutcome::MechanicFound) => {
            "A mechanic has accepted the job, which closed this request. Reload the list."
        }
        _ => "This request was closed before. Reload the list.",
    };
    ApiError::new(Code::InvalidTransition, message)
}

fn entry(job_id: Uuid, how: &Closing<'_>) -> audit::NewAuditEntry<'static> {
    audit::NewAuditEntry {
        actor_id: Some(how.by),
        action: "callback.done",
        subject_kind: "job",
        subject_id: job_id,
        before: json!({"outcome": Value::Null}),
        after: json!({"outcome": how.outcome, "note": how.note}),
    }
}

/// Counts the open requests, and returns how many there are.
pub async fn count_open(context: &JobsContext) -> ApiResult<u64> {
    let (open, oldest_at) = queries::open(&context.db).await?;
    context.callbacks.keep(open, oldest_at);
    Ok(open.unsigned_abs())
}

/// Counts the open requests after a change. If that fails, the next count corrects the figures.
async fn recount(context: &JobsContext) {
    done("open callbacks were counted", count_open(context).await);
}

/// Deletes the open requests of a customer whose account is deleted, because nobody can call them, and the notes of the other
/// requests.
pub async fn forget_customer(tx: &mut PgConnection, customer_id: Uuid) -> sqlx::Result<()> {
    queries::forget_open(tx, customer_id).await?;
    queries::forget_notes(tx, customer_id).await
}

/// Records which requests a mechanic's acceptance has closed, once the job is over, and deletes those older than `kept`, at most
/// `limit` of each kind at once. Returns the larger of the two numbers.
pub async fn sweep(context: &JobsContext, kept: TimeDelta, limit: i64) -> ApiResult<u64> {
    let settled = queries::settle(&context.db, limit).await?;
    let deleted = queries::sweep(&context.db, context.clock.now() - kept, limit).await?;
    let swept = settled.max(deleted);
    if swept > 0 {
        details_changed(context, None).await;
    }
    Ok(swept)
}
