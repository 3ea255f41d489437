//! SQL of sessions and refresh tokens.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, PgExecutor};
use uuid::Uuid;

use crate::auth::{Role, UserStatus};

/// Opens a session, and ends the least recently used ones beyond `most` of that person.
pub async fn open_session(
    tx: &mut PgConnection,
    session: &SessionRow,
    (user_id, device_id): (Uuid, Option<Uuid>),
    most: i64,
) -> sqlx::Result<()> {
    sqlx::query(
        "update sessions set revoked_at = $2, revoked_reason = 'too_many'
         where id in (
             select id from sessions
             where user_id = $1 and revoked_at is null and expires_at > $2
             order by last_used_at desc, id desc
             offset $3
         )",
    )
    .bind(user_id)
    .bind(session.created_at)
    .bind(most - 1)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "insert into sessions (id, user_id, user_agent, created_at, last_used_at, expires_at, device_id)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(session.id)
    .bind(user_id)
    .bind(&session.user_agent)
    .bind(session.created_at)
    .bind(session.last_used_at)
    .bind(session.expires_at)
    .bind(device_id)
    .run(tx)
    .await
}

/// A new refresh token.
#[derive(Debug, Clone, Copy)]
pub struct NewRefreshToken<'a> {
    pub id: Uuid,
    pub session_id: Uuid,
    pub hash: &'a [u8],
    pub predecessor_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub async fn store_refresh_token(tx: &mut PgConnection, token: NewRefreshToken<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into refresh_tokens (id, session_id, token_hash, predecessor_id, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token.id)
    .bind(token.session_id)
    .bind(token.hash)
    .bind(token.predecessor_id)
    .bind(token.created_at)
    .bind(token.expires_at)
    .run(tx)
    .await
}

/// A refresh token with its session and person.
#[derive(Debug, Clone, FromRow)]
pub struct RefreshRow {
    pub id: Uuid,
    pub session_id: Uuid,
    pub user_id: Uuid,
    pub role: Role,
    pub phone: Option<String>,
    /// The mechanic's profile, if the person is a mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    pub status: UserStatus,
    pub used_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
    pub session_created_at: DateTime<Utc>,
    pub session_expires_at: DateTime<Utc>,
    pub session_revoked_at: Option<DateTime<Utc>>,
    /// The session's live token, if it is the successor of this token.
    pub live_successor: Option<Uuid>,
    /// The time at which it replaced another token; `None` for the first of a session.
    pub succeeded_at: Option<DateTime<Utc>>,
    /// The attempt that exchanged the token, if a cookie was asked for.
    pub spent_by: Option<Vec<u8>>,
    /// The attempt that the token answers.
    pub made_by: Option<Vec<u8>>,
}

/// Returns a refresh token with its session and person.
pub async fn refresh_token(db: &Db, hash: &[u8]) -> sqlx::Result<Option<RefreshRow>> {
    sqlx::query_as(
        "select t.id, t.session_id, s.user_id, u.role, u.phone, p.id as mechanic_profile_id, u.status, t.used_at, t.expires_at,
                s.created_at as session_created_at, s.expires_at as session_expires_at, s.revoked_at as session_revoked_at,
                (
                    select live.id from refresh_tokens live
                    where live.predecessor_id = t.id and live.used_at is null
                ) as live_successor,
                case when t.predecessor_id is not null then t.created_at end as succeeded_at,
                t.spent_by, before.spent_by as made_by
         from refresh_tokens t
         left join refresh_tokens before on before.id = t.predecessor_id
         join sessions s on s.id = t.session_id
         join users u on u.id = s.user_id
         left join mechanic_profiles p on p.user_id = u.id
         where t.token_hash = $1",
    )
    .bind(hash)
    .fetch_optional(db)
    .await
}

/// Returns whether a token is its session's live one; `None` for a token that was never issued.
pub async fn is_live(db: &Db, hash: &[u8]) -> sqlx::Result<Option<bool>> {
    sqlx::query_scalar("select used_at is null from refresh_tokens where token_hash = $1")
        .bind(hash)
        .fetch_optional(db)
        .await
}

