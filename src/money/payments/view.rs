//! Rows as they are shown.

use sqlx::PgExecutor;
use uuid::Uuid;

use super::{
    dto::{Payment, Refund, ShownRefundStatus, UnpaidFee},
    queries::{self, PaymentRow},
    refunds::RefundRow,
    state::RefundStatus,
};
use crate::accounting::dues::FeeRow;
use crate::{http::Money, platform::error::ApiResult};

/// Returns these payments, with the fees that they are for.
pub(super) async fn present(db: impl PgExecutor<'_>, rows: Vec<PaymentRow>) -> ApiResult<Vec<Payment>> {
    let ids: Vec<Uuid> = rows.iter().filter(|row| row.job_id.is_none()).map(|row| row.id).collect();
    let fees = if ids.is_empty() { Vec::new() } else { queries::fees_of(db, &ids).await? };
    let shown = rows.into_iter().map(|row| {
        let own = fees.iter().filter(|fee| fee.payment_id == row.id);
        let fee_job_ids = own.map(|fee| fee.job_id).collect();
        payment(row, fee_job_ids)
    });
    Ok(shown.collect())
}

fn payment(row: PaymentRow, fee_job_ids: Vec<Uuid>) -> Payment {
    Payment {
        id: row.id,
        customer_id: row.customer_id,
        purpose: row.purpose,
        job_id: row.job_id,
        fee_job_ids,
        channel: row.channel,
        status: row.status,
        amount: Money(row.amount_paise),
        currency: row.currency,
        refunded_amount: Money(row.refunded_paise),
        gateway: row.gateway,
        gateway_order_id: row.gateway_order_id,
        gateway_payment_id: row.gateway_payment_id,
        method: row.method,
        failure: row.failure,
        cash_confirmed_by_customer_at: row.cash_customer_at.map(Into::into),
        cash_confirmed_by_mechanic_at: row.cash_mechanic_at.map(Into::into),
        is_open: row.is_open,
        expires_at: row.expires_at.map(Into::into),
        captured_at: row.captured_at.map(Into::into),
        duplicate_of: row.duplicate_of,
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
    }
}

impl From<RefundRow> for Refund {
    fn from(row: RefundRow) -> Self {
        Self {
            id: row.id,
            payment_id: row.payment_id,
            amount: Money(row.amount_paise),
            status: match row.status {
                RefundStatus::Requested | RefundStatus::Pending => ShownRefundStatus::Pending,
                RefundStatus::Processed => ShownRefundStatus::Processed,
                RefundStatus::Failed => ShownRefundStatus::Failed,
            },
            source: row.source,
            reason: row.reason,
            gateway_refund_id: row.gateway_refund_id,
            failure: row.failure,
            created_at: row.created_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}

impl From<FeeRow> for UnpaidFee {
    fn from(row: FeeRow) -> Self {
        Self {
            job_id: row.job_id,
            cancellation_fee: Money(row.amount_paise),
            cancelled_at: row.cancelled_at.into(),
        }
    }
}
