use chrono::{DateTime, Utc};
use roadcall_actors::{engine::FreeCancellationAllowance, job::state::JobSpec};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    accounts::uploads::{FileRef, JobPhotoFile},
    catalogue::vehicles::VehicleKind,
    http::{Between, PageParams},
    jobs::{
        dto::{ActorKind, JobStatus, PhotoStage},
        shown::{ListedJob, listed_columns},
    },
    platform::db::{StoredRow, read, read_in_order},
};

pub use crate::jobs::row::JobRow;

/// Returns the job's row.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<JobRow>> {
    sqlx::query("select * from jobs where id = $1").bind(id).try_map(read::<JobRow>).fetch_optional(db).await
}

/// A job that its last mechanic lost because nothing came from their phone, and that nobody has now.
#[derive(Debug, Clone, FromRow)]
pub struct LostJobRow {
    pub id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    pub vehicle_type: VehicleKind,
    pub vehicle_make: String,
    pub vehicle_model: String,
    pub left_at: DateTime<Utc>,
}

impl StoredRow for LostJobRow {
    const TABLE: &'static str = "jobs";
}

/// Returns the newest ten jobs that the mechanic lost to silence, which are among those that the log says they lost. A vehicle is
/// deleted with its owner's account.
pub async fn lost_by_silence(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Vec<LostJobRow>> {
    sqlx::query(
        "select id, service_category_name, service_category_slug, vehicle_type, vehicle_make, vehicle_model, left_at
        from jobs
        where id = any(array(
                select job_id from job_events where kind = 'released' and data ->> 'mechanic_profile_id' = $1::uuid::text))
            and left_mechanic_id = $1 and left_reason = 'silent' and status in ('dispatching', 'no_mechanic_found')
            and exists (select from vehicles v where v.id = jobs.vehicle_id and v.deleted_at is null)
        order by left_at desc
        limit 10",
    )
    .bind(mechanic_profile_id)
    .try_map(read::<LostJobRow>)
    .fetch_all(db)
    .await
}

/// Returns the job's row, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<JobRow>> {
    sqlx::query("select * from jobs where id = $1 for no key update")
        .bind(id)
        .try_map(read::<JobRow>)
        .fetch_optional(tx)
        .await
}

/// Stores the job's room without regard to the version: [`advance`] clears this column when the job's mechanic loses it, and
/// changes it in no other way. If two run at once, the second finds the room of the first.
pub async fn keep_room(
    db: impl PgExecutor<'_>,
    id: Uuid,
    mechanic_profile_id: Uuid,
    held: Option<&str>,
    room_id: &str,
) -> Result<Option<String>> {
    sqlx::query_scalar(
        "update job_states set hms_room_id = case when hms_room_id is not distinct from $3 then $4 else hms_room_id end
        where id = $1 and mechanic_profile_id = $2 returning hms_room_id",
    )
    .bind(id)
    .bind(mechanic_profile_id)
    .bind(held)
    .bind(room_id)
    .fetch_optional(db)
    .await
}

/// Returns the mechanics who are on a job, each with that job: at most one, by the schema.
pub async fn active_of_mechanics(
    db: impl PgExecutor<'_>,
    mechanic_profile_ids: &[Uuid],
) -> Result<Vec<(Uuid, Uuid)>> {
    sqlx::query_as(
        "select mechanic_profile_id, id from job_states
        where mechanic_profile_id = any((select $1)::uuid[]) and is_active",
    )
    .bind(mechanic_profile_ids)
    .fetch_all(db)
    .await
}

/// The filter of a list of jobs: those of a customer, of a mechanic, or of both.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    pub customer_id: Option<Uuid>,
    pub mechanic_profile_id: Option<Uuid>,
    /// The statuses of the jobs; every status if empty.
    pub statuses: Vec<JobStatus>,
    pub made: Between,
}

/// The condition of [`JobFilter`] on jobs of either side: $3 are the statuses, $4 and $5 the period. $1 is the customer. Subqueries
/// hide which of them are given: Postgres then makes one plan for any filter, once.
macro_rules! listed {
    () => {
        "(cardinality((select $3::text[])) = 0 or status = any((select $3)::text[]))
                and created_at >= coalesce($4::timestamptz, '-infinity')
                and created_at < coalesce($5::timestamptz, 'infinity')"
    };
}

