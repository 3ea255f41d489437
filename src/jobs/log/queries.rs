//! SQL that loads a job for its actor and writes its changes.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Job, JobDetails};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::{
    catalogue::dispatch_settings::SearchOverrides,
    jobs::{
        dto::{ActorKind, EtaSource},
        queries::JobRow,
        row::{JobCreation, JobState, bind_created, bind_kept},
    },
    notifications::NewNotifications,
    platform::db::{StoredRow, read},
};

/// A job with the search settings that its category overrides.
#[derive(Debug, Clone, FromRow)]
pub struct LoadedJob {
    #[sqlx(flatten)]
    pub job: JobRow,
    #[sqlx(flatten)]
    pub overrides: SearchOverrides,
}

impl StoredRow for LoadedJob {
    const TABLE: &'static str = "jobs";
}

/// Returns the jobs in order of their ids.
pub async fn jobs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<LoadedJob>> {
    sqlx::query(
        "select j.*, c.offer_ttl_s, c.attempt_ttl_s, c.rings_km, c.round_widths, c.max_rounds, c.urgent_first_round,
            c.in_time_s, c.worth_s
        from jobs j join service_categories c on c.id = j.service_category_id
        where j.id = any((select $1)::uuid[])
        order by j.id",
    )
    .bind(ids)
    .try_map(read::<LoadedJob>)
    .fetch_all(db)
    .await
}

/// Returns one job, locked until the transaction ends.
pub async fn job_locked(tx: &mut PgConnection, id: Uuid) -> Result<Option<LoadedJob>> {
    sqlx::query(
        "select j.*, c.offer_ttl_s, c.attempt_ttl_s, c.rings_km, c.round_widths, c.max_rounds, c.urgent_first_round,
            c.in_time_s, c.worth_s
        from jobs j join service_categories c on c.id = j.service_category_id
        where j.id = $1
        for no key update of j",
    )
    .bind(id)
    .try_map(read::<LoadedJob>)
    .fetch_optional(tx)
    .await
}

/// Returns whether the job's entry under this command's id is a wrong start code, or `None` if there is no entry.
pub async fn is_wrong_start_code(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    command_id: Uuid,
) -> Result<Option<bool>> {
    sqlx::query_scalar(
        "select kind = 'wrong_start_code' from job_events where job_id = $1 and command_id = $2",
    )
    .bind(job_id)
    .bind(command_id)
    .fetch_optional(db)
    .await
}

