use actix_web::{
    HttpRequest, HttpResponse, delete, get,
    http::header::USER_AGENT,
    post,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use roadcall_http::{Body, Meter, Owned, Proof};
use roadcall_platform::error::{ApiError, ApiResult, Code};
use roadcall_providers::identity::{Identity, IdentityError};

use super::{
    Caller, TokenKind, TokenPlace, actions,
    cookie::RefreshAttempt,
    dto::{Logout, Refresh, Refreshed, Session, Success},
    sessions,
};
use crate::auth::{AuthContext, OwnId};

/// Returns the verified identity of an ID token (contract 4.1, rule 2). The request is counted by `shown`, the proof
/// beside the token, else by that identity, or by the client's address if the token is not genuine.
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
    with_verified_email(verified.map_err(identity_refused)?)
}

/// Refuses an identity whose address the provider does not vouch for (contract 4.1, rule 2).
pub fn with_verified_email(identity: Identity) -> ApiResult<Identity> {
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

/// Exchanges a refresh token for a new pair. A used token ends its session; the direct predecessor of the live token
/// is answered once more for a short time, and the tokens issued in between become void. With `X-Session: cookie` the
/// body may be left out: the cookie's token is exchanged. A page that got no answer repeats the request with the same
/// `X-Attempt` and gets the same cookie; another attempt with a used cookie ends the session.
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
        // Pages ask this at their first visit: it is no fault, and is counted by their address.
        meter.count(None)?;
        return Ok(HttpResponse::NoContent().finish());
    };
    meter.count(context.auth.tokens_made().read(TokenKind::Refresh, &token))?;
    let attempt = RefreshAttempt::of(&request)?;
    let attempt = (place != TokenPlace::Client).then_some(&attempt);
    let refreshed = actions::refresh(&context, &token, attempt).await?;
    Ok(place.answer(&request, refreshed))
}

/// Returns the refresh token of the body, else the cookie's; `None` for a page without a cookie.
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

/// Ends the caller's session. With `refreshToken` it ends that token's session, too, with `allDevices` all sessions.
/// With `X-Session: cookie` it also ends the cookie's session, if that is the caller's, and the browser drops the
/// cookie.
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
    // Without the header a cookie has no meaning here: the caller has shown a token.
    let cookie = if place == TokenPlace::Client { None } else { place.cookie(&request)? };
    if body.all_devices.unwrap_or_default() {
        actions::sign_out_everywhere(&context, caller.user_id).await?;
    } else {
        let tokens: Vec<String> = body.refresh_token.map(|token| token.0).into_iter().chain(cookie).collect();
        actions::sign_out(&context, caller.user_id, caller.session_id, &tokens).await?;
    }
    Ok(place.signed_out(&request))
}

/// Lists the caller's live sessions, the last used first.
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
    actions::end_session(&context, own.owner, own.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub fn user_agent(request: &HttpRequest) -> Option<&str> {
    request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok())
}
