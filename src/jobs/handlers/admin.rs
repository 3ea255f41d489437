//! The handlers for admins. Every command leaves an audit row, which the journal writes in the command's own transaction.

use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_actors::{ids::UserId, job::state::Actor};
use uuid::Uuid;

use super::shown;
use crate::{
    accounts::{
        auth::{Admin, desk},
        organisations,
        users::CustomerAccount,
    },
    http::{Body, Id, IdempotencyKey, NoFields, Owned},
    jobs::{
        actions::{self, JobBooking},
        context::JobsContext,
        dto::{AdminReason, Assign, CancellationQuote, Estimate, EstimateRequest, Job, NewJob},
        queries::JobRow,
        repeats::{job_once, step_of},
        view::present,
        viewer::Viewer,
    },
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Estimates the price of help for a customer who calls, and how soon it could come. The estimate is not binding.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    request_body = EstimateRequest,
    responses((status = 200, body = Estimate)),
)]
#[post("/admin/users/{id}/jobs/estimate")]
pub async fn estimate_job_of_user(
    context: Data<JobsContext>,
    customer: Owned<CustomerAccount, Admin<desk::Dispatch>>,
    body: Body<EstimateRequest>,
) -> ApiResult<HttpResponse> {
    let booking = booking(customer).0;
    Ok(HttpResponse::Ok().json(actions::estimate(&context, &booking, body.read()?).await?))
}

/// Creates a job for a customer who calls. It belongs to the customer, under the rules of `POST /jobs`, and they are notified of
/// it; its timeline shows that an admin created it. Its photos are the admin's own uploads.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewJob,
    responses(
        (status = 201, body = Job),
        (status = 409, body = ErrorBody, description = "ACTIVE_JOB_EXISTS: the vehicle has an open job; \
            UNPAID_FEES: the customer owes too much for cancelled jobs, or contests too much; CONFLICT: the customer is suspended, \
            or is an organisation; \
            IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body, or for another customer"),
    ),
)]
#[post("/admin/users/{id}/jobs")]
pub async fn create_job_of_user(
    context: Data<JobsContext>,
    customer: Owned<CustomerAccount, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<NewJob>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let admin_id = customer.by().0.user_id;
    let (booking, account) = booking(customer);
    let repeated = [booking.customer_id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin_id, "/admin/users/{id}/jobs", key, &repeated);
    let make = async |claim: &Claim| {
        account.check_active()?;
        check_is_person(&context, account.id).await?;
        actions::create(&context, &booking, body.read()?, claim).await
    };
    let again = async |id, _| actions::first_shape(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    tracing::Span::current().record("job.id", tracing::field::display(row.id));
    Ok(HttpResponse::Created().json(present(&row, Viewer::Admin, &context)))
}

/// Refuses with 409 the account of an organisation: nobody would pay for a job without a case.
async fn check_is_person(context: &JobsContext, account_id: Uuid) -> ApiResult<()> {
    if !organisations::is_account(&context.db, account_id).await? {
        return Ok(());
    }
    let why = "This is the account of an organisation. Let it make a case, whose contract says who pays.";
    Err(ApiError::new(Code::Conflict, why))
}

fn booking(customer: Owned<CustomerAccount, Admin<desk::Dispatch>>) -> (JobBooking, CustomerAccount) {
    let (account, Admin(admin, _)) = customer.into_parts();
    let booking = JobBooking {
        customer_id: account.id,
        mechanic_profile_id: account.mechanic_profile_id,
        by: Actor::Admin(UserId(admin.user_id)),
        agreed_notice: None,
        known_by: None,
        on_account: None,
    };
    (booking, account)
}

/// Assigns a job that is being dispatched to a mechanic, bypassing the offers. If dispatch would leave the mechanic
/// out, the request is refused with the reason, unless `override_reason` is given. A mechanic who is not verified, is
/// suspended, or is the customer is always refused.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Assign,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or ACTIVE_JOB_EXISTS: the mechanic is \
            on another job"),
    ),
)]
#[post("/admin/jobs/{id}/assign")]
pub async fn assign_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<Assign>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let step = step_of(row.id, admin.user_id, "/admin/jobs/{id}/assign", key, &body)?;
    let Assign { mechanic_profile_id: Id(profile_id), override_reason } = body.read()?;
    let reason = override_reason.map(|reason| reason.0);
    let done = actions::assign(&context, step, &row, admin.user_id, profile_id, reason);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Admin, &context))
}

/// Takes the job from its mechanic and looks for another.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = AdminReason,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
    ),
)]
#[post("/admin/jobs/{id}/reassign")]
pub async fn reassign_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let step = step_of(row.id, admin.user_id, "/admin/jobs/{id}/reassign", key, &body)?;
    let reason = body.read()?.reason.0;
    let done = actions::reassign(&context, step, Actor::Admin(UserId(admin.user_id)), reason);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Admin, &context))
}

/// Searches again for a job that found no mechanic. Its customer sees that the search goes on, and it can be assigned.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or CONFLICT: the vehicle was deleted, or the \
            category is not offered any more"),
    ),
)]
#[post("/admin/jobs/{id}/retry")]
pub async fn retry_any_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let step = step_of(row.id, admin.user_id, "/admin/jobs/{id}/retry", key, &body)?;
    body.read()?;
    let by = Actor::Admin(UserId(admin.user_id));
    let done = actions::search_again(&context, step, &row, by, None);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Admin, &context))
}

/// Returns the customer's fee if an admin cancelled the job now.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = CancellationQuote),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job can't be cancelled (any more)"),
    ),
)]
#[get("/admin/jobs/{id}/cancellation-quote")]
pub async fn quote_any_cancellation(
    context: Data<JobsContext>,
    row: Owned<JobRow, Admin<desk::Dispatch>>,
) -> ApiResult<HttpResponse> {
    let quote = actions::quote_cancellation_by_admin(&context, row.id).await?;
    Ok(HttpResponse::Ok().json(CancellationQuote::from(quote)))
}

/// Cancels any job, even one that is being worked on, at the fee that the customer owes.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = AdminReason,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
    ),
)]
#[post("/admin/jobs/{id}/cancel")]
pub async fn cancel_any_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let step = step_of(row.id, admin.user_id, "/admin/jobs/{id}/cancel", key, &body)?;
    let reason = body.read()?.reason.0;
    let done = actions::cancel_by_admin(&context, step, admin.user_id, reason);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Admin, &context))
}
