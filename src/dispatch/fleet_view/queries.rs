use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    jobs::{JobStatus, Urgency},
    platform::db::{StoredRow, read},
};

/// What a map shows of an open job.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct OpenJobRow {
    pub id: Uuid,
    pub status: JobStatus,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub service_category_id: Uuid,
    pub urgency: Urgency,
    pub begin_at: DateTime<Utc>,
    pub mechanic_profile_id: Option<Uuid>,
}

impl StoredRow for OpenJobRow {
    const TABLE: &'static str = "jobs";
    const KEY: &'static str = "id";
}

/// The open jobs whose dispatch has begun, at most `limit`, the newest first.
pub async fn open_jobs(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<OpenJobRow>> {
    sqlx::query(
        "select id, status, pickup_lat, pickup_lng, service_category_id, urgency, begin_at, mechanic_profile_id
        from jobs where is_open and begin_at <= $1
        order by id desc
        limit $2",
    )
    .bind(now)
    .bind(limit)
    .try_map(read::<OpenJobRow>)
    .fetch_all(db)
    .await
}
