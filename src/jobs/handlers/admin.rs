//! What admins do. Every command leaves an audit row, which the journal writes in the command's own transaction.

use super::{answer, find_for, job_id};
use crate::{
    accounts::auth::Admin,
    fleet::mechanics,
    http::{Body, PathIds},
    jobs::{
        JobsContext, Viewer,
        dto::{AdminReason, Assign, Job},
    },
    platform::error::{ApiError, ApiResult, ErrorBody},
};
use actix_web::{HttpResponse, post, web::Data};
use roadcall_actors::{
    engine::AcceptedFee,
    ids::{MechanicId, UserId},
    job::state::{Actor, Command},
};

/// Gives a job that is being dispatched to a mechanic, past the offers.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = Assign,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or ACTIVE_JOB_EXISTS: the mechanic is \
            on another job"),
    ),
)]
#[post("/admin/jobs/{id}/assign")]
pub async fn assign_job(
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<Assign>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let profile_id = body.read()?.mechanic_profile_id.0;
    match mechanics::user_of_verified(&context.db, profile_id).await? {
        None => return Err(ApiError::invalid("mechanic_profile_id", "is not a verified mechanic")),
        Some(user_id) if user_id == row.customer_id => {
            return Err(ApiError::invalid("mechanic_profile_id", "is the customer's own"));
        }
        Some(_) => {}
    }
    let done = context.engine.assign(job_id(row.id), MechanicId(profile_id), UserId(admin.user_id)).await;
    answer(&context, row.id, Viewer::Admin, done).await
}

/// Takes the job from its mechanic and looks for another.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = AdminReason,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/admin/jobs/{id}/reassign")]
pub async fn reassign_job(
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done = context.engine.order(job_id(row.id), by, Command::Reassign { reason }).await;
    answer(&context, row.id, Viewer::Admin, done).await
}

/// Cancels any job, one that is being worked on included.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = AdminReason,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/admin/jobs/{id}/cancel")]
pub async fn cancel_any_job(
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done =
        context.engine.cancel(job_id(row.id), by, "admin".to_owned(), Some(reason), AcceptedFee::Any).await;
    answer(&context, row.id, Viewer::Admin, done).await
}
