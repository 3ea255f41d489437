use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::http::ListWindow;

/// A row of `jobs`. Read from the table, or from the snapshot that an event keeps of it.
#[derive(Debug, Clone, PartialEq, FromRow, Deserialize)]
pub struct JobRow {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub vehicle_id: Uuid,
    pub vehicle_type: String,
    pub service_category_id: Uuid,
    pub status: String,
    pub version: i64,
    pub seq: i64,
    pub pickup_address: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub description: Option<String>,
    pub photo_urls: Vec<String>,
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub contact_preference: String,
    pub urgency: String,
    pub scheduled_for: Option<DateTime<Utc>>,
    pub begin_at: DateTime<Utc>,
    pub base_price_paise: i64,
    pub travel_price_paise: i64,
    pub estimated_price_paise: i64,
    pub final_price_paise: Option<i64>,
    pub cancellation_fee_paise: Option<i64>,
    pub attempt: i32,
    pub round: i32,
    pub offered_in_round: i32,
    pub attempt_ends_at: Option<DateTime<Utc>>,
    pub dispatch_version: Option<i64>,
    pub excluded_mechanics: Vec<Uuid>,
    pub expired_once_mechanics: Vec<Uuid>,
    pub no_mechanic_until: Option<DateTime<Utc>>,
    pub mechanic_profile_id: Option<Uuid>,
    pub accepted_offer_id: Option<Uuid>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub promised_at: Option<DateTime<Utc>>,
    pub en_route_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub cancel_reason_code: Option<String>,
    pub cancel_reason: Option<String>,
    pub start_code: Option<String>,
    pub wrong_start_codes: i32,
    pub start_locked_until: Option<DateTime<Utc>>,
    pub concern: Option<String>,
    pub concern_since: Option<DateTime<Utc>>,
    pub outcome: Option<String>,
    pub outcome_notes: Option<String>,
    pub hms_room_id: Option<String>,
    pub disputed_at: Option<DateTime<Utc>>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<JobRow>> {
    sqlx::query_as("select * from jobs where id = $1").bind(id).fetch_optional(db).await
}

pub async fn hold(tx: &mut PgConnection, id: Uuid) -> Result<Option<JobRow>> {
    sqlx::query_as("select * from jobs where id = $1 for no key update").bind(id).fetch_optional(tx).await
}

/// No version is looked at: [`advance`] empties this column when the job's mechanic loses it, and touches it in no other way. Of
/// two at once the second finds the first one's room.
pub async fn keep_room(
    db: impl PgExecutor<'_>,
    id: Uuid,
    mechanic_profile_id: Uuid,
    held: Option<&str>,
    room_id: &str,
) -> Result<Option<String>> {
    sqlx::query_scalar(
        "update jobs set hms_room_id = case when hms_room_id is not distinct from $3 then $4 else hms_room_id end
        where id = $1 and mechanic_profile_id = $2 returning hms_room_id",
    )
    .bind(id)
    .bind(mechanic_profile_id)
    .bind(held)
    .bind(room_id)
    .fetch_optional(db)
    .await
}

/// The mechanics who are on a job, each with it: at most one, by the schema.
pub async fn active_of_mechanics(
    db: impl PgExecutor<'_>,
    mechanic_profile_ids: &[Uuid],
) -> Result<Vec<(Uuid, Uuid)>> {
    sqlx::query_as(
        "select mechanic_profile_id, id from jobs
        where mechanic_profile_id = any($1) and status in ('accepted', 'en_route', 'arrived', 'in_progress')",
    )
    .bind(mechanic_profile_ids)
    .fetch_all(db)
    .await
}

/// Which jobs a list shows: those of a customer, of a mechanic, or of both.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    pub customer_id: Option<Uuid>,
    pub mechanic_profile_id: Option<Uuid>,
    /// For admins: everybody's.
    pub is_everyone: bool,
    /// Empty: every status.
    pub statuses: Vec<String>,
    /// Empty: with a concern and without.
    pub concerns: Vec<String>,
    /// For admins: of all these whatever is given must hold.
    pub of: AdminFilter,
}

