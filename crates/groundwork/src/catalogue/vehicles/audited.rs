//! Vehicles in the audit log, which never contains a plate.

use roadcall_actors::random::Random;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::VehicleRow;

/// Records that an admin added a vehicle for its owner.
pub async fn added(tx: &mut PgConnection, random: &Random, admin: Uuid, row: &VehicleRow) -> Result<()> {
    let after = json!({"user_id": row.user_id, "vehicle_type": row.vehicle_type});
    let entry = NewAuditEntry::new(admin, "vehicle.create", ("vehicle", row.id), (Value::Null, after));
    audit::record(tx, random, row.created_at, entry).await
}
