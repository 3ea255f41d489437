//! Inviting, revoking an invitation, and making an account at the embedded provider with one.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_base::{clock::Clock, random::Random};
use roadcall_http::Email;
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code, commit_error},
};
use roadcall_providers::mails::{self, MailKind, NewMail};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    audited,
    letter::{link, token_of},
    lookup::{pending_invite, pending_invite_locked},
    queries::{self, InviteRow},
    state::{self, AdminRole, InviteStatus},
};
use crate::{
    auth::{
        self, AdminSettings, AuthContext, NamedSecrets, SecretError, ServerSecrets, TokenMaker,
        desk::{Desk, Desks},
        idp,
    },
    users,
};

/// Invites someone to become an admin, also by mail if mail is sent; returns the invitation and its token.
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
    let token = token_of(context.auth.tokens_made(), id);
    let row = InviteRow {
        id,
        email,
        role,
        desks: desks.as_deref().and_then(Desks::narrowed),
        invited_by: Some(inviter),
        created_at: now,
        expires_at: now + TimeDelta::seconds(context.auth.admin_settings().invite_ttl_s),
        accepted_at: None,
        accepted_by: None,
        revoked_at: None,
    };
    let mut tx = context.db.begin().await?;
    // One invitation is made at a time: of two for one email the second replaces the first.
    users::lock_super_admins(&mut tx, inviter).await?;
    keep(&mut tx, &context.random, &row, &token).await?;
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

/// Stores an invitation. An open invitation of the same email ends, with the account that was made with it. Call this
/// after [`users::lock_admins`].
async fn keep(tx: &mut PgConnection, random: &Random, row: &InviteRow, token: &str) -> ApiResult<()> {
    if auth::is_admins_email(tx, &row.email).await? {
        return Err(ApiError::new(Code::Conflict, "This person is already an admin."));
    }
    let replaced = queries::revoke_open(tx, &row.email, row.created_at).await?;
    idp::withdraw_accounts(tx, replaced.as_slice()).await?;
    queries::insert(tx, row, &state::hash(token)).await?;
    Ok(audited::invited(tx, random, row, replaced).await?)
}

/// An invitation as the command line shows it once.
#[derive(Debug)]
pub struct ShownInvitation {
    pub email: String,
    pub link: String,
    pub expires_at: DateTime<Utc>,
}

/// Invites a super-admin from the command line, for a service that has none yet. It needs only the database, so a
/// server may run meanwhile, or not yet.
pub async fn invite_super_admin(
    (admin, secrets): (&AdminSettings, &NamedSecrets),
    public_url: &str,
    db: &Db,
    email: &str,
    clock: &Clock,
    random: &Random,
) -> Result<ShownInvitation, InviteError> {
    let email = Email::new(email.to_owned()).map_err(|why| InviteError::Email(why.0))?.0;
    let now = clock.now();
    let secrets = ServerSecrets::load(secrets, db, now, random).await?;
    let id = random.id(now);
    let token = token_of(&TokenMaker::of(&secrets), id);
    let row = InviteRow {
        id,
        email,
        role: AdminRole::SuperAdmin,
        desks: None,
        invited_by: None,
        created_at: now,
        expires_at: now + TimeDelta::seconds(admin.invite_ttl_s),
        accepted_at: None,
        accepted_by: None,
        revoked_at: None,
    };
    let mut tx = db.begin().await?;
    users::lock_admins(&mut tx).await?;
    keep(&mut tx, random, &row, &token).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(ShownInvitation { email: row.email, link: link(public_url, &token), expires_at: row.expires_at })
}

/// The reason why the command line invited nobody.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    #[error("the email {0}")]
    Email(String),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Refused(#[from] ApiError),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Revokes a pending invitation, with the account that was made with it.
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
    // This check precedes the expensive part: only invited people may have a password hashed.
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
