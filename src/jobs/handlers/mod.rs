//! Handlers for jobs, by who calls them.

pub mod admin;
pub mod customer;
pub mod mechanic;
pub mod read;

use actix_web::HttpResponse;
use roadcall_actors::job::state::Refusal;
use roadcall_actors::{engine::CommandDone, ids::JobId};
use uuid::Uuid;

use super::{Viewer, present, refused, row_after};
use crate::{jobs::JobsContext, platform::error::ApiResult};

/// The job after a command, as its row is now.
pub(super) async fn answer(
    context: &JobsContext,
    viewer: Viewer,
    done: Result<CommandDone, Refusal>,
) -> ApiResult<HttpResponse> {
    let row = row_after(context, &done.map_err(refused)?).await?;
    Ok(HttpResponse::Ok().json(present(&row, viewer, context)))
}

pub(super) fn job_id(id: Uuid) -> JobId {
    JobId(id)
}
