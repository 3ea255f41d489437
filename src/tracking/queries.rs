use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// A mechanic's position as last written, which may be some seconds behind their actor.
#[derive(Debug, FromRow)]
pub struct LastPosition {
    pub last_lat: Option<f64>,
    pub last_lng: Option<f64>,
    pub last_accuracy_m: Option<f64>,
    pub last_seq: Option<i64>,
    pub last_recorded_at: Option<DateTime<Utc>>,
    pub last_received_at: Option<DateTime<Utc>>,
    pub last_is_implausible: bool,
}

pub async fn last_position(db: impl PgExecutor<'_>, mechanic_id: Uuid) -> Result<Option<LastPosition>> {
    sqlx::query_as(
        "select last_lat, last_lng, last_accuracy_m, last_seq, last_recorded_at, last_received_at,
            last_is_implausible
        from mechanic_profiles where id = $1",
    )
    .bind(mechanic_id)
    .fetch_optional(db)
    .await
}

/// A point of a mechanic's trail.
#[derive(Debug, FromRow)]
pub struct PointRow {
    pub job_id: Uuid,
    pub lat: f64,
    pub lng: f64,
    pub accuracy_m: Option<f64>,
    pub speed_mps: Option<f64>,
    pub heading: Option<f64>,
    /// Corrected for the phone's clock.
    pub corrected_at: DateTime<Utc>,
}

/// The points of a mechanic on these jobs, newest first.
pub async fn newest_points(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    job_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<PointRow>> {
    sqlx::query_as(
        "select job_id, lat, lng, accuracy_m, speed_mps, heading, corrected_at from location_points
        where job_id = any($2) and mechanic_profile_id = $1
        order by corrected_at desc, id desc
        limit $3",
    )
    .bind(mechanic_profile_id)
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from location_points where id in
            (select id from location_points where corrected_at < $1 order by corrected_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(swept.rows_affected())
}
