//! Invitations: how an admin is made by another. What super-admins do to accounts stands with the accounts
//! (`users/roles.rs`), and accepting, which signs in, with sign-in (`auth/accepting.rs`).

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
    auth::Role,
    error::{ApiError, ApiResult, Code},
};

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::invite_admin).service(handlers::list_invites).service(handlers::revoke_invite);
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

/// The same, locked until the transaction ends, so that it is accepted once.
pub async fn pending_invite_locked(
    tx: &mut PgConnection,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<InviteRow> {
    let found = queries::of_token_locked(tx, &state::hash(token)).await?;
    admit(found, now)
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
    let Some(row) = found else { return Err(ApiError::unauthorized("this is no invitation's token")) };
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