/// Returns the ids of unfinished jobs in order: at most `limit` after `after`.
pub async fn open_job_ids(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from jobs
        where id > $1 and is_unfinished
        order by id
        limit $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// A pending offer as the engine loads it.
#[derive(Debug, Clone, FromRow)]
pub struct LiveOfferRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub round: i32,
    pub distance_m: i32,
    pub eta_s: i32,
    pub eta_base_s: i32,
    pub eta_source: EtaSource,
    pub cost_s: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

impl StoredRow for LiveOfferRow {
    const TABLE: &'static str = "offers";
}

/// Returns the pending offers of these jobs, in the order in which they were made.
pub async fn live_of_jobs(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<LiveOfferRow>> {
    sqlx::query(
        "select * from offers where job_id = any((select $1)::uuid[]) and status = 'pending'
        order by created_at, id",
    )
    .bind(job_ids)
    .try_map(read::<LiveOfferRow>)
    .fetch_all(db)
    .await
}

/// The event of a commit, as it is stored.
#[derive(Debug, Clone)]
pub struct EventColumns {
    pub kind: &'static str,
    pub is_public: bool,
    /// Whether the event changes anything in the row that is shown. A public event that does so stores a snapshot of the row.
    pub changes_row: bool,
    pub command_id: Uuid,
    pub actor_kind: ActorKind,
    pub actor_id: Option<Uuid>,
    pub data: serde_json::Value,
    pub at: DateTime<Utc>,
}

/// The stored number and snapshot of an event.
#[derive(Debug, Clone, FromRow)]
pub struct WrittenEvent {
    /// `None` for an event that is not public.
    pub seq: Option<i64>,
    /// The row after the event; see [`EventColumns::changes_row`].
    pub snapshot: Option<Json<JobRow>>,
}

/// The statement of [`insert`]: the arguments 1 to 7, then [`JobRow::CREATED`] and [`JobRow::KEPT`].
static INSERT: LazyLock<String> = LazyLock::new(|| {
    let columns: Vec<&str> = [JobRow::CREATED, JobRow::KEPT].concat();
    let values: Vec<String> = (8..).take(columns.len()).map(|number| format!("${number}")).collect();
    let (columns, values) = (columns.join(", "), values.join(", "));
    format!(
        "with job as (
            insert into jobs ({columns}, version, customer_name)
            values ({values}, 1, (select name from users where id = $1))
            returning *
        )
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
        select id, version, seq, $2, $3, $4, $5, $6, to_jsonb(job), $7 from job
        returning seq, snapshot"
    )
});

/// Inserts the row, as version 1, with its first event.
pub async fn insert(
    tx: &mut PgConnection,
    job: &Job,
    details: &JobDetails,
    event: &EventColumns,
) -> Result<WrittenEvent> {
    let (created, kept) = (JobCreation::of(job, details, event.at), JobState::of(job, event.at));
    let query = sqlx::query_as(INSERT.as_str())
        .bind(job.spec.customer_id.0)
        .bind(event.kind)
        .bind(event.command_id)
        .bind(event.actor_kind)
        .bind(event.actor_id)
        .bind(&event.data)
        .bind(event.at);
    bind_kept(bind_created(query, &created), &kept).fetch_one(tx).await
}

/// The statement of [`advance`]: the arguments 1 to 22, then [`JobRow::KEPT`].
static ADVANCE: LazyLock<String> = LazyLock::new(|| {
    let kept = JobRow::KEPT.iter().zip(23..).map(|(column, number)| format!("{column} = ${number}"));
    let kept = kept.collect::<Vec<_>>().join(", ");
    format!(
        "with job as (
            update jobs j set version = version + 1, {kept}, dispatch_version = coalesce($5, dispatch_version),
                hms_room_id = case when mechanic_profile_id is not distinct from $4 then hms_room_id end,
                customer_name = case when j.is_open then customer.name else j.customer_name end,
                customer_phone = case when $3 then customer.phone end,
                mechanic_name = case
                    when j.is_open then (
                        select u.name from mechanic_profiles m join users u on u.id = m.user_id where m.id = $4)
                    when $4 is not null then j.mechanic_name end
            from users customer
            where j.id = $1 and version = $2 and customer.id = customer_id
            returning j.*
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, snapshot, at)
            select id, version, case when $7 then seq end, $6, $9, $10, $11, $12,
                case when $7 and $8 then to_jsonb(job) end, $13
            from job
            returning seq, snapshot
        ), noted as (
            select record_notifications($13, $14, $15, $16, $17, $18, $19, $20, $21, $22) as count
            from job where cardinality($14) > 0
        )
        select event.seq, event.snapshot, noted.count from event left join noted on true"
    )
});

/// Advances the row by one version, with its event and notifications; returns `None` if the row has another version. An open job
/// takes the current names of its participants; a job that was already over keeps the stored names, since the participants may
/// have left in the meantime. A mechanic who loses the job loses its room: the next mechanic talks in another. Only a search
/// changes the version of the dispatch settings.
pub async fn advance(
    tx: &mut PgConnection,
    job: &Job,
    expected_version: i64,
    event: &EventColumns,
    notes: &NewNotifications,
) -> Result<Option<WrittenEvent>> {
    let kept = JobState::of(job, event.at);
    let query = sqlx::query_as(ADVANCE.as_str())
        .bind(job.id.0)
        .bind(expected_version)
        .bind(job.status().is_active())
        .bind(kept.mechanic())
        .bind(kept.dispatch_version())
        .bind(event.kind)
        .bind(event.is_public)
        .bind(event.changes_row)
        .bind(event.command_id)
        .bind(event.actor_kind)
        .bind(event.actor_id)
        .bind(&event.data)
        .bind(event.at)
        .bind(&notes.ids)
        .bind(&notes.user_ids)
        .bind(&notes.profile_ids)
        .bind(&notes.kinds)
        .bind(&notes.titles)
        .bind(&notes.bodies)
        .bind(&notes.data)
        .bind(&notes.are_urgent)
        .bind(&notes.expire_at);
    bind_kept(query, &kept).fetch_optional(tx).await
}

/// Returns the statements that are composed from the row's declaration, each with the function that runs it.
pub fn composed_statements() -> [(&'static str, &'static str); 2] {
    [("insert", INSERT.as_str()), ("advance", ADVANCE.as_str())]
}
