//! Sessions and their refresh tokens.
//!
//! A session is one sign-in on one device; its refresh tokens are one family, of which exactly one is live. An
//! exchange spends the live token and makes its successor. A spent token that is presented again has been copied, by
//! a thief or from the victim, so the session ends. One case is innocent: a phone that lost the answer asks again
//! with the direct predecessor of the live token. Within a short grace it gets a new successor, and the token of the
//! lost answer is spent: were both live, a thief and the owner could go on side by side unnoticed. Now the second of
//! them to be presented is a reuse, and ends the session.
//!
//! A cookie is exchanged by attempts. A page that got no answer repeats its attempt and gets the same successor,
//! which is derived from the cookie, whichever of the answers the browser kept. Another attempt with a used cookie
//! comes from a copy of it, so the session ends at once. The tabs of a browser refresh one after the other, and share
//! an attempt that is not answered yet. A client that names no attempts is recognised by its browser's name: its tabs
//! may refresh at once, and within the grace the successor itself is returned again instead of being exchanged.

pub mod queries;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::{ApiError, ApiResult, write_error};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use self::queries::{NewRefreshToken, RefreshRow, SessionRow};
use crate::auth::{
    AuthContext, Role, TokenKind, UserStatus,
    cookie::RefreshAttempt,
    dto::{Refreshed, SignedIn},
    principal::suspended,
    settings::{AdminSettings, AuthSettings},
};

/// The number of live sessions of one person; another sign-in ends the least recently used.
const MAX_SESSIONS: i64 = 50;
/// Characters of the User-Agent that are stored, by which people recognise a device.
const USER_AGENT_CHARACTERS: usize = 200;

/// The person who gets tokens.
#[derive(Debug, Clone, Copy)]
pub struct SessionOwner {
    pub user_id: Uuid,
    pub role: Role,
    /// The budget to which the person's requests are charged.
    pub budget: Uuid,
}

impl SessionOwner {
    /// Returns an admin, whose budget is the account's own because they have no phone number.
    pub fn admin(user_id: Uuid, role: Role) -> Self {
        Self { user_id, role, budget: user_id }
    }
}

/// Opens a session for a person who has just proven who they are.
pub async fn open(
    context: &AuthContext,
    tx: &mut PgConnection,
    owner: SessionOwner,
    user_agent: Option<&str>,
    now: DateTime<Utc>,
) -> ApiResult<SignedIn> {
    open_on_device(context, tx, owner, (user_agent, None), now).await
}

/// Opens a session, as [`open`] does, on a device that has an id.
pub async fn open_on_device(
    context: &AuthContext,
    tx: &mut PgConnection,
    owner: SessionOwner,
    (user_agent, device_id): (Option<&str>, Option<Uuid>),
    now: DateTime<Utc>,
) -> ApiResult<SignedIn> {
    let session = SessionRow {
        id: context.random.id(now),
        user_agent: user_agent.map(|text| text.chars().take(USER_AGENT_CHARACTERS).collect()),
        created_at: now,
        last_used_at: now,
        expires_at: end(context.auth.lives(), owner.role, now, now),
    };
    queries::open_session(tx, &session, (owner.user_id, device_id), MAX_SESSIONS).await?;
    let refresh_token = fresh_token(context, session.id);
    let token = NewRefreshToken {
        id: context.random.id(now),
        session_id: session.id,
        hash: &hash(&refresh_token),
        predecessor_id: None,
        created_at: now,
        expires_at: session.expires_at,
    };
    queries::store_refresh_token(tx, token).await?;
    pair(context, owner, session.id, refresh_token, now)
}

fn fresh_token(context: &AuthContext, session_id: Uuid) -> String {
    context.auth.tokens_made().make(TokenKind::Refresh, session_id, context.random.bytes())
}

