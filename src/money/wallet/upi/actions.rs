//! The actions on UPI accounts: those of their mechanics, and the decisions of admins.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    checking::{self, apply_validation},
    dto::NewUpiAccount,
    queries::{self, AdminUpiRow, UpiRow},
    refusals::{check_payable, illegal, no_such_account},
};
use crate::{
    accounts::auth,
    fleet::mechanics,
    money::wallet::{
        context::WalletContext,
        state::{UpiCommand, VerificationStatus},
        withdrawals::queries::is_under_way_to,
    },
    notifications,
    platform::{
        audit,
        backoff::pause,
        error::{ApiError, ApiResult, Code, after_commit, commit_error},
        idempotency::{self, Claim},
    },
    providers::{
        ProviderError,
        payouts::{NewValidation, Validation, ValidationOutcome},
    },
};

/// The time for which a look-up counts against a mechanic's limit.
pub const LOOK_UPS_COUNT_FOR: TimeDelta = TimeDelta::days(1);

/// The owner of UPI accounts.
#[derive(Debug, Clone, Copy)]
pub struct UpiOwner {
    pub user_id: Uuid,
    pub mechanic_profile_id: Uuid,
}

/// Adds an account and asks the provider who owns the address.
pub async fn add(
    context: &WalletContext,
    owner: UpiOwner,
    new: NewUpiAccount,
    claim: &Claim,
) -> ApiResult<UpiRow> {
    let row = insert(context, owner, new, claim).await?;
    asked(context, row).await
}

async fn insert(
    context: &WalletContext,
    owner: UpiOwner,
    new: NewUpiAccount,
    claim: &Claim,
) -> ApiResult<UpiRow> {
    let now = context.clock.now();
    let wallet = &context.wallet_settings;
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner.user_id).await?;
    check_room(&mut tx, context, owner.mechanic_profile_id).await?;
    count_look_up(&mut tx, context, owner.mechanic_profile_id).await?;
    queries::remove_invalid(&mut tx, owner.mechanic_profile_id, wallet.max_upi_accounts - 1, now).await?;
    let row = UpiRow {
        id: context.random.id(now),
        mechanic_profile_id: owner.mechanic_profile_id,
        vpa: new.vpa.0,
        holder_name: new.holder_name.map(|name| name.0),
        name_at_bank: None,
        name_match_score: None,
        verification_status: VerificationStatus::Pending,
        is_default: false,
        usable_from: now + TimeDelta::hours(wallet.new_account_wait_hours),
        rejection_reason: None,
        validation_id: None,
        fund_account_id: None,
        // The provider is asked right away; if this process dies first, the worker asks.
        check_at: Some(checking::lease(context, now)),
        checks: 0,
        created_at: now,
        updated_at: now,
    };
    queries::insert(&mut tx, &row).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Refuses an account beyond the limit. Accounts that no bank knows don't count.
async fn check_room(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let most = context.wallet_settings.max_upi_accounts;
    if queries::count(tx, mechanic_profile_id).await? < most {
        return Ok(());
    }
    let message = format!("You can have at most {most} UPI accounts. Remove one first.");
    Err(ApiError::new(Code::Conflict, message))
}

/// Counts one more look-up at the provider: each may cost money, and reveals a name. The caller holds the lock on the
/// person.
async fn count_look_up(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let (now, most) = (context.clock.now(), context.wallet_settings.upi_look_ups_per_day);
    let since = now - LOOK_UPS_COUNT_FOR;
    let before = queries::look_ups_since(tx, mechanic_profile_id, since).await?;
    if let Some(wait_s) = look_up_wait_s(&before, most, since) {
        let message =
            format!("You can have at most {most} UPI addresses checked in 24 hours. Try again later.");
        return Err(ApiError::new(Code::RateLimited, message).retry_after(wait_s));
    }
    Ok(queries::count_look_up(tx, mechanic_profile_id, now, since).await?)
}

/// Returns the seconds until one more look-up fits beside `before`, the look-ups since `since`, oldest first; `None` if
/// it fits now.
fn look_up_wait_s(before: &[DateTime<Utc>], most: usize, since: DateTime<Utc>) -> Option<u64> {
    let in_the_way = before.len().checked_sub(most).and_then(|index| before.get(index))?;
    Some(((*in_the_way - since).num_seconds() + 1).unsigned_abs())
}

