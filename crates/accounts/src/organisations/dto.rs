//! Organisations on the wire.

use deserr::Deserr;
use roadcall_http::{Change, CsvRow, Email, Name, Patch, Phone, Timestamp, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    keys::KeyEnvironment,
    queries::OrganisationRow,
    state::{OrganisationKind, OrganisationStatus},
};
use crate::auth::{KeyScope, MemberRole, PartnerCaller, PartnerVia};

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewOrganisation {
    pub name: Name<100>,
    pub kind: OrganisationKind,
    /// The number of the office that answers for its cases.
    #[deserr(default)]
    pub phone: Option<Phone>,
    #[deserr(default)]
    pub email: Option<Email>,
}

/// The fields to change; all others stay.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct OrganisationChanges {
    #[deserr(default)]
    #[schema(value_type = Name<100>, required = false)]
    pub name: Change<Name<100>>,
    #[deserr(default)]
    #[schema(value_type = OrganisationKind, required = false)]
    pub kind: Change<OrganisationKind>,
    #[deserr(default)]
    #[schema(value_type = Option<Phone>)]
    pub phone: Patch<Phone>,
    #[deserr(default)]
    #[schema(value_type = Option<Email>)]
    pub email: Patch<Email>,
    #[deserr(default)]
    #[schema(value_type = OrganisationStatus, required = false)]
    pub status: Change<OrganisationStatus>,
}

/// An organisation that orders help for others.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Organisation {
    pub id: Uuid,
    /// The account in whose name its jobs and vehicles are. Nobody signs in to it.
    pub account_id: Uuid,
    pub name: String,
    pub kind: OrganisationKind,
    /// The number of the office that answers for its cases; null if unknown.
    pub phone: Option<String>,
    #[schema(format = "email")]
    pub email: Option<String>,
    pub status: OrganisationStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<OrganisationRow> for Organisation {
    fn from(row: OrganisationRow) -> Self {
        Self {
            id: row.id,
            account_id: row.account_id,
            name: row.name,
            kind: row.kind,
            phone: row.phone,
            email: row.email,
            status: row.status,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

impl CsvRow for Organisation {
    const COLUMNS: &'static [&'static str] =
        &["id", "account_id", "name", "kind", "phone", "email", "status", "created_at", "updated_at"];
}

/// A partner as it sees itself: for whom it acts, and what it may do.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActingPartner {
    /// The organisation for which the caller acts.
    pub organisation_id: Uuid,
    /// Its name.
    pub organisation_name: String,
    pub kind: OrganisationKind,
    /// The agency that acts for the organisation; null if it acts for itself.
    pub agency_id: Option<Uuid>,
    /// The environment of this server. It accepts no keys of another one.
    pub environment: KeyEnvironment,
    pub scopes: Vec<KeyScope>,
    /// The key that the request showed; null for a member.
    pub key_id: Option<Uuid>,
    /// The member's role; null for a key.
    pub role: Option<MemberRole>,
}

impl ActingPartner {
    pub fn of(row: OrganisationRow, caller: &PartnerCaller, environment: KeyEnvironment) -> Self {
        let (key_id, role) = match caller.via {
            PartnerVia::Key(id) => (Some(id), None),
            PartnerVia::Member { role, .. } => (None, Some(role)),
        };
        Self {
            organisation_id: row.id,
            organisation_name: row.name,
            kind: row.kind,
            agency_id: (caller.made_by != row.id).then_some(caller.made_by),
            environment,
            scopes: caller.scopes.list(),
            key_id,
            role,
        }
    }
}
