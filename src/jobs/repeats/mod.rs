//! Answers a step that is sent again under its `Idempotency-Key` as its first try was answered.
//!
//! The step's command is in the job's log under an id that follows from the key, and the log has each id once. So a step that
//! succeeds costs no further statement, and only a step that is refused is looked up.

mod queries;

use std::future::Future;

use uuid::Uuid;

use crate::{
    http::{Body, IdempotencyKey},
    jobs::{
        context::JobsContext,
        log,
        queries::JobRow,
        step::{JobStep, any_body},
    },
    platform::{
        error::{ApiError, ApiResult},
        idempotency::{self, key_reused},
    },
};

/// The event of a wrong start code, which is logged and refused.
const WRONG_START_CODE: &str = "wrong_start_code";

/// Returns the step of a job that a request asks for. `route` is the template of its path, which names only the job.
pub fn step_of<T>(
    job_id: Uuid,
    by: Uuid,
    route: &'static str,
    key: IdempotencyKey,
    body: &Body<T>,
) -> ApiResult<JobStep> {
    Ok(JobStep::new(job_id, by, route, key.read()?, body.bytes()))
}

/// Carries out a step whose answer is the job. If it is refused because an earlier try succeeded, returns the job as that try
/// left it.
pub async fn job_once(
    context: &JobsContext,
    step: JobStep,
    done: impl Future<Output = ApiResult<JobRow>>,
) -> ApiResult<JobRow> {
    once(context, step, done, async |row| row.ok_or_else(|| ApiError::not_found("job"))).await
}

/// Carries out a step. If it is refused because an earlier try succeeded, `again` gives that try's answer, from the job
/// as it was then if its participants saw it. Returns 422 if the key came with another body before.
pub async fn once<T>(
    context: &JobsContext,
    step: JobStep,
    done: impl Future<Output = ApiResult<T>>,
    again: impl AsyncFnOnce(Option<JobRow>) -> ApiResult<T>,
) -> ApiResult<T> {
    let refusal = match done.await {
        Err(refusal) if !refusal.code.status().is_server_error() => refusal,
        answered => return answered,
    };
    let Some(command) = step.logged_under else { return Err(refusal) };
    let since = context.clock.now() - idempotency::KEPT;
    let logged = queries::find(&context.db, step.job_id, command.0, any_body(command), since).await?;
    match logged {
        None => Err(refusal),
        Some(logged) if logged.command_id != command.0 => Err(key_reused()),
        Some(logged) if logged.kind == WRONG_START_CODE => Err(refusal),
        Some(logged) => {
            let row = match logged.seq {
                Some(seq) => log::row_at(&context.db, step.job_id, seq).await?,
                None => None,
            };
            again(row).await
        }
    }
}
