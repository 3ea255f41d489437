//! Sends payouts to the provider, and applies what it reports.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Booking, WithdrawalStatus,
    queries::{self, WithdrawalRow},
};
use crate::{
    accounting::ledger::{self, Account, LedgerEntry},
    money::wallet::{WalletContext, upi},
    notifications::{self, DomainEvent, WithdrawalOf},
    platform::{
        backoff::pause,
        error::{ApiError, ApiResult, commit_error},
    },
    providers::{
        ProviderError,
        payouts::{NewPayout, Payout, PayoutStatus},
    },
};

/// Payouts sent at once; the rest follow in the next round, without a pause.
const AT_ONCE: i64 = 8;
/// Letters of a reason that are kept.
const MAX_REASON: usize = 300;

/// Applies the state of a payout, from the call itself, a webhook or a later look-up. Moves forward only, and books each
/// step once, in whatever order and however often it is reported. `false` if it is not ours. Locks the withdrawal, then the
/// ledger.
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

/// Moves the withdrawal on, with its entries in the ledger.
async fn apply_status(
    tx: &mut PgConnection,
    context: &WalletContext,
    row: WithdrawalRow,
    reported: PayoutStatus,
    failure: Option<&str>,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let Some((status, bookings)) = row.status.after(reported) else {
        // What belongs to no new status, as the bank's reference, is kept all the same.
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
        // More than one entry, or one that depends on a balance.
        ledger::lock_balances(tx, row.mechanic_profile_id).await?;
    }
    for booking in bookings {
        book(tx, context, &row, *booking, now).await?;
    }
    tracing::info!(withdrawal.id = %row.id, status = %row.status, "a withdrawal changed its status");
    Ok(())
}

/// The notification to the mechanic about the withdrawal's status.
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
            // It may have been withdrawn again meanwhile: what is missing is owed.
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

fn reconcile_after(context: &WalletContext) -> TimeDelta {
    TimeDelta::seconds(context.settings.payouts.reconcile_after_s)
}

/// One round of the worker: whether there may be more to do at once. The provider is called outside any transaction.
pub async fn pay_due(context: &WalletContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let due = queries::take_due(&context.db, now, upi::lease(context, now), AT_ONCE).await?;
    let sent = futures_util::future::join_all(due.iter().map(|row| pay(context, row))).await;
    for error in sent.into_iter().filter_map(Result::err) {
        // It comes again when its lease is over.
        error.log();
    }
    Ok(due.len() as i64 == AT_ONCE)
}

async fn pay(context: &WalletContext, row: &WithdrawalRow) -> ApiResult<()> {
    let answer = match &row.payout_id {
        Some(id) => look_up(context, row, id).await,
        None => Answer::of(context.payouts.pay_out(&order(row)).await),
    };
    let mut tx = context.db.begin().await?;
    match answer {
        Answer::Payout(payout) => {
            // Found under our order's key, so it is ours whatever id it reports.
            let payout = Payout { withdrawal_id: Some(row.id), ..payout };
            apply_payout(&mut tx, context, &payout).await?;
            if payout.status == PayoutStatus::Pending {
                let wait =
                    reconcile_after(context).max(pause(context.settings.payouts.retry_s, row.attempts));
                queries::put_off(&mut *tx, row.id, context.clock.now() + wait).await?;
            }
        }
        Answer::Refused(why) => refuse(&mut tx, context, row.id, &why).await?,
        Answer::Unknown(error) => {
            tracing::warn!(withdrawal.id = %row.id, %error, "it is not known whether a withdrawal was paid out; trying again");
            let again_at = context.clock.now() + pause(context.settings.payouts.retry_s, row.attempts);
            queries::put_off(&mut *tx, row.id, again_at).await?;
        }
    }
    tx.commit().await.map_err(commit_error)
}

enum Answer {
    Payout(Payout),
    /// It did not happen, and will not.
    Refused(String),
    /// It may have happened, or may still happen.
    Unknown(ProviderError),
}

impl Answer {
    /// The outcome of a call that pays out.
    fn of(answer: Result<Payout, ProviderError>) -> Self {
        match answer {
            Ok(payout) => Self::Payout(payout),
            Err(ProviderError::Refused { description, .. }) => Self::Refused(description),
            Err(error @ (ProviderError::Unavailable(_) | ProviderError::Unknown(_))) => Self::Unknown(error),
        }
    }
}

/// Looks up a payout that the provider has. A failed look-up says nothing about the payout.
async fn look_up(context: &WalletContext, row: &WithdrawalRow, id: &str) -> Answer {
    match context.payouts.payout(id).await {
        Ok(Some(payout)) => Answer::Payout(payout),
        // The provider has lost it: the same order again finds it, or makes it.
        Ok(None) => Answer::of(context.payouts.pay_out(&order(row)).await),
        Err(error) => Answer::Unknown(error),
    }
}

/// Always the same: all of it was frozen with the withdrawal.
fn order(row: &WithdrawalRow) -> NewPayout {
    NewPayout {
        withdrawal_id: row.id,
        vpa: row.vpa.clone(),
        holder_name: row.holder_name.clone(),
        fund_account_id: row.fund_account_id.clone(),
        amount_paise: row.amount_paise,
        currency: row.currency.clone(),
    }
}

async fn refuse(tx: &mut PgConnection, context: &WalletContext, id: Uuid, why: &str) -> ApiResult<()> {
    let found = queries::lock(tx, Some(id), "").await?;
    let row = found.ok_or_else(|| ApiError::internal("a withdrawal has disappeared"))?;
    apply_status(tx, context, row, PayoutStatus::Failed, Some(why), context.clock.now()).await
}
