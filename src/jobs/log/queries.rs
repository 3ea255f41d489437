//! SQL by which a job is loaded for its actor.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    catalogue::dispatch_settings::SearchOverrides,
    jobs::{EtaSource, JobRow},
    platform::db::{StoredRow, read},
};

/// A job with what its category overrides of the search.
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

/// In order of their ids.
pub async fn jobs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<LoadedJob>> {
    sqlx::query(
        "select j.*, c.offer_ttl_s, c.attempt_ttl_s, c.rings_km, c.round_widths, c.max_rounds, c.urgent_first_round
        from jobs j join service_categories c on c.id = j.service_category_id
        where j.id = any($1)
        order by j.id",
    )
    .bind(ids)
    .try_map(read::<LoadedJob>)
    .fetch_all(db)
    .await
}

/// Locks the row until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("select id from jobs where id = $1 for update").bind(id).execute(tx).await.map(drop)
}

/// Every job that something may still happen to, by id; a page of at most `limit` after `after`.
pub async fn open_job_ids(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from jobs
        where id > $1 and job_is_unfinished(status)
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

/// Of these jobs, in order of their making.
pub async fn live_of_jobs(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<LiveOfferRow>> {
    sqlx::query(
        "select * from offers where job_id = any($1) and status = 'pending'
        order by created_at, id",
    )
    .bind(job_ids)
    .try_map(read::<LiveOfferRow>)
    .fetch_all(db)
    .await
}
