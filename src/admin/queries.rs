//! SQL of the admin's own tables.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::Entry;

pub async fn insert_audit(
    tx: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
    entry: Entry<'_>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into audit_log (id, actor_id, action, subject_kind, subject_id, before, after, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(entry.actor_id)
    .bind(entry.action)
    .bind(entry.subject_kind)
    .bind(entry.subject_id)
    .bind(entry.before)
    .bind(entry.after)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(())
}
