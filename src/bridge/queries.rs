use chrono::{DateTime, Utc};
use roadcall_actors::{
    experience::{CallForHelp, CompletedWork, Kind, Lesson},
    geo::Point,
    ids::CategoryId,
};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    accounts::auth::MechanicStatus,
    catalogue::vehicles::VehicleKind,
    jobs::{JobConcern, JobStatus},
    platform::db::{StoredRow, read},
};

/// A mechanic with their engagement.
#[derive(Debug, Clone, FromRow)]
pub struct LoadedMechanic {
    pub id: Uuid,
    pub user_id: Uuid,
    pub status: MechanicStatus,
    pub is_available: bool,
    pub available_since: Option<DateTime<Utc>>,
    pub service_radius_km: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub last_lat: Option<f64>,
    pub last_lng: Option<f64>,
    pub last_accuracy_m: Option<f64>,
    pub last_seq: Option<i64>,
    pub last_recorded_at: Option<DateTime<Utc>>,
    pub last_received_at: Option<DateTime<Utc>>,
    pub last_is_implausible: bool,
    pub parked_lat: Option<f64>,
    pub parked_lng: Option<f64>,
    pub parked_since: Option<DateTime<Utc>>,
    pub parked_until: Option<DateTime<Utc>>,
    /// Offers that they let expire since they parked, or since their last answer.
    pub parked_unanswered: i64,
    pub active_job_id: Option<Uuid>,
    pub active_status: Option<JobStatus>,
    pub active_lat: Option<f64>,
    pub active_lng: Option<f64>,
    pub active_attempt: Option<i32>,
    pub active_accepted_at: Option<DateTime<Utc>>,
    pub active_promised_at: Option<DateTime<Utc>>,
    pub active_concern: Option<JobConcern>,
    pub active_navigating_since: Option<DateTime<Utc>>,
    pub active_loaded_at: Option<DateTime<Utc>>,
    pub active_destination_lat: Option<f64>,
    pub active_destination_lng: Option<f64>,
}

impl StoredRow for LoadedMechanic {
    const TABLE: &'static str = "mechanic_profiles";
}

