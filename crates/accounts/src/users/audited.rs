//! The audit entries about accounts.

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::queries::UserRow;
use crate::auth::{Role, UserStatus};

/// Records that an admin made an account for somebody who called.
pub async fn created(
    tx: &mut PgConnection,
    random: &Random,
    actor: Uuid,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let after = json!({"role": Role::Customer, "status": UserStatus::Active});
    write(tx, random, now, ("user.create", actor, user_id), Value::Null, after).await
}

/// Records that an admin found an account by its number.
pub async fn found(
    tx: &mut PgConnection,
    random: &Random,
    actor: Uuid,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let after = json!({"route": "/admin/users"});
    write(tx, random, now, ("user.read", actor, user_id), Value::Null, after).await
}

/// Records that a super-admin ended an admin's account. From now on only the audit log says whose it was.
pub async fn ended(
    tx: &mut PgConnection,
    random: &Random,
    actor: Uuid,
    row: &UserRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = json!({"role": row.role, "status": row.status, "name": row.name, "email": row.email});
    let after = json!({"role": row.role, "status": UserStatus::Deleted});
    write(tx, random, now, ("user.end", actor, row.id), before, after).await
}

/// Records that an admin changed how many jobs a customer may have open.
pub async fn job_limit(
    tx: &mut PgConnection,
    random: &Random,
    actor: Uuid,
    before: &UserRow,
    most: Option<i32>,
    now: DateTime<Utc>,
) -> Result<()> {
    let limit = |most: Option<i32>| json!({ "max_open_jobs": most });
    let what = ("user.job_limit", actor, before.id);
    write(tx, random, now, what, limit(before.max_open_jobs), limit(most)).await
}

/// Records that an admin has a new email, which is not verified.
pub async fn email_changed(
    tx: &mut PgConnection,
    random: &Random,
    before: &UserRow,
    after: &UserRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let email = |row: &UserRow| json!({"email": row.email, "email_verified": row.email_verified});
    write(tx, random, now, ("user.email", after.id, after.id), email(before), email(after)).await
}

/// Records an admin's new name. The audit log shows names, which admins choose: so it shows who chose which.
pub async fn renamed(
    tx: &mut PgConnection,
    random: &Random,
    before: &UserRow,
    after: &UserRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let name = |row: &UserRow| json!({"name": row.name});
    write(tx, random, now, ("user.name", after.id, after.id), name(before), name(after)).await
}

async fn write(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    (action, actor, user_id): (&str, Uuid, Uuid),
    before: Value,
    after: Value,
) -> Result<()> {
    let entry = NewAuditEntry::new(actor, action, ("user", user_id), (before, after));
    audit::record(tx, random, at, entry).await
}
