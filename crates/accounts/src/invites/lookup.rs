//! Looks up the invitation of a token.

use chrono::{DateTime, Utc};
use roadcall_http::Proof;
use roadcall_platform::error::{ApiError, ApiResult, Code};
use sqlx::{PgConnection, PgExecutor};

use super::{
    queries::{self, InviteRow},
    state::{InviteStatus, hash},
};
use crate::auth::{AuthContext, TokenKind};

/// Returns the proof by which a request with this token is counted; `None` if the service has not made it, or an
/// older release has.
pub fn shown_invitation(context: &AuthContext, token: &str) -> Option<Proof> {
    context.auth.tokens_made().read(TokenKind::Invitation, token)
}

/// Returns the pending invitation of a token. 401 if there never was one, 410 LINK_EXPIRED if it was used, revoked or
/// is too old.
pub async fn pending_invite(
    db: impl PgExecutor<'_>,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<InviteRow> {
    let found = queries::of_token(db, &hash(token)).await?;
    admit(found, now)
}

/// Returns the same, locked until the transaction ends, so that it is accepted once. LINK_EXPIRED, too, if the
/// inviter is no longer a super-admin; the command line has nobody who could lose the right. A caller who then makes
/// an admin takes [`crate::users::lock_admins`] first, so that the inviter stays a super-admin.
pub async fn pending_invite_locked(
    tx: &mut PgConnection,
    token: &str,
    now: DateTime<Utc>,
) -> ApiResult<InviteRow> {
    let found = queries::of_token_locked(&mut *tx, &hash(token)).await?;
    let row = admit(found, now)?;
    let may_invite = match row.invited_by {
        Some(inviter) => queries::may_invite(tx, inviter).await?,
        None => true,
    };
    if !may_invite {
        let why = "The sender of this invitation is no longer a super-admin. Ask for a new invitation.";
        return Err(ApiError::new(Code::LinkExpired, why));
    }
    Ok(row)
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