pub async fn mechanics(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<LoadedMechanic>> {
    sqlx::query(
        "select m.*, j.id as active_job_id, j.status as active_status, j.pickup_lat as active_lat,
            j.pickup_lng as active_lng, j.attempt as active_attempt, j.accepted_at as active_accepted_at,
            j.promised_at as active_promised_at, j.concern as active_concern,
            j.navigating_since as active_navigating_since, j.loaded_at as active_loaded_at,
            j.destination_lat as active_destination_lat, j.destination_lng as active_destination_lng,
            case when m.parked_since is null then 0 else (
                select count(*) from offers o
                where o.mechanic_profile_id = m.id and o.status = 'expired' and o.created_at >= m.parked_since
                    and o.created_at > coalesce((
                        select max(answered.created_at) from offers answered
                        where answered.mechanic_profile_id = m.id and answered.status in ('accepted', 'declined')
                    ), '-infinity')
            ) end as parked_unanswered
        from mechanic_profiles m left join jobs j on j.mechanic_profile_id = m.id and j.is_active
        where m.id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .try_map(read::<LoadedMechanic>)
    .fetch_all(db)
    .await
}

/// Returns every mechanic that has a pending offer or an active job, by id; a page of at most `limit` after `after`.
pub async fn engaged_mechanic_ids(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from (
            (select mechanic_profile_id as id from job_states
                where is_active and mechanic_profile_id > $1 order by mechanic_profile_id limit $2)
            union
            (select mechanic_profile_id as id from offers
                where status = 'pending' and mechanic_profile_id > $1 order by mechanic_profile_id limit $2)
        ) as engaged
        order by id
        limit $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Returns every mechanic that is available, by id; a page of at most `limit` after `after`.
pub async fn available_mechanic_ids(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar("select id from mechanic_profiles where id > $1 and is_available order by id limit $2")
        .bind(after)
        .bind(limit)
        .fetch_all(db)
        .await
}

/// Returns these mechanics' latest answers to offers, `true` for an acceptance, the oldest first, and at most `limit` for each.
/// Mechanics who never answered are missing.
pub async fn answers(
    db: impl PgExecutor<'_>,
    mechanic_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<(Uuid, Vec<bool>)>> {
    sqlx::query_as(
        "select mechanic.id, latest.answers
        from unnest((select $1)::uuid[]) as mechanic (id)
        cross join lateral (
            select array_agg(is_accepted order by settled_at, id) as answers
            from (
                select status = 'accepted' as is_accepted, settled_at, id from offers
                where mechanic_profile_id = mechanic.id and status in ('accepted', 'declined', 'expired')
                order by settled_at desc, id desc
                limit $2
            ) as answer
        ) as latest
        where latest.answers is not null",
    )
    .bind(mechanic_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

pub async fn save_availability(
    db: impl PgExecutor<'_>,
    id: Uuid,
    available: bool,
    at: DateTime<Utc>,
) -> Result<bool> {
    // Only a verified mechanic may become available; anyone may stop being available.
    let saved = sqlx::query(
        "update mechanic_profiles set
            available_since = case when $2 and not is_available then $3 when $2 then available_since end,
            parked_lat = case when $2 and is_available then parked_lat end,
            parked_lng = case when $2 and is_available then parked_lng end,
            parked_label = case when $2 and is_available then parked_label end,
            parked_since = case when $2 and is_available then parked_since end,
            parked_until = case when $2 and is_available then parked_until end,
            is_available = $2, updated_at = $3
        where id = $1 and (not $2 or status = 'verified')",
    )
    .bind(id)
    .bind(available)
    .bind(at)
    .execute(db)
    .await?;
    Ok(saved.rows_affected() == 1)
}

/// Points of trails, by column.
#[derive(Debug, Default)]
pub struct TrailColumns {
    pub job_ids: Vec<Uuid>,
    pub mechanic_profile_ids: Vec<Uuid>,
    pub seqs: Vec<i64>,
    pub lats: Vec<f64>,
    pub lngs: Vec<f64>,
    pub accuracies_m: Vec<Option<f64>>,
    pub speeds_mps: Vec<Option<f64>>,
    pub headings: Vec<Option<f64>>,
    pub are_doubtful: Vec<bool>,
    pub recorded: Vec<DateTime<Utc>>,
    /// The times of the points, corrected for the phones' clocks.
    pub corrected: Vec<DateTime<Utc>>,
    /// The hours in which the points were received, as in [`crate::tracking::hour_of`].
    pub hours: Vec<i32>,
}

pub async fn insert_trail(db: impl PgExecutor<'_>, points: &TrailColumns) -> Result<()> {
    sqlx::query(
        "insert into trail_points (job_id, mechanic_profile_id, seq, lat, lng, accuracy_m, speed_mps, heading,
            is_doubtful, recorded_at, corrected_at, hour)
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::double precision[], $5::double precision[],
            $6::double precision[], $7::double precision[], $8::double precision[], $9::boolean[],
            $10::timestamptz[], $11::timestamptz[], $12::integer[])",
    )
    .bind(&points.job_ids)
    .bind(&points.mechanic_profile_ids)
    .bind(&points.seqs)
    .bind(&points.lats)
    .bind(&points.lngs)
    .bind(&points.accuracies_m)
    .bind(&points.speeds_mps)
    .bind(&points.headings)
    .bind(&points.are_doubtful)
    .bind(&points.recorded)
    .bind(&points.corrected)
    .bind(&points.hours)
    .execute(db)
    .await
    .map(drop)
}

/// Current positions, by column.
#[derive(Debug, Default)]
pub struct PositionColumns {
    pub ids: Vec<Uuid>,
    pub lats: Vec<f64>,
    pub lngs: Vec<f64>,
    pub accuracies_m: Vec<Option<f64>>,
    pub seqs: Vec<i64>,
    pub recorded: Vec<DateTime<Utc>>,
    pub received: Vec<DateTime<Utc>>,
    pub are_implausible: Vec<bool>,
}

/// Saves positions, except those of suspended mechanics: a deleted account had its position removed, and an earlier position
/// may arrive later.
pub async fn save_positions(db: impl PgExecutor<'_>, positions: &PositionColumns) -> Result<()> {
    sqlx::query(
        "update mechanic_profiles m set last_lat = p.lat, last_lng = p.lng, last_accuracy_m = p.accuracy_m,
            last_seq = p.seq, last_recorded_at = p.recorded_at, last_received_at = p.received_at,
            last_is_implausible = p.is_implausible
        from unnest((select $1)::uuid[], $2::double precision[], $3::double precision[], $4::double precision[],
            $5::bigint[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
            as p (id, lat, lng, accuracy_m, seq, recorded_at, received_at, is_implausible)
        where m.id = p.id and m.status <> 'suspended'",
    )
    .bind(&positions.ids)
    .bind(&positions.lats)
    .bind(&positions.lngs)
    .bind(&positions.accuracies_m)
    .bind(&positions.seqs)
    .bind(&positions.recorded)
    .bind(&positions.received)
    .bind(&positions.are_implausible)
    .execute(db)
    .await
    .map(drop)
}

/// A job whose dispatch began.
#[derive(Debug, Clone, FromRow)]
pub struct BegunJobRow {
    pub service_category_id: Uuid,
    pub vehicle_type: VehicleKind,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub begin_at: DateTime<Utc>,
}

impl BegunJobRow {
    pub fn lesson(&self) -> Lesson {
        let kind =
            Kind { category_id: CategoryId(self.service_category_id), vehicle_type: self.vehicle_type.0 };
        Lesson::Call(CallForHelp {
            kind,
            pickup: Point::new(self.pickup_lat, self.pickup_lng),
            at: self.begin_at,
        })
    }
}

/// Returns the newest jobs whose dispatch began in this time.
pub async fn calls(
    db: impl PgExecutor<'_>,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<BegunJobRow>> {
    sqlx::query_as(
        "select service_category_id, vehicle_type, pickup_lat, pickup_lng, begin_at
        from jobs where begin_at between $1 and $2 and attempt > 0
        order by begin_at desc
        limit $3",
    )
    .bind(since)
    .bind(until)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Returns when the first of all jobs began.
pub async fn first_call(db: impl PgExecutor<'_>) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select begin_at from job_facts order by begin_at limit 1").fetch_optional(db).await
}

/// A completed job.
#[derive(Debug, Clone, FromRow)]
pub struct CompletedJobRow {
    pub service_category_id: Uuid,
    pub accepted_at: DateTime<Utc>,
    pub promised_at: Option<DateTime<Utc>>,
    pub arrived_at: DateTime<Utc>,
    pub completed_at: DateTime<Utc>,
}

impl CompletedJobRow {
    pub fn lesson(&self) -> Lesson {
        let seconds = |from: DateTime<Utc>, to: DateTime<Utc>| (to - from).num_milliseconds() as f64 / 1000.0;
        Lesson::Work(CompletedWork {
            category_id: CategoryId(self.service_category_id),
            travel_s: seconds(self.accepted_at, self.arrived_at),
            on_site_s: seconds(self.arrived_at, self.completed_at),
            eta_s: self
                .promised_at
                .filter(|promised_at| *promised_at > self.accepted_at)
                .map(|promised_at| seconds(self.accepted_at, promised_at)),
        })
    }
}

/// Returns the newest jobs that were completed in this time.
pub async fn works(
    db: impl PgExecutor<'_>,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<CompletedJobRow>> {
    sqlx::query_as(
        "select service_category_id, accepted_at, promised_at, arrived_at, completed_at
        from jobs
        where coalesce(completed_at, cancelled_at) between $1 and $2 and completed_at is not null
            and arrived_at is not null and accepted_at is not null
        order by coalesce(completed_at, cancelled_at) desc
        limit $3",
    )
    .bind(since)
    .bind(until)
    .bind(limit)
    .fetch_all(db)
    .await
}