/// Lists the newest jobs first. Each side gives a page from its index, the customer's from the facts and the mechanic's from the
/// states: with an `or`, Postgres would read all jobs that the person ever had.
pub async fn list(db: impl PgExecutor<'_>, filter: &JobFilter, page: PageParams) -> Result<Vec<ListedJob>> {
    sqlx::query(concat!(
        "select ",
        listed_columns!(),
        " from (
            select * from (
                (select * from jobs where customer_id = (select $1::uuid) and ",
        listed!(),
        " order by created_at desc, id desc limit $6::bigint + $7::bigint)
                union all
                (select * from jobs where id = any(array(
                    select id from job_states
                    where mechanic_profile_id = (select $2::uuid) and customer_id is distinct from $1 and ",
        listed!(),
        " order by created_at desc, id desc limit $6::bigint + $7::bigint)))) own
            order by created_at desc, id desc
            limit $6 offset $7) j
        left join callback_requests c on c.job_id = j.id
        order by j.created_at desc, j.id desc",
    ))
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(&filter.statuses)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read_in_order::<ListedJob>)
    .fetch_all(db)
    .await
}

/// Lists the jobs of a customer who is no mechanic like [`list`]. The statement opens half of the tables and indexes.
pub async fn list_of_customer(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    filter: &JobFilter,
    page: PageParams,
) -> Result<Vec<ListedJob>> {
    sqlx::query(concat!(
        "select ",
        listed_columns!(),
        " from (
            select * from jobs where customer_id = $1 and ",
        listed!(),
        " order by created_at desc, id desc
            limit $2 offset $6) j
        left join callback_requests c on c.job_id = j.id
        order by j.created_at desc, j.id desc",
    ))
    .bind(customer_id)
    .bind(page.limit)
    .bind(&filter.statuses)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.offset())
    .try_map(read_in_order::<ListedJob>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &JobFilter) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select (select count(*) from jobs where customer_id = (select $1::uuid) and ",
        listed!(),
        ") + (
            select count(*) from job_states
            where mechanic_profile_id = (select $2::uuid) and customer_id is distinct from $1 and ",
        listed!(),
        ")",
    ))
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(&filter.statuses)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .fetch_one(db)
    .await
}

/// One entry of a job's log that every participant may see, with the job after it.
#[derive(Debug, Clone)]
pub struct JobEventRow {
    pub seq: i64,
    pub kind: String,
    /// The event's data beyond the row; for a line item, the item.
    pub data: serde_json::Value,
    pub snapshot: JobRow,
    pub at: DateTime<Utc>,
    /// Whether a mechanic is on the job now.
    pub is_active: bool,
    /// When the work was completed, if it is not paid now.
    pub unpaid_since: Option<DateTime<Utc>>,
}

/// Returns the number of the newest event of each of these jobs.
pub async fn newest_seqs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, i64)>> {
    sqlx::query_as("select id, seq from job_states where id = any((select $1)::uuid[])")
        .bind(ids)
        .fetch_all(db)
        .await
}

/// One entry of a job's timeline.
#[derive(Debug, Clone, FromRow)]
pub struct TimelineRow {
    pub seq: i64,
    pub kind: String,
    pub actor_kind: ActorKind,
    pub data: serde_json::Value,
    /// The job's status after the event.
    pub status: JobStatus,
    pub at: DateTime<Utc>,
}

impl StoredRow for TimelineRow {
    const TABLE: &'static str = "job_events";
    const KEY: &'static str = "job_id";
}

/// Returns the events of the job itself in order, at most `limit`. Messages are left out, because they are shown in the chat. The
/// status after an event is the one that the next event replaced; entries of an earlier release have it in their snapshot.
pub async fn timeline(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> Result<Vec<TimelineRow>> {
    sqlx::query(
        "with turned as materialized (
            select version, replaced ->> 'status' as status from job_events where job_id = $1 and replaced ? 'status'
        )
        select e.job_id, e.seq, e.kind, e.actor_kind, e.data, e.at, coalesce(
            e.snapshot ->> 'status',
            (select turned.status from turned where turned.version > e.version order by turned.version limit 1),
            state.status) as status
        from job_events e join job_states state on state.id = e.job_id
        where e.job_id = $1 and e.seq is not null and e.kind <> 'message'
        order by e.seq
        limit $2",
    )
    .bind(job_id)
    .bind(limit)
    .try_map(read::<TimelineRow>)
    .fetch_all(db)
    .await
}

