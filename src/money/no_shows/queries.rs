use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::NoShowStatus;
use crate::{
    http::{Between, ListWindow, list_filter},
    platform::db::{StoredRow, read},
};

/// A row of `no_shows`, with the reason and the distance that were recorded at the mechanic's arrival.
#[derive(Debug, Clone, FromRow)]
pub struct NoShowRow {
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub amount_paise: i64,
    pub status: NoShowStatus,
    pub statement: Option<String>,
    pub stated_at: Option<DateTime<Utc>>,
    pub note: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub override_reason: Option<String>,
    pub distance_m: Option<f64>,
}

impl StoredRow for NoShowRow {
    const TABLE: &'static str = "no_shows";
    const KEY: &'static str = "job_id";
}

pub async fn insert(
    tx: &mut PgConnection,
    (job_id, customer_id, mechanic_profile_id): (Uuid, Uuid, Uuid),
    status: NoShowStatus,
    amount_paise: i64,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into no_shows (job_id, customer_id, mechanic_profile_id, amount_paise, status, created_at)
        values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(job_id)
    .bind(customer_id)
    .bind(mechanic_profile_id)
    .bind(amount_paise)
    .bind(status)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<NoShowRow>> {
    sqlx::query(
        "select n.*, arrival.data ->> 'override_reason' as override_reason,
            (arrival.data ->> 'distance_m')::double precision as distance_m
        from no_shows n
        left join lateral (
            select data from job_events e where e.job_id = n.job_id and e.kind = 'arrived'
            order by e.version desc limit 1) arrival on true
        where n.job_id = $1",
    )
    .bind(job_id)
    .try_map(read::<NoShowRow>)
    .fetch_optional(db)
    .await
}

/// Stores the customer's statement, once: an admin decides from then on, also about a charge that was decided without
/// it. Returns false if there is a statement already, or if the claim was dropped. The caller holds the job's lock.
pub async fn contest(
    tx: &mut PgConnection,
    job_id: Uuid,
    statement: &str,
    at: DateTime<Utc>,
) -> Result<bool> {
    let stated = sqlx::query(
        "update no_shows set statement = $2, stated_at = $3, status = 'open', note = null, decided_by = null,
            decided_at = null
        where job_id = $1 and status <> 'dropped' and statement is null",
    );
    Ok(stated.bind(job_id).bind(statement).bind(at).execute(tx).await?.rows_affected() > 0)
}

/// Decides an open no-show. Returns false if it was decided before, or never claimed. The caller holds the job's lock.
pub async fn decide(
    tx: &mut PgConnection,
    job_id: Uuid,
    status: NoShowStatus,
    note: &str,
    by: Uuid,
    at: DateTime<Utc>,
) -> Result<bool> {
    let decided = sqlx::query(
        "update no_shows set status = $2, note = $3, decided_by = $4, decided_at = $5
        where job_id = $1 and status = 'open'",
    );
    let decided = decided.bind(job_id).bind(status).bind(note).bind(by).bind(at);
    Ok(decided.execute(tx).await?.rows_affected() > 0)
}

/// The anomalies in the positions of a no-show's mechanic.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct PositionMarks {
    pub job_id: Uuid,
    pub jump: bool,
    pub stand_still: bool,
}

/// Returns the marks of those no-shows that have positions. A mechanic stood still if there are three positions or
/// more, all within 0.0003 degrees (33 m).
pub async fn position_marks(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<PositionMarks>> {
    sqlx::query_as(
        "select n.job_id, bool_or(point.is_doubtful) as jump,
            count(*) >= 3 and max(point.lat) - min(point.lat) < 0.0003 and max(point.lng) - min(point.lng) < 0.0003
                as stand_still
        from no_shows n
        join trail point on point.job_id = n.job_id and point.mechanic_profile_id = n.mechanic_profile_id
        where n.job_id = any($1) and point.job_id = any($1)
        group by n.job_id",
    )
    .bind(job_ids)
    .fetch_all(db)
    .await
}

list_filter! {
    /// The filter of the admins' list of no-shows.
    NoShowFilter {
        /// All if not given.
        status: Option<NoShowStatus> = "open",
        /// Reported in this time.
        made: Between,
    }
}

/// The condition of [`NoShowFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or n.status = $1)
            and ($2::timestamptz is null or n.created_at >= $2) and ($3::timestamptz is null or n.created_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &NoShowFilter,
    window: ListWindow,
) -> Result<Vec<NoShowRow>> {
    sqlx::query(concat!(
        "select n.*, arrival.data ->> 'override_reason' as override_reason,
            (arrival.data ->> 'distance_m')::double precision as distance_m
        from no_shows n
        left join lateral (
            select data from job_events e where e.job_id = n.job_id and e.kind = 'arrived'
            order by e.version desc limit 1) arrival on true
        where ",
        listed!(),
        " and ($4::timestamptz is null or (n.created_at, n.job_id) < ($4, $5))
        order by n.created_at desc, n.job_id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<NoShowRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &NoShowFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from no_shows n where ", listed!()))
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Returns whether an admin has yet to decide about a no-show of the customer.
pub async fn has_open(tx: &mut PgConnection, customer_id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from no_shows where customer_id = $1 and status = 'open')")
        .bind(customer_id)
        .fetch_one(tx)
        .await
}

/// Returns the no-shows of a person, on either side, newest first.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<NoShowRow>> {
    sqlx::query(
        "select n.*, arrival.data ->> 'override_reason' as override_reason,
            (arrival.data ->> 'distance_m')::double precision as distance_m
        from (
            (select * from no_shows where customer_id = $1 order by created_at desc, job_id desc limit $3)
            union all
            (select * from no_shows
            where mechanic_profile_id = $2 and customer_id <> $1
            order by created_at desc, job_id desc
            limit $3)) n
        left join lateral (
            select data from job_events e where e.job_id = n.job_id and e.kind = 'arrived'
            order by e.version desc limit 1) arrival on true
        order by n.created_at desc, n.job_id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .try_map(read::<NoShowRow>)
    .fetch_all(db)
    .await
}
