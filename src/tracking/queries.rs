use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::platform::db::RunQuery;

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
    /// The time, corrected for the phone's clock.
    pub corrected_at: DateTime<Utc>,
}

/// Returns the points of a mechanic on these jobs, newest first.
pub async fn newest_points(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    job_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<PointRow>> {
    sqlx::query_as(
        "select job_id, lat, lng, accuracy_m, speed_mps, heading, corrected_at from trail
        where job_id = any($2) and mechanic_profile_id = $1
        order by corrected_at desc, number desc
        limit $3",
    )
    .bind(mechanic_profile_id)
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Lets this transaction's statements take a minute.
pub async fn take_longer(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select set_config('statement_timeout', '60s', true)").run(tx).await
}

/// Packs the points of the jobs after this one, at most `limit` of them, whose hours have this remainder. Returns these jobs, in
/// order. Points that are packed already stay as they are.
pub async fn pack(db: impl PgExecutor<'_>, slot: i32, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    // The recursion finds each job by one look at the index, however many points it has.
    sqlx::query_scalar(
        "with recursive job as (
            (select job_id from trail_points where hour % 4 = $1 and job_id > $2 order by job_id limit 1)
            union all
            select (select job_id from trail_points
                where hour % 4 = $1 and job_id > job.job_id order by job_id limit 1)
            from job where job_id is not null
        ),
        due as (select job_id from job where job_id is not null limit $3),
        point as (
            select distinct on (job_id, mechanic_profile_id, hour, seq, recorded_at) *
            from due join trail_points using (job_id)
            where hour % 4 = $1
        ),
        packed as (
            insert into trails (job_id, mechanic_profile_id, hour, lats, lngs, accuracies, speeds, headings,
                are_doubtful, corrected)
            select job_id, mechanic_profile_id, hour, array_agg((lat * 1000000)::integer),
                array_agg((lng * 1000000)::integer),
                array_agg(case when accuracy_m is not null then (least(accuracy_m, 3276) * 10)::smallint end),
                array_agg((speed_mps * 10)::smallint), array_agg((heading * 10)::smallint),
                array_agg(is_doubtful), array_agg(corrected_at)
            from point group by job_id, mechanic_profile_id, hour
            on conflict on constraint trails_pkey do nothing
        )
        select job_id from due order by job_id",
    )
    .bind(slot)
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Empties the partition of the hours that have this remainder.
pub async fn empty(db: impl PgExecutor<'_>, slot: i32) -> Result<()> {
    let emptied = match slot {
        0 => sqlx::query("truncate trail_points_0"),
        1 => sqlx::query("truncate trail_points_1"),
        2 => sqlx::query("truncate trail_points_2"),
        _ => sqlx::query("truncate trail_points_3"),
    };
    emptied.run(db).await
}

/// Deletes trails that were received before this hour.
pub async fn sweep(db: impl PgExecutor<'_>, before_hour: i32, limit: i64) -> Result<u64> {
    sqlx::query(
        "delete from trails where (job_id, mechanic_profile_id, hour) in
            (select job_id, mechanic_profile_id, hour from trails where hour < $1 order by hour limit $2)",
    )
    .bind(before_hour)
    .bind(limit)
    .changed(db)
    .await
}

/// Deletes points of releases that did not pack trails yet.
pub async fn sweep_unpacked(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    sqlx::query(
        "delete from location_points where id in
            (select id from location_points where corrected_at < $1 order by corrected_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .changed(db)
    .await
}
