//! SQL of people's sign-ins: codes, sessions, refresh tokens, what a caller may do.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};
use uuid::Uuid;

use super::{
    ProfileStatus,
    otp::{Counted, Limit},
    principal::{Role, UserStatus},
};

/// The secret kept under `name`; `fresh` where there was none. Two processes that start at once agree on one.
pub async fn kept_secret(db: &PgPool, name: &str, fresh: &[u8], now: DateTime<Utc>) -> sqlx::Result<Vec<u8>> {
    sqlx::query(
        "insert into generated_secrets (name, value, created_at) values ($1, $2, $3)
         on conflict (name) do nothing",
    )
    .bind(name)
    .bind(fresh)
    .bind(now)
    .execute(db)
    .await?;
    sqlx::query_scalar("select value from generated_secrets where name = $1").bind(name).fetch_one(db).await
}

/// Makes everybody who counts by this address, and then this phone, wait for us, so that limits hold under
/// parallel requests. Always in this order, so that two requests can't wait for each other.
pub async fn lock_limits(tx: &mut PgConnection, address: &str, phone: &str) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_xact_lock(1, hashtext($1))").bind(address).execute(&mut *tx).await?;
    sqlx::query("select pg_advisory_xact_lock(2, hashtext($1))").bind(phone).execute(&mut *tx).await?;
    Ok(())
}

type CountedRow = (i64, Option<DateTime<Utc>>);

fn counted((count, blocking): CountedRow) -> Counted {
    Counted { count, blocking }
}

/// Requests from an address within the limit's window.
pub async fn requests(
    tx: &mut PgConnection,
    address: &str,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts where address = $1 and kind = 'request' and at > $2",
    )
    .bind(address)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Sends to a phone within the limit's window.
pub async fn sends(
    tx: &mut PgConnection,
    phone: &str,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts where phone = $1 and kind = 'send' and at > $2",
    )
    .bind(phone)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Wrong tries for a phone within the limit's window; from one address where it is given.
