use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    jobs::{JobConcern, JobStatus, Urgency},
    platform::db::{StoredRow, read},
};

/// An open job as the map shows it.
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
    pub accepted_at: Option<DateTime<Utc>>,
    /// When the mechanic was expected, if a time was promised.
    pub promised_at: Option<DateTime<Utc>>,
    pub concern: Option<JobConcern>,
    /// How often the customer has corrected the job.
    pub corrections: i32,
}

impl StoredRow for OpenJobRow {
    const TABLE: &'static str = "jobs";
    const KEY: &'static str = "id";
}

/// Returns the open jobs whose dispatch has begun, at most `limit`, the newest first.
pub async fn open_jobs(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<OpenJobRow>> {
    sqlx::query(
        "select id, status, pickup_lat, pickup_lng, service_category_id, urgency, begin_at, mechanic_profile_id,
            accepted_at, nullif(promised_at, accepted_at) as promised_at, concern, corrections
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

/// The numbers of open jobs whose dispatch has begun.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct OpenTotalsRow {
    pub waiting: i64,
    pub active: i64,
    pub concerns: i64,
}

/// Counts the open jobs. A mechanic is overdue by the same rule as in the console (`web/src/console/live/choice.ts`).
pub async fn count_open(db: impl PgExecutor<'_>, now: DateTime<Utc>) -> Result<OpenTotalsRow> {
    sqlx::query_as(
        "select count(*) filter (where mechanic_profile_id is null) as waiting,
            count(*) filter (where mechanic_profile_id is not null) as active,
            count(*) filter (where concern is not null
                or (status in ('accepted', 'en_route') and promised_at <> accepted_at
                    and $1 > promised_at + greatest(interval '2 minutes', (promised_at - accepted_at) / 5))) as concerns
        from jobs where is_open and begin_at <= $1",
    )
    .bind(now)
    .fetch_one(db)
    .await
}

/// The details of a job for a list; while the job is open, only a correction changes them.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ListedJobRow {
    pub id: Uuid,
    pub corrections: i32,
    pub pickup_address: String,
    pub vehicle_type: VehicleKind,
    pub vehicle_registration_number: String,
    pub customer_name: Option<String>,
    pub customer_phone: Option<String>,
}

impl StoredRow for ListedJobRow {
    const TABLE: &'static str = "jobs";
    const KEY: &'static str = "id";
}

pub async fn listed_jobs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<ListedJobRow>> {
    sqlx::query(
        "select job.id, job.corrections, job.pickup_address, job.vehicle_type, job.vehicle_registration_number,
            person.name as customer_name, person.phone as customer_phone
        from job_facts job join users person on person.id = job.customer_id
        where job.id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .try_map(read::<ListedJobRow>)
    .fetch_all(db)
    .await
}

/// The details of a mechanic for a list.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ListedMechanicRow {
    pub id: Uuid,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
}

impl StoredRow for ListedMechanicRow {
    const TABLE: &'static str = "mechanic_profiles";
    const KEY: &'static str = "id";
}

pub async fn listed_mechanics(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<ListedMechanicRow>> {
    sqlx::query(
        "select profile.id, coalesce(profile.verified_name, person.name) as name, person.phone,
            profile.vehicle_types, profile.service_category_ids
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where profile.id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .try_map(read::<ListedMechanicRow>)
    .fetch_all(db)
    .await
}

/// Returns the jobs whose customers wait for a call, at most `limit`, except jobs that a mechanic has accepted since.
pub async fn jobs_with_callback(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select job_id from callback_requests where done_at is null order by requested_at limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}
