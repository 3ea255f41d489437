//! Accounts of the embedded identity provider for those who were invited.

use actix_web::{
    post,
    web::{Data, Json},
};

use super::{pending_invite, pending_invite_locked, shown_invitation};
use crate::{
    accounts::auth::{
        AuthContext,
        idp::{self, IdentityAccount, NewAccount},
    },
    http::{Body, Meter},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Makes an account for the holder of a pending invitation, with its email and a password of their own. The invitation
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
pub async fn make_account(
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<NewAccount>,
) -> ApiResult<Json<IdentityAccount>> {
    idp::provider(&context)?;
    let new = body.read()?;
    meter.count(shown_invitation(&context, &new.token.0))?;
    let now = context.clock.now();
    // Before the expensive part: only invited people may have a password hashed.
    let invited = pending_invite(&context.db, &new.token.0, now).await?;
    let hash = idp::hashed(&context, new.password.0, &invited.email).await?;
    let mut tx = context.db.begin().await?;
    // Hashing took a while; revoking the invitation from now on removes the account too.
    let invite = pending_invite_locked(&mut tx, &new.token.0, now).await?;
    let uid = context.random.id(now).to_string();
    if !idp::insert_account(&mut tx, &uid, &invite.email, &hash, invite.id, now).await? {
        let why = "This email already has an account. Sign in with its password.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(Json(IdentityAccount { email: invite.email }))
}
