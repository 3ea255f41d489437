//! Inviting, revoking an invitation, and accounts of the embedded identity provider for invited people.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use roadcall_http::{Body, ListQuery, Meter, NoIdempotencyKey, Owned, Page, ShownList};
use roadcall_platform::error::ApiResult;

use super::{
    actions,
    dto::{Invite, NewInvite, NewlyInvited},
    lookup::shown_invitation,
    queries::{self, InviteFilter},
};
use crate::auth::{
    AnyId, AuthContext, SuperAdmin,
    idp::{self, IdentityAccount, NewAccount},
};

/// Invites someone to become an admin. The token is in this answer, and in a mail to them if the service sends mail.
/// An open invitation of the same email is revoked, with the account that was made with it, so another invitation
/// replaces a lost token.
#[utoipa::path(tag = "super-admin", request_body = NewInvite,
    responses(
        (status = 201, body = NewlyInvited),
        (status = 409, description = "CONFLICT: this email is an admin's already"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: the token is shown only once"),
    ))]
#[post("/super-admin/invites")]
pub async fn invite_admin(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    key: NoIdempotencyKey,
    body: Body<NewInvite>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let NewInvite { email, role, desks } = body.read()?;
    let desks = desks.map(|desks| desks.0);
    let (row, token) = actions::invite(&context, caller.user_id, email.0, role, desks).await?;
    let (now, mailed) = (row.created_at, context.auth.mails().are_sent());
    Ok(HttpResponse::Created().json(NewlyInvited { invite: Invite::of(row, now), token, mailed }))
}

/// Lists invitations, the newest first.
#[utoipa::path(tag = "super-admin",
    params(ListQuery<InviteFilter>),
    responses((status = 200, body = Page<Invite>)))]
#[get("/super-admin/invites")]
pub async fn list_invites(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    query: ListQuery<InviteFilter>,
) -> ApiResult<Json<Page<Invite>>> {
    let ((filter, page), now) = (query.read()?, context.clock.now());
    let total = queries::count(&context.db, &filter, now).await?;
    let rows = queries::list(&context.db, &filter, now, page).await?;
    let shown = ShownList { name: "invites", personal_data: &["email"] };
    shown.record_page(&context, caller.user_id, query.pairs(), (rows.len(), total)).await?;
    Ok(Json(page.of(rows.into_iter().map(|row| Invite::of(row, now)).collect(), total)))
}

/// Revokes a pending invitation. Its token is no longer valid, nor is the account that was made with it.
#[utoipa::path(tag = "super-admin",
    responses((status = 204), (status = 409, description = "INVALID_TRANSITION: it is not pending any more")))]
#[delete("/super-admin/invites/{id}")]
pub async fn revoke_invite(
    target: Owned<AnyId, SuperAdmin>,
    context: Data<AuthContext>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    actions::revoke(&context, caller.user_id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes an account for the holder of a pending invitation, with its email and a password of their own. The
/// invitation stays pending: POST /auth/accept-invite, with an ID token for this account, accepts it. Until then the
/// account can be used for nothing else, and it is removed when the invitation is revoked, replaced or expired. 404
/// if an external provider is used, which makes accounts in its own way.
#[utoipa::path(tag = "auth", security(()), request_body = NewAccount,
    responses(
        (status = 200, body = IdentityAccount),
        (status = 401, description = "UNAUTHORIZED: the token is no invitation's"),
        (status = 404, description = "NOT_FOUND: the embedded provider is switched off"),
        (status = 409, description = "CONFLICT: this email has an account already"),
        (status = 410, description = "LINK_EXPIRED: the invitation was accepted or revoked, or is too old"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: keys belong to people who are signed in"),
    ))]
#[post("/idp/accounts")]
pub async fn make_account(
    context: Data<AuthContext>,
    meter: Meter,
    key: NoIdempotencyKey,
    body: Body<NewAccount>,
) -> ApiResult<Json<IdentityAccount>> {
    idp::provider(&context)?;
    key.check()?;
    let new = body.read()?;
    meter.count(shown_invitation(&context, &new.token.0))?;
    let email = actions::make_account(&context, &new.token.0, new.password.0).await?;
    Ok(Json(IdentityAccount { email }))
}
