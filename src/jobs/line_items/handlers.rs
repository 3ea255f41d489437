use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json},
};

use roadcall_actors::{ids::UserId, job::state::Actor};

use super::{
    actions::{self, ItemDecision},
    dto::{AmendLineItem, DecideLineItem, LineItem, NewLineItem},
    queries,
};
use crate::{
    accounts::auth::{AnyMechanic, Caller, Customer},
    http::{Body, IdempotencyKey, List, Owned},
    jobs::{
        context::JobsContext,
        owned::{ItemOfJob, ViewedJob},
        queries::JobRow,
        repeats::once,
        step::JobStep,
        view::is_rough,
    },
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Lists the job's line items beyond base and travel, in the order in which they were proposed. When a mechanic loses the job,
/// their items are deleted.
#[utoipa::path(tag = "jobs", params(("id" = Uuid, Path)), responses((status = 200, body = List<LineItem>)))]
#[get("/jobs/{id}/line-items")]
pub async fn list_line_items(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<List<LineItem>>> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let items = queries::of_jobs(&context.db, &[row.id]).await?.into_iter().map(LineItem::from);
    let data = match is_rough(&row, viewer, &context.visibility, context.clock.now()) {
        true => items.map(LineItem::roughly).collect(),
        false => items.collect(),
    };
    Ok(Json(List { data }))
}

/// Proposes an item, as the mechanic at the vehicle: from the arrival until the work is done.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewLineItem,
    responses(
        (status = 201, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION; CONFLICT: the job has 50 line items; \
            IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for a discount beyond all else that the \
            job would cost"),
    ),
)]
#[post("/jobs/{id}/line-items")]
pub async fn add_line_item(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<NewLineItem>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let key = key.read()?;
    // All jobs share one scope here, so the same key for another job must be another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let user_id = mechanic.caller.user_id;
    let request = Request::new(user_id, "/jobs/{id}/line-items", key, &digested);
    let by = (&mechanic).into();
    let make = async |claim: &Claim| actions::propose(&context, row.id, by, body.read()?, claim).await;
    let again = async |id, _| actions::first_shape(&context, row.id, id).await;
    Ok(HttpResponse::Created().json(idempotency::once(&context, request, make, again).await?))
}

/// Changes an undecided item, as its mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
    request_body = AmendLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is decided, or the job is not \
            worked on; CONFLICT: line items of this job changed too often"),
    ),
)]
#[patch("/jobs/{id}/line-items/{item_id}")]
pub async fn amend_line_item(
    context: Data<JobsContext>,
    item: Owned<ItemOfJob, AnyMechanic>,
    body: Body<AmendLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (ItemOfJob { job, id }, mechanic) = item.into_parts();
    let changes = body.read()?;
    Ok(Json(actions::amend(&context, job.id, id, (&mechanic).into(), changes).await?))
}

/// Withdraws an undecided item, as its mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is decided, or the job is not \
            worked on; CONFLICT: line items of this job changed too often"),
    ),
)]
#[delete("/jobs/{id}/line-items/{item_id}")]
pub async fn withdraw_line_item(
    context: Data<JobsContext>,
    item: Owned<ItemOfJob, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let (ItemOfJob { job, id }, mechanic) = item.into_parts();
    actions::withdraw(&context, job.id, id, (&mechanic).into()).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Approves an item as it was shown: from now on it counts towards the price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path), IdempotencyKey),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is rejected, or the job is not \
            worked on; CONFLICT: the item was amended since it was shown, or is a discount beyond what is approved"),
    ),
)]
#[post("/jobs/{id}/line-items/{item_id}/approve")]
pub async fn approve_line_item(
    context: Data<JobsContext>,
    item: Owned<ItemOfJob, Customer>,
    key: IdempotencyKey,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let route = "/jobs/{id}/line-items/{item_id}/approve";
    decide(&context, item, ItemDecision::Approve, (route, key), body).await
}

/// Rejects an item: it never counts towards the price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path), IdempotencyKey),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is approved, or the job is not \
            worked on; CONFLICT: the item was amended since it was shown"),
    ),
)]
#[post("/jobs/{id}/line-items/{item_id}/reject")]
pub async fn reject_line_item(
    context: Data<JobsContext>,
    item: Owned<ItemOfJob, Customer>,
    key: IdempotencyKey,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let route = "/jobs/{id}/line-items/{item_id}/reject";
    decide(&context, item, ItemDecision::Reject, (route, key), body).await
}

/// Decides about an item, once for each key. `route` is the template of the path.
async fn decide(
    context: &JobsContext,
    item: Owned<ItemOfJob, Customer>,
    decision: ItemDecision,
    (route, key): (&'static str, IdempotencyKey),
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (ItemOfJob { job, id }, Customer(caller)) = item.into_parts();
    let asked = [id.0.as_bytes(), body.bytes()].concat();
    let step = JobStep::new(job.id, caller.user_id, route, key.read()?, &asked);
    let by = Actor::Customer(UserId(caller.user_id));
    let done = actions::decide(context, step, id, by, (decision, body.read()?.quote()));
    let again = async |_| actions::current(context, job.id, id).await;
    Ok(Json(once(context, step, done, again).await?))
}
