//! SQL that reads the audit log.

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use crate::http::{Between, ListWindow, Text, list_filter};
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
    pub via: Option<serde_json::Value>,
    pub at: DateTime<Utc>,
}

list_filter! {
    /// The filter of entries; every given condition must hold.
    AuditFilter {
        /// The admin.
        actor_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b03",
        /// Noun and verb.
        action: Option<Text<1, 100>> = "mechanic.suspend",
        object_type: Option<Text<1, 100>> = "mechanic_profile",
        object_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
        written: Between,
    }
}

/// The condition of [`AuditFilter`]: $1 is the admin, $2 the action, $3 the object's type, $4 its id, $5 and $6 are the
/// period.
macro_rules! listed {
    () => {
        "($1::uuid is null or a.actor_id = $1)
             and ($2::text is null or a.action = $2)
             and ($3::text is null or a.subject_kind = $3)
             and ($4::uuid is null or a.subject_id = $4)
             and ($5::timestamptz is null or a.at >= $5)
             and ($6::timestamptz is null or a.at < $6)"
    };
}

/// Returns the newest entries first.
pub async fn list(db: &Db, filter: &AuditFilter, window: ListWindow) -> sqlx::Result<Vec<AuditRow>> {
    sqlx::query_as(concat!(
        "select a.id, a.actor_id, coalesce(a.actor_name, u.name) as actor_name,
             coalesce(a.actor_email, u.verified_email) as actor_email, a.action, a.subject_kind, a.subject_id, a.before, a.after, a.via, a.at
         from audit_log a left join users u on u.id = a.actor_id
         where ",
        listed!(),
        " and ($7::timestamptz is null or (a.at, a.id) < ($7, $8))
         order by a.at desc, a.id desc
         limit $9 offset $10",
    ))
    .bind(filter.actor_id)
    .bind(filter.action.as_ref().map(|action| &action.0))
    .bind(filter.object_type.as_ref().map(|kind| &kind.0))
    .bind(filter.object_id)
    .bind(filter.written.0)
    .bind(filter.written.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .fetch_all(db)
    .await
}

pub async fn count(db: &Db, filter: &AuditFilter) -> sqlx::Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from audit_log a where ", listed!()))
        .bind(filter.actor_id)
        .bind(filter.action.as_ref().map(|action| &action.0))
        .bind(filter.object_type.as_ref().map(|kind| &kind.0))
        .bind(filter.object_id)
        .bind(filter.written.0)
        .bind(filter.written.1)
        .persistent(false)
        .fetch_one(db)
        .await
}
