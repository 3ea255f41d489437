use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// A point of a trail.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct TrailRow {
    pub lat: f64,
    pub lng: f64,
    /// The time, corrected for the phone's clock.
    pub corrected_at: DateTime<Utc>,
    /// The number of all stored points.
    pub recorded: i64,
}

/// Returns a mechanic's points of a job since they accepted it, in order. If there are more than `limit`, takes that many at even
/// intervals, including the first and the last: those at which `number * (limit - 1) / (recorded - 1)` grows.
pub async fn trail(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    mechanic_profile_id: Uuid,
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<TrailRow>> {
    sqlx::query_as(
        "select lat, lng, corrected_at, recorded from (
            select lat, lng, corrected_at, count(*) over () as recorded,
                row_number() over (order by corrected_at, number) - 1 as number
            from trail where job_id = $1 and mechanic_profile_id = $2 and corrected_at >= $3
        ) point
        where recorded <= $4 or number = 0
            or number * ($4 - 1) / greatest(recorded - 1, 1) > (number - 1) * ($4 - 1) / greatest(recorded - 1, 1)
        order by number",
    )
    .bind(job_id)
    .bind(mechanic_profile_id)
    .bind(since)
    .bind(limit)
    .fetch_all(db)
    .await
}
