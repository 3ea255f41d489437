use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use roadcall_http::{Body, Meter, NoFields};
use roadcall_platform::error::ApiResult;

use super::{actions, attempt::SignInAttempt, dto::SignInBegun};
use crate::auth::{AuthContext, Success, TokenPlace};

/// Begins to sign in to the console at an identity provider of the operator's own. The browser gets a cookie for ten
/// minutes, which no script can read, and opens `authorizationUrl`; when it is back, `POST
/// /auth/admin-sign-in/complete` continues. 404 if admins sign in with a password.
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = Option<NoFields>,
    responses(
        (status = 200, body = Success<SignInBegun>, headers(
            ("Set-Cookie" = Option<String>, description = "`roadcall_sign_in`, which the browser comes back with"),
        )),
        (status = 403, description = "COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 404, description = "NOT_FOUND: the embedded provider is used"),
        (status = 502, description = "PROVIDER_ERROR: the provider's configuration can't be used"),
        (status = 503, description = "UNAVAILABLE: the provider can't be reached"),
    ))]
#[post("/auth/admin-sign-in")]
pub async fn begin_admin_sign_in(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    meter.count(None)?;
    body.read()?;
    let place = place.in_browser()?;
    let (begun, kept) = actions::begin(&context).await?;
    Ok(place.begin_attempt(&request, &kept, begun.expires_in, Success::of(begun)))
}

/// Returns the sign-in that this browser began, if there is one and it is not too old.
pub fn attempt_of(
    context: &AuthContext,
    place: &TokenPlace,
    request: &HttpRequest,
) -> ApiResult<Option<SignInAttempt>> {
    let kept = place.attempt(request)?;
    let (keys, now) = (&context.auth.0.attempt_keys, context.clock.now());
    Ok(kept.and_then(|kept| keys.find(|key| key.read(&kept, now))))
}
