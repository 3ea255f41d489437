//! Asks the provider whom an address belongs to, and applies the answer.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    VerificationStatus,
    queries::{self, UpiRow},
};
use crate::{
    money::wallet::{
        WalletContext, name_match,
        state::{NameCheck, UpiCommand},
    },
    notifications::{self, DomainEvent, UpiOf},
    platform::{
        backoff::pause,
        error::{ApiError, ApiResult, commit_error},
    },
    providers::{
        ProviderError,
        payouts::{NewValidation, Validation, ValidationOutcome},
    },
};

/// Accounts that are asked about at once; the rest is taken in the next round, at once.
const AT_ONCE: i64 = 8;

/// Applies the provider's answer about an address, from a request, the worker or a webhook. The account is found by our id
/// where the answer has it, else by the provider's id of the check. Moves forward only; `false` if no account of ours
/// matches.
pub async fn apply_validation(
    tx: &mut PgConnection,
    context: &WalletContext,
    upi_account_id: Option<Uuid>,
    validation: &Validation,
) -> ApiResult<bool> {
    let found = match upi_account_id {
        Some(id) => queries::lock(tx, id).await?,
        None => queries::lock_by_validation(tx, &validation.id).await?,
    };
    let Some(row) = found else { return Ok(false) };
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
            let name = queries::owners_name(&mut *tx, row.mechanic_profile_id).await?;
            // Nothing fits a profile without a name.
            let score = name.map_or(0, |name| name_match::score(&name, name_at_bank)) as i32;
            let fits = score >= context.settings.wallet.name_match_score;
            let row =
                UpiRow { name_at_bank: Some(name_at_bank.clone()), name_match_score: Some(score), ..row };
            checked(row, if fits { NameCheck::Fits } else { NameCheck::DoesNotFit })?
        }
    };
    queries::update(tx, &row).await?;
    if let Some(notification) = notification_for(&row) {
        notifications::record(tx, &context.random, notification, now).await?;
    }
    Ok(true)
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
        None => queries::owners_name(&context.db, row.mechanic_profile_id)
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
        // An address that the provider won't even look up.
        Err(ProviderError::Refused { code, description }) => {
            tracing::warn!(upi_account.id = %row.id, code, description, "the provider refused to check a UPI address");
            let id = row.validation_id.clone().unwrap_or_else(|| format!("refused:{}", row.id));
            Ok(Validation { id, fund_account_id: None, outcome: ValidationOutcome::Invalid })
        }
        answer => answer,
    }
}

/// One round of the worker: whether there may be more to do at once.
pub async fn check_due(context: &WalletContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let due = queries::take_due(&context.db, now, lease(context, now), AT_ONCE).await?;
    let asked = futures_util::future::join_all(due.iter().map(|row| ask(context, row))).await;
    for error in asked.into_iter().filter_map(Result::err) {
        error.log();
    }
    Ok(due.len() as i64 == AT_ONCE)
}

/// Until when whoever asks has surely been answered, or has died.
pub fn lease(context: &WalletContext, now: DateTime<Utc>) -> DateTime<Utc> {
    let payouts = &context.settings.payouts;
    now + TimeDelta::milliseconds(2 * payouts.timeout_ms as i64) + TimeDelta::seconds(payouts.retry_s)
}
