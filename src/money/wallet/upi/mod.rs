//! UPI accounts, to which mechanics withdraw.
//!
//! A mechanic's accounts change under a lock on the person's row: the limit, the one default and its promotion are then
//! plain sequences of statements; so do answers of the provider and decisions of admins, since they may move the default.
//! The partial unique indexes are the second guard.

mod admin;
mod checking;
mod dto;
mod handlers;
mod queries;

pub use checking::{apply_validation, check_due, lease, match_names_again};
pub use dto::UpiAccount;
pub use queries::UpiRow;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::state::{IllegalUpiMove, VerificationStatus};
use crate::platform::{
    db::Db,
    error::{ApiError, ApiResult, Code},
};

/// How long a look-up counts against a mechanic's limit.
const LOOK_UPS_COUNT_FOR: TimeDelta = TimeDelta::days(1);

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_upi_accounts)
        .service(handlers::add_upi_account)
        .service(handlers::get_upi_account)
        .service(handlers::make_upi_account_default)
        .service(handlers::verify_upi_account)
        .service(handlers::delete_upi_account)
        .service(admin::approve_upi_account)
        .service(admin::reject_upi_account)
        .service(admin::list_upi_accounts_for_admin);
}

/// The mechanic's accounts: the default first, then the oldest; as many as one may have at most, and as many invalid ones.
pub async fn upi_accounts(db: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Vec<UpiAccount>> {
    Ok(queries::list(db, mechanic_profile_id).await?.into_iter().map(UpiAccount::from).collect())
}

/// The mechanic's account with that id, or the default if there is none; share-locked until the transaction ends.
pub async fn lock_to_pay(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    id: Option<Uuid>,
) -> sqlx::Result<Option<UpiRow>> {
    queries::lock_to_pay(tx, mechanic_profile_id, id).await
}

/// Deletes at most `limit` look-ups that no longer count against a mechanic's limit; returns how many.
pub async fn sweep_look_ups(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep_look_ups(db, now - LOOK_UPS_COUNT_FOR, limit).await
}

/// Deletes all of a mechanic's accounts and removes the personal data from them.
pub async fn anonymise(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::anonymise(tx, mechanic_profile_id, now).await
}

/// Moves the default away from an account that is no longer usable, or is gone, to the first usable one. Under the lock on the
/// person.
async fn keep_default_payable(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::clear_unusable_default(tx, mechanic_profile_id, now).await?;
    queries::fill_default(tx, mechanic_profile_id, now).await
}

/// 409 if no money may be sent to the account now.
pub fn check_payable(account: &UpiRow, now: DateTime<Utc>) -> ApiResult<()> {
    let conflict = |message: String| Err(ApiError::new(Code::Conflict, message));
    if !account.verification_status.is_usable() {
        let status = account.verification_status;
        return conflict(format!("This UPI account is {status}. You can only withdraw to a verified one."));
    }
    if account.usable_from > now {
        let from = account.usable_from.to_rfc3339_opts(SecondsFormat::Secs, true);
        return conflict(format!("This UPI account is new. You can withdraw to it from {from}."));
    }
    Ok(())
}

fn illegal(refusal: IllegalUpiMove) -> ApiError {
    ApiError::new(Code::InvalidTransition, refusal.to_string())
}

fn no_such_account() -> ApiError {
    ApiError::not_found("UPI account")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified() -> UpiRow {
        UpiRow {
            id: Uuid::nil(),
            mechanic_profile_id: Uuid::nil(),
            vpa: "asha@okbank".to_owned(),
            holder_name: None,
            name_at_bank: None,
            name_match_score: None,
            verification_status: VerificationStatus::Verified,
            is_default: false,
            usable_from: DateTime::UNIX_EPOCH,
            rejection_reason: None,
            validation_id: None,
            fund_account_id: None,
            check_at: None,
            checks: 0,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn money_goes_to_an_approved_account_once_its_waiting_time_is_over() {
        let now = DateTime::UNIX_EPOCH;
        let (before, later) = (now - chrono::TimeDelta::seconds(1), now + chrono::TimeDelta::seconds(1));
        for status in VerificationStatus::ALL.iter().copied() {
            for (usable_from, is_over) in [(before, true), (now, true), (later, false)] {
                let row = UpiRow { verification_status: status, usable_from, ..verified() };
                let refused = check_payable(&row, now).map_err(|refusal| refusal.code);
                let expected = if status.is_usable() && is_over { Ok(()) } else { Err(Code::Conflict) };
                assert_eq!(refused, expected, "{status} from {usable_from}");
            }
        }
    }
}
