//! What the trail of admins' writes keeps of what admins do to their own accounts.

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};

use super::queries::UserRow;
use crate::{
    accounts::auth::UserStatus,
    platform::audit::{self, NewAuditEntry},
};

/// An admin's account ended. Who it was is forgotten in the trail, too: [`audit::forget_emails`].
pub async fn left(tx: &mut PgConnection, random: &Random, row: &UserRow, now: DateTime<Utc>) -> Result<()> {
    let before = json!({"role": row.role, "status": row.status});
    let after = json!({"role": row.role, "status": UserStatus::Deleted});
    write(tx, random, now, ("user.leave", row), before, after).await
}

/// An admin has another email, which nobody has verified.
pub async fn email_changed(
    tx: &mut PgConnection,
    random: &Random,
    before: &UserRow,
    after: &UserRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let email = |row: &UserRow| json!({"email": row.email, "email_verified": row.email_verified});
    write(tx, random, now, ("user.email", after), email(before), email(after)).await
}

async fn write(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    (action, row): (&str, &UserRow),
    before: Value,
    after: Value,
) -> Result<()> {
    let entry = NewAuditEntry {
        actor_id: Some(row.id),
        action,
        subject_kind: "user",
        subject_id: row.id,
        before,
        after,
    };
    audit::record(tx, random, at, entry).await
}
