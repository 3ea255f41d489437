use roadcall_http::{CsvRow, Timestamp};
use roadcall_platform::db::StoredRow;
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::ChangeRow;
use crate::catalogue::vehicles::VehicleKind;

/// A change that a mechanic asks for. Until an admin decides, they serve the same as before.
#[derive(Debug, Serialize, ToSchema)]
pub struct PendingChange {
    pub id: Uuid,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub requested_at: Timestamp,
}

impl From<ChangeRow> for PendingChange {
    fn from(row: ChangeRow) -> Self {
        Self {
            id: row.id,
            vehicle_types: row.vehicle_types,
            service_category_ids: row.service_category_ids,
            requested_at: row.requested_at.into(),
        }
    }
}

/// A change that a mechanic asks for, next to what they serve now, for the admin who decides.
#[derive(Debug, Serialize, ToSchema, FromRow)]
pub struct MechanicChange {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub mechanic_name: Option<String>,
    /// The vehicle types that they serve now.
    pub served_vehicle_types: Vec<VehicleKind>,
    /// The kinds of help that the mechanic offers until the change is approved.
    pub served_service_category_ids: Vec<Uuid>,
    /// The vehicle types that they would serve instead.
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub requested_at: Timestamp,
}

impl StoredRow for MechanicChange {
    const TABLE: &str = "mechanic_changes";
}

impl CsvRow for MechanicChange {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "mechanic_profile_id",
        "mechanic_name",
        "served_vehicle_types",
        "served_service_category_ids",
        "vehicle_types",
        "service_category_ids",
        "requested_at",
    ];
}
