use actix_web::{
    HttpRequest, HttpResponse, post,
    web::{Data, Json},
};
use roadcall_http::{Body, ClientAddress, Meter, Proof};
use roadcall_platform::error::ApiResult;

use super::{actions, source::Source, testing};
use crate::auth::{
    AuthContext, SuperAdmin, TokenPlace, device,
    dto::{NewSmsTest, OtpSent, SendOtp, SmsTest, Success, TokenText, Verified, VerifyOtp},
    handlers::user_agent,
};

/// Sends a one-time password; while a code is valid, it is sent again. The answer is the same whether or not the
/// number has an account. No code goes to a landline, to the number of a service (premium rate, shared cost,
/// toll-free and the like), or to a country outside `sms.regions`: 422 for `phone`.
#[utoipa::path(tag = "auth", security(()), request_body = SendOtp,
    responses(
        (status = 200, body = Success<OtpSent>),
        (status = 429, description = "RATE_LIMITED: a code was sent less than `resendAfter` ago, or too many were"),
        (status = 502, description = "PROVIDER_ERROR: the message could not be sent"),
        (status = 503, description = "UNAVAILABLE: no more text messages go out for now, in all or to that country"),
    ))]
#[post("/auth/send-otp")]
pub async fn send_otp(
    context: Data<AuthContext>,
    address: ClientAddress,
    meter: Meter,
    body: Body<SendOtp>,
) -> ApiResult<Json<Success<OtpSent>>> {
    let SendOtp { phone, device_token } = body.read()?;
    let source = source_of(&context, &phone.0, device_token.as_ref(), address);
    meter.count(source.known_device().map(Proof))?;
    Ok(Json(Success::of(actions::send(&context, &phone.0, &source).await?)))
}

/// Sends a test message to a phone that the admin has at hand: the text of a one-time password with a code of zeros,
/// which signs nobody in. The message counts towards the budgets of text messages, and numbers that get no codes are
/// refused: 422 for `phone`.
#[utoipa::path(tag = "super-admin", request_body = NewSmsTest,
    responses(
        (status = 200, body = SmsTest),
        (status = 429, description = "RATE_LIMITED: this admin had `sms.tests_per_day` in 24 hours"),
        (status = 503, description = "UNAVAILABLE: no more text messages go out for now, in all or to that country"),
    ))]
#[post("/super-admin/sms/test")]
pub async fn test_sms(
    SuperAdmin(admin): SuperAdmin,
    context: Data<AuthContext>,
    body: Body<NewSmsTest>,
) -> ApiResult<Json<SmsTest>> {
    let NewSmsTest { phone } = body.read()?;
    Ok(Json(testing::send_test(&context, admin.user_id, &phone.0).await?))
}

/// Returns the source for which an attempt counts.
fn source_of(
    context: &AuthContext,
    phone: &str,
    device_token: Option<&TokenText>,
    address: ClientAddress,
) -> Source {
    let (keys, now) = (&context.auth.0.device_keys, context.clock.now());
    let read = |token: &TokenText| keys.find(|key| key.read(phone, &token.0, now));
    let source = device_token.and_then(read).map_or_else(|| Source::address(address), Source::device);
    source.on(device_token.and_then(|token| device::named_in(&token.0)))
}

/// Exchanges a one-time password for tokens; makes the account at first use.
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = VerifyOtp,
    responses(
        (status = 200, body = Success<Verified>, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
        )),
        (status = 401, description = "INVALID_OTP: the code is wrong, used, expired or was never sent"),
        (status = 403, description = "ACCOUNT_SUSPENDED; FORBIDDEN: an admin signs in with the identity provider; COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 429, description = "RATE_LIMITED: too many wrong codes; the message says when to request a new one"),
    ))]
#[post("/auth/verify-otp")]
pub async fn verify_otp(
    request: HttpRequest,
    context: Data<AuthContext>,
    address: ClientAddress,
    meter: Meter,
    body: Body<VerifyOtp>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let body = body.read()?;
    let phone = &body.phone.0;
    let source = source_of(&context, phone, body.device_token.as_ref(), address);
    meter.count(source.known_device().map(Proof))?;
    let name = body.name.as_ref().map(|name| name.0.as_str());
    let agent = user_agent(&request);
    let verified = actions::verify(&context, phone, &body.otp.0, name, &source, agent).await?;
    Ok(place.answer(&request, verified))
}
