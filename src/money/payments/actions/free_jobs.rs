//! Completed jobs that cost nothing: no payment settles them.

use roadcall_actors::job::state::Actor;
use uuid::Uuid;

use crate::{
    accounting::dues,
    money::payments::{apply::mark_job_paid, context::PaymentsContext, transaction::AfterCommit},
    platform::error::{ApiResult, commit_error},
};

/// Marks a job that cost nothing as paid.
pub async fn mark_paid(context: &PaymentsContext, job_id: Uuid) -> ApiResult<()> {
    let at = context.clock.now();
    let mut tx = context.db.begin().await?;
    let mut after = AfterCommit::default();
    // The job's lock comes first.
    after.job(&mut tx, context, job_id).await?;
    if let Some(due) = dues::find(&mut *tx, job_id).await? {
        mark_job_paid(&mut tx, context, &due, Actor::System, &mut after, at).await?;
        dues::set(&mut tx, &due, at).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}
