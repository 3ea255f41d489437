use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json},
};
use roadcall_actors::{
    engine::CommandDone,
    ids::{LineItemId, MechanicId, UserId},
    job::state::{Actor, Command, ItemCommand, Refusal},
};
use uuid::Uuid;

use super::{
    dto::{AmendLineItem, DecideLineItem, LineItem, NewLineItem},
    queries,
};
use crate::{
    accounts::{
        auth::{AnyMechanic, Caller, Customer},
        uploads::{self, FileRef, FileUrl, JobPhotoFile},
    },
    http::{Body, IdempotencyKey, List, Owned, Patch},
    jobs::{
        JobRow, JobsContext,
        handlers::job_id,
        owned::{ItemOfJob, ViewedJob},
        refused,
    },
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// What the job costs beyond base and travel, in the order in which it was proposed. When a mechanic loses the job,
/// their items are deleted.
#[utoipa::path(tag = "jobs", params(("id" = Uuid, Path)), responses((status = 200, body = List<LineItem>)))]
#[get("/jobs/{id}/line-items")]
pub async fn list_line_items(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<List<LineItem>>> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let items = queries::of_jobs(&context.db, &[row.id]).await?;
    Ok(Json(List { data: items.into_iter().map(LineItem::from).collect() }))
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
            job would cost; IDEMPOTENCY_KEY_REUSED: the key came with another body"),
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
    let make = async |claim: &Claim| propose(&context, mechanic, &row, body, claim.mark()).await;
    let again = async |id, _| first_shape(&context, row.id, id).await;
    Ok(HttpResponse::Created().json(idempotency::once(&context, request, make, again).await?))
}

async fn propose(
    context: &JobsContext,
    mechanic: AnyMechanic,
    row: &JobRow,
    body: Body<NewLineItem>,
    idempotency: Option<Uuid>,
) -> ApiResult<LineItem> {
    let mut new = body.read()?;
    let photo = match new.photo_url.take() {
        Some(url) => Some(photo(context, &mechanic, url).await?),
        None => None,
    };
    let id = LineItemId(context.random.id(context.clock.now()));
    let mechanic_id = MechanicId(mechanic.profile_id);
    let terms = new.terms(photo);
    let command = ItemCommand::Propose { mechanic_id, id, terms, idempotency };
    match order(context, row.id, by_mechanic(&mechanic), command).await {
        // An earlier attempt with the same key, whose outcome was unknown, did propose the item.
        Err(Refusal::AlreadyDone) => Err(ApiError::new(
            Code::IdempotencyInFlight,
            "This line item was already proposed with the same Idempotency-Key. Send the request again.",
        )),
        done => item_of(row.id, id, done),
    }
}

/// The item as it was proposed, which is what the original response contained.
async fn first_shape(context: &JobsContext, job_id: Uuid, id: Uuid) -> ApiResult<LineItem> {
    let row = queries::first_shape(&context.db, job_id, id).await?;
    row.map(|row| LineItem::from(row.0)).ok_or_else(no_item)
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
    let photo = match &changes.photo_url {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(url) => Patch::Set(photo(&context, &mechanic, url.clone()).await?),
    };
    let patch = changes.patch(photo);
    let mechanic_id = MechanicId(mechanic.profile_id);
    let command = ItemCommand::Amend { mechanic_id, id, patch };
    let done = order(&context, job.id, by_mechanic(&mechanic), command).await;
    Ok(Json(item_of(job.id, id, done)?))
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
    let command = ItemCommand::Withdraw { mechanic_id: MechanicId(mechanic.profile_id), id };
    order(&context, job.id, by_mechanic(&mechanic), command).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Approves an item as it was shown: from now on it counts towards the price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
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
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (ItemOfJob { job, id }, Customer(caller)) = item.into_parts();
    let quote = body.read()?.quote();
    decided(context, caller, job.id, id, ItemCommand::Approve { id, quote }).await
}

/// Rejects an item: it never counts towards the price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
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
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (ItemOfJob { job, id }, Customer(caller)) = item.into_parts();
    let quote = body.read()?.quote();
    decided(context, caller, job.id, id, ItemCommand::Reject { id, quote }).await
}

async fn decided(
    context: Data<JobsContext>,
    caller: Caller,
    job_id: Uuid,
    id: LineItemId,
    command: ItemCommand,
) -> ApiResult<Json<LineItem>> {
    let done = order(&context, job_id, Actor::Customer(UserId(caller.user_id)), command).await;
    Ok(Json(item_of(job_id, id, done)?))
}

async fn order(
    context: &JobsContext,
    id: Uuid,
    by: Actor,
    command: ItemCommand,
) -> Result<CommandDone, Refusal> {
    context.engine.order(job_id(id), by, Command::Item(command)).await
}

fn by_mechanic(mechanic: &AnyMechanic) -> Actor {
    Actor::Mechanic(UserId(mechanic.caller.user_id))
}

/// The item of the job after a command.
fn item_of(job_id: Uuid, id: LineItemId, done: Result<CommandDone, Refusal>) -> ApiResult<LineItem> {
    let job = done.map_err(refused)?.job;
    let item = job.items.iter().find(|item| item.id == id).ok_or_else(no_item)?;
    Ok(LineItem::of(job_id, item))
}

async fn photo(
    context: &JobsContext,
    mechanic: &AnyMechanic,
    url: FileUrl,
) -> ApiResult<FileRef<JobPhotoFile>> {
    uploads::refer_one(&context.db, context, mechanic.caller.user_id, "photo_url", url).await
}

fn no_item() -> ApiError {
    ApiError::not_found("line item")
}
