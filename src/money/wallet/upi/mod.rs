//! UPI accounts, to which mechanics withdraw.
//!
//! A mechanic's accounts change under a lock on the person's row: the limit, the single default and its promotion are
//! then plain sequences of statements. Answers of the provider and decisions of admins take the lock, too, since they
//! may move the default. The partial unique indexes are the second guard.

pub(super) mod actions;
mod admin;
pub(super) mod checking;
mod dto;
mod handlers;
pub(super) mod queries;
pub(super) mod refusals;
mod worker;

pub use checking::{apply_validation, match_names_again};
pub use dto::UpiAccount;
pub use worker::check_due;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use actions::LOOK_UPS_COUNT_FOR;

use crate::{
    http::Routes,
    platform::{db::Db, error::ApiResult},
};

pub fn routes(config: &mut Routes) {
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

/// Returns the mechanic's accounts: the default first, then the oldest; at most as many as the limit allows, and as
/// many invalid ones.
pub async fn upi_accounts(db: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Vec<UpiAccount>> {
    Ok(queries::list(db, mechanic_profile_id).await?.into_iter().map(UpiAccount::from).collect())
}

/// Deletes at most `limit` look-ups that no longer count against a mechanic's limit. Returns the number of deleted
/// ones.
pub async fn sweep_look_ups(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep_look_ups(db, now - LOOK_UPS_COUNT_FOR, limit).await
}
