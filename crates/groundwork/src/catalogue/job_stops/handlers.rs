//! Stopping new jobs, over HTTP.

use actix_web::{
    HttpResponse, delete, get, put,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, desk};
use roadcall_http::Body;
use roadcall_platform::error::{ApiResult, after_commit};

use super::{
    actions,
    context::JobStopsContext,
    dto::{JobStopState, NewJobStop},
    queries,
};

/// Returns whether new jobs are taken, and if not, why and since when.
#[utoipa::path(tag = "admin", responses((status = 200, body = JobStopState)))]
#[get("/admin/job-stop")]
pub async fn get_job_stop(
    _: Admin<desk::Any>,
    context: Data<JobStopsContext>,
) -> ApiResult<Json<JobStopState>> {
    state(&context).await
}

/// Stops new jobs from now on, on every server and over restarts: in a storm, an outage, on a holiday. Customers who ask for
/// help, for its price or for another search get `NO_NEW_JOBS` with the message, and apps show it before that (`job_stop` of `GET
/// /config`). They can book help for after `ends_at`. Open jobs go on, and admins can create jobs for people who call. Replaces a
/// stop that is already in force.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    request_body = NewJobStop,
    responses((status = 200, body = JobStopState)),
)]
#[put("/admin/job-stop")]
pub async fn set_job_stop(
    Admin(admin, _): Admin<desk::Tuning>,
    context: Data<JobStopsContext>,
    body: Body<NewJobStop>,
) -> ApiResult<Json<JobStopState>> {
    let (message, ends_at) = body.read()?.checked(context.clock.now())?;
    actions::set(&context, admin.user_id, message, ends_at).await?;
    state(&context).await.map_err(after_commit)
}

/// Allows new jobs again.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    responses((status = 204, description = "New jobs are taken")),
)]
#[delete("/admin/job-stop")]
pub async fn end_job_stop(
    Admin(admin, _): Admin<desk::Tuning>,
    context: Data<JobStopsContext>,
) -> ApiResult<HttpResponse> {
    actions::end(&context, admin.user_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn state(context: &JobStopsContext) -> ApiResult<Json<JobStopState>> {
    Ok(Json(JobStopState::of(queries::newest_named(&context.db).await?, context.clock.now())))
}
