//! The routes for opening a dispute, and for reading it as one of its two parties.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions::{self, no_dispute},
    dto::{Dispute, NewDispute, Party},
    queries::{self, DisputeRow},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, Owned},
    jobs::{JobRow, ViewedJob, Viewer, on_account},
    money::payments::PaymentsContext,
    platform::{
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Contests the work or its price, as the job's customer or its mechanic, within 48 hours of its completion. The
/// earnings from the job are held until an admin has resolved the dispute.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewDispute,
    responses(
        (status = 201, body = Dispute),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is not completed, was disputed, or \
            was completed too long ago; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/dispute")]
pub async fn dispute_job(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NewDispute>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let party = Party::of(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let key = key.read()?;
    // The job's id is part of the digest: the same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/dispute", key, &digested);
    let make =
        async |claim: &Claim| actions::open(&context, caller.user_id, &row, party, body.read()?, claim).await;
    let again = async |id, _| actions::as_opened(&context, id).await;
    let dispute = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(shown(&context, dispute, &row, viewer)))
}

/// Returns the dispute about a job, to its customer, its mechanic and admins.
#[utoipa::path(tag = "disputes", params(("id" = Uuid, Path)), responses((status = 200, body = Dispute)))]
#[get("/jobs/{id}/dispute")]
pub async fn get_job_dispute(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<Dispute>> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let dispute = queries::of_job(&context.db, row.id).await?;
    Ok(Json(shown(&context, dispute.ok_or_else(no_dispute)?, &row, viewer)))
}

fn shown(context: &PaymentsContext, dispute: DisputeRow, job: &JobRow, viewer: Viewer) -> Dispute {
    let order = job.partner_order.as_ref().map(|order| &*order.0);
    Dispute::of(dispute, on_account::prices(order, viewer, context.rates))
}
