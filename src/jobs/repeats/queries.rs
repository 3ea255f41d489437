use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::jobs::queries::JobRow;

/// A step in a job's log.
#[derive(Debug, FromRow)]
pub struct LoggedStep {
    pub command_id: Uuid,
    pub kind: String,
    /// The job's row after the step; `None` if only the step's sender sees it.
    pub snapshot: Option<Json<JobRow>>,
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
        "select e.command_id, e.kind,
            snapshot_without_names(e.snapshot, j.log_names_customer, j.log_names_mechanics) as snapshot
        from job_events e join jobs j on j.id = e.job_id
        where e.job_id = $1 and e.command_id between $3 and $4 and e.at >= $5
        order by e.command_id <> $2
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