/// Spends the session's live token and stores its successor, moves the session's end to that of the successor, and drops
/// tokens that are too old to be recognised as reused. Changes nothing and returns false if the session was ended, or
/// another token is the live one by now. Exchanges of a session wait for each other at its row.
pub async fn exchange(
    connection: &mut PgConnection,
    live_id: Uuid,
    attempt: Option<&[u8]>,
    successor: NewRefreshToken<'_>,
) -> sqlx::Result<bool> {
    let stored: Option<Uuid> = sqlx::query_scalar(
        "with session as (
             select id from sessions where id = $2 and revoked_at is null for no key update
         ), spent as (
             update refresh_tokens set used_at = $5, spent_by = $8
             where id = $7 and session_id = (select id from session) and used_at is null
             returning session_id
         ), prolonged as (
             update sessions set last_used_at = $5, expires_at = $6 where id = (select session_id from spent)
         ), dropped as (
             delete from refresh_tokens
             where session_id = (select session_id from spent) and expires_at <= $5 and used_at is not null
         )
         -- A session has one live token: this one is stored once the other was spent.
         insert into refresh_tokens (id, session_id, token_hash, predecessor_id, created_at, expires_at)
         select $1, session_id, $3, $4, $5, $6 from spent
         returning id",
    )
    .bind(successor.id)
    .bind(successor.session_id)
    .bind(successor.hash)
    .bind(successor.predecessor_id)
    .bind(successor.created_at)
    .bind(successor.expires_at)
    .bind(live_id)
    .bind(attempt)
    .fetch_optional(connection)
    .await?;
    Ok(stored.is_some())
}

/// A session as it is shown to its owner.
#[derive(Debug, Clone, FromRow)]
pub struct SessionRow {
    pub id: Uuid,
    pub user_agent: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Returns a person's live sessions, the last used first.
pub async fn live_sessions(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<SessionRow>> {
    sqlx::query_as(
        "select id, user_agent, created_at, last_used_at, expires_at
         from sessions
         where user_id = $1 and revoked_at is null and expires_at > $2
         order by last_used_at desc, id desc",
    )
    .bind(user_id)
    .bind(now)
    .fetch_all(db)
    .await
}

/// Ends one live session of a person; returns false if they have no such session.
pub async fn revoke_session(
    tx: &mut PgConnection,
    user_id: Uuid,
    session_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update sessions set revoked_at = $3, revoked_reason = $4
         where id = $2 and user_id = $1 and revoked_at is null and expires_at > $3",
    )
    .bind(user_id)
    .bind(session_id)
    .bind(now)
    .bind(reason)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends all live sessions of a person; [`forget`](crate::auth::forget) them after the commit. `reason` is stored.
pub async fn revoke_sessions(
    tx: &mut PgConnection,
    user_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update sessions set revoked_at = $2, revoked_reason = $3 where user_id = $1 and revoked_at is null",
    )
    .bind(user_id)
    .bind(now)
    .bind(reason)
    .run(tx)
    .await
}

/// Notes that a person has signed out everywhere, which ends all earlier connections of other apps.
pub async fn note_signed_out_everywhere(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update users set signed_out_at = $2 where id = $1").bind(user_id).bind(now).run(tx).await
}

/// Ends all live sessions of a person but one.
pub async fn revoke_others(
    tx: &mut PgConnection,
    user_id: Uuid,
    kept: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update sessions set revoked_at = $3, revoked_reason = $4
         where user_id = $1 and id <> $2 and revoked_at is null",
    )
    .bind(user_id)
    .bind(kept)
    .bind(now)
    .bind(reason)
    .run(tx)
    .await
}

/// Returns the session to which the person's refresh token belongs.
pub async fn session_of_token(
    tx: &mut PgConnection,
    user_id: Uuid,
    hash: &[u8],
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar(
        "select s.id from refresh_tokens t join sessions s on s.id = t.session_id
         where t.token_hash = $2 and s.user_id = $1",
    )
    .bind(user_id)
    .bind(hash)
    .fetch_optional(tx)
    .await
}
