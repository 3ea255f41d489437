//! The SQL of the cluster.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// A take-over.
#[derive(Debug, FromRow)]
pub(super) struct TakeOverRow {
    pub term: i64,
    pub server: Uuid,
    pub release: String,
    pub led_at: DateTime<Utc>,
    pub ready_at: Option<DateTime<Utc>>,
}

/// The newest take-overs, newest first.
pub(super) async fn take_overs(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<TakeOverRow>> {
    sqlx::query_as(
        "select term, server, release, led_at, ready_at from take_overs order by term desc limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The server that leads, or did last.
#[derive(Debug, FromRow)]
pub(super) struct LeaderRow {
    pub term: i64,
    pub server: Uuid,
}

/// Who leads, or did last; `None` before anybody led.
pub(super) async fn leader(db: impl PgExecutor<'_>) -> Result<Option<LeaderRow>> {
    sqlx::query_as("select term, server from leadership").fetch_optional(db).await
}
