//! Handlers for jobs, by who calls them.

pub mod admin;
pub mod customer;
pub mod mechanic;
pub mod read;

use actix_web::HttpResponse;
use roadcall_actors::job::state::Refusal;
use roadcall_actors::{engine::CommandDone, ids::JobId};
use uuid::Uuid;

use super::{Viewer, present, queries, refused};
use crate::{
    jobs::JobsContext,
    platform::error::{ApiError, ApiResult, after_commit},
};

/// The job after a command, as its row is now.
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
