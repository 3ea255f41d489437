//! Opening, prolonging and ending sessions.

use chrono::{DateTime, Utc};
use roadcall_platform::error::{ApiError, ApiResult, commit_error};
use roadcall_providers::identity::Identity;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    callers::{forget, forget_ends},
    context::AuthContext,
    cookie::RefreshAttempt,
    dto::{Refreshed, SignedIn},
    principal::{Role, UserStatus, suspended},
    queries::{self, AdminAccountRow},
    sessions::{self, SessionOwner},
};

/// Opens a session of the admin to whom a verified identity belongs, once [`may_sign_in_as`] has allowed it;
/// [`forget`] them after the commit. The account is theirs from now on (contract 4.1, rule 3).
pub async fn open_admin_session(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    identity: &Identity,
    user_agent: Option<&str>,
    now: DateTime<Utc>,
) -> ApiResult<SignedIn> {
    let email = identity.email.to_ascii_lowercase();
    queries::link_identity(tx, account.id, &identity.uid, &email, now).await?;
    let owner = SessionOwner::admin(account.id, account.role);
    sessions::open(context, tx, owner, user_agent, now).await
}

/// Returns the account if this identity may sign in to it (contract 4.1, rules 1 and 3): once someone has signed in
/// to an account, it belongs to that identity permanently.
pub fn may_sign_in_as(account: Option<AdminAccountRow>, identity: &Identity) -> ApiResult<AdminAccountRow> {
    let not_admin = || ApiError::forbidden("Only admins can sign in here.");
    let account = account.ok_or_else(not_admin)?;
    let is_same = account.idp_uid.as_deref() == Some(identity.uid.as_str());
    match account.role {
        Role::Customer => Err(not_admin()),
        Role::Admin | Role::SuperAdmin if account.is_linked && !is_same => {
            Err(ApiError::unauthorized("This account is linked to a different identity."))
        }
        Role::Admin | Role::SuperAdmin if account.status != UserStatus::Active => Err(suspended()),
        Role::Admin | Role::SuperAdmin => Ok(account),
    }
}

/// Exchanges a refresh token for a new pair; a token that was used before ends its session. `attempt` is given for a
/// cookie's token.
pub async fn refresh(
    context: &AuthContext,
    refresh_token: &str,
    attempt: Option<&RefreshAttempt>,
) -> ApiResult<Refreshed> {
    let now = context.clock.now();
    let (user_id, answer) = sessions::exchange(context, attempt, refresh_token, now).await?;
    match (user_id, &answer) {
        (Some(user_id), Ok(_)) => forget_ends(context, user_id).await,
        (Some(user_id), Err(_)) => forget(context, user_id).await,
        (None, _) => {}
    }
    answer
}

/// Ends one session of a person, and the sessions of the given refresh tokens; another person's token is left alone.
pub async fn sign_out(
    context: &AuthContext,
    user_id: Uuid,
    session_id: Uuid,
    refresh_tokens: &[String],
) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    sessions::queries::revoke_session(&mut tx, user_id, session_id, "logout", now).await?;
    for token in refresh_tokens {
        let hash = sessions::hash(token);
        if let Some(session_id) = sessions::queries::session_of_token(&mut tx, user_id, &hash).await? {
            sessions::queries::revoke_session(&mut tx, user_id, session_id, "logout", now).await?;
        }
    }
    tx.commit().await.map_err(commit_error)?;
    forget(context, user_id).await;
    Ok(())
}

/// Ends all sessions of a person, and everything else that sends in their name.
pub async fn sign_out_everywhere(context: &AuthContext, user_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    sessions::queries::revoke_sessions(&mut tx, user_id, "logout", now).await?;
    sessions::queries::note_signed_out_everywhere(&mut tx, user_id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    forget(context, user_id).await;
    Ok(())
}

/// Ends one session of a person; 404 if they have no such session.
pub async fn end_session(context: &AuthContext, user_id: Uuid, session_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut connection = context.db.acquire().await?;
    let ended =
        sessions::queries::revoke_session(&mut connection, user_id, session_id, "logout", now).await?;
    forget(context, user_id).await;
    if ended { Ok(()) } else { Err(ApiError::not_found("session")) }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::error::Code;

    use super::*;

    #[test]
    fn an_identity_claims_its_own_account_or_one_that_nobody_signed_in_to() {
        let identity = Identity {
            uid: "u1".into(),
            email: "asha@example.com".into(),
            email_verified: true,
            account_version: None,
            roles: Vec::new(),
        };
        let account = |role, uid: Option<&str>, is_linked| AdminAccountRow {
            id: Uuid::nil(),
            role,
            status: UserStatus::Active,
            email: None,
            idp_uid: uid.map(str::to_owned),
            is_linked,
            role_by_claim: false,
            desks: None,
        };
        let suspended =
            AdminAccountRow { status: UserStatus::Suspended, ..account(Role::Admin, Some("u1"), true) };
        let cases = [
            (None, Some(Code::Forbidden), "nobody with that email"),
            (Some(account(Role::Customer, Some("u1"), true)), Some(Code::Forbidden), "a customer"),
            (Some(account(Role::Admin, None, false)), None, "invited, first login"),
            (Some(account(Role::Admin, Some("u0"), false)), None, "another uid stored, first login"),
            (Some(account(Role::SuperAdmin, Some("u1"), true)), None, "its own"),
            (Some(account(Role::Admin, Some("u2"), true)), Some(Code::Unauthorized), "somebody else's"),
            (Some(suspended), Some(Code::AccountSuspended), "suspended"),
        ];
        for (account, refusal, why) in cases {
            let claimed = may_sign_in_as(account, &identity);
            assert_eq!(claimed.err().map(|error| error.code), refusal, "{why}");
        }
    }
}
