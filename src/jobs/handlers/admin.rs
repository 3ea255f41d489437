//! What admins do. Every command leaves an audit row, which the journal writes in the command's own transaction.

use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_actors::{
    ids::{MechanicId, UserId},
    job::state::{Actor, Command},
};

use super::{answer, find_for, job_id};
use crate::{
    auth::Admin,
    error::{ApiError, ApiResult, ErrorBody},
    jobs::{
        Viewer,
        dto::{AdminReason, AllJobsParams, Assign, ConcernFilter, Job, JobStatus},
        present,
        queries::{self, JobFilter},
    },
    mechanics,
    state::AppState,
    web::{Body, Page, PageParams, PathIds, Query, to_the_end},
};

/// Everybody's jobs, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<Vec<JobStatus>>, Query, style = Form, explode = false,
            description = "Statuses, comma-separated", example = json!(["dispatching"])),
        ("concern" = Option<ConcernFilter>, Query, description = "With this concern, or with any", example = "any"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<Job>)),
)]
#[get("/admin/jobs")]
pub async fn list_all_jobs(
    state: Data<AppState>,
    _admin: Admin,
    params: Query<AllJobsParams>,
) -> ApiResult<HttpResponse> {
    let params = params.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let statuses = super::read::words(params.status.map(|status| status.0));
    let concerns = params.concern.map_or(Vec::new(), |concern| concern.0.words());
    let filter = JobFilter { is_everyone: true, statuses, concerns, ..JobFilter::default() };
    let rows = queries::list(&state.db, &filter, page.limit, page.offset()).await?;
    let total = queries::count(&state.db, &filter).await?;
    let shown = rows.iter().map(|row| present(row, Viewer::Admin, &state.settings));
    Ok(HttpResponse::Ok().json(page.of(shown.collect(), total)))
}

/// Any job.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = Job)))]
#[get("/admin/jobs/{id}")]
pub async fn get_any_job(
    state: Data<AppState>,
    Admin(admin): Admin,
    path: PathIds,
) -> ApiResult<HttpResponse> {
    let (row, viewer) = find_for(&state, &admin, path.id("id")?).await?;
    Ok(HttpResponse::Ok().json(present(&row, viewer, &state.settings)))
}

/// Gives a job that is being dispatched to a mechanic, past the offers.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = Assign,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or ACTIVE_JOB_EXISTS: the mechanic is \
            on another job"),
    ),
)]
#[post("/admin/jobs/{id}/assign")]
pub async fn assign_job(
    state: Data<AppState>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<Assign>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&state, &admin, path.id("id")?).await?;
    let profile_id = body.read()?.mechanic_profile_id.0;
    if !mechanics::is_verified(&state.db, profile_id).await? {
        return Err(ApiError::invalid("mechanic_profile_id", "is not a verified mechanic"));
    }
    to_the_end(async move {
        let done = state.engine.assign(job_id(row.id), MechanicId(profile_id), UserId(admin.user_id)).await;
        answer(&state, row.id, Viewer::Admin, done).await
    })
    .await
}

/// Takes the job from its mechanic and looks for another.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = AdminReason,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/admin/jobs/{id}/reassign")]
pub async fn reassign_job(
    state: Data<AppState>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&state, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    to_the_end(async move {
        let by = Actor::Admin(UserId(admin.user_id));
        let done = state.engine.order(job_id(row.id), by, Command::Reassign { reason }).await;
        answer(&state, row.id, Viewer::Admin, done).await
    })
    .await
}

/// Cancels any job, one that is being worked on included.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = AdminReason,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/admin/jobs/{id}/cancel")]
pub async fn cancel_any_job(
    state: Data<AppState>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&state, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    to_the_end(async move {
        let by = Actor::Admin(UserId(admin.user_id));
        let done = state.engine.cancel(job_id(row.id), by, "admin".to_owned(), Some(reason), None).await;
        answer(&state, row.id, Viewer::Admin, done).await
    })
    .await
}