pub async fn wrong_tries(
    tx: &mut PgConnection,
    phone: &str,
    address: Option<&str>,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts
         where phone = $1 and kind = 'wrong' and at > $2 and ($4::text is null or address = $4)",
    )
    .bind(phone)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .bind(address)
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Counts one attempt; `kind` is send, wrong or request (which has no phone).
pub async fn count_attempt(
    tx: &mut PgConnection,
    phone: Option<&str>,
    address: &str,
    kind: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("insert into otp_attempts (phone, address, kind, at) values ($1, $2, $3, $4)")
        .bind(phone)
        .bind(address)
        .bind(kind)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Replaces the phone's code.
pub async fn store_code(
    tx: &mut PgConnection,
    phone: &str,
    sealed: &[u8],
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into otp_codes (phone, code_hmac, sent_at, expires_at) values ($1, $2, $3, $4)
         on conflict (phone) do update
         set code_hmac = excluded.code_hmac, sent_at = excluded.sent_at, expires_at = excluded.expires_at",
    )
    .bind(phone)
    .bind(sealed)
    .bind(now)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// The seal of the phone's live code.
pub async fn live_code(
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar("select code_hmac from otp_codes where phone = $1 and expires_at > $2")
        .bind(phone)
        .bind(now)
        .fetch_optional(tx)
        .await
}

/// A code serves once.
pub async fn spend_code(tx: &mut PgConnection, phone: &str) -> sqlx::Result<()> {
    sqlx::query("delete from otp_codes where phone = $1").bind(phone).execute(tx).await?;
    Ok(())
}

/// Who signs in.
#[derive(Debug, Clone, FromRow)]
pub struct SignInRow {
    pub id: Uuid,
    pub role: Role,
    pub status: UserStatus,
}

/// Makes the person of a phone number at first use; tells whether it did.
pub async fn person_of_phone(
    tx: &mut PgConnection,
    id: Uuid,
    phone: &str,
    name: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<(SignInRow, bool)> {
    let made: Option<SignInRow> = sqlx::query_as(
        "insert into users (id, phone, name, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (phone) do nothing
         returning id, role, status",
    )
    .bind(id)
    .bind(phone)
    .bind(name)
    .bind(now)
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(made) = made {
        return Ok((made, true));
    }
    let found = sqlx::query_as("select id, role, status from users where phone = $1");
    Ok((found.bind(phone).fetch_one(tx).await?, false))
}

/// An account that an admin's sign-in may belong to.
#[derive(Debug, Clone, FromRow)]
pub struct AdminRow {
    pub id: Uuid,
    pub role: Role,
    pub status: UserStatus,
    pub idp_uid: Option<String>,
    /// Whether somebody signed in to it before.
    pub is_linked: bool,
}

/// The account with this identity, else the admin's account with this email; locked until the end of the
/// transaction, so that two first logins can't both claim it.
pub async fn admin_of_identity(
    tx: &mut PgConnection,
    uid: &str,
    email: &str,
) -> sqlx::Result<Option<AdminRow>> {
    sqlx::query_as(
        "select id, role, status, idp_uid, idp_linked_at is not null as is_linked
         from users
         where idp_uid = $1 or (lower(email) = lower($2) and role in ('admin', 'super_admin'))
         order by (idp_uid = $1) desc nulls last
         limit 1
         for update",
    )
    .bind(uid)
    .bind(email)
    .fetch_optional(tx)
    .await
}

/// Contract 4.1, rule 3: the first login fixes the identity.
pub async fn link_identity(
    tx: &mut PgConnection,
    user_id: Uuid,
    uid: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update users set idp_uid = $2, idp_linked_at = coalesce(idp_linked_at, $3), updated_at = $3
         where id = $1",
    )
    .bind(user_id)
    .bind(uid)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Opens a session, and ends the least recently used ones beyond `most` of that person.
pub async fn open_session(
    tx: &mut PgConnection,
    session: &SessionRow,
    user_id: Uuid,
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
        "insert into sessions (id, user_id, user_agent, created_at, last_used_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(session.id)
    .bind(user_id)
    .bind(&session.user_agent)
    .bind(session.created_at)
    .bind(session.last_used_at)
    .bind(session.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// A refresh token to keep.
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
    .execute(tx)
    .await?;
    Ok(())
}

/// A refresh token as it stands, with its session and person.
#[derive(Debug, Clone, FromRow)]
pub struct RefreshRow {
    pub id: Uuid,
    pub session_id: Uuid,
    pub user_id: Uuid,
    pub role: Role,
    pub status: UserStatus,
    pub used_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
    pub session_expires_at: DateTime<Utc>,
    pub session_revoked_at: Option<DateTime<Utc>>,
    /// Whether the session's live token came out of this one.
    pub precedes_live: bool,
}

/// Locks the session of a token, so that its exchanges come one after the other.
pub async fn lock_session_of_token(tx: &mut PgConnection, hash: &[u8]) -> sqlx::Result<bool> {
    let found: Option<Uuid> = sqlx::query_scalar(
        "select id from sessions
         where id = (select session_id from refresh_tokens where token_hash = $1)
         for update",
    )
    .bind(hash)
    .fetch_optional(tx)
    .await?;
    Ok(found.is_some())
}

/// Read after the lock: what an exchange just before us changed must be seen.
pub async fn refresh_token(tx: &mut PgConnection, hash: &[u8]) -> sqlx::Result<Option<RefreshRow>> {
    sqlx::query_as(
        "select t.id, t.session_id, s.user_id, u.role, u.status, t.used_at, t.expires_at,
                s.expires_at as session_expires_at, s.revoked_at as session_revoked_at,
                exists (
                    select from refresh_tokens live
                    where live.predecessor_id = t.id and live.used_at is null
                ) as precedes_live
         from refresh_tokens t
         join sessions s on s.id = t.session_id
         join users u on u.id = s.user_id
         where t.token_hash = $1",
    )
    .bind(hash)
    .fetch_optional(tx)
    .await
}

/// Marks the session's live token as used, whichever it is.
pub async fn spend_live_token(
    tx: &mut PgConnection,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update refresh_tokens set used_at = $2 where session_id = $1 and used_at is null")
        .bind(session_id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Moves a session's end, and drops its tokens that are too old to be recognised as reused.
pub async fn prolong_session(
    tx: &mut PgConnection,
    session_id: Uuid,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update sessions set last_used_at = $2, expires_at = $3 where id = $1")
        .bind(session_id)
        .bind(now)
        .bind(expires_at)
        .execute(&mut *tx)
        .await?;
    sqlx::query("delete from refresh_tokens where session_id = $1 and expires_at <= $2")
        .bind(session_id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// A session as its owner sees it.
#[derive(Debug, Clone, FromRow)]
pub struct SessionRow {
    pub id: Uuid,
    pub user_agent: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A person's live sessions, the last used first.
pub async fn live_sessions(db: &PgPool, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<SessionRow>> {
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

/// Ends one live session of a person; false where there is none.
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

/// Ends all live sessions of a person.
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
    .execute(tx)
    .await?;
    Ok(())
}

/// The session of a person's refresh token.
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

/// What a person may do, and on which sessions.
#[derive(Debug, Clone, FromRow)]
pub struct PersonRow {
    pub role: Role,
    pub status: UserStatus,
    pub profile_id: Option<Uuid>,
    pub profile_status: Option<ProfileStatus>,
    /// Live sessions, with the time at which each ends on the same place of `session_ends`.
    pub session_ids: Vec<Uuid>,
    pub session_ends: Vec<DateTime<Utc>>,
}

pub async fn person(db: &PgPool, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Option<PersonRow>> {
    sqlx::query_as(
        "select u.role, u.status, p.id as profile_id, p.status as profile_status,
                coalesce(s.ids, '{}') as session_ids, coalesce(s.ends, '{}') as session_ends
         from users u
         left join mechanic_profiles p on p.user_id = u.id
         left join lateral (
             select array_agg(id order by id) as ids, array_agg(expires_at order by id) as ends
             from sessions
             where user_id = u.id and revoked_at is null and expires_at > $2
         ) s on true
         where u.id = $1",
    )
    .bind(user_id)
    .bind(now)
    .fetch_optional(db)
    .await
}

/// Deletes what no rule looks at any more: old attempts, dead codes, tickets, tokens and sessions.
pub async fn sweep(db: &PgPool, now: DateTime<Utc>, attempts_before: DateTime<Utc>) -> sqlx::Result<u64> {
    let attempts =
        sqlx::query("delete from otp_attempts where at < $1").bind(attempts_before).execute(db).await?;
    let codes = sqlx::query("delete from otp_codes where expires_at < $1").bind(now).execute(db).await?;
    let tickets = sqlx::query("delete from ws_tickets where expires_at < $1").bind(now).execute(db).await?;
    let tokens =
        sqlx::query("delete from refresh_tokens where expires_at < $1").bind(now).execute(db).await?;
    let sessions = sqlx::query(
        "delete from sessions s
         where s.expires_at < $1
             and not exists (select from refresh_tokens t where t.session_id = s.id)
             and not exists (select from ws_tickets w where w.session_id = s.id)",
    )
    .bind(now)
    .execute(db)
    .await?;
    let swept = [attempts, codes, tickets, tokens, sessions];
    Ok(swept.iter().map(sqlx::postgres::PgQueryResult::rows_affected).sum())
}

/// Makes an admin with this email, or gives the admin who has it this identity and role.
pub async fn keep_admin(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    uid: &str,
    role: Role,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar(
        "insert into users (id, email, email_verified, role, idp_uid, created_at, updated_at)
         values ($1, $2, true, $3, $4, $5, $5)
         on conflict (lower(email)) where role in ('admin', 'super_admin') do update
         set email_verified = true, role = excluded.role, idp_uid = excluded.idp_uid, status = 'active',
             suspension_reason = null, updated_at = excluded.updated_at
         returning id",
    )
    .bind(id)
    .bind(email)
    .bind(role)
    .bind(uid)
    .bind(now)
    .fetch_one(tx)
    .await
}