/// Returns a session's refresh token with a new access token.
fn pair(
    context: &AuthContext,
    owner: SessionOwner,
    session_id: Uuid,
    refresh_token: String,
    now: DateTime<Utc>,
) -> ApiResult<SignedIn> {
    Ok(SignedIn {
        access_token: context.auth.tokens().issue(owner.user_id, session_id, owner.budget, now)?,
        refresh_token: Some(refresh_token),
        user_id: owner.user_id,
        role: owner.role,
        expires_in: context.auth.tokens().ttl_s,
    })
}

/// The decision about a presented refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshDecision {
    /// A new pair: the token is the live one, or its direct predecessor within the grace.
    Exchange,
    /// The session ends: the token has been used before.
    Reused,
    /// The token or its session has expired or ended.
    Dead,
    /// The token's owner is suspended.
    Suspended,
}

/// Decides about a refresh token by the rules at the head of the module.
pub fn decide(
    row: &RefreshRow,
    attempt: Option<&RefreshAttempt>,
    grace: TimeDelta,
    now: DateTime<Utc>,
) -> RefreshDecision {
    let is_repeated = match (attempt, &row.spent_by) {
        (Some(attempt), Some(spent_by)) => attempt.0[..] == spent_by[..],
        _ => true,
    };
    let is_over = row.session_revoked_at.is_some() || row.session_expires_at <= now || row.expires_at <= now;
    match (row.status, row.used_at) {
        (UserStatus::Deleted, _) => RefreshDecision::Dead,
        _ if is_over => RefreshDecision::Dead,
        (UserStatus::Suspended, _) => RefreshDecision::Suspended,
        (UserStatus::Active, None) => RefreshDecision::Exchange,
        (UserStatus::Active, Some(used_at))
            if row.live_successor.is_some() && is_repeated && now - used_at <= grace =>
        {
            RefreshDecision::Exchange
        }
        (UserStatus::Active, Some(_)) => RefreshDecision::Reused,
    }
}

/// Exchanges a refresh token; `attempt` is given for a cookie's token. The inner result is the client's answer. Also
/// returns the person whose cached principal to forget.
pub async fn exchange(
    context: &AuthContext,
    attempt: Option<&RefreshAttempt>,
    refresh_token: &str,
    now: DateTime<Utc>,
) -> ApiResult<(Option<Uuid>, ApiResult<Refreshed>)> {
    let hash = hash(refresh_token);
    // Each turn but the last saw a session that another request changed before this one could.
    loop {
        let Some(row) = queries::refresh_token(&context.db, &hash).await? else {
            return Ok((None, Err(refused())));
        };
        // The session may also end by the setting, if that was lowered after the session was opened.
        let ends_at =
            end(context.auth.lives(), row.role, row.session_created_at, now).min(row.session_expires_at);
        let row = RefreshRow { session_expires_at: ends_at, ..row };
        let answer = match decide(&row, attempt, grace(context), now) {
            RefreshDecision::Exchange => {
                match next_token(context, &row, attempt, refresh_token, now).await? {
                    Some(next) => Ok(refreshed(context, &row, next, now)?),
                    None => continue,
                }
            }
            RefreshDecision::Reused => {
                let mut connection = context.db.acquire().await?;
                queries::revoke_session(&mut connection, row.user_id, row.session_id, "reuse", now).await?;
                tracing::warn!(user.id = %row.user_id, session.id = %row.session_id, "refresh token reused");
                Err(refused())
            }
            RefreshDecision::Dead => Err(refused()),
            RefreshDecision::Suspended => Err(suspended()),
        };
        return Ok((Some(row.user_id), answer));
    }
}

fn refreshed(
    context: &AuthContext,
    row: &RefreshRow,
    next: String,
    now: DateTime<Utc>,
) -> ApiResult<Refreshed> {
    let budget = context.auth.budget_of(row.user_id, row.phone.as_deref());
    let owner = SessionOwner { user_id: row.user_id, role: row.role, budget };
    let signed_in = pair(context, owner, row.session_id, next, now)?;
    Ok(Refreshed { signed_in, mechanic_profile_id: row.mechanic_profile_id })
}

