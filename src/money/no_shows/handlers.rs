//! The routes for reading and contesting a no-show.

use actix_web::{
    get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{ContestNoShow, NoShow},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, Owned},
    jobs::{
        JobRow, ViewedJob,
        on_account::{self, ShownPrices},
    },
    money::payments::PaymentsContext,
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Returns the no-show of a cancelled job, to its customer, its mechanic and admins.
#[utoipa::path(tag = "disputes", params(("id" = Uuid, Path)), responses((status = 200, body = NoShow)))]
#[get("/jobs/{id}/no-show")]
pub async fn get_no_show(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<NoShow>> {
    let found = actions::find(&context, job.row.id).await?;
    let order = job.row.partner_order.as_ref().map(|order| &*order.0);
    let prices = on_account::prices(order, job.viewer, context.rates);
    Ok(Json(NoShow::of(found, context.policies.jobs.dispute_window, prices)))
}

/// Contests a no-show with a statement, as the customer who is said not to have shown up: once, and until
/// `contestable_until` or, if no position proves the arrival, until it is decided. An admin decides; nothing is due
/// until then.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = ContestNoShow,
    responses(
        (status = 200, body = NoShow),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was contested before, or it is too late; the fee was waived, or nothing is charged; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/contest-no-show")]
pub async fn contest_no_show(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Customer>,
    key: IdempotencyKey,
    body: Body<ContestNoShow>,
) -> ApiResult<Json<NoShow>> {
    let (row, Customer(caller)) = job.into_parts();
    let key = key.read()?;
    // The job's id is part of the digest: the same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/contest-no-show", key, &digested);
    let make = async |claim: &Claim| {
        let statement = body.read()?.statement.0;
        actions::contest(&context, row.id, row.customer_id, &statement, claim).await
    };
    let again = async |id, _| actions::find(&context, id).await;
    let contested = idempotency::once(&context, request, make, again).await?;
    Ok(Json(NoShow::of(contested, context.policies.jobs.dispute_window, ShownPrices::IN_FULL)))
}
