//! Applies the provider's reports about a payout, and books them.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    queries::{self, WithdrawalRow},
    state::{Booking, WithdrawalStatus},
};
use crate::{
    accounting::ledger::{self, Account, LedgerEntry},
    money::wallet::context::WalletContext,
    notifications::{self, DomainEvent, WithdrawalOf},
    platform::error::{ApiError, ApiResult},
    providers::payouts::{Payout, PayoutStatus},
};

/// The maximum length of a stored reason, in characters.
const MAX_REASON: usize = 300;

/// Applies the state of a payout, from the call itself, a webhook or a later look-up. Moves forward only, and books
/// each step once, in whatever order and however often it is reported. Returns false if the payout is not ours. Locks
/// the withdrawal, then the ledger.
pub async fn apply_payout(
    tx: &mut PgConnection,
    context: &WalletContext,
    payout: &Payout,
) -> ApiResult<bool> {
    let found = queries::lock(tx, payout.withdrawal_id, &payout.id).await?;
    let Some(row) = found else { return Ok(false) };
    if payout.amount_paise != row.amount_paise {
        let (reported, ours) = (payout.amount_paise, row.amount_paise);
        return Err(ApiError::internal(format!(
            "withdrawal {}: payout of {reported}, not {ours} paise",
            row.id
        )));
    }
    if row.payout_id.as_ref().is_some_and(|id| *id != payout.id) {
        return Err(ApiError::internal(format!("withdrawal {} has two payouts", row.id)));
    }
    let now = context.clock.now();
    let row = WithdrawalRow {
        payout_id: Some(payout.id.clone()),
        utr: payout.utr.clone().or_else(|| row.utr.clone()),
        ..row
    };
    apply_status(tx, context, row, payout.status, payout.failure.as_deref(), now).await?;
    Ok(true)
}

/// Moves the withdrawal on, and books the entries of the move.
pub async fn apply_status(
    tx: &mut PgConnection,
    context: &WalletContext,
    row: WithdrawalRow,
    reported: PayoutStatus,
    failure: Option<&str>,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let Some((status, bookings)) = row.status.after(reported) else {
        // Facts that lead to no new status, like the bank's reference, are stored all the same.
        return Ok(queries::update(tx, &row).await?);
    };
    let is_over = !status.is_under_way();
    let has_failed = matches!(status, WithdrawalStatus::Failed | WithdrawalStatus::Reversed);
    let failure_reason = failure.map(|reason| reason.chars().take(MAX_REASON).collect());
    let row = WithdrawalRow {
        status,
        failure_reason: failure_reason.or(row.failure_reason).filter(|_| has_failed),
        next_try_at: if is_over { None } else { Some(now + reconcile_after(context)) },
        settled_at: is_over.then_some(now),
        updated_at: now,
        ..row
    };
    queries::update(tx, &row).await?;
    if let Some(notification) = notification_for(&row) {
        notifications::record(tx, &context.random, notification, now).await?;
    }
    if bookings.len() > 1 || bookings.contains(&Booking::Retaken) {
        // There is more than one entry, or one that depends on a balance.
        ledger::lock_balances(tx, row.mechanic_profile_id).await?;
    }
    for booking in bookings {
        book(tx, context, &row, *booking, now).await?;
    }
    tracing::info!(withdrawal.id = %row.id, status = %row.status, "a withdrawal changed its status");
    Ok(())
}

/// Returns the notification to the mechanic about the withdrawal's status.
fn notification_for(row: &WithdrawalRow) -> Option<DomainEvent<'static>> {
    let of = WithdrawalOf { profile_id: row.mechanic_profile_id, withdrawal_id: row.id };
    match row.status {
        WithdrawalStatus::Requested | WithdrawalStatus::Processing => None,
        WithdrawalStatus::Processed => Some(DomainEvent::WithdrawalPaid(of)),
        WithdrawalStatus::Failed => Some(DomainEvent::WithdrawalFailed(of)),
        WithdrawalStatus::Reversed => Some(DomainEvent::WithdrawalReversed(of)),
    }
}

async fn book(
    tx: &mut PgConnection,
    context: &WalletContext,
    row: &WithdrawalRow,
    booking: Booking,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let (amount, mechanic) = (row.amount_paise, row.mechanic_profile_id);
    let (available, held) = (Account::Available(mechanic), Account::Held(mechanic));
    let postings = match booking {
        Booking::Paid => vec![(held, -amount), (Account::PayoutClearing, amount)],
        Booking::Released => vec![(held, -amount), (available, amount)],
        Booking::Returned => vec![(Account::PayoutClearing, -amount), (available, amount)],
        Booking::Retaken => {
            // The amount may have been withdrawn again meanwhile: the missing part is owed.
            let there = ledger::balances(&mut *tx, mechanic).await?.available_paise.min(amount);
            let owed = Account::Owed(mechanic);
            vec![(available, -there), (owed, there - amount), (Account::PayoutClearing, amount)]
        }
    };
    let entry = LedgerEntry {
        kind: booking.kind(),
        key: format!("withdrawal:{}:{}", row.id, booking.key_part()),
        job_id: None,
        note: None,
        postings,
    };
    ledger::post(tx, &context.random, now, entry).await.map(drop)
}

pub fn reconcile_after(context: &WalletContext) -> TimeDelta {
    TimeDelta::seconds(context.payout_settings.reconcile_after_s)
}

/// Records that the payout did not happen, and will not.
pub async fn refuse(tx: &mut PgConnection, context: &WalletContext, id: Uuid, why: &str) -> ApiResult<()> {
    let found = queries::lock(tx, Some(id), "").await?;
    let row = found.ok_or_else(|| ApiError::internal("a withdrawal has disappeared"))?;
    apply_status(tx, context, row, PayoutStatus::Failed, Some(why), context.clock.now()).await
}
