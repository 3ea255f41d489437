//! SQL that reads the audit log.

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use crate::http::{Between, ListWindow};
use crate::platform::db::Db;

/// An entry of the trail.
#[derive(Debug, Clone, FromRow)]
pub struct AuditRow {
    pub id: Uuid,
    pub actor_id: Option<Uuid>,
    pub actor_name: Option<String>,
    pub actor_email: Option<String>,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: Option<Uuid>,
    pub before: Option<serde_json::Value>,
    pub after: Option<serde_json::Value>,
    pub at: DateTime<Utc>,
}

/// The filter of entries; every given condition must hold.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub actor_id: Option<Uuid>,
    pub action: Option<String>,
    pub object_type: Option<String>,
    pub object_id: Option<Uuid>,
    pub written: Between,
}

/// Returns the newest entries first.
pub async fn list(db: &Db, filter: &AuditFilter, window: ListWindow) -> sqlx::Result<Vec<AuditRow>> {
    sqlx::query_as(
        "select a.id, a.actor_id, coalesce(a.actor_name, u.name) as actor_name,
             coalesce(a.actor_email, u.verified_email) as actor_email, a.action, a.subject_kind, a.subject_id, a.before, a.after, a.at
         from audit_log a left join users u on u.id = a.actor_id
         where ($1::uuid is null or a.actor_id = $1)
             and ($2::text is null or a.action = $2)
             and ($3::text is null or a.subject_kind = $3)
             and ($4::uuid is null or a.subject_id = $4)
             and ($5::timestamptz is null or a.at >= $5)
             and ($6::timestamptz is null or a.at < $6)
             and ($9::timestamptz is null or (a.at, a.id) < ($9, $10))
         order by a.at desc, a.id desc
         limit $7 offset $8",
    )
    .bind(filter.actor_id)
    .bind(&filter.action)
    .bind(&filter.object_type)
    .bind(filter.object_id)
    .bind(filter.written.0)
    .bind(filter.written.1)
    .bind(window.limit)
    .bind(window.offset)
    .bind(window.after_at())
    .bind(window.after_id())
    .persistent(false)
    .fetch_all(db)
    .await
}

pub async fn count(db: &Db, filter: &AuditFilter) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "select count(*) from audit_log a
         where ($1::uuid is null or a.actor_id = $1)
             and ($2::text is null or a.action = $2)
             and ($3::text is null or a.subject_kind = $3)
             and ($4::uuid is null or a.subject_id = $4)
             and ($5::timestamptz is null or a.at >= $5)
             and ($6::timestamptz is null or a.at < $6)",
    )
    .bind(filter.actor_id)
    .bind(&filter.action)
    .bind(&filter.object_type)
    .bind(filter.object_id)
    .bind(filter.written.0)
    .bind(filter.written.1)
    .persistent(false)
    .fetch_one(db)
    .await
}
