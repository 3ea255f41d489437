//! An invitation's role, status and token. Pure.

use chrono::{DateTime, Utc};
use roadcall_http::text_enum;
use sha2::{Digest, Sha256};

use super::queries::InviteRow;
use crate::auth::{Role, desk::Desks};

text_enum! {
    /// The role for which a person is invited.
    AdminRole { Admin = "admin", SuperAdmin = "super_admin", }
}

impl From<AdminRole> for Role {
    fn from(role: AdminRole) -> Self {
        match role {
            AdminRole::Admin => Role::Admin,
            AdminRole::SuperAdmin => Role::SuperAdmin,
        }
    }
}

text_enum! {
    /// The status of an invitation. All but pending are final.
    InviteStatus {
        Pending = "pending",
        Accepted = "accepted",
        /// The invitation was not accepted in time.
        Expired = "expired",
        /// The invitation was revoked, or replaced by a later one for the same email.
        Revoked = "revoked",
    }
}

impl InviteRow {
    /// Returns the desks that the new admin will have.
    pub fn at(&self) -> Desks {
        Desks::of(self.role.into(), self.desks.as_deref())
    }

    pub fn status(&self, now: DateTime<Utc>) -> InviteStatus {
        match (self.accepted_at, self.revoked_at) {
            (Some(_), _) => InviteStatus::Accepted,
            (None, Some(_)) => InviteStatus::Revoked,
            (None, None) if self.expires_at <= now => InviteStatus::Expired,
            (None, None) => InviteStatus::Pending,
        }
    }
}

/// Returns the stored form of a token: the token is random, so one pass of SHA-256 can't be reversed.
pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_invitation_is_pending_until_it_is_accepted_revoked_or_too_old() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let row = |accepted: bool, revoked: bool, left_s: i64| InviteRow {
            id: Uuid::nil(),
            email: "meera@example.com".to_owned(),
            role: AdminRole::Admin,
            desks: None,
            invited_by: Some(Uuid::nil()),
            created_at: now,
            expires_at: now + TimeDelta::seconds(left_s),
            accepted_at: accepted.then_some(now),
            accepted_by: accepted.then_some(Uuid::nil()),
            revoked_at: revoked.then_some(now),
        };
        let cases = [
            (row(false, false, 1), InviteStatus::Pending),
            (row(false, false, 0), InviteStatus::Expired),
            (row(true, false, 0), InviteStatus::Accepted),
            (row(false, true, 0), InviteStatus::Revoked),
            (row(false, true, 1), InviteStatus::Revoked),
        ];
        for (row, expected) in cases {
            assert_eq!(row.status(now), expected, "{row:?}");
        }
    }
}
