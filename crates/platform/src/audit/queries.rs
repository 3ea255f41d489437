//! SQL that writes the audit log.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::NewAuditEntry;
use crate::db::Db;

pub async fn insert(
    tx: &mut PgConnection,
    (id, at, via): (Uuid, DateTime<Utc>, Option<Value>),
    entry: NewAuditEntry<'_>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into audit_log
             (id, actor_id, actor_name, actor_email, action, subject_kind, subject_id, before, after, at, via)
         values ($1, $2, (select name from users where id = $2), (select verified_email from users where id = $2),
             $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(id)
    .bind(entry.actor_id)
    .bind(entry.action)
    .bind(entry.subject_kind)
    .bind(entry.subject_id)
    .bind(entry.before)
    .bind(entry.after)
    .bind(at)
    .bind(via)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn count_since(
    tx: &mut PgConnection,
    actor_id: Uuid,
    action: &str,
    since: DateTime<Utc>,
) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from audit_log where actor_id = $1 and action = $2 and at > $3")
        .bind(actor_id)
        .bind(action)
        .bind(since)
        .fetch_one(tx)
        .await
}

pub async fn sweep(db: &Db, kept_from: DateTime<Utc>, limit: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar("select audit_log_sweep($1, $2)").bind(kept_from).bind(limit).fetch_one(db).await
}
