//! A second capture of one order: the customer paid twice, in two tabs or by two ways. It is booked as a payment of its own
//! that pays for nothing, and goes back whole by the way that every surplus takes.

mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{
    apply::{self, AfterCommit},
    attempts, queries as payments,
    queries::PaymentRow,
    refunds,
};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    money::payments::PaymentsContext,
    platform::error::{ApiError, ApiResult},
    providers::gateway::Attempt,
};

/// Gives back what `attempt` captured beside the capture of `payment`. The payment and its jobs are locked; the attempt is
/// remembered, so that hearing of it again changes nothing.
pub(super) async fn give_back(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    attempt: &Attempt,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    attempts::queries::save(tx, payment.id, attempt, at).await?;
    let id = context.random.id(at);
    queries::insert(tx, payment.id, id, attempt, at).await?;
    queries::copy_fees(tx, payment.id, id).await?;
    let duplicate = payments::find(&mut *tx, id).await?;
    let duplicate = duplicate.ok_or_else(|| ApiError::internal("a payment has disappeared"))?;
    refunds::give_surplus_back(tx, context, &duplicate, attempt.amount_paise, at).await?;
    after.has_refund = true;
    apply::show_on_jobs(tx, context, &duplicate, after, at).await?;
    let entry = LedgerEntry {
        kind: EntryKind::Capture,
        key: format!("{}:{id}", EntryKind::Capture),
        job_id: payment.job_id,
        note: None,
        postings: vec![
            (Account::GatewayClearing, -attempt.amount_paise),
            (Account::Refunds, attempt.amount_paise),
        ],
    };
    ledger::post(tx, &context.random, at, entry).await.map(drop)
}
