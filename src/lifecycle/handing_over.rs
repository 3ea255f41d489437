//! What a mechanic leaves behind whose account is suspended: an offer that they can't answer, a job that they can't do.

use roadcall_actors::{
    ids::{JobId, UserId},
    job::state::{Actor, Command, Refusal, Status},
};
use uuid::Uuid;

use crate::{
    accounts::users,
    fleet::mechanics::ProfileRow,
    jobs,
    lifecycle::LifecycleContext,
    notifications::{self, Happening},
    offers,
    platform::error::{ApiResult, commit_error},
};

/// What the trail tells of a job that is taken from a mechanic in this way.
const REASON: &str = "the mechanic's account was suspended";

/// Takes back what was offered to a mechanic, and gives their job to another; one that is being worked on stays theirs, and
/// its customer and all admins are told. `admin` is who suspended the account. After the commit of the suspension, which
/// stands whatever comes of this: what could not be done is logged, and an admin's to do.
pub async fn stand_down(context: &LifecycleContext, admin: Uuid, profile: &ProfileRow) {
    offers::revoke_of(&context.jobs, profile.id).await;
    if let Err(error) = hand_over(context, admin, profile.id).await {
        error.log();
        tracing::error!(mechanic.profile_id = %profile.id, "the job of a suspended mechanic was not taken from them");
    }
}

async fn hand_over(context: &LifecycleContext, admin: Uuid, profile_id: Uuid) -> ApiResult<()> {
    let Some(job_id) = jobs::active_of_mechanic(&context.db, profile_id).await? else { return Ok(()) };
    let by = Actor::Admin(UserId(admin));
    let reassign = Command::Reassign { reason: REASON.to_owned() };
    match context.engine.order(JobId(job_id), by, reassign).await {
        Ok(_) => Ok(()),
        Err(Refusal::InvalidTransition { from: Status::InProgress, .. }) => tell(context, job_id).await,
        // It ended by itself meanwhile.
        Err(Refusal::InvalidTransition { .. }) => Ok(()),
        Err(refusal) => Err(jobs::refused(refusal)),
    }
}

/// Only an admin can end a job that is being worked on by nobody.
async fn tell(context: &LifecycleContext, job_id: Uuid) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    let Some(job) = jobs::lock(&mut tx, job_id).await? else { return Ok(()) };
    if job.status != Status::InProgress {
        return Ok(());
    }
    let admins = users::active_admins(&mut tx).await?;
    let happened = Happening::WorkInterrupted { job_id, customer_id: job.customer_id, admins: &admins };
    notifications::note(&mut tx, &context.random, happened, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    context.notes.noted();
    Ok(())
}
