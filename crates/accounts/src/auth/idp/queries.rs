//! SQL of the embedded provider's accounts.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection};
use uuid::Uuid;

use super::tries::Tries;

/// An account whose password is to be compared.
#[derive(Debug, Clone, FromRow)]
pub struct AccountRow {
    pub uid: String,
    pub email: String,
    pub email_verified: bool,
    pub password_hash: String,
    /// When the password was set.
    pub updated_at: DateTime<Utc>,
    /// The sealed secret, confirmed or not.
    pub totp_secret: Option<Vec<u8>>,
    pub totp_confirmed_at: Option<DateTime<Utc>>,
}

/// Returns the account with this email. An account created by an invitation counts only while the invitation is
/// pending.
pub async fn account(db: &Db, email: &str, now: DateTime<Utc>) -> sqlx::Result<Option<AccountRow>> {
    sqlx::query_as(
        "select account.uid, account.email, account.email_verified, account.password_hash, account.updated_at,
             account.totp_secret, account.totp_confirmed_at
         from idp_accounts account left join admin_invites invite on invite.id = account.invite_id
         where account.email = $1
             and (invite.id is null
                 or (invite.accepted_at is null and invite.revoked_at is null and invite.expires_at > $2))",
    )
    .bind(email)
    .bind(now)
    .fetch_optional(db)
    .await
}

pub async fn uid_of(tx: &mut PgConnection, email: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar("select uid from idp_accounts where email = $1").bind(email).fetch_optional(tx).await
}

/// The account's data with which a token is compared.
#[derive(Debug, Clone, FromRow)]
pub struct HeldRow {
    /// When the password was set.
    pub updated_at: DateTime<Utc>,
    pub invite_id: Option<Uuid>,
}

/// Locks the account against changes until the transaction ends.
pub async fn lock_account(tx: &mut PgConnection, uid: &str) -> sqlx::Result<Option<HeldRow>> {
    sqlx::query_as("select updated_at, invite_id from idp_accounts where uid = $1 for no key update")
        .bind(uid)
        .fetch_optional(tx)
        .await
}

/// Makes an account with a verified email, or gives the account that has the email a new password and no second
/// factor, whatever invitation it was made with; returns its uid.
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
         set email_verified = true, password_hash = excluded.password_hash, invite_id = null,
             totp_secret = null, totp_confirmed_at = null, totp_step = null, updated_at = excluded.updated_at
         returning uid",
    )
    .bind(uid)
    .bind(email)
    .bind(password_hash)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Makes an account with a verified email for an invitation; returns false if the email has an account.
pub async fn insert_account(
    tx: &mut PgConnection,
    uid: &str,
    email: &str,
    password_hash: &str,
    invite_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into idp_accounts (uid, email, email_verified, password_hash, invite_id, created_at, updated_at)
         values ($1, $2, true, $3, $4, $5, $5)
         on conflict (email) do nothing",
    )
    .bind(uid)
    .bind(email)
    .bind(password_hash)
    .bind(invite_id)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Makes the account its holder's permanently, since the invitation was accepted.
pub async fn settle_account(tx: &mut PgConnection, uid: &str) -> sqlx::Result<()> {
    sqlx::query("update idp_accounts set invite_id = null where uid = $1").bind(uid).run(tx).await
}

/// Deletes the accounts that were made with these invitations and never used otherwise.
pub async fn withdraw_accounts(tx: &mut PgConnection, invite_ids: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query("delete from idp_accounts where invite_id = any((select $1)::uuid[])")
        .bind(invite_ids)
        .run(tx)
        .await
}

/// Deletes accounts whose invitation expired before it was accepted, at most `limit`; returns how many.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from idp_accounts where invite_id is not null and uid in (
             select account.uid from idp_accounts account join admin_invites invite on invite.id = account.invite_id
             where invite.accepted_at is null and invite.expires_at <= $1 limit $2)",
    );
    done.bind(now).bind(limit).changed(db).await
}

pub async fn remove_account(tx: &mut PgConnection, uid: &str) -> sqlx::Result<()> {
    sqlx::query("delete from idp_accounts where uid = $1").bind(uid).run(tx).await
}

/// Returns the user who signs in with this account, if there is one.
pub async fn user_of(tx: &mut PgConnection, uid: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar("select id from users where idp_uid = $1").bind(uid).fetch_optional(tx).await
}

/// Stores a second factor that is not confirmed yet; returns false if the account has a confirmed one.
pub async fn keep_unconfirmed_factor(db: &Db, uid: &str, sealed: &[u8]) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update idp_accounts set totp_secret = $2, totp_step = null where uid = $1 and totp_confirmed_at is null",
    );
    Ok(done.bind(uid).bind(sealed).changed(db).await? > 0)
}

/// Confirms the second factor with the code of `step`. Returns false if the secret is no longer that of `account`, or
/// is already confirmed.
pub async fn confirm_factor(
    tx: &mut PgConnection,
    account: &AccountRow,
    step: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update idp_accounts set totp_confirmed_at = $3, totp_step = $4
         where uid = $1 and totp_secret = $2 and totp_confirmed_at is null",
    )
    .bind(&account.uid)
    .bind(&account.totp_secret)
    .bind(now)
    .bind(step)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Uses up a code; returns false if this code or a later one was used before.
pub async fn use_step(db: &Db, uid: &str, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update idp_accounts set totp_step = $2 where uid = $1 and (totp_step is null or totp_step < $2)",
    );
    Ok(done.bind(uid).bind(step).changed(db).await? > 0)
}

pub async fn has_factor(tx: &mut PgConnection, uid: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (select from idp_accounts where uid = $1 and totp_confirmed_at is not null)",
    )
    .bind(uid)
    .fetch_one(tx)
    .await
}

/// Removes the confirmed second factor; returns false if there was none.
pub async fn reset_factor(tx: &mut PgConnection, uid: &str) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update idp_accounts set totp_secret = null, totp_confirmed_at = null, totp_step = null
         where uid = $1 and totp_confirmed_at is not null",
    );
    Ok(done.bind(uid).changed(tx).await? > 0)
}

/// Returns the tries for an email, zero without any, locked until the transaction ends.
pub async fn lock_tries(tx: &mut PgConnection, email_hash: &[u8], now: DateTime<Utc>) -> sqlx::Result<Tries> {
    sqlx::query_as(
        "insert into idp_password_tries as tried (email_hash, tries, last_at) values ($1, 0, $2)
         on conflict (email_hash) do update set tries = tried.tries
         returning tries, last_at",
    )
    .bind(email_hash)
    .bind(now)
    .fetch_one(tx)
    .await
}

pub async fn store_tries(tx: &mut PgConnection, email_hash: &[u8], tries: Tries) -> sqlx::Result<()> {
    sqlx::query("update idp_password_tries set tries = $2, last_at = $3 where email_hash = $1")
        .bind(email_hash)
        .bind(tries.tries)
        .bind(tries.last_at)
        .run(tx)
        .await
}

pub async fn forget_tries(db: &Db, email_hash: &[u8]) -> sqlx::Result<()> {
    sqlx::query("delete from idp_password_tries where email_hash = $1").bind(email_hash).run(db).await
}

pub async fn sweep_tries(db: &Db, before: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from idp_password_tries where last_at < $1 and email_hash in (
             select email_hash from idp_password_tries where last_at < $1 order by last_at limit $2)",
    );
    done.bind(before).bind(limit).changed(db).await
}
