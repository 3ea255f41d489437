use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::VehicleKind;

/// A row of `vehicles`, as it is shown and written.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct VehicleRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub vehicle_type: VehicleKind,
    pub make: String,
    pub model: String,
    pub registration_number: String,
    pub year: Option<i32>,
    pub fuel_type: Option<String>,
    pub color: Option<String>,
    pub is_default: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

pub async fn find(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<Option<VehicleRow>> {
    sqlx::query_as(
        "select id, user_id, vehicle_type, make, model, registration_number, year, fuel_type, color, is_default,
            created_at, updated_at
        from vehicles where id = $1 and user_id = $2 and deleted_at is null",
    )
    .bind(id)
    .bind(user_id)
    .fetch_optional(db)
    .await
}

/// As [`find`], kept from being deleted until the transaction ends.
pub async fn hold(tx: &mut PgConnection, user_id: Uuid, id: Uuid) -> Result<Option<VehicleRow>> {
    sqlx::query_as(
        "select id, user_id, vehicle_type, make, model, registration_number, year, fuel_type, color, is_default,
            created_at, updated_at
        from vehicles where id = $1 and user_id = $2 and deleted_at is null
        for key share",
    )
    .bind(id)
    .bind(user_id)
    .fetch_optional(tx)
    .await
}
