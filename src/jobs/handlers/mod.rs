//! The stories of a job, by who calls.

pub mod admin;
pub mod customer;
pub mod mechanic;
pub mod read;

use actix_web::HttpResponse;
use roadcall_actors::job::state::Refusal;
use roadcall_actors::{engine::CommandDone, ids::JobId};
use uuid::Uuid;

use super::{JobRow, Viewer, present, queries, refused, viewer_of};
use crate::{
    accounts::auth::Caller,
    jobs::JobsContext,
    platform::error::{ApiError, ApiResult, after_commit},
};

/// The job, for a caller that has to do with it.
pub(super) async fn find_for(
    context: &JobsContext,
    caller: &Caller,
    id: Uuid,
) -> ApiResult<(JobRow, Viewer)> {
    let row = queries::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let viewer = viewer_of(caller, &row).ok_or_else(|| ApiError::not_found("job"))?;
    Ok((row, viewer))
}

/// The job after a command, as it stands in the row now.
pub(super) async fn answer(
    context: &JobsContext,
    id: Uuid,
    viewer: Viewer,
    done: Result<CommandDone, Refusal>,
) -> ApiResult<HttpResponse> {
    done.map_err(refused)?;
    let row = queries::find(&context.db, id)
        .await
        .map_err(after_commit)?
        .ok_or_else(|| ApiError::not_found("job"))?;
    Ok(HttpResponse::Ok().json(present(&row, viewer, &context.settings)))
}

pub(super) fn job_id(id: Uuid) -> JobId {
    JobId(id)
}