/// What an admin looks for among everybody's jobs.
#[derive(Debug, Clone, Default)]
pub struct AdminFilter {
    pub category: Option<Uuid>,
    pub customer: Option<Uuid>,
    pub mechanic: Option<Uuid>,
    /// Made from here on,
    pub from: Option<DateTime<Utc>>,
    /// and before this.
    pub to: Option<DateTime<Utc>>,
    /// Found anywhere in the pickup address, the description or the beneficiary's name, whatever the case.
    pub q: Option<String>,
}

/// Newest first.
pub async fn list(db: impl PgExecutor<'_>, filter: &JobFilter, slice: ListWindow) -> Result<Vec<JobRow>> {
    sqlx::query_as(
        "select * from jobs
        where ($1 or customer_id = $2 or mechanic_profile_id = $3)
            and (cardinality($4::text[]) = 0 or status = any($4))
            and (cardinality($5::text[]) = 0 or concern = any($5))
            and ($6::uuid is null or service_category_id = $6)
            and ($7::uuid is null or customer_id = $7)
            and ($8::uuid is null or mechanic_profile_id = $8)
            and ($9::timestamptz is null or created_at >= $9)
            and ($10::timestamptz is null or created_at < $10)
            and ($11::text is null
                or strpos(lower(pickup_address), lower($11)) > 0
                or strpos(lower(description), lower($11)) > 0
                or strpos(lower(beneficiary_name), lower($11)) > 0)
            and ($12::timestamptz is null or (created_at, id) < ($12, $13))
        order by created_at desc, id desc
        limit $14 offset $15",
    )
    .bind(filter.is_everyone)
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(&filter.statuses)
    .bind(&filter.concerns)
    .bind(filter.of.category)
    .bind(filter.of.customer)
    .bind(filter.of.mechanic)
    .bind(filter.of.from)
    .bind(filter.of.to)
    .bind(&filter.of.q)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &JobFilter) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from jobs
        where ($1 or customer_id = $2 or mechanic_profile_id = $3)
            and (cardinality($4::text[]) = 0 or status = any($4))
            and (cardinality($5::text[]) = 0 or concern = any($5))
            and ($6::uuid is null or service_category_id = $6)
            and ($7::uuid is null or customer_id = $7)
            and ($8::uuid is null or mechanic_profile_id = $8)
            and ($9::timestamptz is null or created_at >= $9)
            and ($10::timestamptz is null or created_at < $10)
            and ($11::text is null
                or strpos(lower(pickup_address), lower($11)) > 0
                or strpos(lower(description), lower($11)) > 0
                or strpos(lower(beneficiary_name), lower($11)) > 0)",
    )
    .bind(filter.is_everyone)
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(&filter.statuses)
    .bind(&filter.concerns)
    .bind(filter.of.category)
    .bind(filter.of.customer)
    .bind(filter.of.mechanic)
    .bind(filter.of.from)
    .bind(filter.of.to)
    .bind(&filter.of.q)
    .fetch_one(db)
    .await
}

/// One entry of a job's log that every participant may see, with the job as it stood after it.
#[derive(Debug, Clone, FromRow)]
pub struct JobEventRow {
    pub seq: i64,
    pub kind: String,
    /// What the event tells beyond the row; of a line item, the item.
    pub data: serde_json::Value,
    /// `None` for a message, which changes nothing of the row.
    pub snapshot: Option<Json<JobRow>>,
    pub at: DateTime<Utc>,
}

