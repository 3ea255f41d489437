use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{CallbackOutcome, CallbackStatus};
use crate::{
    http::{Between, ListWindow, list_filter},
    jobs::dto::JobStatus,
    platform::db::{StoredRow, read},
};

/// A row of `callback_requests`. The request is open while `done_at` is null and the job has not been accepted.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CallbackRow {
    pub job_id: Uuid,
    pub requested_at: DateTime<Utc>,
    pub note: Option<String>,
    pub done_at: Option<DateTime<Utc>>,
    pub done_by: Option<Uuid>,
    pub outcome: Option<CallbackOutcome>,
    pub done_note: Option<String>,
}

impl StoredRow for CallbackRow {
    const TABLE: &'static str = "callback_requests";
    const KEY: &'static str = "job_id";
}

/// A request, with the present state of its job.
#[derive(Debug, Clone, FromRow)]
pub struct QueuedRow {
    #[sqlx(flatten)]
    pub callback: CallbackRow,
    pub customer_id: Uuid,
    pub service_category_id: Uuid,
    pub service_category_name: String,
    pub pickup_address: String,
    pub job_status: JobStatus,
    pub begin_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
}

impl StoredRow for QueuedRow {
    const TABLE: &'static str = "callback_requests";
    const KEY: &'static str = "job_id";
}

pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<CallbackRow>> {
    sqlx::query("select * from callback_requests where job_id = $1")
        .bind(job_id)
        .try_map(read::<CallbackRow>)
        .fetch_optional(db)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<QueuedRow>> {
    sqlx::query(
        "select c.*, j.customer_id, j.service_category_id, j.service_category_name, j.pickup_address,
            j.status as job_status, j.begin_at, j.accepted_at, j.cancelled_at
        from callback_requests c join jobs j on j.id = c.job_id
        where c.job_id = $1",
    )
    .bind(job_id)
    .try_map(read::<QueuedRow>)
    .fetch_optional(db)
    .await
}

/// Stores a request, or replaces one that is done. Returns `None` if there is an open one, which stays as it is.
pub async fn ask(
    tx: &mut PgConnection,
    job_id: Uuid,
    note: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Option<CallbackRow>> {
    sqlx::query(
        "insert into callback_requests as c (job_id, requested_at, note) values ($1, $2, $3)
        on conflict (job_id) do update set requested_at = excluded.requested_at, note = excluded.note,
            done_at = null, done_by = null, outcome = null, done_note = null
        where c.done_at is not null
        returning *",
    )
    .bind(job_id)
    .bind(now)
    .bind(note)
    .try_map(read::<CallbackRow>)
    .fetch_optional(tx)
    .await
}

/// Deletes an open request, and returns whether there was one.
pub async fn withdraw(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<bool> {
    let deleted = sqlx::query(
        "delete from callback_requests c using job_states j
        where c.job_id = $1 and j.id = c.job_id and c.done_at is null and j.accepted_at is null",
    );
    Ok(deleted.bind(job_id).execute(db).await?.rows_affected() > 0)
}

/// The outcome and the note with which an admin closes a request.
#[derive(Debug)]
pub struct Closing<'a> {
    pub outcome: CallbackOutcome,
    pub note: Option<&'a str>,
    pub by: Uuid,
}

/// Closes the request and returns it; `None` if it is not open.
pub async fn close(
    tx: &mut PgConnection,
    job_id: Uuid,
    how: &Closing<'_>,
    now: DateTime<Utc>,
) -> Result<Option<QueuedRow>> {
    sqlx::query(
        "update callback_requests c set done_at = $2, done_by = $3, outcome = $4, done_note = $5
        from jobs j
        where c.job_id = $1 and j.id = c.job_id and c.done_at is null and j.accepted_at is null
        returning c.*, j.customer_id, j.service_category_id, j.service_category_name, j.pickup_address,
            j.status as job_status, j.begin_at, j.accepted_at, j.cancelled_at",
    )
    .bind(job_id)
    .bind(now)
    .bind(how.by)
    .bind(how.outcome)
    .bind(how.note)
    .try_map(read::<QueuedRow>)
    .fetch_optional(tx)
    .await
}

list_filter! {
    /// The filter of the admins' list of requests.
    CallbackFilter {
        /// open if not given.
        status: Option<CallbackStatus> = "open",
        /// Asked for in this time.
        asked: Between,
    }
}

/// The condition of [`CallbackFilter`] on all requests: $1 and $2 are the period.
macro_rules! asked {
    () => {
        "($1::timestamptz is null or c.requested_at >= $1) and ($2::timestamptz is null or c.requested_at < $2)"
    };
}

/// The condition of [`CallbackFilter`] on open requests.
macro_rules! listed_open {
    () => {
        concat!("c.done_at is null and j.accepted_at is null and ", asked!())
    };
}

/// The condition of [`CallbackFilter`] on done requests.
macro_rules! listed_done {
    () => {
        concat!("(c.done_at is not null or j.accepted_at is not null) and ", asked!())
    };
}

/// Lists requests: open ones oldest first, others newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &CallbackFilter,
    window: ListWindow,
) -> Result<Vec<QueuedRow>> {
    let rows = match filter.status.unwrap_or(CallbackStatus::Open) {
        CallbackStatus::Open => sqlx::query(concat!(
            "select c.*, j.customer_id, j.service_category_id, j.service_category_name, j.pickup_address,
                j.status as job_status, j.begin_at, j.accepted_at, j.cancelled_at
            from callback_requests c join jobs j on j.id = c.job_id
            where ",
            listed_open!(),
            " and ($3::timestamptz is null or (c.requested_at, c.job_id) > ($3, $4))
            order by c.requested_at, c.job_id
            limit $5 offset $6",
        ))
        .persistent(false),
        CallbackStatus::Done => sqlx::query(concat!(
            "select c.*, j.customer_id, j.service_category_id, j.service_category_name, j.pickup_address,
                j.status as job_status, j.begin_at, j.accepted_at, j.cancelled_at
            from callback_requests c join jobs j on j.id = c.job_id
            where ",
            listed_done!(),
            " and ($3::timestamptz is null or (c.requested_at, c.job_id) < ($3, $4))
            order by c.requested_at desc, c.job_id desc
            limit $5 offset $6",
        ))
        .persistent(false),
    };
    rows.bind(filter.asked.0)
        .bind(filter.asked.1)
        .bind(window.after_at())
        .bind(window.after_id())
        .bind(window.limit)
        .bind(window.offset)
        .try_map(read::<QueuedRow>)
        .fetch_all(db)
        .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &CallbackFilter) -> Result<i64> {
    let counted = match filter.status.unwrap_or(CallbackStatus::Open) {
        CallbackStatus::Open => sqlx::query_scalar(concat!(
            "select count(*) from callback_requests c join job_states j on j.id = c.job_id where ",
            listed_open!()
        ))
        .persistent(false),
        CallbackStatus::Done => sqlx::query_scalar(concat!(
            "select count(*) from callback_requests c join job_states j on j.id = c.job_id where ",
            listed_done!()
        ))
        .persistent(false),
    };
    counted.bind(filter.asked.0).bind(filter.asked.1).fetch_one(db).await
}

/// Returns how many requests are open, and when the oldest was made.
pub async fn open(db: impl PgExecutor<'_>) -> Result<(i64, Option<DateTime<Utc>>)> {
    sqlx::query_as(
        "select count(*), min(c.requested_at) from callback_requests c join job_states j on j.id = c.job_id
        where c.done_at is null and j.accepted_at is null",
    )
    .fetch_one(db)
    .await
}

pub async fn forget_open(tx: &mut PgConnection, customer_id: Uuid) -> Result<()> {
    sqlx::query(
        "delete from callback_requests c using jobs j
        where j.customer_id = $1 and c.job_id = j.id and c.done_at is null and j.accepted_at is null",
    )
    .bind(customer_id)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn forget_notes(tx: &mut PgConnection, customer_id: Uuid) -> Result<()> {
    sqlx::query(
        "update callback_requests c set note = null, done_note = null
        from job_facts j where j.customer_id = $1 and c.job_id = j.id",
    )
    .bind(customer_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Stores the end of requests that an acceptance has closed, where no mechanic can give the job back any longer.
pub async fn settle(db: impl PgExecutor<'_>, limit: i64) -> Result<u64> {
    let settled = sqlx::query(
        "update callback_requests c set done_at = greatest(j.accepted_at, c.requested_at), outcome = 'mechanic_found'
        from job_states j
        where j.id = c.job_id and c.done_at is null and c.job_id in (
            select open.job_id from callback_requests open join job_states job on job.id = open.job_id
            where open.done_at is null and job.accepted_at is not null and not job.is_unfinished
            order by open.requested_at limit $1)",
    );
    Ok(settled.bind(limit).execute(db).await?.rows_affected())
}

/// Deletes requests from before `kept_from` whose job is over.
pub async fn sweep(db: impl PgExecutor<'_>, kept_from: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from callback_requests where job_id in (
            select c.job_id from callback_requests c join job_states j on j.id = c.job_id
            where c.requested_at < $1 and not j.is_unfinished
            order by c.requested_at limit $2)",
    );
    Ok(swept.bind(kept_from).bind(limit).execute(db).await?.rows_affected())
}
