use deserr::Deserr;
use roadcall_accounts::{
    auth::{MechanicStatus, UserStatus},
    uploads::FileUrl,
};
use roadcall_http::{Change, CsvRow, Id, Invalid, Items, Name, Text, Timestamp, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    changes::PendingChange,
    documents::{DocumentStatus, DocumentType, MAX_DOCUMENTS, document_status},
    names::first_name,
    queries::{AdminProfileRow, CardRow, DocumentRow, ProfileRow},
};
use crate::catalogue::vehicles::VehicleKind;

/// The radius around the mechanic in kilometres, 1 to 100. It is rounded down to whole kilometres: 7.5 counts as 7, so that no
/// mechanic is sent further than they agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(f64) = RadiusKm::new -> Invalid)]
#[schema(value_type = f64, minimum = 1, maximum = 100, default = 10)]
pub struct RadiusKm(pub i32);

impl RadiusKm {
    pub const DEFAULT: Self = Self(10);

    pub fn new(km: f64) -> Result<Self, Invalid> {
        let holds = (1.0..=100.0).contains(&km);
        if holds { Ok(Self(km.floor() as i32)) } else { Err("must be 1 to 100".into()) }
    }
}

/// The vehicle types to serve. Repeated ones count once.
pub type ServedTypes = Items<VehicleKind, 1, 20>;
/// The categories to serve. Repeated ones count once.
pub type ServedCategories = Items<Id, 1, 50>;

/// A document that a mechanic submits (contract 2.7).
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewDocument {
    #[deserr(rename = "type")]
    #[schema(rename = "type")]
    pub kind: DocumentType,
    pub file_url: FileUrl,
}

/// A registration that a mechanic submits for verification (contract 4.2).
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Registration {
    #[schema(value_type = Vec<VehicleKind>, min_items = 1, max_items = 20)]
    pub vehicle_types: ServedTypes,
    #[schema(value_type = Vec<Uuid>, min_items = 1, max_items = 50)]
    pub service_category_ids: ServedCategories,
    /// The documents, possibly none.
    #[schema(value_type = Vec<NewDocument>, max_items = 20)]
    pub documents: Items<NewDocument, 0, MAX_DOCUMENTS>,
    #[deserr(default)]
    pub service_radius_km: Option<RadiusKm>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ProfileChanges {
    #[deserr(default)]
    #[schema(value_type = RadiusKm, required = false)]
    pub service_radius_km: Change<RadiusKm>,
    #[deserr(default)]
    #[schema(value_type = Vec<VehicleKind>, required = false, min_items = 1, max_items = 20)]
    pub vehicle_types: Change<ServedTypes>,
    #[deserr(default)]
    #[schema(value_type = Vec<Uuid>, required = false, min_items = 1, max_items = 50)]
    pub service_category_ids: Change<ServedCategories>,
}

/// The name under which an admin verifies a mechanic.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MechanicVerification {
    /// The name that the documents prove; if left out, the name that the mechanic gave. The account name that a bank returns for
    /// a UPI address is compared with it. A verified profile is verified again only if it is given.
    #[deserr(default)]
    pub verified_name: Option<Name<100>>,
}

/// Why an admin rejects or suspends; the mechanic can read it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct WithReason {
    pub reason: Text<3, 500>,
}

