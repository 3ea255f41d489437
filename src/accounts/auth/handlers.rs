use actix_web::{
    HttpRequest, HttpResponse, delete, get,
    http::header::USER_AGENT,
    post,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{
    Caller, UserStatus,
    dto::{AdminLogin, Logout, Refresh, Refreshed, Session, SignedIn, Success},
    principal::{Role, suspended},
    queries::{self, AdminAccountRow},
    sessions::{self, SessionOwner},
};
use crate::{
    accounts::auth::{AuthContext, OwnId, idp},
    http::{Body, Owned},
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::identity::{Identity, IdentityError},
};

/// Exchanges an identity provider's ID token for tokens (contract 4.1).
#[utoipa::path(tag = "auth", security(()), request_body = AdminLogin,
    responses(
        (status = 200, body = Success<SignedIn>),
        (status = 401, description = "UNAUTHORIZED: the ID token is not valid, or the account belongs to another identity"),
        (status = 403, description = "FORBIDDEN: not an admin; EMAIL_NOT_VERIFIED; ACCOUNT_SUSPENDED"),
        (status = 502, description = "PROVIDER_ERROR: the provider's keys can't be read"),
    ))]
#[post("/auth/admin-login")]
pub async fn admin_login(
    request: HttpRequest,
    context: Data<AuthContext>,
    body: Body<AdminLogin>,
) -> ApiResult<Json<Success<SignedIn>>> {
    let token = body.read()?.idp_id_token.0;
    let now = context.clock.now();
    let identity = verified_identity(&context, &token, now).await?;
    let mut tx = context.db.begin().await?;
    let account = queries::admin_of_identity(&mut tx, &identity.uid, &identity.email).await?;
    let unaccepted = idp::lock_account(&mut tx, &identity).await?;
    if unaccepted.is_some() {
        return Err(ApiError::forbidden("Accept your invitation first."));
    }
    let account = claim(account, &identity)?;
    queries::link_identity(&mut tx, account.id, &identity.uid, now).await?;
    let owner = SessionOwner::admin(account.id, account.role);
    let signed_in = sessions::open(&context, &mut tx, owner, user_agent(&request), now).await?;
    tx.commit().await.map_err(commit_error)?;
    super::forget(&context, account.id).await;
    Ok(Json(Success::of(signed_in)))
}

/// Whose an ID token is (contract 4.1, rule 2).
pub async fn verified_identity(
    context: &AuthContext,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<Identity> {
    let identity = context.auth.0.identity.verify(token, now).await.map_err(identity_refused)?;
    if identity.email_verified {
        Ok(identity)
    } else {
        Err(ApiError::new(Code::EmailNotVerified, "Your email is not verified. Verify it and sign in again."))
    }
}

fn identity_refused(error: IdentityError) -> ApiError {
    match error {
        IdentityError::Invalid(_) => {
            ApiError::unauthorized("The ID token is not valid. Sign in again.").caused_by(error)
        }
        IdentityError::Provider(_) => {
            let message = "The identity provider can't be reached right now. Try again.";
            ApiError::new(Code::ProviderError, message).caused_by(error)
        }
    }
}

/// Whether this identity may sign in to this account (contract 4.1, rules 1 and 3): an account that someone has
/// signed in to before belongs to that identity permanently.
fn claim(account: Option<AdminAccountRow>, identity: &Identity) -> ApiResult<AdminAccountRow> {
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

/// Exchanges a refresh token for a new pair. A used one ends its session; the direct predecessor of the live one is
/// answered once more for a short time, and what was issued in between is void.
#[utoipa::path(tag = "auth", security(()), request_body = Refresh,
    responses(
        (status = 200, body = Success<Refreshed>),
        (status = 401, description = "UNAUTHORIZED: the refresh token is unknown, used, expired or revoked"),
        (status = 403, description = "ACCOUNT_SUSPENDED"),
    ))]
#[post("/auth/refresh")]
pub async fn refresh_tokens(
    context: Data<AuthContext>,
    body: Body<Refresh>,
) -> ApiResult<Json<Success<Refreshed>>> {
    let token = body.read()?.refresh_token.0;
    let mut tx = context.db.begin().await?;
    let (user_id, answer) = sessions::exchange(&context, &mut tx, &token, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    if let Some(user_id) = user_id {
        super::forget(&context, user_id).await;
    }
    Ok(Json(Success::of(answer?)))
}

/// Ends the caller's session; with `refreshToken` that one's too, with `allDevices` all of them.
#[utoipa::path(tag = "auth", request_body = Option<Logout>, responses((status = 204)))]
#[post("/auth/logout")]
pub async fn logout(
    caller: Caller,
    context: Data<AuthContext>,
    body: Body<Logout>,
) -> ApiResult<HttpResponse> {
    let body = body.read()?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if body.all_devices.unwrap_or_default() {
        sessions::queries::revoke_sessions(&mut tx, caller.user_id, "logout", now).await?;
    } else {
        end_sessions(&mut tx, caller, body.refresh_token.map(|token| token.0), now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    super::forget(&context, caller.user_id).await;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller's session, and that of a refresh token where it is the caller's; another's token is left alone.
async fn end_sessions(
    tx: &mut PgConnection,
    caller: Caller,
    refresh_token: Option<String>,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    sessions::queries::revoke_session(tx, caller.user_id, caller.session_id, "logout", now).await?;
    let Some(token) = refresh_token else { return Ok(()) };
    let hash = sessions::hash(&token);
    if let Some(session_id) = sessions::queries::session_of_token(tx, caller.user_id, &hash).await? {
        sessions::queries::revoke_session(tx, caller.user_id, session_id, "logout", now).await?;
    }
    Ok(())
}

/// The caller's live sessions, the last used first.
#[utoipa::path(tag = "auth", responses((status = 200, body = Success<Vec<Session>>)))]
#[get("/auth/sessions")]
pub async fn list_sessions(
    caller: Caller,
    context: Data<AuthContext>,
) -> ApiResult<Json<Success<Vec<Session>>>> {
    let rows = sessions::queries::live_sessions(&context.db, caller.user_id, context.clock.now()).await?;
    let sessions = rows.into_iter().map(|row| Session::of(row, caller.session_id));
    Ok(Json(Success::of(sessions.collect())))
}

/// Ends one of the caller's sessions.
#[utoipa::path(tag = "auth", responses((status = 204)))]
#[delete("/auth/sessions/{id}")]
pub async fn end_session(own: Owned<OwnId, Caller>, context: Data<AuthContext>) -> ApiResult<HttpResponse> {
    let mut connection = context.db.acquire().await?;
    let (user_id, now) = (own.owner, context.clock.now());
    let ended = sessions::queries::revoke_session(&mut connection, user_id, own.id, "logout", now).await?;
    super::forget(&context, user_id).await;
    if ended { Ok(HttpResponse::NoContent().finish()) } else { Err(ApiError::not_found("session")) }
}

pub fn user_agent(request: &HttpRequest) -> Option<&str> {
    request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_identity_claims_its_own_account_or_one_that_nobody_signed_in_to() {
        let identity = Identity {
            uid: "u1".into(),
            email: "asha@example.com".into(),
            email_verified: true,
            account_version: None,
        };
        let account = |role, uid: Option<&str>, is_linked| AdminAccountRow {
            id: Uuid::nil(),
            role,
            status: UserStatus::Active,
            email: None,
            idp_uid: uid.map(str::to_owned),
            is_linked,
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
            let claimed = claim(account, &identity);
            assert_eq!(claimed.err().map(|error| error.code), refusal, "{why}");
        }
    }
}
