//! The consequences of the provider's answer about an address, and of a mechanic's new name.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::{self, UpiRow};
use crate::{
    fleet::mechanics,
    money::wallet::{
        context::WalletContext,
        name_match,
        state::{NameCheck, UpiCommand, VerificationStatus},
    },
    notifications::{self, DomainEvent, UpiOf},
    platform::error::{ApiError, ApiResult},
    providers::payouts::{Validation, ValidationOutcome},
};

/// Applies the provider's answer about an address, from a request, the worker or a webhook. The account is found by our
/// id if the answer has it, else by the provider's id of the check. Moves forward only. Returns false if no account
/// matches.
pub async fn apply_validation(
    tx: &mut PgConnection,
    context: &WalletContext,
    upi_account_id: Option<Uuid>,
    validation: &Validation,
) -> ApiResult<bool> {
    let found = match upi_account_id {
        Some(id) => queries::find(&mut *tx, id).await?,
        None => queries::find_by_validation(&mut *tx, &validation.id).await?,
    };
    let Some(found) = found else { return Ok(false) };
    mechanics::lock_person(tx, found.mechanic_profile_id).await?;
    let Some(row) = queries::lock(tx, found.id).await? else { return Ok(false) };
    let is_of_older_check = row.validation_id.as_ref().is_some_and(|id| *id != validation.id);
    if row.verification_status != VerificationStatus::Pending || is_of_older_check {
        return Ok(true);
    }
    let now = context.clock.now();
    let fund_account_id = validation.fund_account_id.clone().or_else(|| row.fund_account_id.clone());
    let row = UpiRow { validation_id: Some(validation.id.clone()), fund_account_id, updated_at: now, ..row };
    let row = match &validation.outcome {
        ValidationOutcome::Pending => row,
        ValidationOutcome::Invalid => checked(row, NameCheck::NoSuchAddress)?,
        ValidationOutcome::NobodyKnows => checked(row, NameCheck::DoesNotFit)?,
        ValidationOutcome::Active { name_at_bank } => {
            let name = mechanics::verified_name(&mut *tx, row.mechanic_profile_id).await?;
            let score = match_score(name.as_deref(), Some(name_at_bank));
            let fits = score >= context.wallet_settings.name_match_score;
            let row =
                UpiRow { name_at_bank: Some(name_at_bank.clone()), name_match_score: Some(score), ..row };
            checked(row, if fits { NameCheck::Fits } else { NameCheck::DoesNotFit })?
        }
    };
    queries::update(tx, &row).await?;
    keep_default_payable(tx, row.mechanic_profile_id, now).await?;
    // If nobody knows the address, the mechanic is only notified of an admin's decision.
    let is_news = validation.outcome != ValidationOutcome::NobodyKnows;
    if let Some(notification) = notification_for(&row).filter(|_| is_news) {
        notifications::record(tx, &context.random, notification, now).await?;
    }
    Ok(true)
}

/// Compares the banks' names of a mechanic's accounts with a new verified name. Accounts that do not match go back to
/// review, approved or not. The caller holds the lock on the person.
pub async fn match_names_again(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let now = context.clock.now();
    let name = mechanics::verified_name(&mut *tx, mechanic_profile_id).await?;
    for row in queries::list(&mut *tx, mechanic_profile_id).await? {
        let score = match_score(name.as_deref(), row.name_at_bank.as_deref());
        let fits = score >= context.wallet_settings.name_match_score;
        let before = row.verification_status;
        let Ok(after) = before.decide(UpiCommand::MatchAgain { fits }) else { continue };
        let row =
            UpiRow { verification_status: after, name_match_score: Some(score), updated_at: now, ..row };
        queries::update(tx, &row).await?;
        if let Some(notification) = notification_for(&row).filter(|_| after != before) {
            notifications::record(tx, &context.random, notification, now).await?;
        }
    }
    Ok(keep_default_payable(tx, mechanic_profile_id, now).await?)
}

/// Scores how well the two names match; 0 if one is missing.
fn match_score(verified_name: Option<&str>, name_at_bank: Option<&str>) -> i32 {
    verified_name.zip(name_at_bank).map_or(0, |(one, other)| name_match::score(one, other)) as i32
}

/// Returns the notification to the mechanic about the account's status.
pub fn notification_for(row: &UpiRow) -> Option<DomainEvent<'static>> {
    let of = UpiOf { profile_id: row.mechanic_profile_id, upi_account_id: row.id };
    match row.verification_status {
        VerificationStatus::Pending => None,
        VerificationStatus::Verified => Some(DomainEvent::UpiVerified(of)),
        VerificationStatus::NameMismatch => Some(DomainEvent::UpiNameMismatch(of)),
        VerificationStatus::Invalid => Some(DomainEvent::UpiInvalid(of)),
        VerificationStatus::ManuallyApproved => Some(DomainEvent::UpiApproved(of)),
        VerificationStatus::Rejected => Some(DomainEvent::UpiRejected(of)),
    }
}

fn checked(row: UpiRow, verdict: NameCheck) -> ApiResult<UpiRow> {
    let to = row.verification_status.decide(UpiCommand::RecordCheck(verdict));
    let verification_status = to.map_err(|illegal| ApiError::internal(illegal.to_string()))?;
    Ok(UpiRow { verification_status, check_at: None, ..row })
}

/// Returns the time by which a request that asks now has surely been answered, or has died.
pub fn lease(context: &WalletContext, now: DateTime<Utc>) -> DateTime<Utc> {
    let payouts = &context.payout_settings;
    now + TimeDelta::milliseconds(2 * payouts.timeout_ms as i64) + TimeDelta::seconds(payouts.retry_s)
}

/// Moves the default away from an account that is no longer usable, or is removed, to the first usable one. The caller
/// holds the lock on the person.
pub async fn keep_default_payable(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::clear_unusable_default(tx, mechanic_profile_id, now).await?;
    queries::fill_default(tx, mechanic_profile_id, now).await
}
