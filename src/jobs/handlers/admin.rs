//! What admins do. Every command leaves an audit row, which the journal writes in the command's own transaction.

use super::{answer, job_id};
use crate::{
    accounts::auth::Admin,
    fleet::mechanics,
    http::{Body, Id, Owned},
    jobs::{
        JobRow, JobsContext, Viewer,
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

/// Assigns a job that is being dispatched to a mechanic, bypassing the offers. If dispatch would leave the mechanic
/// out, the request is refused with the reason, unless `override_reason` is given. A mechanic who is not verified, is
/// suspended, or is the customer is always refused.
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
    job: Owned<JobRow, Admin>,
    body: Body<Assign>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin)) = job.into_parts();
    let Assign { mechanic_profile_id: Id(profile_id), override_reason } = body.read()?;
    let unfit = |why| ApiError::invalid("mechanic_profile_id", why);
    if mechanics::who_may_serve(&context.db, profile_id).await?.map_err(unfit)? == row.customer_id {
        return Err(unfit("is the customer's own"));
    }
    let (job, admin) = (job_id(row.id), UserId(admin.user_id));
    let reason = override_reason.map(|reason| reason.0);
    let done = context.engine.assign(job, MechanicId(profile_id), admin, reason).await;
    answer(&context, Viewer::Admin, done).await
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
    job: Owned<JobRow, Admin>,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin)) = job.into_parts();
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done = context.engine.order(job_id(row.id), by, Command::Reassign { reason }).await;
    answer(&context, Viewer::Admin, done).await
}

/// Cancels any job, even one that is being worked on.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = AdminReason,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/admin/jobs/{id}/cancel")]
pub async fn cancel_any_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Admin>,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin)) = job.into_parts();
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done =
        context.engine.cancel(job_id(row.id), by, "admin".to_owned(), Some(reason), AcceptedFee::Any).await;
    answer(&context, Viewer::Admin, done).await
}