/// Returns the token that a client gets for this row's; `None` if the session has changed since the row was read.
async fn next_token(
    context: &AuthContext,
    row: &RefreshRow,
    attempt: Option<&RefreshAttempt>,
    refresh_token: &str,
    now: DateTime<Utc>,
) -> ApiResult<Option<String>> {
    match attempt {
        None => succeed(context, row, None, fresh_token(context, row.session_id), now).await,
        Some(attempt) => next_cookie(context, row, attempt, refresh_token, now).await,
    }
}

/// Makes a token the session's live one, as the successor of this row's.
async fn succeed(
    context: &AuthContext,
    row: &RefreshRow,
    attempt: Option<&RefreshAttempt>,
    successor: String,
    now: DateTime<Utc>,
) -> ApiResult<Option<String>> {
    let token = NewRefreshToken {
        id: context.random.id(now),
        session_id: row.session_id,
        hash: &hash(&successor),
        predecessor_id: Some(row.id),
        created_at: now,
        expires_at: end(context.auth.lives(), row.role, row.session_created_at, now),
    };
    let live_id = row.live_successor.unwrap_or(row.id);
    let attempt = attempt.map(|attempt| &attempt.0[..]);
    // If there is no connection, surely nothing has happened.
    let mut connection = context.db.acquire().await?;
    let exchanged = queries::exchange(&mut connection, live_id, attempt, token).await;
    let is_live = connection.ended(exchanged).map_err(write_error)?;
    Ok(is_live.then_some(successor))
}

/// Returns the successor of a cookie, by the rules at the head of the module; `None` as [`next_token`] does.
async fn next_cookie(
    context: &AuthContext,
    row: &RefreshRow,
    attempt: &RefreshAttempt,
    cookie: &str,
    now: DateTime<Utc>,
) -> ApiResult<Option<String>> {
    let is_recent = row.succeeded_at.is_some_and(|at| now - at <= grace(context));
    let is_own = row.made_by.as_deref() == Some(&attempt.0[..]);
    if row.used_at.is_none() && is_recent && is_own {
        return Ok(Some(cookie.to_owned()));
    }
    let randoms = context.auth.0.successor_keys.map(|key| key.successor_of(cookie));
    let successors = context.auth.tokens_made().successors(row.session_id, &randoms);
    let mut was_made = false;
    // While the service's secret is replaced, another server may have made the successor with another key.
    for successor in successors.all() {
        match queries::is_live(&context.db, &hash(successor)).await? {
            Some(true) => return Ok(Some(successor.clone())),
            Some(false) => was_made = true,
            None => {}
        }
    }
    // Meanwhile the same token was exchanged for another one outside a cookie.
    let successor =
        if was_made { fresh_token(context, row.session_id) } else { successors.current().clone() };
    succeed(context, row, Some(attempt), successor, now).await
}

fn grace(context: &AuthContext) -> TimeDelta {
    TimeDelta::seconds(context.auth.settings().refresh_grace_s)
}

/// Returns the stored form of a refresh token: the token is random, so one pass of SHA-256 can't be reversed.
pub fn hash(refresh_token: &str) -> Vec<u8> {
    Sha256::digest(refresh_token.as_bytes()).to_vec()
}

/// Returns the end of a session that was opened at that time and is used now. An admin's session is not prolonged
/// beyond its time.
fn end(
    (auth, admin): (&AuthSettings, &AdminSettings),
    role: Role,
    opened_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    let unused = now + TimeDelta::seconds(auth.refresh_token_ttl_s);
    match role {
        Role::Customer => unused,
        Role::Admin | Role::SuperAdmin => unused.min(opened_at + TimeDelta::seconds(admin.session_ttl_s)),
    }
}

