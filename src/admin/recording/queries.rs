//! SQL of a recording. It reads tables of other areas; no statement reads names, phone numbers, plates, addresses or notes.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, Result};
use uuid::Uuid;

#[derive(Debug, FromRow)]
pub struct RecordedCategoryRow {
    pub id: Uuid,
    pub slug: String,
    pub estimated_duration_min: i32,
}

pub async fn categories(db: &mut PgConnection, limit: i64) -> Result<Vec<RecordedCategoryRow>> {
    sqlx::query_as(
        "select id, slug, estimated_duration_min from service_categories order by sort_order, id limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}

#[derive(Debug, FromRow)]
pub struct JobTimesRow {
    pub id: Uuid,
    pub begin_at: DateTime<Utc>,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub service_category_id: Uuid,
    pub vehicle_type: String,
    pub urgency: String,
    pub mechanic_profile_id: Option<Uuid>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub en_route_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub cancelled_by: Option<String>,
}

/// Returns the jobs whose search began from `after` (a time with a job's id) on and before `to`, unless they were cancelled
/// before it; a page of at most `limit`.
pub async fn jobs(
    db: &mut PgConnection,
    after: (DateTime<Utc>, Uuid),
    to: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<JobTimesRow>> {
    sqlx::query_as(
        "select j.id, j.begin_at, j.pickup_lat, j.pickup_lng, j.service_category_id, j.vehicle_type, j.urgency,
            j.mechanic_profile_id, j.accepted_at, j.en_route_at, j.arrived_at, j.started_at, j.completed_at,
            j.cancelled_at,
            (select e.actor_kind from job_events e where e.job_id = j.id and e.kind = 'cancelled'
                order by e.version desc limit 1) as cancelled_by
        from jobs j
        where j.begin_at >= $1 and j.begin_at < $3 and (j.begin_at, j.id) > ($1, $2)
            and (j.cancelled_at is null or j.cancelled_at >= j.begin_at)
        order by j.begin_at, j.id
        limit $4",
    )
    .bind(after.0)
    .bind(after.1)
    .bind(to)
    .bind(limit)
    .fetch_all(db)
    .await
}

#[derive(Debug, FromRow)]
pub struct OfferTimesRow {
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub status: String,
    pub distance_m: i32,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

/// Returns the offers of these jobs, each job's in the order of their times.
pub async fn offers(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> Result<Vec<OfferTimesRow>> {
    sqlx::query_as(
        "select job_id, mechanic_profile_id, status, distance_m, created_at, settled_at
        from offers
        where job_id = any($1)
        order by job_id, created_at, id
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// A mechanic who was seen by searches for a job: when first and last, and how far from the pickup at first.
#[derive(Debug, FromRow)]
pub struct SightingRow {
    pub job_id: Uuid,
    pub mechanic: Uuid,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    pub distance_m: i32,
}

pub async fn sightings(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> Result<Vec<SightingRow>> {
    sqlx::query_as(
        "select d.job_id, (c.kept ->> 'mechanic')::uuid as mechanic, min(d.at) as first_at, max(d.at) as last_at,
            (array_agg((c.kept ->> 'distance_m')::integer order by d.at))[1] as distance_m
        from dispatch_decisions d cross join lateral jsonb_array_elements(d.considered) as c (kept)
        where d.job_id = any($1)
        group by 1, 2
        order by 1, 2
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The first or last point of a mechanic's trail on a job.
#[derive(Debug, FromRow)]
pub struct TrailEndRow {
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub lat: f64,
    pub lng: f64,
    pub at: DateTime<Utc>,
}

/// Returns the first point of each trail on these jobs.
pub async fn first_points(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> Result<Vec<TrailEndRow>> {
    sqlx::query_as(
        "select distinct on (job_id, mechanic_profile_id)
            job_id, mechanic_profile_id, lat, lng, corrected_at as at
        from trail
        where job_id = any($1) and not is_doubtful
        order by job_id, mechanic_profile_id, corrected_at
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Returns the last point of each trail on these jobs.
pub async fn last_points(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> Result<Vec<TrailEndRow>> {
    sqlx::query_as(
        "select distinct on (job_id, mechanic_profile_id)
            job_id, mechanic_profile_id, lat, lng, corrected_at as at
        from trail
        where job_id = any($1) and not is_doubtful
        order by job_id, mechanic_profile_id, corrected_at desc
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// A mechanic whose job had begun before the stretch and ended after its beginning, and the place of the vehicle.
#[derive(Debug, FromRow)]
pub struct EarlierJobRow {
    pub mechanic_profile_id: Uuid,
    pub ended_at: DateTime<Utc>,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
}

/// Returns the mechanics whose earlier job ended before `until`.
pub async fn earlier_jobs(
    db: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<EarlierJobRow>> {
    sqlx::query_as(
        "select mechanic_profile_id, coalesce(completed_at, cancelled_at) as ended_at, pickup_lat, pickup_lng
        from jobs
        where begin_at < $1 and mechanic_profile_id is not null
            and coalesce(completed_at, cancelled_at) >= $1 and coalesce(completed_at, cancelled_at) < $2
        order by id
        limit $3",
    )
    .bind(from)
    .bind(until)
    .bind(limit)
    .fetch_all(db)
    .await
}

#[derive(Debug, FromRow)]
pub struct RecordedProfileRow {
    pub id: Uuid,
    pub service_radius_km: i32,
    pub vehicle_types: Vec<String>,
    pub service_category_ids: Vec<Uuid>,
    /// Since when the mechanic has been available; null unless they are available now.
    pub available_since: Option<DateTime<Utc>>,
    pub last_lat: Option<f64>,
    pub last_lng: Option<f64>,
    pub last_received_at: Option<DateTime<Utc>>,
}

/// Returns these mechanics, and all others who were surely online between `from` and `to`; a page of at most `limit` after the id
/// `after`.
pub async fn profiles(
    db: &mut PgConnection,
    seen: &[Uuid],
    (from, to): (DateTime<Utc>, DateTime<Utc>),
    after: Uuid,
    limit: i64,
) -> Result<Vec<RecordedProfileRow>> {
    sqlx::query_as(
        "select id, service_radius_km, vehicle_types, service_category_ids, last_lat, last_lng, last_received_at,
            case when is_available then available_since end as available_since
        from mechanic_profiles
        where id > $4 and (id = any($1) or (last_received_at >= $2 and last_received_at < $3)
            or (is_available and available_since < $3 and last_received_at >= $2))
        order by id
        limit $5",
    )
    .bind(seen)
    .bind(from)
    .bind(to)
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}
