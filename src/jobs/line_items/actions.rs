//! The actions on a line item. The job's actor decides on them.

use std::sync::Arc;

use roadcall_actors::{
    ids::LineItemId,
    job::state::{Actor, Command, Destination, ItemCommand, ItemQuote, ItemTerms, Refusal},
    protocol::Committed,
};
use uuid::Uuid;

use super::{
    dto::{AmendLineItem, LineItem, NewLineItem},
    queries,
};
use crate::{
    accounts::uploads::{self, FileRef, FileUrl, JobPhotoFile},
    http::Patch,
    jobs::{actions::MechanicIds, context::JobsContext, step::JobStep},
    platform::{
        error::{ApiError, ApiResult, Code},
        idempotency::Claim,
    },
    wire::refused,
};

/// Proposes an item, as the mechanic at the vehicle, and completes the claim with it.
pub async fn propose(
    context: &JobsContext,
    job_id: Uuid,
    mechanic: MechanicIds,
    mut new: NewLineItem,
    claim: &Claim,
) -> ApiResult<LineItem> {
    let photo = match new.photo_url.take() {
        Some(url) => Some(photo(context, mechanic, url).await?),
        None => None,
    };
    propose_at_price(context, job_id, mechanic, (new.terms(photo), None), claim).await
}

/// Proposes an item, with the destination of a tow, and completes the claim with it.
pub async fn propose_at_price(
    context: &JobsContext,
    job_id: Uuid,
    mechanic: MechanicIds,
    (terms, destination): (ItemTerms, Option<Arc<Destination>>),
    claim: &Claim,
) -> ApiResult<LineItem> {
    let id = LineItemId(context.random.id(context.clock.now()));
    let (mechanic_id, idempotency) = (mechanic.profile, claim.mark());
    let command = ItemCommand::Propose { mechanic_id, id, terms, destination, idempotency };
    match order(context, job_id, mechanic.actor(), command).await {
        // An earlier attempt with the same key, whose outcome was unknown, did propose the item.
        Err(Refusal::AlreadyDone) => Err(ApiError::new(
            Code::IdempotencyInFlight,
            "This line item was already proposed with the same Idempotency-Key. Send the request again.",
        )),
        done => item_of(job_id, done),
    }
}

/// Returns the item as it was proposed, as in the original response.
pub async fn first_shape(context: &JobsContext, job_id: Uuid, id: Uuid) -> ApiResult<LineItem> {
    let row = queries::first_shape(&context.db, job_id, id).await?;
    row.map(|row| LineItem::from(row.0)).ok_or_else(no_item)
}

/// Returns the item as it is now.
pub async fn current(context: &JobsContext, job_id: Uuid, id: LineItemId) -> ApiResult<LineItem> {
    let row = queries::find(&context.db, job_id, id.0).await?;
    row.map(LineItem::from).ok_or_else(no_item)
}

/// Changes an undecided item, as its mechanic.
pub async fn amend(
    context: &JobsContext,
    job_id: Uuid,
    id: LineItemId,
    mechanic: MechanicIds,
    changes: AmendLineItem,
) -> ApiResult<LineItem> {
    let photo = match &changes.photo_url {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(url) => Patch::Set(photo(context, mechanic, url.clone()).await?),
    };
    let command = ItemCommand::Amend { mechanic_id: mechanic.profile, id, patch: changes.patch(photo) };
    item_of(job_id, order(context, job_id, mechanic.actor(), command).await)
}

/// Withdraws an undecided item, as its mechanic.
pub async fn withdraw(
    context: &JobsContext,
    job_id: Uuid,
    id: LineItemId,
    mechanic: MechanicIds,
) -> ApiResult<()> {
    let command = ItemCommand::Withdraw { mechanic_id: mechanic.profile, id };
    order(context, job_id, mechanic.actor(), command).await.map(drop).map_err(refused)
}

/// The decision about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemDecision {
    Approve,
    Reject,
}

/// Decides about the item as it was shown, for the customer or for the organisation: the side that approves it pays for it.
pub async fn decide(
    context: &JobsContext,
    step: JobStep,
    id: LineItemId,
    by: Actor,
    (decision, quote): (ItemDecision, ItemQuote),
) -> ApiResult<LineItem> {
    let on_account = matches!(by, Actor::Partner(_));
    let command = match decision {
        ItemDecision::Approve => ItemCommand::Approve { id, quote, on_account },
        ItemDecision::Reject => ItemCommand::Reject { id, quote, on_account },
    };
    item_of(step.job_id, order(context, step, by, command).await)
}

async fn order(
    context: &JobsContext,
    step: impl Into<JobStep>,
    by: Actor,
    command: ItemCommand,
) -> Result<Committed, Refusal> {
    context.order(step, by, Command::Item(command)).await
}

/// Returns the job's item after a command.
fn item_of(job_id: Uuid, done: Result<Committed, Refusal>) -> ApiResult<LineItem> {
    let item = done.map_err(refused)?.item.ok_or_else(no_item)?;
    Ok(LineItem::of(job_id, &item))
}

async fn photo(
    context: &JobsContext,
    mechanic: MechanicIds,
    url: FileUrl,
) -> ApiResult<FileRef<JobPhotoFile>> {
    uploads::refer_one(&context.db, context, mechanic.user.0, "photo_url", url).await
}

fn no_item() -> ApiError {
    ApiError::not_found("line item")
}
