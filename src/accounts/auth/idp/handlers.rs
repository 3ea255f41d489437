use actix_web::{
    HttpResponse, get,
    http::header::{CACHE_CONTROL, HeaderValue},
    post,
    web::{Data, Json},
};

use super::{
    audited,
    dto::{
        IdToken, IdentityConfiguration, IdentityKeys, NewSecondFactor, PasswordLogin, SecondFactorCode,
        SecondFactorOwner,
    },
    proof::{self, Guesser},
    queries::{self, AccountRow},
    second_factor,
};
use crate::{
    accounts::auth::AuthContext,
    http::{Body, Meter},
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::identity::{Identity, LocalProvider},
};

/// Exchanges an email and a password for an ID token, with a code where the account has a second factor. The same answer, after
/// the same time, for an unknown email and a wrong password. Five tries for one email are free; each further one waits
/// twice as long, a quarter of an hour at most. A device that signed in with the email before has tries of its own. 404 where
/// an external provider is used.
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
    let provider = provider(&context)?;
    let login = body.read()?;
    let guesser = Guesser::of(&context, &login.email, login.device_token.as_ref());
    meter.count(guesser.known_device())?;
    let account = proof::by_password(&context, &guesser, &login.email, login.password).await?;
    let code = login.code.as_ref().map(|code| code.0.as_str());
    proof::by_second_factor(&context, &account, code).await?;
    proof::passed(&context, &guesser).await?;
    proof::has_needed_factor(&context, &account)?;
    let identity = Identity {
        uid: account.uid,
        email: account.email,
        email_verified: account.email_verified,
        account_version: Some(account.updated_at.timestamp_micros()),
    };
    let id_token = provider.issue(&identity, context.clock.now()).map_err(ApiError::internal)?;
    Ok(Json(IdToken { id_token, device_token: guesser.device_token(&context, &login.email) }))
}

/// Begins to set up a second factor: a secret for an authenticator app. It is asked for once it is confirmed. Doing this again
/// before that makes another secret.
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
    let owner = body.read()?;
    let guesser = Guesser::of(&context, &owner.email, owner.device_token.as_ref());
    meter.count(guesser.known_device())?;
    let account = proof::by_password(&context, &guesser, &owner.email, owner.password).await?;
    let (secret, nonce) = (context.random.bytes(), context.random.bytes());
    let sealed = context.auth.factor_key().seal(&account.uid, secret, nonce);
    if !queries::keep_unconfirmed_factor(&context.db, &account.uid, &sealed).await? {
        return Err(has_one());
    }
    proof::passed(&context, &guesser).await?;
    let (secret, otpauth_url) =
        second_factor::shown(&secret, &account.email).map_err(|why| ApiError::internal(why.to_string()))?;
    Ok(Json(NewSecondFactor { secret, otpauth_url }))
}

/// Confirms a second factor with a code of the app. From now on signing in needs one.
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
    let given = body.read()?;
    let guesser = Guesser::of(&context, &given.email, given.device_token.as_ref());
    meter.count(guesser.known_device())?;
    let account = proof::by_password(&context, &guesser, &given.email, given.password).await?;
    if account.totp_confirmed_at.is_some() {
        return Err(has_one());
    }
    let secret = proof::secret_of(&context, &account)
        .ok_or_else(|| ApiError::new(Code::Conflict, "Set up a second factor first."))?;
    let step = second_factor::step_of(&secret, &given.code.0, context.clock.now());
    let step = step.ok_or_else(|| ApiError::invalid("code", "does not match the code your app shows now"))?;
    commit_confirmation(&context, &account, step).await?;
    proof::passed(&context, &guesser).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn commit_confirmation(context: &AuthContext, account: &AccountRow, step: i64) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if !queries::confirm_factor(&mut tx, account, step, now).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "The second factor was changed meanwhile. Set it up again.",
        ));
    }
    audited::confirmed(&mut tx, &context.random, &account.uid, now).await?;
    tx.commit().await.map_err(commit_error)
}

fn has_one() -> ApiError {
    let why = "This account has a second factor. If you lost it, ask a super-admin to reset it.";
    ApiError::new(Code::Conflict, why)
}

/// The keys that the embedded provider signs with.
#[utoipa::path(tag = "auth", security(()), responses((status = 200, body = IdentityKeys), (status = 404, description = "NOT_FOUND: the embedded provider is switched off")))]
#[get("/idp/.well-known/jwks.json")]
pub async fn identity_keys(context: Data<AuthContext>) -> ApiResult<HttpResponse> {
    let published = provider(&context)?.published.clone();
    let cache = (CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    Ok(HttpResponse::Ok().insert_header(cache).json(published))
}

/// Where things are, for clients that discover it.
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

pub fn provider(context: &AuthContext) -> ApiResult<&LocalProvider> {
    context.auth.local_provider().ok_or_else(|| ApiError::not_found("route"))
}
