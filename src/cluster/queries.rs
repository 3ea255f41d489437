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

/// Returns the newest take-overs, newest first.
pub(super) async fn take_overs(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<TakeOverRow>> {
    sqlx::query_as(
        "select term, server, release, led_at, ready_at from take_overs order by term desc limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The present or last leader.
#[derive(Debug, FromRow)]
pub(super) struct LeaderRow {
    pub term: i64,
    pub server: Uuid,
}

/// Returns the present or last leader; `None` before any server led.
pub(super) async fn leader(db: impl PgExecutor<'_>) -> Result<Option<LeaderRow>> {
    sqlx::query_as("select term, server from leadership").fetch_optional(db).await
}

/// A server's complaint that the leader does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub(super) struct Complaint {
    pub server: Uuid,
    /// The newest term of a leader that the server has heard; `None` if the fault may be its own.
    pub heard_term: Option<i64>,
}

/// Stores a complaint with the present time, and deletes those of servers that are long gone.
pub(super) async fn complain(db: impl PgExecutor<'_>, complaint: Complaint) -> Result<()> {
    let Complaint { server, heard_term } = complaint;
    sqlx::query(
        "with forgotten as (
            delete from lead_complaints where server in (
                select server from lead_complaints
                where server <> $1 and said_at < clock_timestamp() - interval '1 minute'
                for update skip locked))
        insert into lead_complaints (server, heard_term, said_at) values ($1, $2, clock_timestamp())
        on conflict (server) do update set heard_term = excluded.heard_term, said_at = excluded.said_at",
    )
    .bind(server)
    .bind(heard_term)
    .execute(db)
    .await
    .map(drop)
}

/// Returns the complaints of the last second. A server that complains does so several times a second.
pub(super) async fn complaints(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<Complaint>> {
    sqlx::query_as(
        "select server, heard_term from lead_complaints
        where said_at > clock_timestamp() - interval '1 second' limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}
