use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// A version of the stop.
#[derive(Debug, Clone, FromRow)]
pub struct StopRow {
    pub version: i64,
    /// `None` ends the stop of the version before.
    pub message: Option<String>,
    pub ends_at: Option<DateTime<Utc>>,
    pub set_by: Uuid,
    pub set_at: DateTime<Utc>,
}

impl StopRow {
    /// Returns the message while the stop is in force.
    pub fn holding(&self, now: DateTime<Utc>) -> Option<&str> {
        self.message.as_deref().filter(|_| self.ends_at.is_none_or(|ends_at| now < ends_at))
    }
}

/// A version with the name of the admin who made it.
#[derive(Debug, FromRow)]
pub struct NamedStopRow {
    #[sqlx(flatten)]
    pub stop: StopRow,
    pub set_by_name: Option<String>,
}

pub async fn newest(db: impl PgExecutor<'_>) -> Result<Option<StopRow>> {
    sqlx::query_as("select * from job_stops order by version desc limit 1").fetch_optional(db).await
}

pub async fn newest_named(db: &Db) -> Result<Option<NamedStopRow>> {
    sqlx::query_as(
        "select stop.*, person.name as set_by_name
        from job_stops stop join users person on person.id = stop.set_by
        order by stop.version desc limit 1",
    )
    .fetch_optional(db)
    .await
}

/// Waits for anyone else who changes the stop, and keeps others out until the transaction ends.
pub async fn lock(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtext('job_stops'))").run(tx).await
}

pub async fn insert(tx: &mut PgConnection, row: &StopRow) -> Result<()> {
    sqlx::query(
        "insert into job_stops (version, message, ends_at, set_by, set_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(row.version)
    .bind(&row.message)
    .bind(row.ends_at)
    .bind(row.set_by)
    .bind(row.set_at)
    .run(tx)
    .await
}
