use std::time::Duration;

use actix_web::{
    HttpResponse, get,
    http::header::{CACHE_CONTROL, HeaderValue},
    post,
    web::{Data, Json},
};
use tokio::time::timeout;

use super::{
    dto::{IdToken, IdentityConfiguration, IdentityKeys, PasswordLogin},
    password::{self},
    queries,
};
use crate::{
    accounts::auth::AuthContext,
    http::Body,
    platform::error::{ApiError, ApiResult},
    providers::identity::{Identity, LocalProvider},
};

/// How long a login waits for its turn at hashing before it is told to come again.
const TURN: Duration = Duration::from_secs(3);

/// Exchanges an email and a password for an ID token. The same answer, after the same time, for an unknown email
/// and a wrong password. 404 where an external provider is used.
#[utoipa::path(tag = "auth", security(()), request_body = PasswordLogin,
    responses(
        (status = 200, body = IdToken),
        (status = 401, description = "UNAUTHORIZED: the email or the password is wrong"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
    ))]
#[post("/idp/token")]
pub async fn issue_id_token(
    context: Data<AuthContext>,
    body: Body<PasswordLogin>,
) -> ApiResult<Json<IdToken>> {
    let provider = provider(&context)?;
    let login = body.read()?;
    let account = queries::account(&context.db, &login.email.0, context.clock.now()).await?;
    let kept = account.as_ref().map(|account| account.password_hash.clone());
    let is_right = compare(&context, login.password.0, kept).await?;
    let account = account.filter(|_| is_right);
    let account = account.ok_or_else(|| ApiError::unauthorized("The email or the password is wrong."))?;
    let identity = Identity {
        uid: account.uid,
        email: account.email,
        email_verified: account.email_verified,
        account_version: Some(account.updated_at.timestamp_micros()),
    };
    let id_token = provider.issue(&identity, context.clock.now()).map_err(ApiError::internal)?;
    Ok(Json(IdToken { id_token }))
}

async fn compare(context: &AuthContext, password: String, kept: Option<String>) -> ApiResult<bool> {
    let turn = timeout(TURN, context.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    let _turn = turn.map_err(ApiError::internal)?;
    let compared = actix_web::web::block(move || password::matches(&password, kept.as_deref())).await;
    compared.map_err(ApiError::unavailable)
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

/// The hash of a password, when it is its turn: each takes memory and time.
pub async fn hashed(context: &AuthContext, password: String) -> ApiResult<String> {
    let turn = timeout(TURN, context.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    let _turn = turn.map_err(ApiError::internal)?;
    password::hash_password(password).await.map_err(ApiError::internal)
}
