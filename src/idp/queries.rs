//! SQL of the embedded provider's accounts.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};

/// An account, to compare a password with.
#[derive(Debug, Clone, FromRow)]
pub struct AccountRow {
    pub uid: String,
    pub email: String,
    pub email_verified: bool,
    pub password_hash: String,
    /// When the password was set.
    pub updated_at: DateTime<Utc>,
}

pub async fn account(db: &PgPool, email: &str) -> sqlx::Result<Option<AccountRow>> {
    sqlx::query_as(
        "select uid, email, email_verified, password_hash, updated_at from idp_accounts where email = $1",
    )
    .bind(email)
    .fetch_optional(db)
    .await
}

/// When the password of an account was set. Nobody sets another before the transaction ends.
pub async fn hold_account(tx: &mut PgConnection, uid: &str) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select updated_at from idp_accounts where uid = $1 for no key update")
        .bind(uid)
        .fetch_optional(tx)
        .await
}

/// Makes an account with a verified email, or gives the one that has it a new password; returns its uid.
pub async fn keep_account(
    tx: &mut PgConnection,
    uid: &str,
    email: &str,
    password_hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<String> {
    sqlx::query_scalar(
        "insert into idp_accounts (uid, email, email_verified, password_hash, created_at, updated_at)
         values ($1, $2, true, $3, $4, $4)
         on conflict (email) do update
         set email_verified = true, password_hash = excluded.password_hash, updated_at = excluded.updated_at
         returning uid",
    )
    .bind(uid)
    .bind(email)
    .bind(password_hash)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Makes an account with a verified email; false where the email has one.
pub async fn insert_account(
    db: &PgPool,
    uid: &str,
    email: &str,
    password_hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into idp_accounts (uid, email, email_verified, password_hash, created_at, updated_at)
         values ($1, $2, true, $3, $4, $4)
         on conflict (email) do nothing",
    )
    .bind(uid)
    .bind(email)
    .bind(password_hash)
    .bind(now)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub async fn remove_account(tx: &mut PgConnection, uid: &str) -> sqlx::Result<()> {
    sqlx::query("delete from idp_accounts where uid = $1").bind(uid).execute(tx).await?;
    Ok(())
}
