//! The open offers and the job of a mechanic whose account was suspended.

use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command, Refusal, Status},
};
use uuid::Uuid;

use crate::{
    accounts::{auth::desk::Desk, users},
    fleet::mechanics::ProfileRow,
    jobs,
    lifecycle::LifecycleContext,
    notifications::{self, DomainEvent},
    offers,
    platform::error::{ApiResult, commit_error},
};

/// The reason in the job's history.
const REASON: &str = "the mechanic's account was suspended";

/// Revokes the mechanic's offers and reassigns their job. A job in progress stays theirs; its customer and all admins are
/// notified. Call this after the suspension by `admin` is committed. Failures are only logged: an admin then has to reassign the
/// job.
pub async fn withdraw_work(context: &LifecycleContext, admin: Uuid, profile: &ProfileRow) {
    offers::revoke_of(&context.jobs, profile.id).await;
    if let Err(error) = reassign_job(context, admin, profile.id).await {
        error.log();
        tracing::error!(mechanic.profile_id = %profile.id, "the job of a suspended mechanic could not be reassigned; an admin has to do it");
    }
}

async fn reassign_job(context: &LifecycleContext, admin: Uuid, profile_id: Uuid) -> ApiResult<()> {
    let Some(job_id) = jobs::active_of_mechanic(&context.db, profile_id).await? else { return Ok(()) };
    let by = Actor::Admin(UserId(admin));
    let reassign = Command::Reassign { reason: REASON.to_owned() };
    match context.jobs.order(job_id, by, reassign).await {
        Ok(_) => Ok(()),
        Err(Refusal::InvalidTransition { from: Status::InProgress, .. }) => {
            notify_interrupted(context, job_id).await
        }
        // The job ended meanwhile.
        Err(Refusal::InvalidTransition { .. }) => Ok(()),
        Err(refusal) => Err(jobs::refused(refusal)),
    }
}

/// Notifies the customer and the admins. Only an admin at the dispatch desk can end a job in progress without its mechanic.
async fn notify_interrupted(context: &LifecycleContext, job_id: Uuid) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    let Some(job) = jobs::lock(&mut tx, job_id).await? else { return Ok(()) };
    if job.status != Status::InProgress {
        return Ok(());
    }
    let admins = users::active_admins(&mut tx, Desk::Dispatch).await?;
    let event = DomainEvent::WorkInterrupted { job_id, customer_id: job.customer_id, admins: &admins };
    notifications::record(&mut tx, &context.random, event, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(())
}
