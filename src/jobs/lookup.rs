//! Jobs and their parts, for other areas.

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Refusal, protocol::Committed};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{
    http::PageParams,
    jobs::{
        context::JobsContext,
        dto::{Job, JobPhoto},
        line_items::{self, LineItem},
        queries::{self, JobFilter, JobRow},
        shown::ListedJob,
        view::present_listed,
        viewer::Viewer,
        visibility::JobVisibility,
    },
    platform::error::{ApiError, ApiResult, after_commit},
    wire::refused,
};

pub use super::queries::{active_of_mechanics, find, lock};

/// Returns the job's row after a command that is done.
pub async fn row_after(context: &JobsContext, done: &Committed) -> ApiResult<JobRow> {
    let id = done.job.0;
    match context.recent.row(id, done.version) {
        Some(row) => Ok(row),
        None => find(&context.db, id).await.map_err(after_commit)?.ok_or_else(|| ApiError::not_found("job")),
    }
}

/// Returns the job's row after a command, or its refusal.
pub(super) async fn row_of(context: &JobsContext, done: Result<Committed, Refusal>) -> ApiResult<JobRow> {
    row_after(context, &done.map_err(refused)?).await
}

/// Returns the newest jobs that a person created or served, at most `limit`, each as they see it in that role: an admin who was
/// once on a job as its mechanic sees no more here than a mechanic.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    visibility: &JobVisibility,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Job>> {
    let filter = JobFilter { customer_id: Some(user_id), mechanic_profile_id, ..JobFilter::default() };
    let rows = queries::list(&mut *db, &filter, PageParams { page: 1, limit }).await?;
    let shown = |row: ListedJob| {
        let is_own = row.job.customer_id == user_id;
        present_listed(row, if is_own { Viewer::Customer } else { Viewer::Mechanic }, visibility, now)
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// Returns the newest line items of these jobs, at most `limit`.
pub async fn newest_line_items(
    db: &mut PgConnection,
    job_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<LineItem>> {
    let rows = line_items::queries::newest_of_jobs(db, job_ids, limit).await?;
    Ok(rows.into_iter().map(LineItem::from).collect())
}

/// Returns the newest photos of these jobs, at most `limit`.
pub async fn newest_photos(db: &mut PgConnection, job_ids: &[Uuid], limit: i64) -> ApiResult<Vec<JobPhoto>> {
    let rows = queries::newest_photos(db, job_ids, limit).await?;
    Ok(rows.into_iter().map(JobPhoto::from).collect())
}

/// Returns the job that a mechanic is on.
pub async fn active_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
) -> ApiResult<Option<Uuid>> {
    let active = queries::active_of_mechanics(db, &[mechanic_profile_id]).await?;
    Ok(active.first().map(|(_, job_id)| *job_id))
}
