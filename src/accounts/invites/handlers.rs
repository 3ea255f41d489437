//! Inviting, and taking an invitation back.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use chrono::TimeDelta;
use uuid::Uuid;

use super::{
    InviteStatus, audited,
    dto::{Invite, InviteFilter, NewInvite, NewlyInvited},
    queries::{self, InviteRow},
    state,
};
use crate::{
    accounts::{
        auth::{self, AnyId, AuthContext, Caller, SuperAdmin, TokenKind, idp},
        users,
    },
    http::{Body, Owned, Page, PageParams, Query, ShownList},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Invites someone to become an admin. The token is in this answer and nowhere else; an open invitation of the same email
/// is revoked, with the account that was made with it, so inviting once more is how a lost token is replaced.
#[utoipa::path(tag = "super-admin", request_body = NewInvite,
    responses(
        (status = 201, body = NewlyInvited),
        (status = 409, description = "CONFLICT: this email is an admin's already"),
    ))]
#[post("/super-admin/invites")]
pub async fn invite_admin(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    body: Body<NewInvite>,
) -> ApiResult<HttpResponse> {
    let new = body.read()?;
    let invited = commit_invite(&context, caller, new).await?;
    Ok(HttpResponse::Created().json(invited))
}

async fn commit_invite(context: &AuthContext, caller: Caller, new: NewInvite) -> ApiResult<NewlyInvited> {
    let now = context.clock.now();
    let id = context.random.id(now);
    let token = context.auth.tokens_made().make(TokenKind::Invitation, id, context.random.bytes());
    let row = InviteRow {
        id,
        email: new.email.0,
        role: new.role,
        invited_by: caller.user_id,
        created_at: now,
        expires_at: now + TimeDelta::seconds(context.settings.admin.invite_ttl_s),
        accepted_at: None,
        accepted_by: None,
        revoked_at: None,
    };
    let mut tx = context.db.begin().await?;
    // One at a time: of two invitations of one email the second takes the place of the first.
    users::lock_super_admins(&mut tx, &caller).await?;
    if auth::is_admins_email(&mut tx, &row.email).await? {
        return Err(ApiError::new(Code::Conflict, "This person is already an admin."));
    }
    let replaced = queries::revoke_open(&mut tx, &row.email, now).await?;
    idp::withdraw_accounts(&mut tx, replaced.as_slice()).await?;
    queries::insert(&mut tx, &row, &state::hash(&token)).await?;
    audited::invited(&mut tx, &context.random, caller.user_id, &row, replaced).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(NewlyInvited { invite: Invite::of(row, now), token })
}

/// Invitations, the newest first.
#[utoipa::path(tag = "super-admin",
    params(
        ("status" = Option<InviteStatus>, Query, description = "Only with this status"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<Invite>)))]
#[get("/super-admin/invites")]
pub async fn list_invites(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    query: Query<InviteFilter>,
) -> ApiResult<Json<Page<Invite>>> {
    let asked = query.read()?;
    let page = PageParams::new(asked.page, asked.limit)?;
    let (status, now) = (asked.status.map(|status| status.0), context.clock.now());
    let total = queries::count(&context.db, status, now).await?;
    let rows = queries::list(&context.db, status, now, page).await?;
    let shown = ShownList { name: "invites", personal_data: &["email"] };
    shown.record_page(&context, caller.user_id, query.pairs(), (rows.len(), total)).await?;
    Ok(Json(page.of(rows.into_iter().map(|row| Invite::of(row, now)).collect(), total)))
}

/// Takes a pending invitation back: its token is good for nothing any more, nor is the account that was made with it.
#[utoipa::path(tag = "super-admin",
    responses((status = 204), (status = 409, description = "INVALID_TRANSITION: it is not pending any more")))]
#[delete("/super-admin/invites/{id}")]
pub async fn revoke_invite(
    target: Owned<AnyId, SuperAdmin>,
    context: Data<AuthContext>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    commit_revocation(&context, caller, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn commit_revocation(context: &AuthContext, caller: Caller, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::find_locked(&mut tx, id).await?.ok_or_else(|| ApiError::not_found("invitation"))?;
    let status = row.status(now);
    if status != InviteStatus::Pending {
        let message = format!("This invitation is already {status}.");
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    queries::revoke(&mut tx, id, now).await?;
    idp::withdraw_accounts(&mut tx, &[id]).await?;
    audited::revoked(&mut tx, &context.random, Some(caller.user_id), id, now).await?;
    tx.commit().await.map_err(commit_error)
}
