use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions::{accept, hang_up, invite, reject},
    dto::{Call, CallPage, CallToken},
    queries::{self, CallRow},
    tokens,
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, NoFields, Owned, Page, PageParams, Query},
    jobs::{ViewedJob, Viewer},
    messaging::calls::CallsContext,
    platform::error::{ApiResult, ErrorBody},
};

/// A token by which the caller's device enters the job's room, and the servers by which it is reached. The room is made at
/// first use and stands in the job until the job has another mechanic, with whom the customer talks in a room of its own.
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
#[post("/jobs/{id}/call/token")]
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

/// Calls the other side of the job. The mechanic's call rings whom `contact_preference` names: the customer, the guests of links
/// that let them talk, or both; the customer, too, where no guest listens. It rings on all their devices for `calls.ring_s` seconds. From acceptance until
/// `calls.open_after_end_h` hours after the job's end.
#[utoipa::path(
    tag = "calls",
    params(("id" = Uuid, Path)),
    responses(
        (status = 201, body = Call),
        (status = 409, body = ErrorBody, description = "CONFLICT: a call about the job is going on, which the message \
            names, or the time to call is over; INVALID_TRANSITION: nobody is on the job"),
    ),
)]
#[post("/jobs/{id}/calls")]
pub async fn call_other_side(
    context: Data<CallsContext>,
    job: Owned<ViewedJob, Customer>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, Customer(caller)) = job.into_parts();
    body.read()?;
    let call = invite(&context, caller.into(), row.id).await?;
    Ok(HttpResponse::Created().json(call))
}

/// The job's calls, newest first; a mechanic sees its own.
#[utoipa::path(
    tag = "calls",
    params(
        ("id" = Uuid, Path),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<Call>)),
)]
#[get("/jobs/{id}/calls")]
pub async fn list_job_calls(
    context: Data<CallsContext>,
    job: Owned<ViewedJob, Caller>,
    params: Query<CallPage>,
) -> ApiResult<Json<Page<Call>>> {
    let ViewedJob { row: job, viewer } = &*job;
    let params = params.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let of = job.mechanic_profile_id.filter(|_| *viewer == Viewer::Mechanic);
    let rows = queries::of_job(&context.db, job.id, of, page.limit, page.offset()).await?;
    let total = queries::count_of_job(&context.db, job.id, of).await?;
    Ok(Json(page.of(rows.into_iter().map(Into::into).collect(), total)))
}

/// Answers the call with this device; the others stop ringing. Repeated by the same device: the same call again.
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
    call: Owned<CallRow, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    let (CallRow { id, .. }, Customer(caller)) = call.into_parts();
    body.read()?;
    Ok(Json(accept(&context, caller.into(), id).await?))
}

/// Does not take the call; all devices stop ringing. Repeated: the same call again.
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
    call: Owned<CallRow, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    let (CallRow { id, .. }, Customer(caller)) = call.into_parts();
    body.read()?;
    Ok(Json(reject(&context, caller.into(), id).await?))
}

/// Hangs up, whether it rings or is talked in. Of a call that is over: the call as it ended.
#[utoipa::path(tag = "calls", params(("id" = Uuid, Path)), responses((status = 200, body = Call)))]
#[post("/calls/{id}/end")]
pub async fn end_call(
    context: Data<CallsContext>,
    call: Owned<CallRow, Customer>,
    body: Body<NoFields>,
) -> ApiResult<Json<Call>> {
    let (CallRow { id, .. }, Customer(caller)) = call.into_parts();
    body.read()?;
    Ok(Json(hang_up(&context, caller.into(), id).await?))
}
