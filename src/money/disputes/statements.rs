//! The routes for statements, which both sides can make until an admin has resolved the dispute.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions::{self, MAX_PER_SIDE, no_dispute},
    dto::{DisputeStatement, NewDisputeStatement, Party},
    queries::{self, DisputeRow},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, List, Owned},
    jobs::ViewedJob,
    money::payments::PaymentsContext,
    platform::{
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Adds the caller's statement to the dispute about a job, as its customer or its mechanic, until the dispute is
/// resolved. The other side is notified.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewDisputeStatement,
    responses(
        (status = 201, body = DisputeStatement),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the dispute is resolved; CONFLICT: this side \
            has made 10 statements; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/dispute/statements")]
pub async fn add_dispute_statement(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NewDisputeStatement>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let party = Party::of(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let dispute = of_job(&context, row.id).await?;
    let key = key.read()?;
    // The job's id is part of the digest: the same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/dispute/statements", key, &digested);
    let make = async |claim: &Claim| {
        actions::add_statement(&context, caller.user_id, dispute.id, party, body.read()?, claim).await
    };
    let again = async |id, _| {
        queries::statement(&context.db, id).await?.ok_or_else(|| ApiError::not_found("statement"))
    };
    let made = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(DisputeStatement::from(made)))
}

/// Lists the statements of both sides in the dispute about a job, the oldest first, for its customer, its mechanic and
/// admins.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = List<DisputeStatement>)),
)]
#[get("/jobs/{id}/dispute/statements")]
pub async fn list_dispute_statements(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<List<DisputeStatement>>> {
    let dispute = of_job(&context, job.row.id).await?;
    let rows = queries::statements_of(&context.db, &[dispute.id], 2 * MAX_PER_SIDE).await?;
    Ok(Json(List { data: rows.into_iter().map(DisputeStatement::from).collect() }))
}

async fn of_job(context: &PaymentsContext, job_id: Uuid) -> ApiResult<DisputeRow> {
    queries::of_job(&context.db, job_id).await?.ok_or_else(no_dispute)
}
