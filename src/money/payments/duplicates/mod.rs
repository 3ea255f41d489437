//! Second captures of one order: the customer paid twice, in two tabs or by two methods. A second capture is booked as
//! a payment of its own that pays for nothing, and goes back in full, like every surplus.

mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{
    attempts, audited,
    context::PaymentsContext,
    parked, queries as payments,
    queries::PaymentRow,
    refunds,
    state::ParkedMove,
    transaction::{AfterCommit, show_on_jobs},
};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult},
    },
    providers::gateway::Attempt,
};

/// Gives back the amount that `attempt` captured in addition to the capture of `payment`. The payment and its jobs are
/// locked; the attempt is saved, so that repeated events change nothing.
pub(super) async fn give_back(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    attempt: &Attempt,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    attempts::queries::save(tx, payment.id, attempt, at).await?;
    // The payment stays as it is, but what was decided without a lock, by the attempts known then, is decided again.
    payments::touch(tx, payment.id, at).await?;
    if !is_free(tx, context, attempt, at).await? {
        return Ok(());
    }
    let id = context.random.id(at);
    queries::insert(tx, payment.id, id, attempt, at).await?;
    queries::copy_fees(tx, payment.id, id).await?;
    let duplicate = payments::find(&mut *tx, id).await?;
    let duplicate = duplicate.ok_or_else(|| ApiError::internal("a payment has disappeared"))?;
    refunds::give_surplus_back(tx, context, &duplicate, attempt.amount_paise, at).await?;
    after.has_refund = true;
    show_on_jobs(tx, context, &duplicate, after, at).await?;
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

/// Returns whether the capture is still to be given back. Earlier releases parked second captures, and an old event can
/// be replayed: a parked payment that an admin has settled is left alone, and one that still waits for an admin is
/// closed, since it is given back here.
async fn is_free(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    attempt: &Attempt,
    at: DateTime<Utc>,
) -> ApiResult<bool> {
    let Some(mut row) = parked::queries::lock_of_attempt(tx, &attempt.id).await? else { return Ok(true) };
    let before = row.state.status;
    let Some(dismissed) = row.state.after(ParkedMove::Dismiss, at) else { return Ok(false) };
    row.state = dismissed;
    parked::queries::update(tx, &row).await?;
    let entry = NewAuditEntry {
        actor_id: None,
        action: "parked_payment.dismiss",
        subject_kind: "parked_payment",
        subject_id: row.id,
        before: audited::parked(before, None),
        after: audited::parked(row.state.status, Some("It is given back as a duplicate payment.")),
    };
    Ok(audit::record(tx, &context.random, at, entry).await.map(|()| true)?)
}
