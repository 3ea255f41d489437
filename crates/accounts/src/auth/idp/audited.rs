//! The audit entries about second factors. They never hold a secret or a code.

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::queries;

/// Records that someone has set up a second factor. An invited person who is not an admin yet leaves no entry.
pub async fn confirmed(tx: &mut PgConnection, random: &Random, uid: &str, now: DateTime<Utc>) -> Result<()> {
    match queries::user_of(tx, uid).await? {
        Some(user) => write(tx, random, now, ("second_factor.confirm", user, user), false).await,
        None => Ok(()),
    }
}

/// Records that a super-admin has removed a second factor.
pub async fn reset(
    tx: &mut PgConnection,
    random: &Random,
    actor: Uuid,
    user: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    write(tx, random, now, ("second_factor.reset", actor, user), true).await
}

async fn write(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    (action, actor, user): (&str, Uuid, Uuid),
    had_one: bool,
) -> Result<()> {
    let state = |has_one: bool| -> Value { json!({"second_factor": has_one}) };
    let entry = NewAuditEntry::new(actor, action, ("user", user), (state(had_one), state(!had_one)));
    audit::record(tx, random, at, entry).await
}
