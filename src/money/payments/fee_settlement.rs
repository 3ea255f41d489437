//! The money of a contested fee: it is not due while an admin has yet to decide, it is held if it was paid, and it is
//! given back if the fee is dropped.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    apply::close_if_fee_settled,
    context::PaymentsContext,
    dto::RefundSource,
    earnings::{self, HoldReason},
    queries::{self, PaymentRow},
    refunds::{self, RefundRequest},
    transaction::{AfterCommit, lock_by_id, show_on_jobs},
};
use crate::{accounting::dues, platform::error::ApiResult};

/// Contests the fee of a job, if the job has a fee: closes an order for it, and holds the earnings from it. The job is
/// locked.
pub async fn contest_fee(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    (job_id, customer_id): (Uuid, Uuid),
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    if !dues::contest(tx, job_id).await? {
        return Ok(());
    }
    close_if_fee_settled(tx, context, customer_id, &[job_id], after, at).await?;
    earnings::hold(tx, context, HoldReason::Job(job_id), at).await
}

/// Locks the payment of a job's fee after all its jobs; `None` if the fee is not paid.
pub async fn lock_payment_of_fee(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    after: &mut AfterCommit,
) -> ApiResult<Option<PaymentRow>> {
    match queries::of_fee(tx, job_id).await? {
        Some(payment_id) => lock_by_id(tx, context, payment_id, after).await.map(Some),
        None => Ok(None),
    }
}

/// Gives a paid fee back, less the part that went back before. It is taken from its mechanic's earning.
pub async fn give_fee_back(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    (job_id, admin_id): (Uuid, Uuid),
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let earned = earnings::queries::lock_of_job(tx, job_id).await?;
    let left_of_fee: i64 = earned.iter().map(|earning| earning.gross_paise - earning.returned_paise).sum();
    let amount_paise = left_of_fee.min(payment.amount_paise - payment.refunded_paise);
    if amount_paise <= 0 {
        return Ok(());
    }
    let request = RefundRequest {
        amount_paise,
        source: RefundSource::Dispute,
        reason: Some("A contested no-show was dropped."),
        requested_by: Some(admin_id),
        gateway_refund_id: None,
        first_from: Some(job_id),
    };
    refunds::create(tx, context, payment, request, at).await?;
    after.has_refund = true;
    show_on_jobs(tx, context, payment, after, at).await
}
