//! The person for whom an organisation ordered help decides with their link: about extra work that the organisation does not pay,
//! about the cash that they pay, and how the help was.

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    post,
    web::{Data, Json},
};
use futures_util::future::LocalBoxFuture;
use roadcall_actors::{
    ids::{LineItemId, UserId},
    job::state::{Actor, ItemStatus, Status},
};

use super::{
    admission::follow,
    context::SharesContext,
    dto::SharedJob,
    handlers::followed,
    own_part::{self, may_ask},
    queries::LinkRow,
};
use crate::{
    http::{Body, NoIdempotencyKey, Owned, OwnedBy, PathIds, PathText},
    jobs::{
        JobRow, JobStep,
        line_items::{self, DecideLineItem, ItemDecision, LineItem},
    },
    money::payments::{self, ConfirmCash, PaymentsContext},
    platform::{
        core::Core,
        error::{ApiError, ApiResult, Code, ErrorBody},
        idempotency::Claim,
    },
    sharing::ratings::{self, NewRating, Rater, Rating, RatingsContext},
};

/// The holder of the link in the path, who decides about its job. 403 if the link does not let them.
#[derive(Debug, Clone)]
pub struct Decider {
    link: LinkRow,
    job: JobRow,
}

impl FromRequest for Decider {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let core = Core::of(request).clone();
        let path = PathText::from_request(request, payload);
        Box::pin(async move {
            let (link, job) = follow(&core, path.await?.text("token")).await?;
            if !link.may_decide {
                return Err(ApiError::forbidden("This link does not let its holder decide about the job."));
            }
            Ok(Self { link, job })
        })
    }
}

impl Decider {
    /// Returns who acts for the rules of the job: the holder takes the place of a customer.
    fn actor(&self) -> Actor {
        Actor::Customer(UserId(self.job.customer_id))
    }
}

/// A line item of the link's job.
#[derive(Debug, Clone, Copy)]
pub struct ItemByLink(LineItemId);

impl OwnedBy<Decider> for ItemByLink {
    const NAME: &'static str = "line item";

    async fn find(core: &Core, by: &Decider, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = line_items::queries::find(&core.db, by.job.id, path.id("id")?).await?;
        Ok(found.map(|item| Self(LineItemId(item.id))))
    }
}

/// Refuses with 409 to decide about an item that the organisation has to decide about.
async fn check_own(context: &SharesContext, job: &JobRow, id: LineItemId) -> ApiResult<()> {
    let job = own_part::job(context, job).await?;
    let item = job.items.iter().find(|item| item.id == id);
    if item.is_some_and(|item| item.status == ItemStatus::Proposed && !job.awaits_driver(item)) {
        let why = "The organisation that ordered the help decides about this item, and pays for it.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    Ok(())
}

async fn decide(
    context: &SharesContext,
    item: Owned<ItemByLink, Decider>,
    decision: ItemDecision,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (ItemByLink(id), decider) = item.into_parts();
    let quote = body.read()?.quote();
    check_own(context, &decider.job, id).await?;
    let (step, by) = (JobStep::from(decider.job.id), decider.actor());
    Ok(Json(line_items::decide(context, step, id, by, (decision, quote)).await?))
}

/// Approves extra work that the organisation does not pay, as it was shown: the holder pays for it.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link does not let its holder decide"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or its job has no such item"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is rejected, or the job is not worked on; \
            CONFLICT: the item was amended since it was shown, or the organisation decides about it"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/line-items/{id}/approve")]
pub async fn approve_item_by_link(
    context: Data<SharesContext>,
    item: Owned<ItemByLink, Decider>,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    decide(&context, item, ItemDecision::Approve, body).await
}

/// Rejects extra work that the organisation does not pay: it never counts towards the price.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link does not let its holder decide"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or its job has no such item"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is approved, or the job is not worked on; \
            CONFLICT: the item was amended since it was shown, or the organisation decides about it"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/line-items/{id}/reject")]
pub async fn reject_item_by_link(
    context: Data<SharesContext>,
    item: Owned<ItemByLink, Decider>,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    decide(&context, item, ItemDecision::Reject, body).await
}

/// Confirms that the holder paid their part to the mechanic in cash. The mechanic confirms it, too; then the job is paid. A repeat
/// changes nothing.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    request_body = ConfirmCash,
    responses(
        (status = 200, body = SharedJob),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link does not let its holder decide"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nothing is due now; CONFLICT: another amount is due, or \
            the organisation's part is being booked"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job has been over for 48 hours, or the link was revoked"),
    ),
)]
#[post("/shares/{token}/cash-confirm")]
pub async fn confirm_cash_by_link(
    context: Data<SharesContext>,
    payments: Data<PaymentsContext>,
    ratings: Data<RatingsContext>,
    decider: Decider,
    path: PathText,
    body: Body<ConfirmCash>,
) -> ApiResult<Json<SharedJob>> {
    let ConfirmCash { amount } = body.read()?;
    if decider.job.status.0 != Status::Paid {
        payments::confirm_own_part(&payments, &decider.job, amount).await?;
    }
    Ok(Json(followed(&context, &ratings, path.text("token")).await?))
}

/// Rates the mechanic, once, in place of the customer. Only if the organisation asks the people whom it has helped.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    request_body = NewRating,
    responses(
        (status = 201, body = Rating),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link does not let its holder rate"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 409, body = ErrorBody, description = "ALREADY_RATED; INVALID_TRANSITION: the job is not done, or is disputed"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job has been over for 48 hours, or the link was revoked"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: keys belong to accounts, and \
            a guest has none"),
    ),
)]
#[post("/shares/{token}/rating")]
pub async fn rate_by_link(
    ratings: Data<RatingsContext>,
    decider: Decider,
    key: NoIdempotencyKey,
    body: Body<NewRating>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let Decider { link, job } = decider;
    let new = body.read()?;
    if !may_ask(&ratings, &link, &job).await? {
        return Err(ApiError::forbidden("The organisation that ordered the help does not ask how it was."));
    }
    let rated = ratings::rate(&ratings, job.customer_id, job.id, Rater::Customer, new, &Claim::Unmarked);
    Ok(HttpResponse::Created().json(Rating::from(rated.await?)))
}
