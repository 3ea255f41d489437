//! What is owed for cancelled jobs.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use crate::{
    admin::audit,
    auth::{Admin, Caller, Customer},
    bridge::outside,
    error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
    idempotency::{self, Claim},
    jobs::{self, Job},
    payments::{
        audited,
        dto::UnpaidFee,
        dues::{self, MAX_FEES},
    },
    state::AppState,
    web::{Body, IdempotencyKey, List, NoFields, PathIds},
};

/// The caller's unpaid cancellation fees, the oldest first, 100 at most.
#[utoipa::path(tag = "payments", responses((status = 200, body = List<UnpaidFee>)))]
#[get("/payments/unpaid-fees")]
pub async fn list_unpaid_fees(state: Data<AppState>, Customer(caller): Customer) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok().json(unpaid(&state, &caller).await?))
}

/// The same as /payments/unpaid-fees, which takes its place.
#[utoipa::path(tag = "payments", responses((status = 200, body = List<UnpaidFee>)))]
#[get("/payments/outstanding-fees")]
pub async fn list_outstanding_fees(
    state: Data<AppState>,
    Customer(caller): Customer,
) -> ApiResult<HttpResponse> {
    let fees = unpaid(&state, &caller).await?;
    // RFC 9745 and RFC 8288: since when it is deprecated (2026-01-01, Unix time), and what takes its place.
    Ok(HttpResponse::Ok()
        .insert_header(("Deprecation", "@1767225600"))
        .insert_header(("Link", "</payments/unpaid-fees>; rel=\"successor-version\""))
        .json(fees))
}

async fn unpaid(state: &AppState, caller: &Caller) -> ApiResult<List<UnpaidFee>> {
    let rows = dues::queries::unpaid_fees(&state.db, caller.user_id, MAX_FEES).await?;
    Ok(List { data: rows.into_iter().map(Into::into).collect() })
}

/// Lets a cancellation fee go. One that was paid is refunded instead.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: no fee is due for this job; \
            IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
    ),
)]
#[post("/admin/jobs/{id}/waive-fee")]
pub async fn waive_fee(
    state: Data<AppState>,
    Admin(admin): Admin,
    path: PathIds,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let id = path.id("id")?;
    let row = jobs::find(&state.db, id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let key = key.read()?;
    // The same key for another job is another request.
    let digested = [id.as_bytes(), body.bytes()].concat();
    let claim =
        idempotency::claim(&state, admin.user_id, "/admin/jobs/{id}/waive-fee", key, &digested).await?;
    let done = match &claim {
        Claim::Unmarked | Claim::Mine(_) => waive(&state, admin.user_id, id, body, &claim).await,
        // Nothing follows: the cancelled job still stands as it was answered.
        Claim::Made { .. } => Ok(()),
        Claim::Refused { status, body } => return Ok(idempotency::replay(*status, body.clone())),
    };
    idempotency::settle(&state, &claim, &done).await;
    done?;
    Ok(HttpResponse::Ok().json(jobs::present(&row, jobs::Viewer::Admin, &state.settings)))
}

async fn waive(
    state: &AppState,
    admin_id: Uuid,
    job_id: Uuid,
    body: Body<NoFields>,
    claim: &Claim,
) -> ApiResult<()> {
    body.read()?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    outside::lock(&mut tx, state, job_id).await.map_err(jobs::refused)?;
    let none_due = || ApiError::new(Code::InvalidTransition, "no cancellation fee is due for this job");
    let fee = dues::waive(&mut tx, &state.random, job_id, now).await?.ok_or_else(none_due)?;
    let entry = audit::Entry {
        actor_id: Some(admin_id),
        action: "job.waive_fee",
        subject_kind: "job",
        subject_id: job_id,
        before: audited::fee_standing(fee.amount_paise, "due"),
        after: audited::fee_standing(fee.amount_paise, "waived"),
    };
    audit::record(&mut tx, &state.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, job_id).await?;
    tx.commit().await.map_err(commit_error)
}
