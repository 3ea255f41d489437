//! Use cases of grievances.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_accounts::auth;
use roadcall_platform::{
    core::Core,
    db::Db,
    error::{ApiError, ApiResult, Code, commit_error},
    idempotency::{self, Claim},
};
use uuid::Uuid;

use super::{
    audited,
    context::GrievancesContext,
    queries::{self, GrievanceRow},
    state::{GrievanceKind, GrievanceStatus, may_write},
};
use crate::notifications::{self, DomainEvent, NotifyContext};

/// The name in a 404.
pub(super) const NAME: &str = "grievance";
/// How long it is recorded that a grievance existed, and when it was answered.
const KEPT: TimeDelta = TimeDelta::days(365);

/// Writes a person's grievance. The day by which it is due is fixed now.
pub async fn write(
    context: &GrievancesContext,
    user_id: Uuid,
    kind: GrievanceKind,
    text: String,
    claim: &Claim,
) -> ApiResult<GrievanceRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // A person's grievances are written one after the other, so that each counts those before it, and none is left to an account
    // that is being deleted.
    auth::lock_customer(&mut tx, user_id).await?;
    let written = queries::written(&mut tx, user_id, now - TimeDelta::days(1)).await?;
    may_write(written.open, written.since)?;
    let row = GrievanceRow {
        id: context.random.id(now),
        user_id,
        kind,
        text: Some(text),
        created_at: now,
        due_at: now + context.answered_within,
        done_at: None,
        answer: None,
        answered_by: None,
    };
    queries::insert(&mut tx, &row).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Returns the grievance as it was written.
pub async fn as_written(core: &Core, id: Uuid) -> ApiResult<GrievanceRow> {
    let row = queries::find(&core.db, id).await?.ok_or_else(|| ApiError::not_found(NAME))?;
    Ok(GrievanceRow { done_at: None, answer: None, answered_by: None, ..row })
}

/// Answers a grievance as an admin, once; the person is notified.
pub async fn answer(
    context: &NotifyContext,
    (id, user_id): (Uuid, Uuid),
    text: &str,
    admin: Uuid,
) -> ApiResult<GrievanceRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // The account is locked first, as in its deletion.
    match auth::lock_account(&mut tx, user_id).await {
        Err(error) if error.code != Code::Unauthorized => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let Some(answered) = queries::answer(&mut tx, id, text, admin, now).await? else {
        let found = queries::find(&mut *tx, id).await?;
        return Err(not_open(found));
    };
    let event = DomainEvent::GrievanceAnswered { user_id: answered.user_id, grievance_id: id };
    notifications::record(&mut tx, &context.random, event, now).await?;
    audited::answered(&mut tx, &context.random, admin, &answered, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(answered)
}

fn not_open(row: Option<GrievanceRow>) -> ApiError {
    let Some(row) = row else { return ApiError::not_found(NAME) };
    let message = match row.status() {
        GrievanceStatus::Closed => "This person has deleted their account, so there is nobody to answer.",
        GrievanceStatus::Open | GrievanceStatus::Answered => {
            "This grievance was answered before. Reload the list."
        }
    };
    ApiError::new(Code::InvalidTransition, message)
}

/// Deletes grievances that were done more than a year ago, at most `limit`; returns how many.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT, limit).await
}
