//! Members on the wire.

use deserr::Deserr;
use roadcall_http::{Name, Phone, Timestamp, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::MemberRow;
use crate::auth::MemberRole;

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewOrganisationMember {
    /// The number with which they sign in. It gets an account if it has none.
    pub phone: Phone,
    /// The name of a new account; an account that exists keeps its name.
    pub name: Name<100>,
    pub role: MemberRole,
}

/// A person who acts for an organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrganisationMember {
    pub id: Uuid,
    pub organisation_id: Uuid,
    /// The person's account.
    pub user_id: Uuid,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub role: MemberRole,
    pub created_at: Timestamp,
}

impl From<MemberRow> for OrganisationMember {
    fn from(row: MemberRow) -> Self {
        Self {
            id: row.id,
            organisation_id: row.organisation_id,
            user_id: row.user_id,
            name: row.name,
            phone: row.phone,
            role: row.role,
            created_at: row.created_at.into(),
        }
    }
}
