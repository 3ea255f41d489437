//! Requests to be called, by the customer.

use actix_web::{
    HttpResponse, delete, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{JobCallback, NewCallback},
};
use crate::{
    accounts::auth::Customer,
    http::{Body, IdempotencyKey, Owned},
    jobs::{context::JobsContext, queries::JobRow},
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Asks for a call, as the job's customer, while the search for a mechanic is under way or has found nobody. Repeating it changes
/// nothing; once the request is done, it asks again. When a mechanic accepts the job, the request closes by itself.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewCallback,
    responses(
        (status = 200, body = JobCallback),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the search has not begun, a mechanic has accepted \
            the job, or it is over; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/callback")]
pub async fn request_callback(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    key: IdempotencyKey,
    body: Body<NewCallback>,
) -> ApiResult<Json<JobCallback>> {
    let (row, Customer(caller)) = job.into_parts();
    let key = key.read()?;
    // The same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/callback", key, &digested);
    let make =
        async |claim: &Claim| actions::ask(&context, &row, body.read()?.note.map(|note| note.0), claim).await;
    let again = async |job_id, _| actions::as_asked(&context, job_id).await;
    Ok(Json(idempotency::once(&context, request, make, again).await?.into()))
}

/// Withdraws the request to be called while it is open. Repeating it changes nothing.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the request is done"),
    ),
)]
#[delete("/jobs/{id}/callback")]
pub async fn withdraw_callback(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
) -> ApiResult<HttpResponse> {
    actions::withdraw(&context, job.id).await?;
    Ok(HttpResponse::NoContent().finish())
}
