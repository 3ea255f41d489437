use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{DisputeOutcome, DisputeReason, DisputeStatus, Party};
use crate::{
    http::{Between, ListWindow, PageParams, list_filter},
    platform::db::{StoredRow, read},
};

/// A row of `disputes`.
#[derive(Debug, Clone, FromRow)]
pub struct DisputeRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub opened_by: Party,
    pub reason_code: DisputeReason,
    pub description: String,
    pub evidence_urls: Vec<String>,
    pub status: DisputeStatus,
    pub final_price_paise: i64,
    pub outcome: Option<DisputeOutcome>,
    pub amount_paise: Option<i64>,
    pub note: Option<String>,
    pub created_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    /// When the amount due for the job was paid in full.
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for DisputeRow {
    const TABLE: &'static str = "disputes";
}

/// Inserts a dispute. The caller holds the job's lock.
pub async fn insert(tx: &mut PgConnection, new: &DisputeRow) -> Result<()> {
    sqlx::query(
        "insert into disputes (id, job_id, customer_id, mechanic_profile_id, opened_by, reason_code, description,
            evidence_urls, status, final_price_paise, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(new.id)
    .bind(new.job_id)
    .bind(new.customer_id)
    .bind(new.mechanic_profile_id)
    .bind(new.opened_by)
    .bind(new.reason_code)
    .bind(&new.description)
    .bind(&new.evidence_urls)
    .bind(new.status)
    .bind(new.final_price_paise)
    .bind(new.created_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<DisputeRow>> {
    sqlx::query(
        "select d.*, due.settled_at from disputes d left join job_dues due on due.job_id = d.job_id
        where d.id = $1",
    )
    .bind(id)
    .try_map(read::<DisputeRow>)
    .fetch_optional(db)
    .await
}

/// Returns the dispute, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<DisputeRow>> {
    sqlx::query(
        "select d.*, due.settled_at from disputes d left join job_dues due on due.job_id = d.job_id
        where d.id = $1
        for update of d",
    )
    .bind(id)
    .try_map(read::<DisputeRow>)
    .fetch_optional(tx)
    .await
}

pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<DisputeRow>> {
    sqlx::query(
        "select d.*, due.settled_at from disputes d left join job_dues due on due.job_id = d.job_id
        where d.job_id = $1",
    )
    .bind(job_id)
    .try_map(read::<DisputeRow>)
    .fetch_optional(db)
    .await
}

/// The resolution of a dispute.
#[derive(Debug)]
pub struct Resolution<'a> {
    pub outcome: DisputeOutcome,
    pub amount_paise: Option<i64>,
    pub note: &'a str,
    pub resolved_by: Uuid,
}

/// Resolves the open dispute of a job and returns it; `None` if the job has no open dispute. The caller holds the job's
/// lock.
pub async fn resolve(
    tx: &mut PgConnection,
    job_id: Uuid,
    how: &Resolution<'_>,
    at: DateTime<Utc>,
) -> Result<Option<DisputeRow>> {
    sqlx::query(
        "update disputes set status = 'resolved', outcome = $2, amount_paise = $3, note = $4, resolved_by = $5,
            resolved_at = $6
        where job_id = $1 and status = 'open'
        returning disputes.*, (select settled_at from job_dues due where due.job_id = disputes.job_id)",
    )
    .bind(job_id)
    .bind(how.outcome)
    .bind(how.amount_paise)
    .bind(how.note)
    .bind(how.resolved_by)
    .bind(at)
    .try_map(read::<DisputeRow>).fetch_optional(tx)
    .await
}

list_filter! {
    /// The filter of the admins' list of disputes.
    DisputeFilter {
        /// Both if not given.
        status: Option<DisputeStatus> = "open",
        /// Made in this time.
        made: Between,
    }
}

list_filter! {
    /// The filter of the list of disputes about a mechanic's jobs.
    JobDisputeFilter {
        /// Both if not given.
        status: Option<DisputeStatus> = "open",
        /// Opened in this time.
        made: Between,
    }
}

/// The condition of [`DisputeFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or d.status = $1)
            and ($2::timestamptz is null or d.created_at >= $2) and ($3::timestamptz is null or d.created_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &DisputeFilter,
    slice: ListWindow,
) -> Result<Vec<DisputeRow>> {
    sqlx::query(concat!(
        "select d.*, due.settled_at from disputes d left join job_dues due on due.job_id = d.job_id where ",
        listed!(),
        " and ($4::timestamptz is null or (d.created_at, d.id) < ($4, $5))
        order by d.created_at desc, d.id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .persistent(false)
    .try_map(read::<DisputeRow>)
    .fetch_all(db)
    .await
}

/// The condition of [`JobDisputeFilter`]: $1 is the mechanic, $2 the status, $3 and $4 are the period. Subqueries hide
/// whether a status is given: Postgres then makes one plan, once.
macro_rules! listed_of_mechanic {
    () => {
        "d.mechanic_profile_id = $1 and ((select $2::text) is null or d.status = (select $2::text))
            and d.created_at >= coalesce($3::timestamptz, '-infinity')
            and d.created_at < coalesce($4::timestamptz, 'infinity')"
    };
}

/// Returns disputes about jobs that the mechanic served, the newest first.
pub async fn list_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &JobDisputeFilter,
    page: PageParams,
) -> Result<Vec<DisputeRow>> {
    sqlx::query(concat!(
        "select d.*, due.settled_at from disputes d left join job_dues due on due.job_id = d.job_id where ",
        listed_of_mechanic!(),
        " order by d.created_at desc, d.id desc limit $5 offset $6",
    ))
    .bind(mechanic_profile_id)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<DisputeRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &JobDisputeFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from disputes d where ", listed_of_mechanic!()))
        .bind(mechanic_profile_id)
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .fetch_one(db)
        .await
}

/// Returns disputes about jobs that the person made or served, the newest first.
pub async fn newest_of_person(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<DisputeRow>> {
    sqlx::query(
        "select d.*, due.settled_at
        from (
            (select * from disputes where customer_id = $1 order by created_at desc, id desc limit $3)
            union all
            (select * from disputes
            where mechanic_profile_id = $2 and customer_id <> $1
            order by created_at desc, id desc
            limit $3)) d
        left join job_dues due on due.job_id = d.job_id
        order by d.created_at desc, d.id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .try_map(read::<DisputeRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &DisputeFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from disputes d where ", listed!()))
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// A row of `dispute_statements`.
#[derive(Debug, Clone, FromRow)]
pub struct StatementRow {
    pub id: Uuid,
    pub dispute_id: Uuid,
    pub stated_by: Party,
    pub statement: String,
    pub evidence_urls: Vec<String>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for StatementRow {
    const TABLE: &'static str = "dispute_statements";
}

pub async fn insert_statement(tx: &mut PgConnection, new: &StatementRow) -> Result<()> {
    sqlx::query(
        "insert into dispute_statements (id, dispute_id, stated_by, statement, evidence_urls, created_at)
        values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.id)
    .bind(new.dispute_id)
    .bind(new.stated_by)
    .bind(&new.statement)
    .bind(&new.evidence_urls)
    .bind(new.created_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn statement(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<StatementRow>> {
    sqlx::query("select * from dispute_statements where id = $1")
        .bind(id)
        .try_map(read::<StatementRow>)
        .fetch_optional(db)
        .await
}

/// Returns the statements in these disputes, the oldest of each dispute first.
pub async fn statements_of(
    db: impl PgExecutor<'_>,
    dispute_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<StatementRow>> {
    sqlx::query(
        "select * from dispute_statements where dispute_id = any((select $1)::uuid[])
        order by dispute_id, created_at, id
        limit $2",
    )
    .bind(dispute_ids)
    .bind(limit)
    .try_map(read::<StatementRow>)
    .fetch_all(db)
    .await
}

pub async fn count_statements(tx: &mut PgConnection, dispute_id: Uuid, stated_by: Party) -> Result<i64> {
    sqlx::query_scalar("select count(*) from dispute_statements where dispute_id = $1 and stated_by = $2")
        .bind(dispute_id)
        .bind(stated_by)
        .fetch_one(tx)
        .await
}
