use actix_web::{HttpResponse, patch, web::Data};
use roadcall_actors::{ids::UserId, job::state::Actor};

use super::{actions, dto::JobCorrection};
use crate::{
    accounts::auth::Customer,
    http::{Body, Owned},
    jobs::{context::JobsContext, dto::Job, handlers::shown, queries::JobRow, viewer::Viewer},
    platform::error::{ApiResult, ErrorBody},
};

/// Corrects the caller's job while no mechanic is on the way, or moves it to another time until its search begins. If the pickup
/// moves while the service is looking for a mechanic, the job is offered again; a mechanic who has accepted it is notified. If
/// nothing would change, nothing happens.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = JobCorrection,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a mechanic is on the way already, or \
            the search has begun and the time can't be moved any more; \
            NO_NEW_JOBS: it would begin sooner, and no new jobs are taken then; \
            PRICE_CHANGED: the job costs more at the new place; CONFLICT: the job was corrected 20 times, or keeps changing \
            meanwhile"),
    ),
)]
#[patch("/jobs/{id}")]
pub async fn correct_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<JobCorrection>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let wanted = body.read()?;
    let row = actions::correct(&context, row, Actor::Customer(UserId(caller.user_id)), wanted).await?;
    Ok(shown(&row, Viewer::Customer, &context))
}
