//! Jobs of cases, for partners who read and order them. What their mechanics propose is decided in `steps.rs`.

use actix_web::{
    get, post,
    web::{Data, Json},
};

use crate::{
    accounts::{
        auth::PartnerCaller,
        organisations::{Partner, scope},
        uploads::UploadsContext,
    },
    http::{Body, IdempotencyKey, List, NoFields, Owned},
    jobs::{JobStep, JobsContext},
    partners::{
        cases::{
            actions,
            dto::{AccountJobPosition, CancelAccountJob, PartnerJob, PartnerPhoto},
            owned::JobOfCase,
            showing,
        },
        context::PartnersContext,
        feeds::FeedsContext,
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody, after_commit},
    },
};

/// Returns the step of a job that a partner asks for. `route` is the template of its path, which names only the job.
pub(super) fn step_of<T>(
    job: &JobOfCase,
    caller: &PartnerCaller,
    route: &'static str,
    key: IdempotencyKey,
    body: &Body<T>,
) -> ApiResult<JobStep> {
    let key = caller.kept_key(key.read()?);
    Ok(JobStep::new(job.row.id, caller.account_id, route, key, body.bytes()))
}

/// Returns the job after a step that is done.
pub(super) async fn after(core: &Core, job: &JobOfCase) -> ApiResult<Json<PartnerJob>> {
    showing::job(core, job.row.id).await.map(Json).map_err(after_commit)
}

/// Returns a job of a case as it is now, with the extra work that was proposed.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = PartnerJob)),
)]
#[get("/partner/jobs/{id}")]
pub async fn get_case_job(
    core: Data<Core>,
    job: Owned<JobOfCase, Partner<scope::Read>>,
) -> ApiResult<Json<PartnerJob>> {
    Ok(Json(showing::found_job(&core, &job).await?))
}

/// Lists the photos of a job's work, and those that show why extra work is needed: at most a hundred, the oldest first, each with a
/// link that ends soon. Files of the chat and the evidence of disputes are not among them.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = List<PartnerPhoto>)),
)]
#[get("/partner/jobs/{id}/photos")]
pub async fn list_case_job_photos(
    context: Data<UploadsContext>,
    job: Owned<JobOfCase, Partner<scope::Read>>,
) -> ApiResult<Json<List<PartnerPhoto>>> {
    Ok(Json(List { data: showing::photos(&context, job.row.id).await? }))
}

/// Returns where the mechanic of a job is, how old that position is, and how far they have to go. From the acceptance until the
/// work is done.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AccountJobPosition)),
)]
#[get("/partner/jobs/{id}/location")]
pub async fn locate_case_job(
    context: Data<PartnersContext>,
    job: Owned<JobOfCase, Partner<scope::Read>>,
) -> ApiResult<Json<AccountJobPosition>> {
    let context: &JobsContext = &context;
    Ok(Json(showing::position(context, &job.row).await?))
}

/// Cancels a job. What it costs the organisation follows from the contract, and is in the job's bill.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = CancelAccountJob,
    responses(
        (status = 200, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job can't be cancelled (any more)"),
    ),
)]
#[post("/partner/jobs/{id}/cancel")]
pub async fn cancel_case_job(
    context: Data<FeedsContext>,
    job: Owned<JobOfCase, Partner<scope::Cases>>,
    key: IdempotencyKey,
    body: Body<CancelAccountJob>,
) -> ApiResult<Json<PartnerJob>> {
    let (job, Partner(caller, _)) = job.into_parts();
    let step = step_of(&job, &caller, "/partner/jobs/{id}/cancel", key, &body)?;
    actions::cancel(&context, &caller, step, body.read()?).await?;
    after(&context, &job).await
}

/// Searches again for a job that found no mechanic.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION; NO_NEW_JOBS; CONFLICT: the category is not offered any more"),
    ),
)]
#[post("/partner/jobs/{id}/retry")]
pub async fn retry_case_job(
    context: Data<FeedsContext>,
    job: Owned<JobOfCase, Partner<scope::Cases>>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<Json<PartnerJob>> {
    let (job, Partner(caller, _)) = job.into_parts();
    let step = step_of(&job, &caller, "/partner/jobs/{id}/retry", key, &body)?;
    body.read()?;
    actions::search_again(&context, &caller, step, &job).await?;
    after(&context, &job).await
}
