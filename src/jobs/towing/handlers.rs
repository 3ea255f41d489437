use actix_web::{HttpResponse, post, web::Data};

use super::{
    actions,
    dto::{LoadVehicle, NewTow},
};
use crate::{
    accounts::auth::AnyMechanic,
    http::{Body, IdempotencyKey, Owned},
    jobs::{
        context::JobsContext,
        dto::Job,
        line_items::{self, LineItem},
        queries::JobRow,
        repeats::{job_once, step_of},
        view::present,
        viewer::Viewer,
    },
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Records that the vehicle is on the truck, as photos show: from now on the mechanic is followed to its destination. This is
/// possible once the work has begun and the customer has decided on every line item. Repeating it with the same photos gives the
/// same job.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = LoadVehicle,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the work has not begun, or the job has no destination; \
            PENDING_APPROVAL: the customer has yet to decide on a line item; CONFLICT: it was loaded before, without these photos"),
    ),
)]
#[post("/jobs/{id}/load")]
pub async fn load_vehicle(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<LoadVehicle>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/load", key, &body)?;
    let done = actions::load(&context, step, (&mechanic).into(), body.read()?);
    let row = job_once(&context, step, done).await?;
    Ok(HttpResponse::Ok().json(present(&row, Viewer::Mechanic, &context)))
}

/// Proposes to tow the vehicle, as the mechanic at it: a line item of type tow with a destination, whose price the service
/// computes from the price of towing beyond this job's base price and from the kilometres. If the customer approves it, the job
/// has that destination. Its price can't be amended; it can be withdrawn and proposed anew.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewTow,
    responses(
        (status = 201, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the mechanic is not at the vehicle; CONFLICT: the job \
            has a destination, the customer has yet to decide about another tow, or the caller is not verified to tow this type of \
            vehicle; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for a destination that is too far or can't be reached \
            by road"),
    ),
)]
#[post("/jobs/{id}/tow")]
pub async fn propose_tow(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<NewTow>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let key = key.read()?;
    // As for line items: the same key for another job must be another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(mechanic.caller.user_id, "/jobs/{id}/tow", key, &digested);
    let by = (&mechanic).into();
    let make =
        async |claim: &Claim| actions::propose_tow(&context, &row, by, body.read()?.destination, claim).await;
    let again = async |id, _| line_items::first_shape(&context, row.id, id).await;
    Ok(HttpResponse::Created().json(idempotency::once(&context, request, make, again).await?))
}
