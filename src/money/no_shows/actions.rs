//! The actions on a no-show: contesting and deciding it.

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
    money::payments::{self, AfterCommit, PaymentsContext},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, after_commit, commit_error},
        idempotency::{self, Claim},
    },
};

/// Returns the no-show of a job; 404 if none was reported.
pub async fn find(context: &PaymentsContext, job_id: Uuid) -> ApiResult<NoShowRow> {
    queries::find(&context.db, job_id).await?.ok_or_else(|| ApiError::not_found("no-show"))
}

/// Stores the customer's statement, once and in time: an admin decides then, and nothing is due before the decision.
pub async fn contest(
    context: &PaymentsContext,
    job_id: Uuid,
    customer_id: Uuid,
    statement: &str,
    claim: &Claim,
) -> ApiResult<NoShowRow> {
    find(context, job_id).await?;
    let (now, mut after) = (context.clock.now(), AfterCommit::default());
    let mut tx = context.db.begin().await?;
    let by = Actor::Customer(UserId(customer_id));
    after.command(&mut tx, context, job_id, by, &Command::ContestNoShow, now).await?;
    if !queries::contest(&mut tx, job_id, statement, now).await? {
        let why =
            "You have sent your side already, or nothing is due. Contact us if something is still wrong.";
        return Err(ApiError::new(Code::InvalidTransition, why));
    }
    payments::contest_fee(&mut tx, context, (job_id, customer_id), &mut after, now).await?;
    idempotency::complete(&mut tx, claim, job_id).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    find(context, job_id).await.map_err(after_commit)
}

/// Decides a no-show as an admin, at most once without and once with the customer's statement. A charge is then a fee
/// like that of any cancelled job; if the charge is dropped, payments for it are refunded.
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
    let (now, mut after) = (context.clock.now(), AfterCommit::default());
    let mut tx = context.db.begin().await?;
    // This locks all the jobs that the payment is for, in the order of their locks.
    let paid = payments::lock_payment_of_fee(&mut tx, context, job_id, &mut after).await?;
    let by = Actor::Admin(UserId(admin));
    let command = Command::DecideNoShow { fee_paise };
    after.command(&mut tx, context, job_id, by, &command, now).await?;
    if !queries::decide(&mut tx, job_id, status, note, admin, now).await? {
        return Err(ApiError::new(
            Code::InvalidTransition,
            "This no-show is not open: it is decided, or nobody contests it.",
        ));
    }
    let contested = dues::end_contest(&mut tx, job_id).await?;
    match (contested, paid) {
        (None, _) if charge => {
            let fee = FeeRow {
                job_id,
                customer_id: row.customer_id,
                mechanic_profile_id: Some(row.mechanic_profile_id),
                amount_paise: row.amount_paise,
                status: FeeStatus::Due,
                is_contested: false,
                cancelled_at: row.created_at,
            };
            dues::charge(&mut tx, &context.random, &fee, now).await?;
        }
        (Some(_), Some(payment)) if !charge => {
            payments::give_fee_back(&mut tx, context, &payment, (job_id, admin), &mut after, now).await?;
        }
        // The fee was paid after the search for its payment, which must be locked before the job.
        (Some(fee), None) if !charge && fee.status == FeeStatus::Paid => {
            return Err(ApiError::new(Code::Conflict, "This fee was paid in the meantime. Try again."));
        }
        (Some(_), None) if !charge => {
            dues::waive(&mut tx, &context.random, job_id, now).await?;
        }
        // The fee stays due or paid, as it was, or there never was a fee.
        _ => {}
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
    after.run(context).await;
    find(context, job_id).await.map_err(after_commit)
}
