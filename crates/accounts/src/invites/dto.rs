//! The wire types of invitations.

use chrono::{DateTime, Utc};
use deserr::Deserr;
use roadcall_http::{Email, Items, Timestamp, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::InviteRow,
    state::{AdminRole, InviteStatus},
};
use crate::auth::desk::Desk;

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewInvite {
    /// The email of the invited person; an identity with this email, verified, may accept.
    pub email: Email,
    pub role: AdminRole,
    /// The desks at which an admin is to work; every desk if not given. Not for a super-admin, who is at every desk.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<Desk>>, min_items = 1, max_items = 4)]
    pub desks: Option<Items<Desk, 1, 4>>,
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invite {
    pub id: Uuid,
    #[schema(format = "email")]
    pub email: String,
    pub role: AdminRole,
    /// The desks that the new admin will have.
    pub desks: Vec<Desk>,
    pub status: InviteStatus,
    /// The super-admin who invited; null for the command line.
    pub invited_by: Option<Uuid>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    /// The account that the acceptance made or changed.
    pub accepted_by: Option<Uuid>,
    pub revoked_at: Option<Timestamp>,
}

impl Invite {
    pub fn of(row: InviteRow, now: DateTime<Utc>) -> Self {
        Self {
            id: row.id,
            status: row.status(now),
            desks: row.at().list(),
            email: row.email,
            role: row.role,
            invited_by: row.invited_by,
            created_at: row.created_at.into(),
            expires_at: row.expires_at.into(),
            accepted_at: row.accepted_at.map(Into::into),
            accepted_by: row.accepted_by,
            revoked_at: row.revoked_at.map(Into::into),
        }
    }
}

/// An invitation with its token, which is shown only once.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("NewlyInvited {{ invite: {invite:?}, .. }}")]
pub struct NewlyInvited {
    #[serde(flatten)]
    pub invite: Invite,
    /// The token for POST /auth/accept-invite. Hand it to the invited person by a way that only they read; it is not
    /// stored.
    pub token: String,
    /// Whether a mail brings the token to the invited person as well, because the service sends mail
    /// (`mail.provider`).
    pub mailed: bool,
}
