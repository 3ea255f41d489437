use std::time::Duration;

use actix_web::{
    HttpResponse, get,
    http::header::{CACHE_CONTROL, HeaderValue},
    post,
    web::{Data, Json},
};
use tokio::time::timeout;

use super::{
    dto::{IdToken, IdentityAccount, IdentityConfiguration, IdentityKeys, NewAccount, PasswordLogin},
    password::{self, PasswordError},
    queries,
};
use crate::{
    accounts::invites,
    http::Body,
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::identity::{Identity, LocalProvider},
    state::AppState,
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
pub async fn issue_id_token(state: Data<AppState>, body: Body<PasswordLogin>) -> ApiResult<Json<IdToken>> {
    let provider = provider(&state)?;
    let login = body.read()?;
    let account = queries::account(&state.db, &login.email.0, state.clock.now()).await?;
    let kept = account.as_ref().map(|account| account.password_hash.clone());
    let is_right = compare(&state, login.password.0, kept).await?;
    let account = account.filter(|_| is_right);
    let account = account.ok_or_else(|| ApiError::unauthorized("the email or the password is wrong"))?;
    let identity = Identity {
        uid: account.uid,
        email: account.email,
        email_verified: account.email_verified,
        account_version: Some(account.updated_at.timestamp_micros()),
    };
    let id_token = provider.issue(&identity, state.clock.now()).map_err(ApiError::internal)?;
    Ok(Json(IdToken { id_token }))
}

/// Makes an account for whoever holds a pending invitation, with its email and a password of their own. The invitation
/// stays pending: POST /auth/accept-invite, with an ID token for this account, is what accepts it. Until then the account is good
/// for nothing else, and it is gone when the invitation is revoked, replaced or expired. 404 where an external
/// provider is used, which has a way of its own to make accounts.
#[utoipa::path(tag = "auth", security(()), request_body = NewAccount,
    responses(
        (status = 200, body = IdentityAccount),
        (status = 401, description = "UNAUTHORIZED: the token is no invitation's"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
        (status = 409, description = "CONFLICT: this email has an account already"),
        (status = 410, description = "LINK_EXPIRED: the invitation was accepted or revoked, or is too old"),
    ))]
#[post("/idp/accounts")]
pub async fn make_account(state: Data<AppState>, body: Body<NewAccount>) -> ApiResult<Json<IdentityAccount>> {
    provider(&state)?;
    let new = body.read()?;
    if new.password.0.chars().count() < password::MIN_CHARACTERS {
        return Err(ApiError::invalid("password", PasswordError::Length.to_string()));
    }
    let now = state.clock.now();
    // Before anything dear is done: only whoever was invited may have a password hashed.
    invites::pending_invite(&state.db, &new.token.0, now).await?;
    let hash = hashed(&state, new.password.0).await?;
    let mut tx = state.db.begin().await?;
    // Hashing took a while: whoever revokes the invitation now takes the account with it.
    let invite = invites::pending_invite_locked(&mut tx, &new.token.0, now).await?;
    let uid = state.random.id(now).to_string();
    if !queries::insert_account(&mut tx, &uid, &invite.email, &hash, invite.id, now).await? {
        let why = "this email has an account already: sign in with its password";
        return Err(ApiError::new(Code::Conflict, why));
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(Json(IdentityAccount { email: invite.email }))
}

async fn hashed(state: &AppState, password: String) -> ApiResult<String> {
    let turn = timeout(TURN, state.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    let _turn = turn.map_err(ApiError::internal)?;
    password::hash_password(password).await.map_err(ApiError::internal)
}

async fn compare(state: &AppState, password: String, kept: Option<String>) -> ApiResult<bool> {
    let turn = timeout(TURN, state.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    let _turn = turn.map_err(ApiError::internal)?;
    let compared = actix_web::web::block(move || password::matches(&password, kept.as_deref())).await;
    compared.map_err(ApiError::unavailable)
}

/// The keys that the embedded provider signs with.
#[utoipa::path(tag = "auth", security(()), responses((status = 200, body = IdentityKeys), (status = 404, description = "NOT_FOUND: the embedded provider is switched off")))]
#[get("/idp/.well-known/jwks.json")]
pub async fn identity_keys(state: Data<AppState>) -> ApiResult<HttpResponse> {
    let published = provider(&state)?.published.clone();
    let cache = (CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    Ok(HttpResponse::Ok().insert_header(cache).json(published))
}

/// Where things are, for clients that discover it.
#[utoipa::path(tag = "auth", security(()), responses((status = 200, body = IdentityConfiguration), (status = 404, description = "NOT_FOUND: the embedded provider is switched off")))]
#[get("/idp/.well-known/openid-configuration")]
pub async fn identity_configuration(state: Data<AppState>) -> ApiResult<Json<IdentityConfiguration>> {
    let issuer = provider(&state)?.expected.issuer.clone();
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

fn provider(state: &AppState) -> ApiResult<&LocalProvider> {
    state.auth.local_provider().ok_or_else(|| ApiError::not_found("route"))
}
