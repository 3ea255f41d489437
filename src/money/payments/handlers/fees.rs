//! The routes for cancellation fees.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use crate::{
    accounting::dues::{self, MAX_FEES},
    accounts::{
        auth::{Admin, Customer, desk},
        users::CustomerAccount,
    },
    http::{Body, IdempotencyKey, List, NoFields, Owned},
    jobs::{self, Job, JobRow},
    money::payments::{actions::fees, context::PaymentsContext, dto::UnpaidFee},
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Lists the caller's unpaid cancellation fees, the oldest first, 100 at most.
#[utoipa::path(tag = "payments", responses((status = 200, body = List<UnpaidFee>)))]
#[get("/payments/unpaid-fees")]
pub async fn list_unpaid_fees(
    context: Data<PaymentsContext>,
    Customer(caller): Customer,
) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok().json(unpaid(&context, caller.user_id).await?))
}

/// Lists a customer's unpaid cancellation fees, the oldest first, 100 at most: they keep the customer from creating
/// jobs, and can be waived.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = List<UnpaidFee>)),
)]
#[get("/admin/users/{id}/unpaid-fees")]
pub async fn list_unpaid_fees_of_user(
    context: Data<PaymentsContext>,
    customer: Owned<CustomerAccount, Admin<desk::Cases>>,
) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok().json(unpaid(&context, customer.id).await?))
}

async fn unpaid(context: &PaymentsContext, customer_id: Uuid) -> ApiResult<List<UnpaidFee>> {
    let rows = dues::unpaid_fees(&context.db, customer_id, MAX_FEES).await?;
    Ok(List { data: rows.into_iter().map(Into::into).collect() })
}

/// Waives a cancellation fee. A paid fee is refunded instead.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: no fee is due for this job; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/jobs/{id}/waive-fee")]
pub async fn waive_fee(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Admin<desk::Money>>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let key = key.read()?;
    // The job's id is part of the digest: the same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/jobs/{id}/waive-fee", key, &digested);
    let make = async |claim: &Claim| {
        body.read()?;
        fees::waive(&context, admin.user_id, row.id, claim).await
    };
    // No transition follows: the cancelled job is still as it was in the first answer.
    idempotency::once(&context, request, make, async |_, _| Ok(())).await?;
    Ok(HttpResponse::Ok().json(jobs::present(&row, jobs::Viewer::Admin, &context)))
}
