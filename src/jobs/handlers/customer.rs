//! The handlers for customers.

use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_actors::{ids::UserId, job::state::Actor};

use super::shown;
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, NoFields, Owned},
    jobs::{
        actions::{self, CancelRequest, JobBooking},
        context::JobsContext,
        dto::{Cancel, CancellationQuote, Estimate, EstimateRequest, FreeCancellations, Job, NewJob},
        in_vain::KnownBy,
        queries::JobRow,
        repeats::{job_once, step_of},
        view::present,
        viewer::Viewer,
    },
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Builds the booking of a caller who creates a job for themselves.
fn booking(caller: &Caller) -> JobBooking {
    JobBooking {
        customer_id: caller.user_id,
        mechanic_profile_id: caller.mechanic.map(|mechanic| mechanic.profile_id),
        by: Actor::Customer(UserId(caller.user_id)),
        agreed_notice: caller.agreed_notice,
        known_by: Some(KnownBy { person_key: caller.budget, session_id: caller.session_id }),
        on_account: None,
    }
}

/// Estimates the price of help here and now, and how soon it could come. The estimate is not binding.
#[utoipa::path(tag = "jobs", request_body = EstimateRequest, responses(
    (status = 200, body = Estimate),
    (status = 409, body = ErrorBody, description = "NO_NEW_JOBS: no new jobs are taken; the message says why, and `Retry-After` how \
        long, if that is known"),
))]
#[post("/jobs/estimate")]
pub async fn estimate_job(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    body: Body<EstimateRequest>,
) -> ApiResult<HttpResponse> {
    let estimate = actions::estimate(&context, &booking(&caller), body.read()?).await?;
    Ok(HttpResponse::Ok().json(estimate))
}

/// Requests help. Responds when the job is stored, before a mechanic is found; dispatch begins at once, or some time before
/// `scheduled_for`.
#[utoipa::path(
    tag = "jobs",
    params(IdempotencyKey),
    request_body = NewJob,
    responses(
        (status = 201, body = Job),
        (status = 409, body = ErrorBody, description = "ACTIVE_JOB_EXISTS: the vehicle has an open job; \
            TOO_MANY_OPEN_JOBS: the caller has as many as one may; \
            NO_NEW_JOBS: no new jobs are taken; the message says why, and `Retry-After` how long, if that is known; \
            CONSENT_NEEDED: the caller has not agreed to the privacy notice (`PUT /users/me/consent`); \
            UNPAID_FEES: the caller owes too much for cancelled jobs, with what they contest until that is decided, even for \
            an accident; IDEMPOTENCY_IN_FLIGHT"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: also if the caller has called for help and cancelled too \
            often today; the message says when they may call again, or whom to call after an accident"),
    ),
)]
#[post("/jobs")]
pub async fn create_job(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<NewJob>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let request = Request::new(caller.user_id, "/jobs", key, body.bytes());
    let booking = booking(&caller);
    let make = async |claim: &Claim| actions::create(&context, &booking, body.read()?, claim).await;
    let again = async |id, _| actions::first_shape(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    tracing::Span::current().record("job.id", tracing::field::display(row.id));
    Ok(HttpResponse::Created().json(present(&row, Viewer::Customer, &context)))
}

/// Returns the fee for cancelling the job now.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = CancellationQuote),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job can't be cancelled (any more)"),
    ),
)]
#[get("/jobs/{id}/cancellation-quote")]
pub async fn quote_cancellation(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let free = actions::free_cancellations(&context, caller.user_id, caller.budget).await?;
    let quote = actions::quote_cancellation(&context, row.id, free).await?;
    let days = context.fee_settings.free_cancellation_days;
    let free = FreeCancellations { left: free.left(), most: free.most, days };
    let quote = CancellationQuote { free_cancellations: Some(free), ..CancellationQuote::from(quote) };
    Ok(HttpResponse::Ok().json(quote))
}

/// Cancels the caller's job. If there is a fee, the caller has to accept it: with `quoted_fee`, the fee that the quote showed, or
/// with `accept_fee`.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Cancel,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or FEE_CHANGED: a fee is due that the \
            request does not accept; the message names it"),
    ),
)]
#[post("/jobs/{id}/cancel")]
pub async fn cancel_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    key: IdempotencyKey,
    body: Body<Cancel>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let step = step_of(row.id, caller.user_id, "/jobs/{id}/cancel", key, &body)?;
    let cancel = body.read()?;
    let how = CancelRequest {
        accepted_fee: cancel.accepted_fee(),
        reason_code: cancel.reason_code.to_string(),
        reason: cancel.reason.map(|text| text.0),
    };
    let done = actions::cancel(&context, step, caller.user_id, caller.budget, how);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Customer, &context))
}

/// Searches again for a job that found no mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION; TOO_MANY_OPEN_JOBS; NO_NEW_JOBS; CONSENT_NEEDED; CONFLICT: the vehicle was \
            deleted, or the category is not offered any more"),
    ),
)]
#[post("/jobs/{id}/retry")]
pub async fn retry_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let step = step_of(row.id, caller.user_id, "/jobs/{id}/retry", key, &body)?;
    body.read()?;
    let by = Actor::Customer(UserId(caller.user_id));
    let done = actions::search_again(&context, step, &row, by, caller.agreed_notice);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Customer, &context))
}