/// Makes an account the default, which is used when a withdrawal names no account. Refuses with 409 if money can't be
/// withdrawn to it.
pub async fn make_default(context: &WalletContext, owner: UpiOwner, id: Uuid) -> ApiResult<UpiRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner.user_id).await?;
    let row = lock_own(&mut tx, owner, id).await?;
    if row.is_default {
        return Ok(row);
    }
    check_payable(&row, now)?;
    queries::clear_default(&mut tx, owner.mechanic_profile_id, now).await?;
    queries::make_default(&mut tx, id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(UpiRow { is_default: true, updated_at: now, ..row })
}

/// Asks the provider again who owns the address.
pub async fn verify_again(context: &WalletContext, owner: UpiOwner, id: Uuid) -> ApiResult<UpiRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner.user_id).await?;
    let row = lock_own(&mut tx, owner, id).await?;
    let was_pending = row.verification_status == VerificationStatus::Pending;
    let to = row.verification_status.decide(UpiCommand::AskAgain).map_err(illegal)?;
    if row.verification_status == VerificationStatus::Invalid {
        check_room(&mut tx, context, owner.mechanic_profile_id).await?;
    }
    // The result of a check that is under way is read; a check that has ended is made again.
    let validation_id = row.validation_id.filter(|_| was_pending);
    if validation_id.is_none() {
        count_look_up(&mut tx, context, owner.mechanic_profile_id).await?;
    }
    let row = UpiRow {
        verification_status: to,
        name_at_bank: None,
        name_match_score: None,
        validation_id,
        check_at: Some(checking::lease(context, now)),
        checks: 0,
        updated_at: now,
        ..row
    };
    queries::update(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    asked(context, row).await
}

/// Removes an account, unless a withdrawal to it is under way. If it was the default, the oldest other usable account
/// becomes the default.
pub async fn remove(context: &WalletContext, owner: UpiOwner, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner.user_id).await?;
    lock_own(&mut tx, owner, id).await?;
    if is_under_way_to(&mut *tx, id).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "A withdrawal to this account is under way. Try again when it is finished.",
        ));
    }
    queries::mark_deleted(&mut tx, id, now).await?;
    checking::keep_default_payable(&mut tx, owner.mechanic_profile_id, now).await?;
    tx.commit().await.map_err(commit_error)
}

async fn lock_own(tx: &mut PgConnection, owner: UpiOwner, id: Uuid) -> ApiResult<UpiRow> {
    let found = queries::lock(tx, id).await?;
    found.filter(|row| row.mechanic_profile_id == owner.mechanic_profile_id).ok_or_else(no_such_account)
}

/// Asks the provider and returns the account, as it was before if it is removed meanwhile. A missing answer is not a
/// failure: the worker asks again.
async fn asked(context: &WalletContext, row: UpiRow) -> ApiResult<UpiRow> {
    if let Err(error) = ask(context, &row).await {
        error.log();
    }
    Ok(queries::find(&context.db, row.id).await.map_err(after_commit)?.unwrap_or(row))
}

/// Asks the provider about an account and records the answer. Without an answer the account stays pending, and the
/// worker asks again.
pub async fn ask(context: &WalletContext, row: &UpiRow) -> ApiResult<()> {
    match ask_provider(context, row).await {
        Ok(validation) => {
            let is_pending = validation.outcome == ValidationOutcome::Pending;
            let mut tx = context.db.begin().await?;
            apply_validation(&mut tx, context, Some(row.id), &validation).await?;
            if is_pending {
                let wait = TimeDelta::seconds(context.payout_settings.reconcile_after_s)
                    .max(pause(context.payout_settings.retry_s, row.checks));
                queries::put_off(&mut *tx, row.id, context.clock.now() + wait).await?;
            }
            tx.commit().await.map_err(commit_error)
        }
        Err(error) => {
            tracing::warn!(upi_account.id = %row.id, %error, "a UPI address could not be checked; trying again");
            let again_at = context.clock.now() + pause(context.payout_settings.retry_s, row.checks);
            Ok(queries::put_off(&context.db, row.id, again_at).await?)
        }
    }
}

