//! What the customer does.

use actix_web::{
    HttpResponse, delete, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    dto::{JobCallback, NewCallback},
    measuring,
    queries::{self, CallbackRow},
    state::may_ask,
};
use crate::{
    accounts::auth::{self, Customer},
    http::{Body, IdempotencyKey, Owned},
    jobs::{JobRow, JobsContext},
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
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
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
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
    let make = async |claim: &Claim| ask(&context, &row, body.read()?, claim).await;
    let again = async |job_id, _| as_asked(&context, job_id).await;
    Ok(Json(idempotency::once(&context, request, make, again).await?.into()))
}

async fn ask(context: &JobsContext, job: &JobRow, new: NewCallback, claim: &Claim) -> ApiResult<CallbackRow> {
    let now = context.clock.now();
    may_ask(job.status.0, job.begin_at, now)?;
    let mut tx = context.db.begin().await?;
    // An account that is being deleted leaves no note behind.
    auth::lock_account(&mut tx, job.customer_id).await?;
    let note = new.note.as_ref().map(|note| note.0.as_str());
    let asked = queries::ask(&mut tx, job.id, note, now).await?;
    let asked = match asked {
        Some(asked) => asked,
        None => queries::find(&mut *tx, job.id).await?.ok_or_else(no_such_request)?.callback,
    };
    idempotency::complete(&mut tx, claim, job.id).await?;
    tx.commit().await.map_err(commit_error)?;
    measuring::recount(context).await;
    Ok(asked)
}

/// The request as it was made.
async fn as_asked(context: &JobsContext, job_id: Uuid) -> ApiResult<CallbackRow> {
    let row = queries::find(&context.db, job_id).await?.ok_or_else(no_such_request)?.callback;
    Ok(CallbackRow { done_at: None, done_by: None, outcome: None, done_note: None, ..row })
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
    if queries::withdraw(&context.db, job.id).await? {
        measuring::recount(&context).await;
    } else if queries::find(&context.db, job.id).await?.is_some() {
        let message = "This request is done, so there is nothing to withdraw.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    Ok(HttpResponse::NoContent().finish())
}

fn no_such_request() -> ApiError {
    ApiError::not_found(super::admin::NAME)
}
