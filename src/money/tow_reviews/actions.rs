//! The actions on the review of a tow.

use roadcall_actors::job::state::Status;
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::TowReviewStatus,
    queries::{self, TowReviewRow},
};
use crate::{
    accounting::dues,
    jobs::{self, log},
    money::payments::{self, PaymentsContext},
    notifications::{self, DomainEvent},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, after_commit, commit_error},
    },
};

/// Returns the review of a job; 404 if the job has no review.
pub async fn find(context: &PaymentsContext, job_id: Uuid) -> ApiResult<TowReviewRow> {
    queries::find(&context.db, job_id).await?.ok_or_else(|| ApiError::not_found("review of a tow"))
}

/// Decides a review as an admin, once: the mechanic's share clears like any other, or the customer need not pay for the
/// tow. Refused while the job is disputed. A price is reduced only once it is paid: until then the customer can dispute
/// it.
pub async fn decide(
    context: &PaymentsContext,
    admin: Uuid,
    job_id: Uuid,
    pay: bool,
    note: &str,
) -> ApiResult<TowReviewRow> {
    let row = find(context, job_id).await?;
    let status = if pay { TowReviewStatus::Released } else { TowReviewStatus::Reduced };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = log::lock(&mut tx, context, job_id).await.map_err(jobs::refused)?;
    let refused = match job.status() {
        Status::Disputed => Some("This job is disputed. The decision about that is the one about its price."),
        Status::Completed if !pay => Some("This job is not paid yet, so there is nothing to give back."),
        _ => None,
    };
    if let Some(why) = refused {
        return Err(ApiError::new(Code::Conflict, why));
    }
    if !queries::decide(&mut tx, job_id, status, note, admin, now).await? {
        return Err(ApiError::new(Code::InvalidTransition, "This tow is already decided."));
    }
    dues::hold(&mut tx, job_id, None).await?;
    if !pay {
        let settled = (job.price_without_tow_paise(), "The vehicle was not towed to its destination.");
        payments::settle_dispute(&mut tx, context, job_id, settled, admin, now).await?;
    }
    let decided = DomainEvent::TowDecided { profile_id: row.mechanic_profile_id, job_id };
    notifications::record(&mut tx, &context.random, decided, now).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action: "tow.decide",
        subject_kind: "job",
        subject_id: job_id,
        before: json!({"status": row.status, "reason": row.reason}),
        after: json!({"status": status, "amount_paise": row.amount_paise, "note": note}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    payments::wake_refunds(context);
    log::notify_committed(context, job_id).await;
    find(context, job_id).await.map_err(after_commit)
}