async fn ask_provider(context: &WalletContext, row: &UpiRow) -> Result<Validation, ProviderError> {
    if let Some(id) = &row.validation_id
        && let Some(validation) = context.payouts.validation(id).await?
    {
        return Ok(validation);
    }
    let holder_name = match &row.holder_name {
        Some(name) => Some(name.clone()),
        None => mechanics::verified_name(&context.db, row.mechanic_profile_id)
            .await
            .map_err(|error| ProviderError::Unavailable(error.to_string()))?,
    };
    let new = NewValidation {
        upi_account_id: row.id,
        vpa: row.vpa.clone(),
        // Providers require a name.
        holder_name: holder_name.unwrap_or_else(|| row.vpa.clone()),
    };
    match context.payouts.validate(&new).await {
        // The provider refuses even to look the address up.
        Err(ProviderError::Refused { code, description }) => {
            tracing::warn!(upi_account.id = %row.id, code, description, "the provider refused to check a UPI address");
            let id = row.validation_id.clone().unwrap_or_else(|| format!("refused:{}", row.id));
            Ok(Validation { id, fund_account_id: None, outcome: ValidationOutcome::Invalid })
        }
        answer => answer,
    }
}

/// Approves an account although its names do not match.
pub async fn approve(context: &WalletContext, admin_id: Uuid, id: Uuid) -> ApiResult<AdminUpiRow> {
    move_account(context, admin_id, id, UpiCommand::Approve, None).await
}

/// Rejects an account whose names do not match.
pub async fn reject(
    context: &WalletContext,
    admin_id: Uuid,
    id: Uuid,
    reason: Option<String>,
) -> ApiResult<AdminUpiRow> {
    move_account(context, admin_id, id, UpiCommand::Reject, reason).await
}

/// Decides as an admin about an account whose names do not match. The move leaves an audit row in its transaction.
async fn move_account(
    context: &WalletContext,
    admin_id: Uuid,
    id: Uuid,
    command: UpiCommand,
    reason: Option<String>,
) -> ApiResult<AdminUpiRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    lock_owner(&mut tx, id).await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_account)?;
    let to = before.verification_status.decide(command).map_err(illegal)?;
    let after =
        UpiRow { verification_status: to, rejection_reason: reason, updated_at: now, ..before.clone() };
    queries::update(&mut tx, &after).await?;
    checking::keep_default_payable(&mut tx, after.mechanic_profile_id, now).await?;
    let action = match to {
        VerificationStatus::Rejected => "upi_account.reject",
        _ => "upi_account.approve",
    };
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action,
        subject_kind: "upi_account",
        subject_id: id,
        before: audited(&before),
        after: audited(&after),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    if let Some(notification) = checking::notification_for(&after) {
        notifications::record(&mut tx, &context.random, notification, now).await?;
    }
    // The account is read before the commit, because the mechanic may remove it right after.
    let shown = queries::find_for_admin(&mut *tx, id).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    shown.ok_or_else(no_such_account)
}

/// Locks the account's owner, because the default may move.
async fn lock_owner(tx: &mut PgConnection, id: Uuid) -> ApiResult<()> {
    let account = queries::find(&mut *tx, id).await?.ok_or_else(no_such_account)?;
    Ok(mechanics::lock_person(tx, account.mechanic_profile_id).await?)
}

/// Returns the fields that a decision changes, for the audit log.
fn audited(row: &UpiRow) -> serde_json::Value {
    json!({
        "verification_status": row.verification_status,
        "name_match_score": row.name_match_score,
        "rejection_reason": row.rejection_reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_up_waits_until_enough_earlier_ones_are_a_day_old() {
        let since = DateTime::UNIX_EPOCH;
        let at = |seconds| since + TimeDelta::seconds(seconds);
        for (before, most, expected) in [
            (vec![], 2, None),
            (vec![at(10)], 2, None),
            (vec![at(10), at(20)], 2, Some(11)),
            // The limit was lowered.
            (vec![at(10), at(20), at(30)], 2, Some(21)),
            (vec![at(10)], 1, Some(11)),
            (vec![], 0, None),
        ] {
            assert_eq!(look_up_wait_s(&before, most, since), expected, "{before:?} of {most}");
        }
    }
}
