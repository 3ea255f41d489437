use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// A step in a job's log.
#[derive(Debug, FromRow)]
pub struct LoggedStep {
    pub command_id: Uuid,
    pub kind: String,
    /// The number of the entry; `None` if only the step's sender sees it.
    pub seq: Option<i64>,
}

/// Returns the step with this id that was logged since then, or else a step whose id lies in the range.
pub async fn find(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    command_id: Uuid,
    (first, last): (Uuid, Uuid),
    since: DateTime<Utc>,
) -> Result<Option<LoggedStep>> {
    sqlx::query_as(
        "select command_id, kind, seq from job_events
        where job_id = $1 and command_id between $3 and $4 and at >= $5
        order by command_id <> $2
        limit 1",
    )
    .bind(job_id)
    .bind(command_id)
    .bind(first)
    .bind(last)
    .bind(since)
    .fetch_optional(db)
    .await
}
