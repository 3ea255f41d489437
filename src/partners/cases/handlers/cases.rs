//! Cases, for partners.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use sha2::{Digest, Sha256};

use crate::{
    accounts::organisations::{Partner, scope},
    http::{Body, IdempotencyKey, ListQuery, NoFields, Owned, Page, PathText},
    partners::{
        cases::{
            actions,
            dto::{CaseEntry, NewCase, NewCaseJob, PartnerCase, PartnerJob},
            ending,
            queries::{self, CaseRow, PartnerCaseFilter},
            showing,
        },
        feeds::FeedsContext,
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Makes a case with its first job, and looks for a mechanic. `partner_reference` names the case: a repeat of the same request
/// returns the same case with 200, whenever it comes, and another request with the reference is refused. The person who is helped
/// needs no account. The organisation pays what the contract covers.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(IdempotencyKey),
    request_body = NewCase,
    responses(
        (status = 201, body = PartnerCase),
        (status = 200, body = PartnerCase, description = "The same request made the case before"),
        (status = 409, body = ErrorBody, description = "CONFLICT: partner_reference was used for another case; \
            ACTIVE_JOB_EXISTS: the vehicle has an open job; TOO_MANY_OPEN_JOBS: the organisation has as many as it may \
            (`partners.max_open_jobs`); NO_NEW_JOBS: no new jobs are taken; the message says why, and `Retry-After` how long, if that \
            is known; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/partner/cases")]
pub async fn create_case(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Cases>,
    key: IdempotencyKey,
    body: Body<NewCase>,
) -> ApiResult<HttpResponse> {
    let request =
        Request::new(caller.account_id, "/partner/cases", caller.kept_key(key.read()?), body.bytes());
    let digest: [u8; 32] = Sha256::digest(body.bytes()).into();
    let make = async |claim: &Claim| actions::create(&context, &caller, body.read()?, digest, claim).await;
    let again =
        async |job_id, is_new| actions::case_of_job(&context, job_id).await.map(|case| (case, is_new));
    let (case, is_new) = idempotency::once(&context, request, make, again).await?;
    let shown = showing::found_case(&context, case).await?;
    Ok(if is_new { HttpResponse::Created().json(shown) } else { HttpResponse::Ok().json(shown) })
}

/// Lists the organisation's cases, the newest first, each with its latest job. An agency sees those that it made.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(ListQuery<PartnerCaseFilter>),
    responses((status = 200, body = Page<CaseEntry>)),
)]
#[get("/partner/cases")]
pub async fn list_cases(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: ListQuery<PartnerCaseFilter>,
) -> ApiResult<Json<Page<CaseEntry>>> {
    let (filter, page) = query.read()?;
    let whose = (caller.organisation_id, caller.only_made_by());
    let rows = queries::of_organisation(&core.db, whose, &filter, page).await?;
    let total = page.total(rows.len(), queries::count_of_organisation(&core.db, whose, &filter)).await?;
    Ok(Json(page.of(rows.into_iter().map(CaseEntry::from).collect(), total)))
}

/// Returns a case with its jobs as they are now.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = PartnerCase)),
)]
#[get("/partner/cases/{id}")]
pub async fn get_case(
    core: Data<Core>,
    case: Owned<CaseRow, Partner<scope::Read>>,
) -> ApiResult<Json<PartnerCase>> {
    Ok(Json(showing::found_case(&core, case.into_parts().0).await?))
}

/// Returns a case by the organisation's own reference.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("reference" = String, Path, description = "The case's partner_reference", example = "NMI-2026-004711")),
    responses((status = 200, body = PartnerCase)),
)]
#[get("/partner/cases/by-reference/{reference}")]
pub async fn get_case_by_reference(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    path: PathText,
) -> ApiResult<Json<PartnerCase>> {
    let reference = path.text("reference");
    let found = queries::by_reference(&core.db, caller.organisation_id, reference).await?;
    let found = found.filter(|case| caller.may_see(case.made_by)).ok_or_else(showing::no_such_case)?;
    Ok(Json(showing::found_case(&core, found).await?))
}

/// Closes a case whose jobs are all over. It takes no further jobs. A repeat changes nothing.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = PartnerCase),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a job of the case is not over, or the case is not open"),
    ),
)]
#[post("/partner/cases/{id}/close")]
pub async fn close_case(
    context: Data<FeedsContext>,
    case: Owned<CaseRow, Partner<scope::Cases>>,
    body: Body<NoFields>,
) -> ApiResult<Json<PartnerCase>> {
    let (case, Partner(caller, _)) = case.into_parts();
    body.read()?;
    ending::close(&context, &caller, &case).await?;
    Ok(Json(showing::case(&context, case.id).await?))
}

/// Makes another job of an open case, for its vehicle and its person: a tow after a jump start that failed, for example. The
/// former job has to be over.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewCaseJob,
    responses(
        (status = 201, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the case is not open, or has had 20 jobs; \
            ACTIVE_JOB_EXISTS: the vehicle has an open job; TOO_MANY_OPEN_JOBS: the organisation has as many as it may \
            (`partners.max_open_jobs`); NO_NEW_JOBS: no new jobs are taken; the message says why, and `Retry-After` how long, if that \
            is known; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/partner/cases/{id}/jobs")]
pub async fn create_case_job(
    context: Data<FeedsContext>,
    case: Owned<CaseRow, Partner<scope::Cases>>,
    key: IdempotencyKey,
    body: Body<NewCaseJob>,
) -> ApiResult<HttpResponse> {
    let (case, Partner(caller, _)) = case.into_parts();
    let digested = [case.id.as_bytes(), body.bytes()].concat();
    let key = caller.kept_key(key.read()?);
    let request = Request::new(caller.account_id, "/partner/cases/{id}/jobs", key, &digested);
    let make = async |claim: &Claim| {
        let row = actions::create_job(&context, caller.account_id, &case, body.read()?, claim).await;
        row.map(|row| row.id)
    };
    let again = async |id, _| Ok::<_, ApiError>(id);
    let job_id = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(showing::job(&context, job_id).await?))
}