/// In order, at most `limit`.
pub async fn events_since(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> Result<Vec<JobEventRow>> {
    sqlx::query_as(
        "select seq, kind, data, snapshot, at from job_events
        where job_id = $1 and seq > $2
        order by seq
        limit $3",
    )
    .bind(job_id)
    .bind(since_seq)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The newest event of each of these jobs.
pub async fn newest_seqs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, i64)>> {
    sqlx::query_as("select id, seq from jobs where id = any($1)").bind(ids).fetch_all(db).await
}

/// The row as it stood after the last event before `seq` that kept it; a job's first one does.
pub async fn snapshot_before(db: impl PgExecutor<'_>, job_id: Uuid, seq: i64) -> Result<Json<JobRow>> {
    sqlx::query_scalar(
        "select snapshot from job_events
        where job_id = $1 and seq < $2 and snapshot is not null
        order by seq desc
        limit 1",
    )
    .bind(job_id)
    .bind(seq)
    .fetch_one(db)
    .await
}

/// One entry of a job's timeline.
#[derive(Debug, Clone, FromRow)]
pub struct TimelineRow {
    pub seq: i64,
    pub kind: String,
    pub actor_kind: String,
    pub data: serde_json::Value,
    /// The job's after it.
    pub status: String,
    pub at: DateTime<Utc>,
}

/// What happened to the job itself, in order, at most `limit`: what was written stands in the chat.
pub async fn timeline(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> Result<Vec<TimelineRow>> {
    sqlx::query_as(
        "select seq, kind, actor_kind, data, snapshot ->> 'status' as status, at from job_events
        where job_id = $1 and snapshot is not null
        order by seq
        limit $2",
    )
    .bind(job_id)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// What is told of a commit besides the row.
#[derive(Debug, Clone)]
pub struct EventColumns {
    pub kind: &'static str,
    pub is_public: bool,
    /// Whether it changes anything of the row that is shown; of a public one that does the row is kept.
    pub changes_row: bool,
    pub command_id: Uuid,
    pub actor_kind: &'static str,
    pub actor_id: Option<Uuid>,
    pub data: serde_json::Value,
    pub at: DateTime<Utc>,
}

/// What is fixed when a job is made.
#[derive(Debug, Clone)]
pub struct NewJobColumns {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub vehicle_id: Uuid,
    pub vehicle_type: &'static str,
    pub service_category_id: Uuid,
    pub pickup_address: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub description: Option<String>,
    pub photo_urls: Vec<String>,
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub contact_preference: String,
    pub urgency: &'static str,
    pub scheduled_for: Option<DateTime<Utc>>,
    pub begin_at: DateTime<Utc>,
    pub base_price_paise: i64,
    pub travel_price_paise: i64,
    pub excluded_mechanics: Vec<Uuid>,
}

/// Makes the row, version 1, with its first event.
pub async fn insert(tx: &mut PgConnection, job: &NewJobColumns, event: &EventColumns) -> Result<()> {
    sqlx::query(
        "with job as (
            insert into jobs (id, customer_id, vehicle_id, vehicle_type, service_category_id, status, version, seq,
                pickup_address, pickup_lat, pickup_lng, description, photo_urls, beneficiary_name,
                beneficiary_phone, contact_preference, urgency, scheduled_for, begin_at, base_price_paise,
                travel_price_paise, estimated_price_paise, excluded_mechanics, created_at, updated_at)
            values ($1, $2, $3, $4, $5, 'pending', 1, 1, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                $18, $17::bigint + $18::bigint, $19, $20, $20)
            returning *
        )
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
        select id, 1, 1, $21, $22, $23, $24, $25, to_jsonb(job), $20 from job",
    )
    .bind(job.id)
    .bind(job.customer_id)
    .bind(job.vehicle_id)
    .bind(job.vehicle_type)
    .bind(job.service_category_id)
    .bind(&job.pickup_address)
    .bind(job.pickup_lat)
    .bind(job.pickup_lng)
    .bind(&job.description)
    .bind(&job.photo_urls)
    .bind(&job.beneficiary_name)
    .bind(&job.beneficiary_phone)
    .bind(&job.contact_preference)
    .bind(job.urgency)
    .bind(job.scheduled_for)
    .bind(job.begin_at)
    .bind(job.base_price_paise)
    .bind(job.travel_price_paise)
    .bind(&job.excluded_mechanics)
    .bind(event.at)
    .bind(event.kind)
    .bind(event.command_id)
    .bind(event.actor_kind)
    .bind(event.actor_id)
    .bind(&event.data)
    .execute(tx)
    .await
    .map(drop)
}

/// What the engine owns of a job's row.
#[derive(Debug, Clone, Default)]
pub struct StateColumns {
    pub status: &'static str,
    pub seq: i64,
    pub attempt: i32,
    pub round: i32,
    pub offered_in_round: i32,
    pub attempt_ends_at: Option<DateTime<Utc>>,
    pub excluded_mechanics: Vec<Uuid>,
    pub expired_once_mechanics: Vec<Uuid>,
    pub no_mechanic_until: Option<DateTime<Utc>>,
    pub mechanic_profile_id: Option<Uuid>,
    pub accepted_offer_id: Option<Uuid>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub promised_at: Option<DateTime<Utc>>,
    pub en_route_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub cancel_reason_code: Option<String>,
    pub cancel_reason: Option<String>,
    pub cancellation_fee_paise: Option<i64>,
    pub start_code: Option<String>,
    pub wrong_start_codes: i32,
    pub start_locked_until: Option<DateTime<Utc>>,
    pub outcome: Option<&'static str>,
    pub outcome_notes: Option<String>,
    pub final_price_paise: Option<i64>,
    pub concern: Option<&'static str>,
    pub concern_since: Option<DateTime<Utc>>,
    pub disputed_at: Option<DateTime<Utc>>,
    pub resolved_at: Option<DateTime<Utc>>,
    /// By which version of the dispatch settings the search goes; what stood before stays where this is `None`.
    pub dispatch_version: Option<i64>,
}

/// Moves the row on by one version, with its event; `false` when the row has another version. A mechanic that loses the job
/// leaves its room behind: who comes next talks in another.
pub async fn advance(
    tx: &mut PgConnection,
    id: Uuid,
    expected_version: i64,
    state: &StateColumns,
    event: &EventColumns,
) -> Result<bool> {
    let written = sqlx::query(
        "with job as (
            update jobs set version = version + 1, status = $3, seq = $4, attempt = $5, round = $6,
                offered_in_round = $7, attempt_ends_at = $8, excluded_mechanics = $9, expired_once_mechanics = $10,
                no_mechanic_until = $11, mechanic_profile_id = $12, accepted_offer_id = $13, accepted_at = $14,
                promised_at = $15, en_route_at = $16, arrived_at = $17, started_at = $18, completed_at = $19,
                cancelled_at = $20, cancel_reason_code = $21, cancel_reason = $22, cancellation_fee_paise = $23,
                start_code = $24, wrong_start_codes = $25, start_locked_until = $26, outcome = $27,
                outcome_notes = $28, final_price_paise = $29, updated_at = $30, concern = $37, concern_since = $38,
                disputed_at = $39, resolved_at = $40, dispatch_version = coalesce($41, dispatch_version),
                hms_room_id = case when mechanic_profile_id is not distinct from $12 then hms_room_id end
            where id = $1 and version = $2
            returning *
        )
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
        select id, version, case when $31 then seq end, $32, $33, $34, $35, $36,
            case when $31 and $42 then to_jsonb(job) end, $30
        from job",
    )
    .bind(id)
    .bind(expected_version)
    .bind(state.status)
    .bind(state.seq)
    .bind(state.attempt)
    .bind(state.round)
    .bind(state.offered_in_round)
    .bind(state.attempt_ends_at)
    .bind(&state.excluded_mechanics)
    .bind(&state.expired_once_mechanics)
    .bind(state.no_mechanic_until)
    .bind(state.mechanic_profile_id)
    .bind(state.accepted_offer_id)
    .bind(state.accepted_at)
    .bind(state.promised_at)
    .bind(state.en_route_at)
    .bind(state.arrived_at)
    .bind(state.started_at)
    .bind(state.completed_at)
    .bind(state.cancelled_at)
    .bind(&state.cancel_reason_code)
    .bind(&state.cancel_reason)
    .bind(state.cancellation_fee_paise)
    .bind(&state.start_code)
    .bind(state.wrong_start_codes)
    .bind(state.start_locked_until)
    .bind(state.outcome)
    .bind(&state.outcome_notes)
    .bind(state.final_price_paise)
    .bind(event.at)
    .bind(event.is_public)
    .bind(event.kind)
    .bind(event.command_id)
    .bind(event.actor_kind)
    .bind(event.actor_id)
    .bind(&event.data)
    .bind(state.concern)
    .bind(state.concern_since)
    .bind(state.disputed_at)
    .bind(state.resolved_at)
    .bind(state.dispatch_version)
    .bind(event.changes_row)
    .execute(tx)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// A photo of a job.
#[derive(Debug, Clone, FromRow)]
pub struct PhotoRow {
    pub id: Uuid,
    pub stage: String,
    pub file_url: String,
    pub created_at: DateTime<Utc>,
}

/// Photos that may be kept per job.
pub const MAX_PHOTOS: i64 = 50;

/// `None` when the job has its [`MAX_PHOTOS`] already.
pub async fn insert_photo(
    db: impl PgExecutor<'_>,
    id: Uuid,
    job_id: Uuid,
    stage: &str,
    file_url: &str,
    uploaded_by: Uuid,
    at: DateTime<Utc>,
) -> Result<Option<PhotoRow>> {
    sqlx::query_as(
        "insert into job_photos (id, job_id, stage, file_url, uploaded_by, created_at)
        select $1, $2, $3, $4, $5, $6
        where (select count(*) from job_photos where job_id = $2) < $7
        returning id, stage, file_url, created_at",
    )
    .bind(id)
    .bind(job_id)
    .bind(stage)
    .bind(file_url)
    .bind(uploaded_by)
    .bind(at)
    .bind(MAX_PHOTOS)
    .fetch_optional(db)
    .await
}

pub async fn photos(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Vec<PhotoRow>> {
    sqlx::query_as(
        "select id, stage, file_url, created_at from job_photos where job_id = $1 order by created_at, id limit $2",
    )
    .bind(job_id)
    .bind(MAX_PHOTOS)
    .fetch_all(db)
    .await
}

/// A photo with the job that it shows.
#[derive(Debug, FromRow)]
pub struct JobPhotoRow {
    pub job_id: Uuid,
    #[sqlx(flatten)]
    pub photo: PhotoRow,
}

/// Of these jobs, the newest first.
pub async fn newest_photos(
    db: impl PgExecutor<'_>,
    job_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<JobPhotoRow>> {
    sqlx::query_as(
        "select job_id, id, stage, file_url, created_at from job_photos where job_id = any($1)
        order by created_at desc, id desc
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Takes the people that a customer named off their jobs, and off what the jobs' logs show.
pub async fn forget_beneficiaries(tx: &mut PgConnection, customer_id: Uuid) -> Result<()> {
    sqlx::query(
        "update job_events e set snapshot = e.snapshot || '{\"beneficiary_name\": null, \"beneficiary_phone\": null}'
        from jobs j
        where j.id = e.job_id and j.customer_id = $1
            and (j.beneficiary_name is not null or j.beneficiary_phone is not null) and e.snapshot is not null",
    )
    .bind(customer_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "update jobs set beneficiary_name = null, beneficiary_phone = null
        where customer_id = $1 and (beneficiary_name is not null or beneficiary_phone is not null)",
    )
    .bind(customer_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Photos taken at the end of the work.
pub async fn insert_final_photos(
    tx: &mut PgConnection,
    ids: &[Uuid],
    urls: &[String],
    job_id: Uuid,
    uploaded_by: Option<Uuid>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into job_photos (id, job_id, stage, file_url, uploaded_by, created_at)
        select photo.id, $3, 'after', photo.url, $4, $5
        from unnest($1::uuid[], $2::text[]) as photo (id, url)",
    )
    .bind(ids)
    .bind(urls)
    .bind(job_id)
    .bind(uploaded_by)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// The event by which the job came to its present mechanic.
pub async fn assigned_at_seq(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<i64>> {
    sqlx::query_scalar("select max(seq) from job_events where job_id = $1 and kind = 'accepted'")
        .bind(job_id)
        .fetch_one(db)
        .await
}
