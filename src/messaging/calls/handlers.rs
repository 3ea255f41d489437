use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions::{accept, hang_up, invite, reject},
    context::CallsContext,
    dto::{Call, CallToken},
    owned::{OwnCall, ViewedCall, gone},
    queries, tokens,
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, ListQuery, NoFields, NoFilter, Owned, Page},
    jobs::{ViewedJob, Viewer},
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Issues a token with which the caller's device enters the job's room, and lists the servers to reach it. The room is made at
/// first use and kept with the job. If another mechanic gets the job, they and the customer talk in a new room.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = CallToken),
        (status = 409, body = ErrorBody, description = "CONFLICT: the time to call is over, or the job's mechanic \
            has changed meanwhile; INVALID_TRANSITION: nobody is on the job"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the provider made no room"),
    ),
)]
#[post("/jobs/{id}/calls/token")]
pub async fn issue_call_token(
    context: Data<CallsContext>,
    job: Owned<ViewedJob, Customer>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, Customer(caller)) = job.into_parts();
    body.read()?;
    let token = tokens::issue(&context, caller.into(), row.id).await?;
    Ok(HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(token))
}

/// Calls the other side of the job, on all their devices, for `calls.ring_s` seconds. This is possible from acceptance until
/// `calls.open_after_end_h` hours after the job's end. A mechanic's call rings whomever `contact_preference` names: the customer,
/// the guests of links that let them talk, or both. If no guest is listening, it rings the customer as well. After the job's end
/// it rings only the customer.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 201, body = Call),
        (status = 409, body = ErrorBody, description = "CONFLICT: another call about the job is in progress (the \
            message has its id), or the time to call is over; INVALID_TRANSITION: nobody is on the job; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/calls")]
pub async fn call_other_side(
    context: Data<CallsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, Customer(caller)) = job.into_parts();
    let key = key.read()?;
    // The same key for another job is a different request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/calls", key, &digested);
    let make = async |claim: &Claim| {
        body.read()?;
        invite(&context, caller.into(), row.id, claim).await
    };
    let again = async |id, _| queries::find(&context.db, id).await?.map(Call::from).ok_or_else(gone);
    let call = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(call))
}

/// Lists the job's calls, newest first; a mechanic sees only their own.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path), ListQuery<NoFilter>),
    responses((status = 200, body = Page<Call>)),
)]
#[get("/jobs/{id}/calls")]
pub async fn list_job_calls(
    context: Data<CallsContext>,
    job: Owned<ViewedJob, Caller>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<Call>>> {
    let ViewedJob { row: job, viewer } = &*job;
    let (_, page) = query.read()?;
    let of = job.mechanic_profile_id.filter(|_| *viewer == Viewer::Mechanic);
    let rows = queries::of_job(&context.db, job.id, of, page.limit, page.offset()).await?;
    let total = page.total(rows.len(), queries::count_of_job(&context.db, job.id, of)).await?;
    Ok(Json(page.of(rows.into_iter().map(Into::into).collect(), total)))
}

/// Returns a call to the participants of its job and to admins; a mechanic sees only their own.
#[utoipa::path(tag = "calls", params(("id" = Uuid, Path)), responses((status = 200, body = Call)))]
#[get("/calls/{id}")]
pub async fn get_call(call: Owned<ViewedCall, Caller>) -> Json<Call> {
    let (ViewedCall(row), _) = call.into_parts();
    Json(row.into())
}

/// Answers the call with this device; the others stop ringing. Repeating it on the same device returns the same call.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = Call),
        (status = 409, body = ErrorBody, description = "CONFLICT: another device of the callee has answered; \
            INVALID_TRANSITION: it is over, or the caller's own"),
    ),
)]
#[post("/calls/{id}/accept")]
pub async fn accept_call(
    context: Data<CallsContext>,
    call: Owned<OwnCall, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    body.read()?;
    Ok(Json(accept(&context, &call).await?))
}

/// Declines the call; all devices stop ringing. Repeating it returns the same call.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = Call),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was answered, is over, or is the \
            caller's own"),
    ),
)]
#[post("/calls/{id}/reject")]
pub async fn reject_call(
    context: Data<CallsContext>,
    call: Owned<OwnCall, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    body.read()?;
    Ok(Json(reject(&context, &call).await?))
}

/// Hangs up, whether the call is ringing or was answered. A call that is over is returned unchanged.
#[utoipa::path(tag = "calls", params(("id" = Uuid, Path)), responses((status = 200, body = Call)))]
#[post("/calls/{id}/end")]
pub async fn end_call(
    context: Data<CallsContext>,
    call: Owned<OwnCall, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    body.read()?;
    Ok(Json(hang_up(&context, &call).await?))
}
