use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{DisputeOutcome, DisputeReason, DisputeStatus, Party};
use crate::{
    http::ListWindow,
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
}

impl StoredRow for DisputeRow {
    const TABLE: &'static str = "disputes";
}

/// Under the job's lock.
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
    sqlx::query("select * from disputes where id = $1")
        .bind(id)
        .try_map(read::<DisputeRow>)
        .fetch_optional(db)
        .await
}

pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<DisputeRow>> {
    sqlx::query("select * from disputes where job_id = $1")
        .bind(job_id)
        .try_map(read::<DisputeRow>)
        .fetch_optional(db)
        .await
}

/// How a dispute ends.
#[derive(Debug)]
pub struct Resolution<'a> {
    pub outcome: DisputeOutcome,
    pub amount_paise: Option<i64>,
    pub note: &'a str,
    pub resolved_by: Uuid,
}

/// The dispute as it is resolved; `None` where the job has no open one. Under the job's lock.
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
        returning *",
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

/// Which disputes a list shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct DisputeFilter {
    /// `None`: everybody's.
    pub mechanic_profile_id: Option<Uuid>,
    /// `None`: open and resolved.
    pub status: Option<DisputeStatus>,
}

/// Newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: DisputeFilter,
    slice: ListWindow,
) -> Result<Vec<DisputeRow>> {
    sqlx::query(
        "select * from disputes
        where ($1::uuid is null or mechanic_profile_id = $1) and ($2::text is null or status = $2)
            and ($5::timestamptz is null or (created_at, id) < ($5, $6))
        order by created_at desc, id desc
        limit $3 offset $4",
    )
    .bind(filter.mechanic_profile_id)
    .bind(filter.status)
    .bind(slice.limit)
    .bind(slice.offset)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .try_map(read::<DisputeRow>)
    .fetch_all(db)
    .await
}

/// Of jobs that the person made or served, the newest first.
pub async fn newest_of_person(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<DisputeRow>> {
    sqlx::query(
        "select * from disputes where customer_id = $1 or mechanic_profile_id = $2
        order by created_at desc, id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .try_map(read::<DisputeRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: DisputeFilter) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from disputes
        where ($1::uuid is null or mechanic_profile_id = $1) and ($2::text is null or status = $2)",
    )
    .bind(filter.mechanic_profile_id)
    .bind(filter.status)
    .fetch_one(db)
    .await
}
