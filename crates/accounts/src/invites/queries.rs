//! SQL of invitations.

use chrono::{DateTime, Utc};
use roadcall_http::{PageParams, list_filter};
use roadcall_platform::db::{Db, RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::{AdminRole, InviteStatus};
use crate::auth::desk::Desk;

/// An invitation, without its token's hash.
#[derive(Debug, Clone, FromRow)]
pub struct InviteRow {
    pub id: Uuid,
    pub email: String,
    pub role: AdminRole,
    /// The desks to which an admin is restricted.
    pub desks: Option<Vec<Desk>>,
    /// The super-admin who invited; `None` for the command line.
    pub invited_by: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub accepted_by: Option<Uuid>,
    pub revoked_at: Option<DateTime<Utc>>,
}

impl StoredRow for InviteRow {
    const TABLE: &str = "admin_invites";
}

pub async fn insert(tx: &mut PgConnection, row: &InviteRow, token_hash: &[u8]) -> Result<()> {
    sqlx::query(
        "insert into admin_invites (id, email, role, desks, token_hash, invited_by, created_at, expires_at)
        values ($1, $2, $3, $8, $4, $5, $6, $7)",
    )
    .bind(row.id)
    .bind(&row.email)
    .bind(row.role)
    .bind(token_hash)
    .bind(row.invited_by)
    .bind(row.created_at)
    .bind(row.expires_at)
    .bind(&row.desks)
    .run(tx)
    .await
}

/// Revokes the pending invitation of this email; returns its id.
pub async fn revoke_open(tx: &mut PgConnection, email: &str, now: DateTime<Utc>) -> Result<Option<Uuid>> {
    sqlx::query_scalar(
        "update admin_invites set revoked_at = $2
        where email = $1 and accepted_at is null and revoked_at is null
        returning id",
    )
    .bind(email)
    .bind(now)
    .fetch_optional(tx)
    .await
}

pub async fn find_locked(tx: &mut PgConnection, id: Uuid) -> Result<Option<InviteRow>> {
    sqlx::query("select * from admin_invites where id = $1 for update").bind(id).optional(tx).await
}

pub async fn revoke(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update admin_invites set revoked_at = $2 where id = $1").bind(id).bind(now).run(tx).await
}

/// Revokes a person's pending invitations; returns their ids.
pub async fn revoke_pending_of(
    tx: &mut PgConnection,
    inviter: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "update admin_invites set revoked_at = $2
        where invited_by = $1 and accepted_at is null and revoked_at is null and expires_at > $2
        returning id",
    )
    .bind(inviter)
    .bind(now)
    .fetch_all(tx)
    .await
}

pub async fn of_token(db: impl PgExecutor<'_>, token_hash: &[u8]) -> Result<Option<InviteRow>> {
    sqlx::query("select * from admin_invites where token_hash = $1").bind(token_hash).optional(db).await
}

pub async fn of_token_locked(tx: &mut PgConnection, token_hash: &[u8]) -> Result<Option<InviteRow>> {
    sqlx::query("select * from admin_invites where token_hash = $1 for update")
        .bind(token_hash)
        .optional(tx)
        .await
}

/// The inviter, as the invitation's mail names them.
#[derive(Debug, FromRow)]
pub struct Inviter {
    pub name: Option<String>,
    pub language: String,
}

/// Returns the inviter's name and language, as long as they may invite.
pub async fn inviter(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<Inviter>> {
    sqlx::query_as(
        "select name, language from users where id = $1 and role = 'super_admin' and status = 'active'",
    )
    .bind(user_id)
    .fetch_optional(db)
    .await
}

/// Returns whether a person may invite others.
pub async fn may_invite(tx: &mut PgConnection, user_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select from users where id = $1 and role = 'super_admin' and status = 'active'
        )",
    )
    .bind(user_id)
    .fetch_one(tx)
    .await
}

pub async fn accept(tx: &mut PgConnection, id: Uuid, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update admin_invites set accepted_at = $3, accepted_by = $2 where id = $1")
        .bind(id)
        .bind(user_id)
        .bind(now)
        .run(tx)
        .await
}

/// Deletes the invitations by which a person who leaves became an admin, and those of their email that nobody can accept
/// any longer. The audit log still tells who was invited, by whom and when. Call this after the account of the embedded
/// provider was removed: an invitation to which one still refers stays.
pub async fn forget_of(
    tx: &mut PgConnection,
    user_id: Uuid,
    email: Option<&str>,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "delete from admin_invites invite
        where (accepted_by = $1
                or (email = $2 and accepted_at is null and (revoked_at is not null or expires_at <= $3)))
            and not exists (select from idp_accounts where invite_id = invite.id)",
    )
    .bind(user_id)
    .bind(email)
    .bind(now)
    .run(tx)
    .await
}

list_filter! {
    /// The filter of the list of invitations.
    InviteFilter {
        /// Only with this status.
        status: Option<InviteStatus>,
    }
}

/// The condition of [`InviteFilter`]: $1 is the status, and $2 the time.
macro_rules! listed {
    () => {
        "($1::text is null or $1 = case
            when accepted_at is not null then 'accepted'
            when revoked_at is not null then 'revoked'
            when expires_at <= $2 then 'expired'
            else 'pending' end)"
    };
}

/// Lists invitations, the newest first.
pub async fn list(
    db: &Db,
    filter: &InviteFilter,
    now: DateTime<Utc>,
    page: PageParams,
) -> Result<Vec<InviteRow>> {
    sqlx::query(concat!(
        "select * from admin_invites where ",
        listed!(),
        " order by created_at desc, id desc limit $3 offset $4",
    ))
    .bind(filter.status)
    .bind(now)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .all(db)
    .await
}

pub async fn count(db: &Db, filter: &InviteFilter, now: DateTime<Utc>) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from admin_invites where ", listed!()))
        .bind(filter.status)
        .bind(now)
        .persistent(false)
        .fetch_one(db)
        .await
}
