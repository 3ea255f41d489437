//! What can be done about a no-show.

use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command},
};
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::NoShowStatus,
    queries::{self, NoShowRow},
};
use crate::{
    accounting::dues::{self, FeeRow, FeeStatus},
    jobs::{self, log},
    money::payments::PaymentsContext,
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, after_commit, commit_error},
    },
};

/// The no-show about a job; 404 if there is none that somebody had to decide.
pub async fn find(context: &PaymentsContext, job_id: Uuid) -> ApiResult<NoShowRow> {
    queries::find(&context.db, job_id).await?.ok_or_else(|| ApiError::not_found("no-show"))
}

/// The customer says what happened, once, before it is decided.
pub async fn contest(context: &PaymentsContext, job_id: Uuid, statement: &str) -> ApiResult<NoShowRow> {
    find(context, job_id).await?;
    let mut tx = context.db.begin().await?;
    let is_in_time = queries::state(&mut tx, job_id, statement, context.clock.now()).await?;
    if !is_in_time {
        let why =
            "You have sent your side already, or it is decided. Contact us if something is still wrong.";
        return Err(ApiError::new(Code::InvalidTransition, why));
    }
    tx.commit().await.map_err(commit_error)?;
    find(context, job_id).await.map_err(after_commit)
}

/// An admin decides, once. A charge is from now on a fee like that of any cancelled job.
pub async fn decide(
    context: &PaymentsContext,
    admin: Uuid,
    job_id: Uuid,
    charge: bool,
    note: &str,
) -> ApiResult<NoShowRow> {
    let row = find(context, job_id).await?;
    let (status, fee_paise) =
        if charge { (NoShowStatus::Charged, row.amount_paise) } else { (NoShowStatus::Dropped, 0) };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let by = Actor::Admin(UserId(admin));
    let command = Command::DecideNoShow { fee_paise };
    log::command(&mut tx, context, job_id, by, &command, now).await.map_err(jobs::refused)?;
    if !queries::decide(&mut tx, job_id, status, note, admin, now).await? {
        return Err(ApiError::new(Code::InvalidTransition, "This no-show is already decided."));
    }
    if charge {
        let fee = FeeRow {
            job_id,
            customer_id: row.customer_id,
            mechanic_profile_id: Some(row.mechanic_profile_id),
            amount_paise: row.amount_paise,
            status: FeeStatus::Due,
            cancelled_at: row.created_at,
        };
        dues::charge(&mut tx, &context.random, &fee, now).await?;
    }
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action: "no_show.decide",
        subject_kind: "job",
        subject_id: job_id,
        before: json!({"status": row.status, "statement": row.statement}),
        after: json!({"status": status, "fee_paise": fee_paise, "note": note}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, job_id).await;
    find(context, job_id).await.map_err(after_commit)
}
