//! The money of a dispute: held while it lasts, then shared out as decided. A reviewed tow is decided alike.

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

/// Holds what a job earned until the dispute about it is resolved. In the transaction that disputes the job, whose row
/// is locked.
pub async fn hold_for_dispute(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    earnings::hold(tx, context, HoldReason::Job(job_id), at).await
}

/// The customer's whole obligation for the job becomes `new_due_paise`: what was paid beyond it goes back, what is
/// missing stays due. In the transaction that resolves the dispute, whose job is locked. The customer reads the `reason` of a refund.
pub async fn settle_dispute(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    (new_due_paise, reason): (i64, &str),
    admin_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let Some(due) = dues::find(&mut *tx, job_id).await? else { return Ok(()) };
    // A refund before the dispute has lowered it already: it does not come back.
    let new_due_paise = new_due_paise.min(due.due_paise);
    let mut beyond_paise = due.paid_paise - new_due_paise;
    for payment in queries::captured_of_job(tx, job_id).await? {
        // What was applied to the job, less what of that went back already.
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

/// After the commit of what promised refunds: they are made at once.
pub fn wake_refunds(context: &PaymentsContext) {
    context.refund_wakeup.wake();
}

fn applied_left(payment: &PaymentRow) -> i64 {
    (payment.amount_paise - payment.refunded_paise).min(payment.applied_paise)
}
