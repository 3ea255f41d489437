//! Requests withdrawals, pays them out, and records those that are paid by hand.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::NewWithdrawal,
    paying::{apply_payout, apply_status, reconcile_after, refuse},
    queries::{self, WithdrawalRow},
    state::WithdrawalStatus,
};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    fleet::mechanics,
    http::Money,
    money::wallet::{
        context::WalletContext,
        upi::{
            queries::{UpiRow, lock_to_pay},
            refusals::check_payable,
        },
    },
    platform::{
        audit,
        backoff::pause,
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
    providers::{
        ProviderError,
        payouts::{NewPayout, Payout, PayoutStatus},
    },
};

/// The time for which a withdrawal that an admin pays by hand is left alone. Only a provider that is set up later would
/// be asked.
const LOOK_AGAIN: TimeDelta = TimeDelta::days(1);

/// Requests a withdrawal: inserts its row and holds the amount.
pub async fn request(
    context: &WalletContext,
    mechanic_profile_id: Uuid,
    new: NewWithdrawal,
    claim: &Claim,
) -> ApiResult<WithdrawalRow> {
    let now = context.clock.now();
    check_amount(context, new.amount)?;
    let mut tx = context.db.begin().await?;
    let asked_for = new.upi_account_id.map(|id| id.0);
    let account = lock_to_pay(&mut tx, mechanic_profile_id, asked_for).await?;
    let account = payable(account, asked_for.is_some(), now)?;
    let owner = mechanics::verified_name(&mut *tx, mechanic_profile_id).await?;
    let row = WithdrawalRow {
        id: context.random.id(now),
        mechanic_profile_id,
        upi_account_id: account.id,
        holder_name: account
            .holder_name
            .or(account.name_at_bank)
            .or(owner)
            .unwrap_or_else(|| account.vpa.clone()),
        vpa: account.vpa,
        fund_account_id: account.fund_account_id,
        amount_paise: new.amount.0,
        currency: context.settings.currency.clone(),
        status: WithdrawalStatus::Requested,
        payout_id: None,
        asked_at: None,
        utr: None,
        failure_reason: None,
        attempts: 0,
        next_try_at: Some(now),
        requested_at: now,
        settled_at: None,
        updated_at: now,
    };
    queries::insert(&mut tx, &row).await?;
    let balances = ledger::lock_balances(&mut tx, mechanic_profile_id).await?;
    if row.amount_paise > balances.withdrawable_paise() {
        return Err(ApiError::new(
            Code::InsufficientBalance,
            "You can't withdraw that much. Your balance is too low.",
        ));
    }
    let (held, available) = (Account::Held(mechanic_profile_id), Account::Available(mechanic_profile_id));
    let entry = LedgerEntry {
        kind: EntryKind::WithdrawalHold,
        key: format!("withdrawal:{}:hold", row.id),
        job_id: None,
        note: None,
        postings: vec![(available, -row.amount_paise), (held, row.amount_paise)],
    };
    ledger::post(&mut tx, &context.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    context.payout_wakeup.wake();
    Ok(row)
}

fn check_amount(context: &WalletContext, amount: Money) -> ApiResult<()> {
    let wallet = &context.wallet_settings;
    let (least, most) = (wallet.min_withdrawal_paise, wallet.max_withdrawal_paise);
    if (least..=most).contains(&amount.0) {
        return Ok(());
    }
    Err(ApiError::invalid("amount", format!("must be {} to {}", Money(least), Money(most))))
}

/// Returns the account if money may be sent there now.
fn payable(account: Option<UpiRow>, is_named: bool, now: DateTime<Utc>) -> ApiResult<UpiRow> {
    match account {
        None if is_named => Err(ApiError::invalid("upi_account_id", "is not a UPI account of yours")),
        None => Err(ApiError::new(
            Code::Conflict,
            "You have no UPI account we can pay yet. Add one, or wait until yours is verified.",
        )),
        Some(account) => check_payable(&account, now).map(|()| account),
    }
}

/// Returns the withdrawal as it was when it was made, which is the answer that its maker got.
pub async fn as_requested(
    context: &WalletContext,
    mechanic_profile_id: Uuid,
    id: Uuid,
) -> ApiResult<WithdrawalRow> {
    let row = queries::find(&context.db, mechanic_profile_id, id).await?.ok_or_else(no_such_withdrawal)?;
    Ok(WithdrawalRow {
        status: WithdrawalStatus::Requested,
        utr: None,
        failure_reason: None,
        settled_at: None,
        ..row
    })
}

/// Pays a withdrawal out through the provider, or asks after its payout, and applies the answer, unless the withdrawal
/// has ended. The provider is called outside any transaction.
pub async fn pay(context: &WalletContext, row: &WithdrawalRow) -> ApiResult<()> {
    if context.payout_settings.is_by_hand() {
        let again_at = context.clock.now() + LOOK_AGAIN;
        return Ok(queries::put_off(&context.db, row.id, again_at).await?);
    }
    // This commits before the call: whatever the outcome of the call, the withdrawal may have been paid.
    if !queries::note_asked(&context.db, row.id, context.clock.now()).await? {
        // An admin has recorded the withdrawal's end since it was taken, or the provider has reported it.
        return Ok(());
    }
    let answer = match &row.payout_id {
        Some(id) => look_up(context, row, id).await,
        None => Answer::of(context.payouts.pay_out(&order(row)).await),
    };
    let mut tx = context.db.begin().await?;
    match answer {
        Answer::Payout(payout) => {
            // The payout was found under our order's key, so it is ours whatever id it reports.
            let payout = Payout { withdrawal_id: Some(row.id), ..payout };
            apply_payout(&mut tx, context, &payout).await?;
            if payout.status == PayoutStatus::Pending {
                let wait = reconcile_after(context).max(pause(context.payout_settings.retry_s, row.attempts));
                queries::put_off(&mut *tx, row.id, context.clock.now() + wait).await?;
            }
        }
        Answer::Refused(why) => refuse(&mut tx, context, row.id, &why).await?,
        Answer::Unknown(error) => {
            tracing::warn!(withdrawal.id = %row.id, %error, "it is not known whether a withdrawal was paid out; trying again");
            let again_at = context.clock.now() + pause(context.payout_settings.retry_s, row.attempts);
            queries::put_off(&mut *tx, row.id, again_at).await?;
        }
    }
    tx.commit().await.map_err(commit_error)
}

enum Answer {
    Payout(Payout),
    /// The payout did not happen, and will not.
    Refused(String),
    /// The payout may have happened, or may still happen.
    Unknown(ProviderError),
}

impl Answer {
    /// Reads the outcome of a call that pays out.
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

/// Returns the order, which is always the same: all its fields were frozen with the withdrawal.
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

/// The outcome of a withdrawal that an admin pays by hand.
#[derive(Debug, Clone, Copy)]
pub enum ByHand<'a> {
    /// The withdrawal was paid; the reference finds the payment at the bank.
    Paid { reference: &'a str },
    /// The withdrawal was not paid, for this reason; the amount is available again.
    NotPaid { reason: &'a str },
}

/// Records the outcome of a withdrawal that is paid by hand, once. Refused if a provider pays; `NotPaid` is refused,
/// too, if a provider may have paid before.
pub async fn record_by_hand(
    context: &WalletContext,
    admin_id: Uuid,
    id: Uuid,
    outcome: ByHand<'_>,
) -> ApiResult<WithdrawalRow> {
    if !context.payout_settings.is_by_hand() {
        let message = "The payout provider pays withdrawals and reports what came of them.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, Some(id), "").await?.ok_or_else(no_such_withdrawal)?;
    if !before.status.is_under_way() {
        let message = format!("This withdrawal has ended: it is {}.", before.status);
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let may_be_paid = before.asked_at.is_some() || before.payout_id.is_some();
    if may_be_paid && matches!(outcome, ByHand::NotPaid { .. }) {
        let message = "A payout provider has this withdrawal and may have paid it. Mark it as paid if it has, or set the provider up again.";
        return Err(ApiError::new(Code::Conflict, message));
    }
    let (action, reported, reference, reason) = match outcome {
        ByHand::Paid { reference } => {
            ("withdrawal.mark_paid", PayoutStatus::Processed, Some(reference.to_owned()), None)
        }
        ByHand::NotPaid { reason } => ("withdrawal.mark_failed", PayoutStatus::Failed, None, Some(reason)),
    };
    let row = WithdrawalRow { utr: reference.or_else(|| before.utr.clone()), ..before.clone() };
    apply_status(&mut tx, context, row, reported, reason, now).await?;
    let after = queries::find(&mut *tx, before.mechanic_profile_id, id).await?;
    let after = after.ok_or_else(no_such_withdrawal)?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action,
        subject_kind: "withdrawal",
        subject_id: id,
        before: audited(&before),
        after: audited(&after),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(after)
}

/// Describes a withdrawal for the audit log.
fn audited(row: &WithdrawalRow) -> serde_json::Value {
    json!({"status": row.status, "reference": row.utr, "failure_reason": row.failure_reason})
}

pub fn no_such_withdrawal() -> ApiError {
    ApiError::not_found("withdrawal")
}
