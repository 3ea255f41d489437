//! Inviting, taking an invitation back, and making an account at the embedded provider with one.

use chrono::TimeDelta;
use uuid::Uuid;

use super::{
    audited,
    letter::token_of,
    lookup::{pending_invite, pending_invite_locked},
    queries::{self, InviteRow},
    state::{self, AdminRole, InviteStatus},
};
use crate::{
    accounts::{
        auth::{
            self, AuthContext,
            desk::{Desk, Desks},
            idp,
        },
        users,
    },
    mails::{self, MailKind, NewMail},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Invites someone to become an admin, by mail too if any is sent; returns the invitation and its token.
pub async fn invite(
    context: &AuthContext,
    inviter: Uuid,
    email: String,
    role: AdminRole,
    desks: Option<Vec<Desk>>,
) -> ApiResult<(InviteRow, String)> {
    if role == AdminRole::SuperAdmin && desks.is_some() {
        return Err(ApiError::invalid("desks", "must be left out: a super-admin is at every desk"));
    }
    let now = context.clock.now();
    let id = context.random.id(now);
    let token = token_of(context, id);
    let row = InviteRow {
        id,
        email,
        role,
        desks: desks.as_deref().and_then(Desks::narrowed),
        invited_by: inviter,
        created_at: now,
        expires_at: now + TimeDelta::seconds(context.settings.admin.invite_ttl_s),
        accepted_at: None,
        accepted_by: None,
        revoked_at: None,
    };
    let mut tx = context.db.begin().await?;
    // One at a time: of two invitations of one email the second takes the place of the first.
    users::lock_super_admins(&mut tx, inviter).await?;
    if auth::is_admins_email(&mut tx, &row.email).await? {
        return Err(ApiError::new(Code::Conflict, "This person is already an admin."));
    }
    let replaced = queries::revoke_open(&mut tx, &row.email, now).await?;
    idp::withdraw_accounts(&mut tx, replaced.as_slice()).await?;
    queries::insert(&mut tx, &row, &state::hash(&token)).await?;
    audited::invited(&mut tx, &context.random, inviter, &row, replaced).await?;
    let mails = context.auth.mails();
    if mails.are_sent() {
        let mail = NewMail {
            id: context.random.id(now),
            kind: MailKind::Invitation,
            about_id: id,
            user_id: None,
            address: &row.email,
        };
        mails::post(&mut tx, &mail, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    mails.wake();
    Ok((row, token))
}

/// Takes a pending invitation back, with the account that was made with it.
pub async fn revoke(context: &AuthContext, super_admin: Uuid, id: Uuid) -> ApiResult<()> {
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
    audited::revoked(&mut tx, &context.random, Some(super_admin), id, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Makes an account at the embedded provider for the holder of a pending invitation; returns its email.
pub async fn make_account(context: &AuthContext, token: &str, password: String) -> ApiResult<String> {
    let now = context.clock.now();
    // Before the expensive part: only invited people may have a password hashed.
    let invited = pending_invite(&context.db, token, now).await?;
    let hash = idp::hashed(context, password, &invited.email).await?;
    let mut tx = context.db.begin().await?;
    // Hashing took a while; revoking the invitation from now on removes the account too.
    let invite = pending_invite_locked(&mut tx, token, now).await?;
    let uid = context.random.id(now).to_string();
    if !idp::insert_account(&mut tx, &uid, &invite.email, &hash, invite.id, now).await? {
        let why = "This email already has an account. Sign in with its password.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(invite.email)
}
