use actix_web::{
    HttpResponse, get,
    http::header::{CACHE_CONTROL, HeaderValue},
    post,
    web::{Data, Json},
};
use roadcall_http::{Body, Meter};
use roadcall_platform::error::ApiResult;

use super::{
    actions,
    dto::{
        IdToken, IdentityConfiguration, IdentityKeys, NewSecondFactor, PasswordLogin, SecondFactorCode,
        SecondFactorOwner,
    },
    proof::Guesser,
    provider::provider,
};
use crate::auth::AuthContext;

/// Exchanges an email and a password for an ID token, with a code if the account has a second factor. An unknown
/// email and a wrong password get the same answer after the same time. Five tries for one email are free; each
/// further try waits twice as long, a quarter of an hour at most. A device that signed in with the email before has
/// tries of its own. 404 if an external provider is used.
#[utoipa::path(tag = "auth", security(()), request_body = PasswordLogin,
    responses(
        (status = 200, body = IdToken),
        (status = 401, description = "UNAUTHORIZED: the email, the password or the code is wrong; SECOND_FACTOR_REQUIRED: the code is missing"),
        (status = 403, description = "SECOND_FACTOR_MISSING: the account has to have a second factor, and has none"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
    ))]
#[post("/idp/token")]
pub async fn issue_id_token(
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<PasswordLogin>,
) -> ApiResult<Json<IdToken>> {
    provider(&context)?;
    let PasswordLogin { email, password, code, device_token } = body.read()?;
    let guesser = Guesser::of(&context, &email, device_token.as_ref());
    meter.count(guesser.known_device())?;
    let code = code.as_ref().map(|code| code.0.as_str());
    let id_token = actions::issue_id_token(&context, &guesser, &email, password, code).await?;
    Ok(Json(IdToken { id_token, device_token: guesser.device_token(&context, &email) }))
}

/// Begins to set up a second factor: a secret for an authenticator app. Sign-in asks for it once it is confirmed.
/// Another request before that makes another secret.
#[utoipa::path(tag = "auth", security(()), request_body = SecondFactorOwner,
    responses(
        (status = 200, body = NewSecondFactor),
        (status = 401, description = "UNAUTHORIZED: the email or the password is wrong"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
        (status = 409, description = "CONFLICT: the account has a second factor"),
    ))]
#[post("/idp/second-factor")]
pub async fn begin_second_factor(
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<SecondFactorOwner>,
) -> ApiResult<Json<NewSecondFactor>> {
    provider(&context)?;
    let SecondFactorOwner { email, password, device_token } = body.read()?;
    let guesser = Guesser::of(&context, &email, device_token.as_ref());
    meter.count(guesser.known_device())?;
    let (secret, otpauth_url) = actions::begin_second_factor(&context, &guesser, &email, password).await?;
    Ok(Json(NewSecondFactor { secret, otpauth_url }))
}

/// Confirms a second factor with a code of the app. From now on signing in needs a code.
#[utoipa::path(tag = "auth", security(()), request_body = SecondFactorCode,
    responses(
        (status = 204),
        (status = 401, description = "UNAUTHORIZED: the email or the password is wrong"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
        (status = 409, description = "CONFLICT: the account has a second factor, or none was begun"),
    ))]
#[post("/idp/second-factor/confirm")]
pub async fn confirm_second_factor(
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<SecondFactorCode>,
) -> ApiResult<HttpResponse> {
    provider(&context)?;
    let SecondFactorCode { email, password, code, device_token } = body.read()?;
    let guesser = Guesser::of(&context, &email, device_token.as_ref());
    meter.count(guesser.known_device())?;
    actions::confirm_second_factor(&context, &guesser, &email, password, &code.0).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Returns the keys with which the embedded provider signs.
#[utoipa::path(tag = "auth", security(()), responses((status = 200, body = IdentityKeys), (status = 404, description = "NOT_FOUND: the embedded provider is switched off")))]
#[get("/idp/.well-known/jwks.json")]
pub async fn identity_keys(context: Data<AuthContext>) -> ApiResult<HttpResponse> {
    let published = provider(&context)?.published.clone();
    let cache = (CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    Ok(HttpResponse::Ok().insert_header(cache).json(published))
}

/// Returns the provider's addresses, for clients that discover it.
#[utoipa::path(tag = "auth", security(()), responses((status = 200, body = IdentityConfiguration), (status = 404, description = "NOT_FOUND: the embedded provider is switched off")))]
#[get("/idp/.well-known/openid-configuration")]
pub async fn identity_configuration(context: Data<AuthContext>) -> ApiResult<Json<IdentityConfiguration>> {
    let issuer = provider(&context)?.expected.issuer.clone();
    let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    Ok(Json(IdentityConfiguration {
        jwks_uri: format!("{issuer}/.well-known/jwks.json"),
        token_endpoint: format!("{issuer}/token"),
        issuer,
        response_types_supported: list(&["id_token"]),
        subject_types_supported: list(&["public"]),
        id_token_signing_alg_values_supported: list(&["EdDSA"]),
        claims_supported: list(&["iss", "aud", "sub", "exp", "iat", "email", "email_verified"]),
    }))
}
