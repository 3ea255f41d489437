use actix_web::{
    HttpRequest, HttpResponse, delete, get,
    http::header::USER_AGENT,
    post,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{
    Caller, TokenKind, TokenPlace, UserStatus,
    cookie::RefreshAttempt,
    dto::{AdminLogin, Logout, Refresh, Refreshed, Session, SignedIn, Success},
    principal::{Role, suspended},
    queries::{self, AdminAccountRow},
    sessions::{self, SessionOwner},
};
use crate::{
    accounts::auth::{AuthContext, OwnId, idp},
    http::{Body, Meter, Owned, Proof},
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::identity::{Identity, IdentityError},
};

/// Exchanges an identity provider's ID token for tokens (contract 4.1).
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = AdminLogin,
    responses(
        (status = 200, body = Success<SignedIn>, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
        )),
        (status = 401, description = "UNAUTHORIZED: the ID token is not valid, or the account belongs to another identity"),
        (status = 403, description = "FORBIDDEN: not an admin; EMAIL_NOT_VERIFIED; ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 502, description = "PROVIDER_ERROR: the provider's keys can't be read"),
    ))]
#[post("/auth/admin-login")]
pub async fn admin_login(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<AdminLogin>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let token = body.read()?.idp_id_token.0;
    let now = context.clock.now();
    let identity = verified_identity(&context, &meter, None, &token, now).await?;
    let mut tx = context.db.begin().await?;
    let account = queries::admin_of_identity(&mut tx, &identity.uid, &identity.email).await?;
    let unaccepted = idp::lock_account(&mut tx, &identity).await?;
    if unaccepted.is_some() {
        return Err(ApiError::forbidden("Accept your invitation first."));
    }
    let account = claim(account, &identity)?;
    let email = identity.email.to_ascii_lowercase();
    queries::link_identity(&mut tx, account.id, &identity.uid, &email, now).await?;
    let owner = SessionOwner::admin(account.id, account.role);
    let signed_in = sessions::open(&context, &mut tx, owner, user_agent(&request), now).await?;
    tx.commit().await.map_err(commit_error)?;
    super::forget(&context, account.id).await;
    Ok(place.answer(&request, signed_in))
}

/// Whose an ID token is (contract 4.1, rule 2). The request counts for what it shows beside it, else for that identity, or for its
/// address if the token is not genuine.
pub async fn verified_identity(
    context: &AuthContext,
    meter: &Meter,
    shown: Option<Proof>,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<Identity> {
    let verified = context.auth.0.identity.verify(token, now).await;
    let own = verified.as_ref().ok().map(|identity| Proof::of(&format!("identity {}", identity.uid)));
    meter.count(shown.or(own))?;
    let identity = verified.map_err(identity_refused)?;
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
/// answered once more for a short time, and what was issued in between is void. With `X-Session: cookie` the body may be left
/// out: the cookie's token is exchanged. A page that got no answer repeats the request with the same `X-Attempt` and gets the
/// same cookie; another attempt with a used cookie ends the session.
#[utoipa::path(tag = "auth", security(()), params(TokenPlace, RefreshAttempt), request_body = Option<Refresh>,
    responses(
        (status = 200, body = Success<Refreshed>, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
        )),
        (status = 204, description = "With `X-Session: cookie`: there is neither a cookie nor a token, so nobody is signed in"),
        (status = 401, description = "UNAUTHORIZED: the refresh token is unknown, used, expired or revoked"),
        (status = 403, description = "ACCOUNT_SUSPENDED; COOKIE_REFUSED: a cookie without X-Session, or from a foreign origin"),
    ))]
#[post("/auth/refresh")]
pub async fn refresh_tokens(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<Refresh>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let Some(token) = presented(&request, &place, body)? else {
        // Pages ask this at their first visit: it is no fault, and counts for their address.
        meter.count(None)?;
        return Ok(HttpResponse::NoContent().finish());
    };
    meter.count(context.auth.tokens_made().read(TokenKind::Refresh, &token))?;
    let attempt = RefreshAttempt::of(&request)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let (user_id, answer) = sessions::exchange(&context, &mut tx, (&place, &attempt), &token, now).await?;
    tx.commit().await.map_err(commit_error)?;
    match (user_id, &answer) {
        (Some(user_id), Ok(_)) => super::forget_ends(&context, user_id).await,
        (Some(user_id), Err(_)) => super::forget(&context, user_id).await,
        (None, _) => {}
    }
    Ok(place.answer(&request, answer?))
}

/// The refresh token of the body, else the cookie's; `None` for a page without a cookie.
fn presented(request: &HttpRequest, place: &TokenPlace, body: Body<Refresh>) -> ApiResult<Option<String>> {
    if body.has_fields() {
        return Ok(Some(body.read()?.refresh_token.0));
    }
    match (place.cookie(request)?, place) {
        (Some(token), _) => Ok(Some(token)),
        (None, TokenPlace::Cookie(_)) => Ok(None),
        (None, TokenPlace::Client) => Ok(Some(body.read()?.refresh_token.0)),
    }
}

/// Ends the caller's session; with `refreshToken` that one's too, with `allDevices` all of them. With `X-Session: cookie` it
/// also ends the cookie's, if that is the caller's, and the browser drops the cookie.
#[utoipa::path(tag = "auth", params(TokenPlace), request_body = Option<Logout>,
    responses(
        (status = 204, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, empty and expired"),
        )),
        (status = 403, description = "ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
    ))]
#[post("/auth/logout")]
pub async fn logout(
    request: HttpRequest,
    caller: Caller,
    context: Data<AuthContext>,
    body: Body<Logout>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let body = body.read()?;
    // Without the header a cookie means nothing here: the caller has shown a token.
    let cookie = if place == TokenPlace::Client { None } else { place.cookie(&request)? };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if body.all_devices.unwrap_or_default() {
        sessions::queries::revoke_sessions(&mut tx, caller.user_id, "logout", now).await?;
    } else {
        let tokens = body.refresh_token.map(|token| token.0).into_iter().chain(cookie);
        end_sessions(&mut tx, caller, tokens, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    super::forget(&context, caller.user_id).await;
    Ok(place.signed_out(&request))
}

/// The caller's session, and those of refresh tokens where they are the caller's; another's token is left alone.
async fn end_sessions(
    tx: &mut PgConnection,
    caller: Caller,
    others: impl Iterator<Item = String>,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    sessions::queries::revoke_session(tx, caller.user_id, caller.session_id, "logout", now).await?;
    for token in others {
        let hash = sessions::hash(&token);
        if let Some(session_id) = sessions::queries::session_of_token(tx, caller.user_id, &hash).await? {
            sessions::queries::revoke_session(tx, caller.user_id, session_id, "logout", now).await?;
        }
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
