//! Stores decisions of the dispatcher, and deletes old ones.

use super::queries::{self, DecisionColumns};
use crate::{
    jobs::JobsContext,
    platform::{db::Db, error::ApiResult},
};

/// The maximum number of rows kept per job; newer ones replace older ones.
pub const MAX_DECISIONS: i64 = 64;

/// Writes decisions, and drops the oldest of jobs that have too many.
pub async fn keep(db: &Db, columns: &DecisionColumns) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    queries::keep(&mut tx, columns).await?;
    queries::trim(&mut tx, &columns.job_ids, MAX_DECISIONS).await?;
    tx.commit().await
}

/// Deletes the records of ended jobs after their retention time, at most `limit` at once.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept_from = context.clock.now() - context.dispatch.records_kept();
    Ok(queries::sweep(&context.db, kept_from, limit).await?)
}
