use roadcall_actors::{
    job::state::{Actor, Command, Refusal},
    protocol::Committed,
};

use crate::{
    jobs::{context::JobsContext, lookup::row_after, queries::JobRow, step::JobStep},
    platform::error::ApiResult,
    wire::refused,
};

/// Gives a command to the job, and returns the row as it is afterwards.
pub(super) async fn order(
    context: &JobsContext,
    step: JobStep,
    by: Actor,
    command: Command,
) -> ApiResult<JobRow> {
    row_of(context, context.order(step, by, command).await).await
}

/// Returns the row after a command, or the refusal.
pub(super) async fn row_of(context: &JobsContext, done: Result<Committed, Refusal>) -> ApiResult<JobRow> {
    row_after(context, &done.map_err(refused)?).await
}
