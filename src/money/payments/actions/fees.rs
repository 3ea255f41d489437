//! The admins' actions on cancellation fees.

use uuid::Uuid;

use crate::{
    accounting::dues::{self, FeeStatus},
    jobs::{self, log},
    money::payments::{audited, context::PaymentsContext},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// Waives a cancellation fee.
pub async fn waive(context: &PaymentsContext, admin_id: Uuid, job_id: Uuid, claim: &Claim) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    log::lock(&mut tx, context, job_id).await.map_err(jobs::refused)?;
    let none_due = || ApiError::new(Code::InvalidTransition, "No cancellation fee is due for this job.");
    let fee = dues::waive(&mut tx, &context.random, job_id, now).await?.ok_or_else(none_due)?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "job.waive_fee",
        subject_kind: "job",
        subject_id: job_id,
        before: audited::fee_status(fee.amount_paise, FeeStatus::Due),
        after: audited::fee_status(fee.amount_paise, FeeStatus::Waived),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, job_id).await?;
    tx.commit().await.map_err(commit_error)
}