/// A mechanic's profile (contract 2.2).
#[derive(Debug, Serialize, ToSchema)]
pub struct MechanicProfile {
    pub id: Uuid,
    pub user_id: Uuid,
    pub status: MechanicStatus,
    pub rejection_reason: Option<String>,
    /// Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh.
    pub is_available: bool,
    pub service_radius_km: i32,
    /// The average rating; 0 before the first one.
    pub avg_rating: f64,
    pub total_ratings: i32,
    pub total_jobs: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<ProfileRow> for MechanicProfile {
    fn from(row: ProfileRow) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            status: row.status,
            rejection_reason: row.rejection_reason,
            is_available: row.is_available,
            service_radius_km: row.service_radius_km,
            avg_rating: row.avg_rating,
            total_ratings: row.total_ratings,
            total_jobs: row.total_jobs,
            vehicle_types: row.vehicle_types,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MechanicDocument {
    pub id: Uuid,
    #[serde(rename = "type")]
    pub kind: DocumentType,
    pub file_url: String,
    pub status: DocumentStatus,
    pub created_at: Timestamp,
}

impl MechanicDocument {
    /// Makes a document of that profile.
    pub fn of(row: DocumentRow, profile: &ProfileRow) -> Self {
        Self {
            status: document_status(row.created_at, profile.status, profile.verified_at),
            id: row.id,
            kind: row.kind,
            file_url: row.file_url,
            created_at: row.created_at.into(),
        }
    }
}

/// A profile as its mechanic sees it: the fields of MechanicProfile (contract 2.2), and more.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnMechanicProfile {
    pub id: Uuid,
    pub user_id: Uuid,
    pub status: MechanicStatus,
    pub rejection_reason: Option<String>,
    /// Why the mechanic was taken off duty, in the admin's words; null if they were not.
    pub suspension_reason: Option<String>,
    /// Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh.
    pub is_available: bool,
    pub service_radius_km: i32,
    /// The average rating; 0 before the first one.
    pub avg_rating: f64,
    pub total_ratings: i32,
    pub total_jobs: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    /// The change that waits for an admin; null if there is none.
    pub pending_change: Option<PendingChange>,
    /// The documents in the order in which they were submitted; at most 20.
    #[schema(max_items = 20)]
    pub documents: Vec<MechanicDocument>,
    /// The name that an admin verified with the documents; null until then. Names at banks are compared with it.
    pub verified_name: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl OwnMechanicProfile {
    pub fn new(row: ProfileRow, documents: Vec<MechanicDocument>, pending: Option<PendingChange>) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            status: row.status,
            rejection_reason: row.rejection_reason,
            suspension_reason: row.suspension_reason,
            is_available: row.is_available,
            service_radius_km: row.service_radius_km,
            avg_rating: row.avg_rating,
            total_ratings: row.total_ratings,
            total_jobs: row.total_jobs,
            vehicle_types: row.vehicle_types,
            service_category_ids: row.service_category_ids,
            pending_change: pending,
            documents,
            verified_name: row.verified_name,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

/// The public part of a verified mechanic's profile, for anyone who is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct MechanicCard {
    pub id: Uuid,
    pub first_name: Option<String>,
    pub avatar_url: Option<String>,
    /// The average rating; 0 before the first one.
    pub avg_rating: f64,
    pub total_ratings: i32,
    /// The number of completed jobs.
    pub total_jobs: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    /// When the mechanic registered.
    pub member_since: Timestamp,
}

impl From<CardRow> for MechanicCard {
    fn from(row: CardRow) -> Self {
        Self {
            id: row.id,
            first_name: row.name.as_deref().and_then(first_name),
            avatar_url: row.avatar_url,
            avg_rating: row.avg_rating,
            total_ratings: row.total_ratings,
            total_jobs: row.total_jobs,
            vehicle_types: row.vehicle_types,
            service_category_ids: row.service_category_ids,
            member_since: row.created_at.into(),
        }
    }
}

/// A profile as admins see it: the fields of MechanicProfile, the person, and their documents.
#[derive(Debug, Serialize, ToSchema)]
pub struct MechanicForAdmin {
    pub id: Uuid,
    pub user_id: Uuid,
    pub name: Option<String>,
    pub phone: Option<String>,
    /// The name that an admin verified with the documents; null until then.
    pub verified_name: Option<String>,
    /// The status of the account. A mechanic whose account is suspended serves nobody, verified or not.
    pub account_status: UserStatus,
    pub status: MechanicStatus,
    pub rejection_reason: Option<String>,
    pub suspension_reason: Option<String>,
    pub is_available: bool,
    /// Until when the mechanic waits at a place, where a push reaches them; null if they don't.
    pub parked_until: Option<Timestamp>,
    pub service_radius_km: i32,
    /// The average rating; 0 before the first one.
    pub avg_rating: f64,
    pub total_ratings: i32,
    pub total_jobs: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    /// Whether a change to what they serve waits for an admin.
    pub has_pending_change: bool,
    /// The documents; null in lists, which leave them out.
    pub documents: Option<Vec<MechanicDocument>>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl CsvRow for MechanicForAdmin {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "user_id",
        "name",
        "phone",
        "verified_name",
        "account_status",
        "status",
        "rejection_reason",
        "suspension_reason",
        "is_available",
        "parked_until",
        "service_radius_km",
        "avg_rating",
        "total_ratings",
        "total_jobs",
        "vehicle_types",
        "service_category_ids",
        "has_pending_change",
        "documents",
        "created_at",
        "updated_at",
    ];
}

impl MechanicForAdmin {
    pub fn with(self, documents: Vec<MechanicDocument>) -> Self {
        Self { documents: Some(documents), ..self }
    }
}

impl From<AdminProfileRow> for MechanicForAdmin {
    fn from(row: AdminProfileRow) -> Self {
        let AdminProfileRow { profile, name, phone, account_status, has_pending_change, parked_until } = row;
        Self {
            id: profile.id,
            user_id: profile.user_id,
            name,
            phone,
            verified_name: profile.verified_name,
            account_status,
            status: profile.status,
            rejection_reason: profile.rejection_reason,
            suspension_reason: profile.suspension_reason,
            is_available: profile.is_available,
            parked_until: parked_until.filter(|_| profile.is_available).map(Timestamp::from),
            service_radius_km: profile.service_radius_km,
            avg_rating: profile.avg_rating,
            total_ratings: profile.total_ratings,
            total_jobs: profile.total_jobs,
            vehicle_types: profile.vehicle_types,
            service_category_ids: profile.service_category_ids,
            has_pending_change,
            documents: None,
            created_at: profile.created_at.into(),
            updated_at: profile.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_radius_is_rounded_down_to_whole_kilometres() {
        for (given, kept) in [(1.0, 1), (7.4, 7), (7.5, 7), (99.9, 99), (100.0, 100)] {
            assert_eq!(RadiusKm::new(given).ok(), Some(RadiusKm(kept)), "{given}");
        }
        for outside in [0.9, 0.0, -3.0, 100.1, f64::INFINITY, f64::NAN] {
            assert!(RadiusKm::new(outside).is_err(), "{outside}");
        }
    }
}
