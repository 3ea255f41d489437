//! SQL of grievances.

use chrono::{DateTime, Utc};
use roadcall_http::{Between, ListWindow, list_filter};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::{GrievanceKind, GrievanceStatus};

/// A row of `grievances`.
#[derive(derive_more::Debug, Clone, PartialEq, Eq, FromRow)]
// People's texts about their data must not be logged.
#[debug("GrievanceRow {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct GrievanceRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub kind: GrievanceKind,
    pub text: Option<String>,
    pub created_at: DateTime<Utc>,
    pub due_at: DateTime<Utc>,
    pub done_at: Option<DateTime<Utc>>,
    pub answer: Option<String>,
    pub answered_by: Option<Uuid>,
}

impl StoredRow for GrievanceRow {
    const TABLE: &'static str = "grievances";
}

/// The numbers of grievances of a person: the open ones, and those written since a time.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct WrittenGrievances {
    pub open: i64,
    pub since: i64,
}

pub async fn written(
    tx: &mut PgConnection,
    user_id: Uuid,
    since: DateTime<Utc>,
) -> Result<WrittenGrievances> {
    sqlx::query_as(
        "select count(*) filter (where done_at is null) as open, count(*) filter (where created_at > $2) as since
        from grievances where user_id = $1",
    )
    .bind(user_id)
    .bind(since)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &GrievanceRow) -> Result<()> {
    sqlx::query(
        "insert into grievances (id, user_id, kind, text, created_at, due_at) values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(row.kind)
    .bind(&row.text)
    .bind(row.created_at)
    .bind(row.due_at)
    .run(tx)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<GrievanceRow>> {
    sqlx::query("select * from grievances where id = $1").bind(id).optional(db).await
}

pub async fn newest_of(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<Vec<GrievanceRow>> {
    of_person(db, user_id, limit, 0).await
}

pub async fn of_person(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    limit: i64,
    offset: i64,
) -> Result<Vec<GrievanceRow>> {
    sqlx::query(
        "select * from grievances where user_id = $1 order by created_at desc, id desc limit $2 offset $3",
    )
    .bind(user_id)
    .bind(limit)
    .bind(offset)
    .all(db)
    .await
}

pub async fn count_of_person(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from grievances where user_id = $1").bind(user_id).fetch_one(db).await
}

/// Answers a grievance and returns it; `None` if it is not open.
pub async fn answer(
    tx: &mut PgConnection,
    id: Uuid,
    answer: &str,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<GrievanceRow>> {
    sqlx::query(
        "update grievances set done_at = $4, answer = $2, answered_by = $3
        where id = $1 and done_at is null
        returning *",
    )
    .bind(id)
    .bind(answer)
    .bind(by)
    .bind(now)
    .optional(tx)
    .await
}

list_filter! {
    /// The filter of the admins' list of grievances.
    GrievanceFilter {
        /// open if not given.
        status: Option<GrievanceStatus> = "open",
        /// All if not given.
        kind: Option<GrievanceKind> = "erasure",
        /// Written in this time.
        written: Between,
    }
}

/// The condition of [`GrievanceFilter`] on all grievances: $2 is the kind, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "($2::text is null or kind = $2)
            and ($3::timestamptz is null or created_at >= $3)
            and ($4::timestamptz is null or created_at < $4)"
    };
}

/// The condition of [`GrievanceFilter`] on open grievances: $1 is true.
macro_rules! listed_open {
    () => {
        concat!("done_at is null and $1 and ", listed!())
    };
}

/// The condition of [`GrievanceFilter`] on others: $1 says whether they are answered.
macro_rules! listed_done {
    () => {
        concat!("done_at is not null and (answered_by is not null) = $1 and ", listed!())
    };
}

/// Lists open grievances in the order in which they are due, and others newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &GrievanceFilter,
    window: ListWindow,
) -> Result<Vec<GrievanceRow>> {
    let status = filter.status.unwrap_or(GrievanceStatus::Open);
    let rows = match status {
        GrievanceStatus::Open => sqlx::query(concat!(
            "select * from grievances where ",
            listed_open!(),
            " and ($5::timestamptz is null or (due_at, id) > ($5, $6))
            order by due_at, id
            limit $7 offset $8",
        ))
        .persistent(false),
        GrievanceStatus::Answered | GrievanceStatus::Closed => sqlx::query(concat!(
            "select * from grievances where ",
            listed_done!(),
            " and ($5::timestamptz is null or (done_at, id) < ($5, $6))
            order by done_at desc, id desc
            limit $7 offset $8",
        ))
        .persistent(false),
    };
    rows.bind(status != GrievanceStatus::Closed)
        .bind(filter.kind)
        .bind(filter.written.0)
        .bind(filter.written.1)
        .bind(window.after_at())
        .bind(window.after_id())
        .bind(window.limit)
        .bind(window.offset)
        .all(db)
        .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &GrievanceFilter) -> Result<i64> {
    let status = filter.status.unwrap_or(GrievanceStatus::Open);
    let counted = match status {
        GrievanceStatus::Open => {
            sqlx::query_scalar(concat!("select count(*) from grievances where ", listed_open!()))
                .persistent(false)
        }
        GrievanceStatus::Answered | GrievanceStatus::Closed => {
            sqlx::query_scalar(concat!("select count(*) from grievances where ", listed_done!()))
                .persistent(false)
        }
    };
    counted
        .bind(status != GrievanceStatus::Closed)
        .bind(filter.kind)
        .bind(filter.written.0)
        .bind(filter.written.1)
        .fetch_one(db)
        .await
}

/// Removes the texts from the grievances of a person who leaves, and from the answers, and closes open ones. Call this before
/// their notifications are deleted, so that no answer adds another one.
pub async fn forget_person(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update grievances set text = null, answer = null, done_at = coalesce(done_at, $2) where user_id = $1",
    )
    .bind(user_id)
    .bind(now)
    .run(tx)
    .await
}

/// Deletes grievances that were done before `kept_from`.
pub async fn sweep(db: impl PgExecutor<'_>, kept_from: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from grievances where id in (
            select id from grievances where done_at < $1 order by done_at limit $2)",
    );
    swept.bind(kept_from).bind(limit).changed(db).await
}