/// A photo of a job.
#[derive(Debug, Clone, FromRow)]
pub struct PhotoRow {
    pub id: Uuid,
    pub stage: PhotoStage,
    pub file_url: String,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for PhotoRow {
    const TABLE: &'static str = "job_photos";
}

/// The maximum number of photos per job.
pub const MAX_PHOTOS: i64 = 50;

/// Inserts a photo. Returns `None` if the job already has [`MAX_PHOTOS`].
pub async fn insert_photo(
    db: impl PgExecutor<'_>,
    id: Uuid,
    job_id: Uuid,
    stage: PhotoStage,
    file: FileRef<JobPhotoFile>,
    uploaded_by: Uuid,
    at: DateTime<Utc>,
) -> Result<Option<PhotoRow>> {
    sqlx::query(
        "insert into job_photos (id, job_id, stage, file_url, uploaded_by, created_at)
        select $1, $2, $3, $4, $5, $6
        where (select count(*) from job_photos where job_id = $2) < $7
        returning id, stage, file_url, created_at",
    )
    .bind(id)
    .bind(job_id)
    .bind(stage)
    .bind(file.into_url())
    .bind(uploaded_by)
    .bind(at)
    .bind(MAX_PHOTOS)
    .try_map(read::<PhotoRow>)
    .fetch_optional(db)
    .await
}

pub async fn photos(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Vec<PhotoRow>> {
    sqlx::query(
        "select id, stage, file_url, created_at from job_photos where job_id = $1 order by created_at, id limit $2",
    )
    .bind(job_id)
    .bind(MAX_PHOTOS)
    .try_map(read::<PhotoRow>).fetch_all(db)
    .await
}

/// Returns the URL of a photo of that job which this person added.
pub async fn own_photo(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    id: Uuid,
    uploaded_by: Uuid,
) -> Result<Option<String>> {
    sqlx::query_scalar("select file_url from job_photos where id = $1 and job_id = $2 and uploaded_by = $3")
        .bind(id)
        .bind(job_id)
        .bind(uploaded_by)
        .fetch_optional(db)
        .await
}

pub async fn delete_photo(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("delete from job_photos where id = $1").bind(id).execute(tx).await.map(drop)
}

/// A photo with its job.
#[derive(Debug, FromRow)]
pub struct JobPhotoRow {
    pub job_id: Uuid,
    #[sqlx(flatten)]
    pub photo: PhotoRow,
}

impl StoredRow for JobPhotoRow {
    const TABLE: &'static str = "job_photos";
}

/// Returns the photos of these jobs, newest first.
pub async fn newest_photos(
    db: impl PgExecutor<'_>,
    job_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<JobPhotoRow>> {
    sqlx::query(
        "select job_id, id, stage, file_url, created_at from job_photos where job_id = any($1)
        order by created_at desc, id desc
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .try_map(read::<JobPhotoRow>)
    .fetch_all(db)
    .await
}

/// Inserts photos that belong to a step of the work.
pub async fn insert_photos(
    tx: &mut PgConnection,
    stage: PhotoStage,
    ids: &[Uuid],
    urls: &[String],
    job_id: Uuid,
    uploaded_by: Option<Uuid>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into job_photos (id, job_id, stage, file_url, uploaded_by, created_at)
        select photo.id, $3, $6, photo.url, $4, $5
        from unnest($1::uuid[], $2::text[]) as photo (id, url)",
    )
    .bind(ids)
    .bind(urls)
    .bind(job_id)
    .bind(uploaded_by)
    .bind(at)
    .bind(stage)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the number of the event that assigned the job to its present mechanic. The subquery hides how few events a job has, so that
/// one plan is made, once.
pub async fn assigned_at_seq(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<i64>> {
    sqlx::query_scalar(
        "select max(seq) from job_events where job_id = (select $1::uuid) and kind = 'accepted'",
    )
    .bind(job_id)
    .fetch_one(db)
    .await
}

/// The category and the vehicle of a job that begins, which are locked, and the numbers of its customer's open jobs.
#[derive(Debug, FromRow)]
pub struct LockedSubjects {
    /// Whether jobs may ask for the category, which can't be switched off or removed until the transaction ends.
    pub is_category_offered: bool,
    /// Whether the customer has the vehicle, which can't be deleted until the transaction ends.
    pub has_vehicle: bool,
    /// The limit that was set for this customer, if any.
    pub own_most: Option<i32>,
    /// The number of open jobs that wait for their time, or of the others, as the job does.
    pub open_of_kind: i64,
    pub open_in_all: i64,
}

/// Locks the category and the vehicle, in this order, and counts the customer's open jobs, which are found through the customer's
/// vehicles by an index. Lock the customer's account in an earlier statement: this one would not see a job that was committed
/// while it waited.
pub async fn lock_subjects(
    tx: &mut PgConnection,
    spec: &JobSpec,
    now: DateTime<Utc>,
) -> Result<LockedSubjects> {
    sqlx::query_as(
        "with category as (
            select id from service_categories where id = $2 and is_active
            for key share
        ), vehicle as (
            select id from vehicles
            where id = $3 and user_id = $1 and deleted_at is null and (select count(*) from category) >= 0
            for key share
        )
        select exists (select from category) as is_category_offered, exists (select from vehicle) as has_vehicle,
            u.max_open_jobs as own_most, open.of_kind as open_of_kind, open.in_all as open_in_all
        from users u cross join lateral count_open_jobs(u.id, $3, $4, $5) as open
        where u.id = $1",
    )
    .bind(spec.customer_id.0)
    .bind(spec.category_id.0)
    .bind(spec.vehicle_id.0)
    .bind(spec.begin_at > now)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// The facts about a customer that an estimate needs.
#[derive(Debug, FromRow)]
pub struct EstimateFacts {
    /// The type of the vehicle; `None` if it is not theirs.
    pub vehicle_type: Option<VehicleKind>,
    /// The cancellation fees that are due.
    pub due_paise: i64,
}

pub async fn estimate_facts(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    vehicle_id: Uuid,
) -> Result<EstimateFacts> {
    sqlx::query_as(
        "select (select vehicle_type from vehicles where id = $2 and user_id = $1 and deleted_at is null) as vehicle_type,
            (select coalesce(sum(amount_paise), 0)::bigint from cancellation_fees
            where customer_id = $1 and status = 'due' and not is_contested) as due_paise",
    )
    .bind(customer_id)
    .bind(vehicle_id)
    .fetch_one(db)
    .await
}

/// Counts the customer's free cancellations since then, with this account or another account that has the key.
pub async fn free_cancellations(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    person_key: Uuid,
    since: DateTime<Utc>,
) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from free_cancellations
        where (customer_id = $1 or person_key = $2) and cancelled_at > $3",
    )
    .bind(customer_id)
    .bind(person_key)
    .bind(since)
    .fetch_one(db)
    .await
}

/// Records one more free cancellation, if one is left; returns false if not. The caller holds the lock of the customer's account.
pub async fn use_free_cancellation(
    tx: &mut PgConnection,
    (job_id, customer_id): (Uuid, Uuid),
    free: FreeCancellationAllowance,
    now: DateTime<Utc>,
) -> Result<bool> {
    let used = sqlx::query(
        "insert into free_cancellations (job_id, customer_id, person_key, cancelled_at)
        select $1, $2, $3, $4
        where (select count(*) from free_cancellations
            where (customer_id = $2 or person_key = $3) and cancelled_at > $5) < $6",
    );
    let used = used.bind(job_id).bind(customer_id).bind(free.person_key).bind(now);
    let used = used.bind(free.since).bind(i64::from(free.most)).execute(tx).await?;
    Ok(used.rows_affected() > 0)
}

/// Deletes free cancellations that no longer count.
pub async fn sweep_free_cancellations(
    db: impl PgExecutor<'_>,
    until: DateTime<Utc>,
    limit: i64,
) -> Result<u64> {
    let swept = sqlx::query(
        "delete from free_cancellations where job_id in (
            select job_id from free_cancellations where cancelled_at <= $1 limit $2)",
    );
    Ok(swept.bind(until).bind(limit).execute(db).await?.rows_affected())
}
