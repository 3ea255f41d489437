//! SQL that loads a job for its actor and writes its changes.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Job, JobDetails};
use serde_json::{Map, Value};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, Row, postgres::PgRow, types::Json};
use uuid::Uuid;

use crate::{
    catalogue::dispatch_settings::SearchOverrides,
    jobs::{
        dto::{ActorKind, EtaSource},
        queries::JobRow,
        row::{JobCreation, JobState, bind_created, bind_kept, set_kept},
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
        "select id from job_states
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
    /// The values that the event replaces in the columns that every change writes.
    pub replaced: Value,
    pub command_id: Uuid,
    pub actor_kind: ActorKind,
    pub actor_id: Option<Uuid>,
    pub data: Value,
    pub at: DateTime<Utc>,
}

/// The statement of [`insert`]: the arguments 1 to 6, then [`JobRow::CREATED`] and [`JobRow::KEPT`].
pub(super) static INSERT: LazyLock<String> = LazyLock::new(|| {
    let mut numbers = (7..).map(|number| format!("${number}"));
    let mut values = |columns: &[&str]| numbers.by_ref().take(columns.len()).collect::<Vec<_>>().join(", ");
    let (created_values, kept_values) = (values(JobRow::CREATED), values(JobRow::KEPT));
    let (created, kept) = (JobRow::CREATED.join(", "), JobRow::KEPT.join(", "));
    format!(
        "with facts as (
            insert into job_facts ({created}) values ({created_values})
            returning *
        ), job as (
            insert into job_states (id, customer_id, vehicle_id, created_at, version, customer_name, {kept})
            select id, customer_id, vehicle_id, created_at, 1, (select name from users where users.id = customer_id),
                {kept_values}
            from facts
            returning *
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select id, version, seq, $1, $2, $3, $4, $5, '{{}}', $6 from job
        )
        select facts.*, job.* from facts, job"
    )
});

/// Inserts both parts of the row, as version 1, with its first event. Returns the row.
pub async fn insert(
    tx: &mut PgConnection,
    job: &Job,
    details: &JobDetails,
    event: &EventColumns,
) -> Result<JobRow> {
    let (created, kept) = (JobCreation::of(job, details, event.at), JobState::of(job, event.at));
    let query = sqlx::query_as(INSERT.as_str())
        .bind(event.kind)
        .bind(event.command_id)
        .bind(event.actor_kind)
        .bind(event.actor_id)
        .bind(&event.data)
        .bind(event.at);
    bind_kept(bind_created(query, &created), &kept).fetch_one(tx).await
}

/// The statement of [`advance`]: the arguments 1 to 23, then [`JobRow::KEPT`].
pub(super) static ADVANCE: LazyLock<String> = LazyLock::new(|| {
    let kept = JobRow::KEPT.iter().zip(24..).map(|(column, number)| set_kept(column, &format!("${number}")));
    let kept = kept.collect::<Vec<_>>().join(", ");
    let next_version = next_version("1", &kept, "$3", "$4", "$5");
    let replaced = values_replaced_by_sql();
    format!(
        "with job as (
            update job_states j set {next_version}
            from job_states was join users customer on customer.id = was.customer_id
            where j.id = $1 and j.version = $2 and was.id = j.id
            returning j.*, {replaced} as replaced
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select id, version, case when $7 then seq end, $6, $9, $10, $11, $12,
                $8::jsonb || replaced || case
                    when $23::jsonb is not null then (
                        select replaced_values($23, to_jsonb(facts)) from job_facts facts where facts.id = $1)
                    else '{{}}' end,
                $13
            from job
        ), noted as (
            select record_notifications($13, $14, $15, $16, $17, $18, $19, $20, $21, $22) as count
            from job where cardinality($14) > 0
        )
        select facts.*, job.*, noted.count
        from job join job_facts facts on facts.id = job.id left join noted on true"
    )
});

/// Returns the assignments that advance a state `j` by some versions, from the state `was`. The arguments are SQL: the number of
/// versions, the assignments of the kept columns, whether a mechanic is on the job, the mechanic, and the version of the dispatch
/// settings.
///
/// An open job takes the current names of its participants; a job that was already over keeps the stored names, since the
/// participants may have left in the meantime. A mechanic who takes back a job for which nobody was found is there, but its
/// customer may have left. A mechanic who loses the job loses its room: the next mechanic talks in another.
/// Only a search changes the version of the dispatch settings.
pub(super) fn next_version(
    steps: &str,
    kept: &str,
    is_active: &str,
    mechanic: &str,
    dispatch_version: &str,
) -> String {
    let room =
        format!("case when was.mechanic_profile_id is not distinct from {mechanic} then j.hms_room_id end");
    format!(
        "version = j.version + {steps}, {kept}, dispatch_version = coalesce({dispatch_version}, was.dispatch_version),
            hms_room_id = {room}, room_in_log = {room},
            customer_name = case when was.is_open then customer.name else j.customer_name end,
            customer_phone = case when {is_active} then customer.phone end,
            mechanic_name = case
                when was.is_open or {is_active} then (
                    select u.name from mechanic_profiles m join users u on u.id = m.user_id where m.id = {mechanic})
                when {mechanic} is not null then j.mechanic_name end"
    )
}

