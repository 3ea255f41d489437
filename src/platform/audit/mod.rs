//! The audit log: every write by an admin leaves who did what, before and after.

mod queries;
mod redaction;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use redaction::HIDDEN;
pub use redaction::redacted;

/// One write.
#[derive(Debug, Clone)]
pub struct NewAuditEntry<'a> {
    /// The admin; `None` for the command line.
    pub actor_id: Option<Uuid>,
    /// Noun and verb: "user.suspend", "mechanic.verify".
    pub action: &'a str,
    /// "user", "mechanic_profile", "service_category" …
    pub subject_kind: &'a str,
    pub subject_id: Uuid,
    /// The fields that changed, as they stood; null where the subject was made. No secrets, no phone numbers.
    pub before: Value,
    /// The same fields afterwards; null where the subject was removed.
    pub after: Value,
}

/// Takes a person who leaves out of what was written about their account and these invitations: their emails. Who acted is told
/// by ids, which stay.
pub async fn forget_emails(tx: &mut PgConnection, user_id: Uuid, invite_ids: &[Uuid]) -> sqlx::Result<()> {
    queries::forget_emails(tx, user_id, invite_ids, HIDDEN).await
}

/// Writes an entry in the transaction of the write it tells of.
pub async fn record(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    entry: NewAuditEntry<'_>,
) -> sqlx::Result<()> {
    let (before, after) = (redacted(entry.before), redacted(entry.after));
    queries::insert(tx, random.id(at), at, NewAuditEntry { before, after, ..entry }).await
}
