//! The embedded identity provider: accounts with an email and a password, and ID tokens for them. It stands in for an
//! external provider, so of users it knows only their names for the audit log: `auth` reads its tokens like any
//! provider's.

mod actions;
pub mod audited;
mod dto;
mod handlers;
mod password;
mod proof;
mod provider;
mod queries;
mod second_factor;
mod tries;

use chrono::{DateTime, Utc};
use roadcall_http::Routes;
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult},
};
use roadcall_providers::identity::Identity;
use sqlx::PgConnection;
use uuid::Uuid;

pub use dto::{IdentityAccount, NewAccount};
pub use password::{PasswordError, hash_password};
pub use proof::hashed;
pub use provider::provider;
pub use queries::{
    has_factor, insert_account, keep_account, remove_account, reset_factor, settle_account, uid_of,
    withdraw_accounts,
};
pub use second_factor::FactorKey;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::issue_id_token)
        .service(handlers::begin_second_factor)
        .service(handlers::confirm_second_factor)
        .service(handlers::identity_keys)
        .service(handlers::identity_configuration);
}

/// Checks a genuine token against its account at the embedded provider, which stays unchanged until the transaction
/// ends: 401 if the password has changed since, or the account is gone. Tokens of an external provider are not
/// checked. Locks accounts last, after users and invitations. Returns the invitation that the account was made with,
/// if it is not accepted yet: the holder of its token chose the password, so the account may only be used to accept
/// it.
pub async fn lock_account(tx: &mut PgConnection, identity: &Identity) -> ApiResult<Option<Uuid>> {
    let Some(version) = identity.account_version else { return Ok(None) };
    let account = queries::lock_account(tx, &identity.uid).await?;
    match account {
        Some(account) if account.updated_at.timestamp_micros() == version => Ok(account.invite_id),
        _ => Err(ApiError::unauthorized("The ID token is no longer valid. Sign in again.")),
    }
}

/// Deletes accounts whose invitation expired before it was accepted, and tries that no longer count, at most `limit` of each;
/// returns how many.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    let accounts = queries::sweep(db, now, limit).await?;
    Ok(accounts + queries::sweep_tries(db, now - tries::FORGOTTEN_AFTER, limit).await?)
}
