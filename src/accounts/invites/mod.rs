//! Invitations: how an admin is made by another. Accepting one, and what else super-admins do to accounts, is in
//! `lifecycle/admins`.

mod actions;
mod audited;
mod dto;
mod handlers;
mod queries;
mod state;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use dto::AdminRole;
pub use queries::InviteRow;
pub use state::InviteStatus;

use crate::{
    accounts::auth::{AuthContext, Role, TokenKind, idp},
    http::Proof,
    platform::error::{ApiError, ApiResult, Code},
};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::make_account)
        .service(handlers::invite_admin)
        .service(handlers::list_invites)
        .service(handlers::revoke_invite);
}

/// By what a request with this token is counted; `None` if the service has not made it, or an older release has.
pub fn shown_invitation(context: &AuthContext, token: &str) -> Option<Proof> {
    context.auth.tokens_made().read(TokenKind::Invitation, token)
}

/// The pending invitation that a token is of. 401 where there never was one, 410 LINK_EXPIRED where it was used, revoked
/// or is too old.
pub async fn pending_invite(
    db: impl PgExecutor<'_>,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<InviteRow> {
    let found = queries::of_token(db, &state::hash(token)).await?;
    admit(found, now)
}

/// The same, locked until the transaction ends, so that it is accepted once. LINK_EXPIRED, too, where the inviter is no
/// super-admin any more. Who makes an admin of it waits for [`crate::accounts::users::lock_admins`] first, so that the inviter stays one.
pub async fn pending_invite_locked(
    tx: &mut PgConnection,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<InviteRow> {
    let found = queries::of_token_locked(&mut *tx, &state::hash(token)).await?;
    let row = admit(found, now)?;
    if !queries::may_invite(tx, row.invited_by).await? {
        let why = "The sender of this invitation is no longer a super-admin. Ask for a new invitation.";
        return Err(ApiError::new(Code::LinkExpired, why));
    }
    Ok(row)
}

/// Takes back what a super-admin has invited who is about to be none, with the accounts that were made with it. `actor` is
/// whoever takes the right away; `None` for the command line. Rows are as many as one person invited within an invitation's
/// life.
pub async fn revoke_invites_of(
    tx: &mut PgConnection,
    random: &Random,
    inviter: Uuid,
    actor: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let revoked = queries::revoke_pending_of(tx, inviter, now).await?;
    idp::withdraw_accounts(tx, &revoked).await?;
    for id in revoked {
        audited::revoked(tx, random, actor, id, now).await?;
    }
    Ok(())
}

/// Removes the invitations by which somebody who leaves became an admin, or might have. The trail still tells who was
/// invited, by whom and when. After the account of the embedded provider was removed.
pub async fn forget_invites_of(
    tx: &mut PgConnection,
    user_id: Uuid,
    email: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::forget_of(tx, user_id, email, now).await
}

/// Uses an invitation up for the account that came of it.
pub async fn accept_invite(
    tx: &mut PgConnection,
    random: &Random,
    invite: &InviteRow,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::accept(tx, invite.id, user_id, now).await?;
    audited::accepted(tx, random, user_id, invite, now).await
}

fn admit(found: Option<InviteRow>, now: DateTime<Utc>) -> ApiResult<InviteRow> {
    let gone = |why: &'static str| Err(ApiError::new(Code::LinkExpired, why));
    let Some(row) = found else {
        return Err(ApiError::unauthorized("This invitation is not valid. Ask for a new one."));
    };
    match row.status(now) {
        InviteStatus::Pending => Ok(row),
        InviteStatus::Accepted => gone("this invitation was accepted already"),
        InviteStatus::Expired => gone("this invitation has expired, ask for another"),
        InviteStatus::Revoked => gone("this invitation was revoked"),
    }
}

impl From<AdminRole> for Role {
    fn from(role: AdminRole) -> Self {
        match role {
            AdminRole::Admin => Role::Admin,
            AdminRole::SuperAdmin => Role::SuperAdmin,
        }
    }
}
