//! Use cases of partners with the jobs of their cases.

use roadcall_actors::{ids::UserId, job::state::Actor};
use uuid::Uuid;

use crate::{
    accounts::auth::{PartnerCaller, Principal},
    jobs::{self, CancelReason, JobStep, job_once},
    partners::{
        cases::{
            audited::{self, CaseJobAction},
            dto::CancelAccountJob,
            owned::JobOfCase,
        },
        feeds::FeedsContext,
    },
    platform::error::{ApiResult, commit_error},
};

/// Cancels a job. What the partner pays for it follows from the contract.
pub async fn cancel(
    context: &FeedsContext,
    caller: &PartnerCaller,
    step: JobStep,
    how: CancelAccountJob,
) -> ApiResult<()> {
    let code = how.reason_code.unwrap_or(CancelReason::Other);
    let why = (code, how.reason.map(|reason| reason.0));
    let done = jobs::actions::cancel_on_account(context, step, caller.account_id, why);
    job_once(context, step, done).await?;
    recorded(context, caller, step.job_id, CaseJobAction::Cancel(code)).await;
    Ok(())
}

/// Records by whom a step was taken, and wakes the feed. The step is done, and in the job's log, whether this succeeds or not.
pub(super) async fn recorded(
    context: &FeedsContext,
    caller: &PartnerCaller,
    job_id: Uuid,
    action: CaseJobAction<'_>,
) {
    if let Err(error) = record(context, caller, job_id, action).await {
        error.log();
    }
    context.feeding.wake();
}

async fn record(
    context: &FeedsContext,
    caller: &PartnerCaller,
    job_id: Uuid,
    action: CaseJobAction<'_>,
) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    audited::on_job(context, &mut tx, Principal::from(*caller), job_id, action).await?;
    tx.commit().await.map_err(commit_error)
}

/// Searches again for a job that found no mechanic.
pub async fn search_again(
    context: &FeedsContext,
    caller: &PartnerCaller,
    step: JobStep,
    job: &JobOfCase,
) -> ApiResult<()> {
    let by = Actor::Partner(UserId(caller.account_id));
    let done = jobs::actions::search_again(context, step, &job.row, by, None);
    job_once(context, step, done).await?;
    recorded(context, caller, step.job_id, CaseJobAction::SearchAgain).await;
    Ok(())
}
