//! Queues mails, and deletes old ones.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::db::Db;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{dto::MailRecord, queries};

/// How long a mail's outcome is kept.
const KEPT_FOR: TimeDelta = TimeDelta::days(30);

/// Returns a person's newest mails that are still kept, at most `limit`.
pub async fn newest_of(tx: &mut PgConnection, user_id: Uuid, limit: i64) -> sqlx::Result<Vec<MailRecord>> {
    queries::newest_of(tx, user_id, limit).await
}

/// Deletes mails whose retention is over, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT_FOR, limit).await
}