/// Returns SQL for the values that an advance replaces and that the program does not know: those of `was` that differ in `j`.
///
/// Names go to the log only while the job is open, when none of its people can leave, and when a mechanic takes back a job that was
/// not: what that replaces names nobody. The mechanic's name is logged with its owner, so that it can be found when they leave
/// later.
pub(super) fn values_replaced_by_sql() -> String {
    let replaced = [
        (
            "j.dispatch_version is distinct from was.dispatch_version",
            "'dispatch_version', was.dispatch_version",
        ),
        ("j.room_in_log is distinct from was.room_in_log", "'hms_room_id', was.room_in_log"),
        (
            "was.is_open and j.customer_name is distinct from was.customer_name",
            "'customer_name', was.customer_name",
        ),
        (
            "(was.is_open or j.is_active) and j.customer_phone is distinct from was.customer_phone",
            "'customer_phone', was.customer_phone",
        ),
        (
            "(was.is_open or j.is_active) and j.mechanic_name is distinct from was.mechanic_name",
            "'mechanic_name', was.mechanic_name, 'mechanic_profile_id', was.mechanic_profile_id",
        ),
    ];
    let replaced = replaced.map(|(differs, values)| {
        format!("case when {differs} then jsonb_build_object({values}) else '{{}}' end")
    });
    replaced.join(" || ")
}

/// Advances the row by one version, with its event and notifications. Returns the row, or `None` if it has another version. `facts`
/// are the job's facts before this transaction, if it has written them.
pub async fn advance(
    tx: &mut PgConnection,
    job: &Job,
    expected_version: i64,
    event: &EventColumns,
    notes: &NewNotifications,
    facts: Option<&Value>,
) -> Result<Option<JobRow>> {
    let kept = JobState::of(job, event.at);
    let query = sqlx::query_as(ADVANCE.as_str())
        .bind(job.id.0)
        .bind(expected_version)
        .bind(job.status().is_active())
        .bind(kept.mechanic())
        .bind(kept.dispatch_version())
        .bind(event.kind)
        .bind(event.is_public)
        .bind(&event.replaced)
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
        .bind(&notes.expire_at)
        .bind(facts);
    bind_kept(query, &kept).fetch_optional(tx).await
}

/// Returns the job's facts.
pub async fn facts(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<Value>> {
    sqlx::query_scalar("select to_jsonb(facts) from job_facts facts where id = $1")
        .bind(job_id)
        .fetch_optional(tx)
        .await
}

/// An entry of a job's log, as it is stored.
#[derive(Debug, FromRow)]
pub struct LoggedEntry {
    pub entry_version: i64,
    /// `None` for an event that is not public.
    pub entry_seq: Option<i64>,
    pub kind: String,
    pub data: Value,
    pub at: DateTime<Utc>,
    /// Whether the entry was asked for. The others are newer, and lead from the present row to those that were.
    pub is_listed: bool,
    /// The values that the event replaced; `None` for an entry of a release that stored snapshots.
    pub replaced: Option<Json<Map<String, Value>>>,
    /// The row after an entry of such a release: its snapshot or, for a message, the one before.
    pub snapshot: Option<Json<JobRow>>,
    /// The room that the log shows after the job's last event.
    pub room_in_log: Option<String>,
    /// Whether a mechanic is on the job now.
    pub is_served: bool,
    /// When the work was completed, if it is not paid now.
    pub unpaid_since: Option<DateTime<Utc>>,
    /// Whether the job's customer has left the service, and the log may still name them.
    pub has_lost_customer: bool,
    /// The mechanics who have left the service, and whom the log may still name.
    pub lost_mechanics: Vec<Uuid>,
}

/// Returns the public entries after `since_seq`, at most `limit`, and all later entries that changed the row: newest first, the
/// newest of all with the present row.
pub async fn logged_since(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> Result<Vec<(LoggedEntry, Option<JobRow>)>> {
    sqlx::query(
        "select e.version as entry_version, e.seq as entry_seq, e.kind, e.data, e.at, e.version <= page.last as is_listed,
            e.replaced,
            case when e.replaced is null and e.seq is not null then coalesce(e.snapshot, (
                select earlier.snapshot from job_events earlier
                where earlier.job_id = e.job_id and earlier.version < e.version and earlier.snapshot is not null
                order by earlier.version desc limit 1)) end as snapshot,
            state.room_in_log, state.is_active as is_served,
            case when state.status = 'completed' then state.completed_at end as unpaid_since,
            facts.log_names_customer as has_lost_customer, facts.log_names_mechanics as lost_mechanics,
            present.*
        from (
                select min(version) as first, max(version) as last from (
                    select version from job_events where job_id = $1 and seq > $2 order by seq limit $3) listed
            ) page
            join job_states state on state.id = $1
            join job_facts facts on facts.id = state.id
            join job_events e on e.job_id = state.id and e.version >= page.first
            left join jobs present on present.id = e.job_id and e.version = state.version
        where e.version <= page.last or e.replaced <> '{}' or e.version = state.version
        order by e.version desc",
    )
    .bind(job_id)
    .bind(since_seq)
    .bind(limit)
    .try_map(|row: PgRow| {
        let is_newest = row.try_get::<Option<Uuid>, _>("id")?.is_some();
        let present = is_newest.then(|| JobRow::from_row(&row)).transpose()?;
        Ok((LoggedEntry::from_row(&row)?, present))
    })
    .fetch_all(db)
    .await
}
