//! Completed jobs that cost nothing: no payment comes, so they are marked as paid here.

use roadcall_actors::job::state::Actor;
use uuid::Uuid;

use super::apply::{AfterCommit, mark_job_paid};
use crate::{
    accounting::dues::{self, FreeJob},
    money::payments::PaymentsContext,
    platform::error::{ApiResult, commit_error},
};

/// Marks completed jobs that cost nothing as paid. One that fails is tried again in the next round, and stops no other.
pub(super) async fn pay_all(context: &PaymentsContext, batch: i64) -> ApiResult<()> {
    let mut last: Option<FreeJob> = None;
    loop {
        let free = dues::free(&context.db, last.as_ref(), batch).await?;
        for job in &free {
            if let Err(error) = pay_one(context, job.job_id).await {
                error.log();
                tracing::warn!(job.id = %job.job_id, %error, "a job that costs nothing could not be marked as paid");
            }
        }
        if (free.len() as i64) < batch {
            return Ok(());
        }
        last = free.last().copied();
    }
}

async fn pay_one(context: &PaymentsContext, job_id: Uuid) -> ApiResult<()> {
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
