//! Asks the provider who owns an address, and applies the answer.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    VerificationStatus,
    queries::{self, UpiRow},
};
use crate::{
    fleet::mechanics,
    money::wallet::{
        WalletContext, name_match,
        state::{NameCheck, UpiCommand},
    },
    notifications::{self, DomainEvent, UpiOf},
    platform::{
        backoff::pause,
        core::Core,
        error::{ApiError, ApiResult, commit_error},
    },
    providers::{
        ProviderError,
        payouts::{NewValidation, Validation, ValidationOutcome},
    },
};

/// Accounts asked about at once; the next round, right after, takes the rest.
const AT_ONCE: i64 = 8;

/// Applies the provider's answer about an address, from a request, the worker or a webhook. The account is found by our id if
/// the answer has it, else by the provider's id of the check. Moves forward only; `false` if no account matches.
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
    let is_of_an_older_one = row.validation_id.as_ref().is_some_and(|id| *id != validation.id);
    if row.verification_status != VerificationStatus::Pending || is_of_an_older_one {
        return Ok(true);
    }
    let now = context.clock.now();
    let fund_account_id = validation.fund_account_id.clone().or_else(|| row.fund_account_id.clone());
    let row = UpiRow { validation_id: Some(validation.id.clone()), fund_account_id, updated_at: now, ..row };
    let row = match &validation.outcome {
        ValidationOutcome::Pending => row,
        ValidationOutcome::Invalid => checked(row, NameCheck::NoSuchAddress)?,
        ValidationOutcome::Active { name_at_bank } => {
            let name = mechanics::verified_name(&mut *tx, row.mechanic_profile_id).await?;
            let score = match_score(name.as_deref(), Some(name_at_bank));
            let fits = score >= context.settings.wallet.name_match_score;
            let row =
                UpiRow { name_at_bank: Some(name_at_bank.clone()), name_match_score: Some(score), ..row };
            checked(row, if fits { NameCheck::Fits } else { NameCheck::DoesNotFit })?
        }
    };
    queries::update(tx, &row).await?;
    super::keep_default_payable(tx, row.mechanic_profile_id, now).await?;
    if let Some(notification) = notification_for(&row) {
        notifications::record(tx, &context.random, notification, now).await?;
    }
    Ok(true)
}

/// Compares the banks' names of a mechanic's accounts with a new verified name. What does not match goes back to review,
/// approved or not. The caller holds the lock on the person.
pub async fn match_names_again(
    tx: &mut PgConnection,
    core: &Core,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let now = core.clock.now();
    let name = mechanics::verified_name(&mut *tx, mechanic_profile_id).await?;
    for row in queries::list(&mut *tx, mechanic_profile_id).await? {
        let score = match_score(name.as_deref(), row.name_at_bank.as_deref());
        let fits = score >= core.settings.wallet.name_match_score;
        let before = row.verification_status;
        let Ok(after) = before.decide(UpiCommand::MatchAgain { fits }) else { continue };
        let row =
            UpiRow { verification_status: after, name_match_score: Some(score), updated_at: now, ..row };
        queries::update(tx, &row).await?;
        if let Some(notification) = notification_for(&row).filter(|_| after != before) {
            notifications::record(tx, &core.random, notification, now).await?;
        }
    }
    Ok(super::keep_default_payable(tx, mechanic_profile_id, now).await?)
}

/// 0 if one of the two is missing.
fn match_score(verified_name: Option<&str>, name_at_bank: Option<&str>) -> i32 {
    verified_name.zip(name_at_bank).map_or(0, |(one, other)| name_match::score(one, other)) as i32
}

/// The notification to the mechanic about the account's status.
pub(super) fn notification_for(row: &UpiRow) -> Option<DomainEvent<'static>> {
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

/// Asks the provider about an account and records the answer. Without one the account stays pending, and the worker
/// asks again.
pub async fn ask(context: &WalletContext, row: &UpiRow) -> ApiResult<()> {
    match ask_provider(context, row).await {
        Ok(validation) => {
            let is_pending = validation.outcome == ValidationOutcome::Pending;
            let mut tx = context.db.begin().await?;
            apply_validation(&mut tx, context, Some(row.id), &validation).await?;
            if is_pending {
                let wait = TimeDelta::seconds(context.settings.payouts.reconcile_after_s)
                    .max(pause(context.settings.payouts.retry_s, row.checks));
                queries::put_off(&mut *tx, row.id, context.clock.now() + wait).await?;
            }
            tx.commit().await.map_err(commit_error)
        }
        Err(error) => {
            tracing::warn!(upi_account.id = %row.id, %error, "a UPI address could not be checked; trying again");
            let again_at = context.clock.now() + pause(context.settings.payouts.retry_s, row.checks);
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
        // Providers want one.
        holder_name: holder_name.unwrap_or_else(|| row.vpa.clone()),
    };
    match context.payouts.validate(&new).await {
        // The provider won't even look the address up.
        Err(ProviderError::Refused { code, description }) => {
            tracing::warn!(upi_account.id = %row.id, code, description, "the provider refused to check a UPI address");
            let id = row.validation_id.clone().unwrap_or_else(|| format!("refused:{}", row.id));
            Ok(Validation { id, fund_account_id: None, outcome: ValidationOutcome::Invalid })
        }
        answer => answer,
    }
}

/// One round of the worker. Returns whether there may be more to do right away.
pub async fn check_due(context: &WalletContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let due = queries::take_due(&context.db, now, lease(context, now), AT_ONCE).await?;
    let asked = futures_util::future::join_all(due.iter().map(|row| ask(context, row))).await;
    for error in asked.into_iter().filter_map(Result::err) {
        error.log();
    }
    Ok(due.len() as i64 == AT_ONCE)
}

/// When a request that asks now has surely been answered, or has died.
pub fn lease(context: &WalletContext, now: DateTime<Utc>) -> DateTime<Utc> {
    let payouts = &context.settings.payouts;
    now + TimeDelta::milliseconds(2 * payouts.timeout_ms as i64) + TimeDelta::seconds(payouts.retry_s)
}
