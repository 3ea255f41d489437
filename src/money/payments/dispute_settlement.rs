//! The money of a dispute: it is held until the dispute is resolved, then shared out as decided. The review of a tow is
//! settled alike.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    context::PaymentsContext,
    dto::RefundSource,
    earnings::{self, HoldReason},
    queries::{self, PaymentRow},
    refunds::{self, RefundRequest},
    transaction::{AfterCommit, close_if_amount_changed},
};
use crate::{accounting::dues, platform::error::ApiResult};

/// Holds the earnings from a job until the dispute about it is resolved. Call this in the transaction that disputes the
/// job, whose row is locked.
pub async fn hold_for_dispute(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    earnings::hold(tx, context, HoldReason::Job(job_id), at).await
}

/// Sets the customer's whole obligation for the job to `new_due_paise`: payments beyond it are refunded, and a missing
/// part stays due. Call this in the transaction that resolves the dispute, whose job is locked. The customer reads the
/// `reason` of a refund.
pub async fn settle_dispute(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    (new_due_paise, reason): (i64, &str),
    admin_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let Some(due) = dues::find(&mut *tx, job_id).await? else { return Ok(()) };
    // A refund before the dispute has lowered the due amount already; it does not rise again.
    let new_due_paise = new_due_paise.min(due.due_paise);
    let mut beyond_paise = due.paid_paise - new_due_paise;
    for payment in queries::captured_of_job(tx, job_id).await? {
        // This is the amount that was applied to the job, less the part of it that went back already.
        let left_paise = applied_left(&payment);
        let part = beyond_paise.min(left_paise);
        if part <= 0 {
            continue;
        }
        beyond_paise -= part;
        let request = RefundRequest {
            amount_paise: part,
            source: RefundSource::Dispute,
            reason: Some(reason),
            requested_by: Some(admin_id),
            gateway_refund_id: None,
            first_from: None,
        };
        refunds::create(tx, context, &payment, request, at).await?;
    }
    let Some(mut due) = dues::find(&mut *tx, job_id).await? else { return Ok(()) };
    due.due_paise = new_due_paise.max(due.paid_paise);
    dues::set(tx, &due, at).await?;
    // The caller notifies the job's watchers.
    close_if_amount_changed(tx, context, &due, &mut AfterCommit::default(), at).await
}

/// Wakes the worker that makes refunds. Call this after the commit that promises them.
pub fn wake_refunds(context: &PaymentsContext) {
    context.refund_wakeup.wake();
}

fn applied_left(payment: &PaymentRow) -> i64 {
    (payment.amount_paise - payment.refunded_paise).min(payment.applied_paise)
}
