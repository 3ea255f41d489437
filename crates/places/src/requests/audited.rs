//! Requests for a place in the audit log: it contains neither a number nor a place.

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

pub async fn asked(
    tx: &mut PgConnection,
    random: &Random,
    admin: Uuid,
    (id, country): (Uuid, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    write(tx, random, now, ("place_request.create", admin, id), json!({"country": country})).await
}

pub async fn used(
    tx: &mut PgConnection,
    random: &Random,
    admin: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    write(tx, random, now, ("place_request.use", admin, id), json!({})).await
}

async fn write(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    (action, admin, id): (&str, Uuid, Uuid),
    after: Value,
) -> Result<()> {
    let entry = NewAuditEntry::new(admin, action, ("place_request", id), (Value::Null, after));
    audit::record(tx, random, at, entry).await
}