fn refused() -> ApiError {
    ApiError::unauthorized("The refresh token is not valid. Sign in again.")
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    fn row() -> RefreshRow {
        RefreshRow {
            id: Uuid::nil(),
            session_id: Uuid::nil(),
            user_id: Uuid::nil(),
            role: Role::Customer,
            phone: None,
            mechanic_profile_id: None,
            status: UserStatus::Active,
            used_at: None,
            expires_at: at(1000),
            session_created_at: at(-1000),
            session_expires_at: at(1000),
            session_revoked_at: None,
            live_successor: None,
            succeeded_at: None,
            spent_by: None,
            made_by: None,
        }
    }

    #[test]
    fn an_admins_session_ends_however_much_it_is_used() {
        let mut auth: AuthSettings = default_of("auth");
        let mut admin: AdminSettings = default_of("admin");
        (auth.refresh_token_ttl_s, admin.session_ttl_s) = (1000, 600);
        for (role, now, ends) in [
            (Role::Customer, 0, 1000),
            (Role::Customer, 900, 1900),
            (Role::Admin, 0, 600),
            (Role::Admin, 599, 600),
            (Role::SuperAdmin, 300, 600),
        ] {
            assert_eq!(end((&auth, &admin), role, at(0), at(now)), at(ends), "{role} at {now}");
        }
        admin.session_ttl_s = 2000;
        let lives = (&auth, &admin);
        assert_eq!(end(lives, Role::Admin, at(0), at(100)), at(1100), "one that is not used ends as any");
    }

    #[test]
    fn a_refresh_token_is_judged_by_its_history() {
        let used = RefreshRow { used_at: Some(at(0)), ..row() };
        let predecessor = RefreshRow { live_successor: Some(Uuid::nil()), ..used.clone() };
        let cases = [
            (row(), 1, RefreshDecision::Exchange, "the live one"),
            (row(), 1000, RefreshDecision::Dead, "expired"),
            (
                RefreshRow { session_expires_at: at(1), ..row() },
                1,
                RefreshDecision::Dead,
                "its session expired",
            ),
            (
                RefreshRow { session_revoked_at: Some(at(0)), ..row() },
                1,
                RefreshDecision::Dead,
                "its session was revoked",
            ),
            (predecessor.clone(), 30, RefreshDecision::Exchange, "the direct predecessor within the grace"),
            (predecessor, 31, RefreshDecision::Reused, "the direct predecessor after the grace"),
            (used, 1, RefreshDecision::Reused, "an older one within the grace"),
            (
                RefreshRow { status: UserStatus::Suspended, ..row() },
                1,
                RefreshDecision::Suspended,
                "suspended",
            ),
            (RefreshRow { status: UserStatus::Deleted, ..row() }, 1, RefreshDecision::Dead, "deleted"),
        ];
        for (row, now, verdict, why) in cases {
            assert_eq!(decide(&row, None, TimeDelta::seconds(30), at(now)), verdict, "{why}");
        }
    }

    #[test]
    fn only_the_attempt_that_used_a_cookie_may_present_it_again() {
        let (own, anothers) = (RefreshAttempt([1; 32]), RefreshAttempt([2; 32]));
        let used = |spent_by: Option<[u8; 32]>| RefreshRow {
            used_at: Some(at(0)),
            live_successor: Some(Uuid::nil()),
            spent_by: spent_by.map(Vec::from),
            ..row()
        };
        let cases = [
            (used(Some([1; 32])), Some(&own), 30, RefreshDecision::Exchange, "its own"),
            (used(Some([1; 32])), Some(&own), 31, RefreshDecision::Reused, "its own, after the grace"),
            (used(Some([1; 32])), Some(&anothers), 1, RefreshDecision::Reused, "another one"),
            (used(None), Some(&own), 1, RefreshDecision::Exchange, "exchanged by a client that keeps tokens"),
            (used(Some([1; 32])), None, 1, RefreshDecision::Exchange, "now kept by a client"),
        ];
        for (row, attempt, now, verdict, why) in cases {
            assert_eq!(decide(&row, attempt, TimeDelta::seconds(30), at(now)), verdict, "{why}");
        }
    }
}
