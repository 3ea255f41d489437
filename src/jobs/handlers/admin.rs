//! What admins do. Every command leaves an audit row, which the journal writes in the command's own transaction.

use super::{answer, find_for, job_id};
use crate::{
    accounts::auth::Admin,
    fleet::mechanics,
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, Page, PathIds, Query, RowKey, Text, Timestamp,
        between, list,
    },
    jobs::{
        JobsContext, Viewer,
        dto::{AdminReason, AllJobsParams, Assign, ConcernFilter, Job, JobStatus},
        present,
        queries::{self, AdminFilter, JobFilter, JobRow},
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
    },
};
use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_actors::{
    ids::{MechanicId, UserId},
    job::state::{Actor, Command},
};

/// Everybody's jobs, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<Vec<JobStatus>>, Query, style = Form, explode = false,
            description = "Statuses, comma-separated", example = json!(["dispatching"])),
        ("concern" = Option<ConcernFilter>, Query, description = "With this concern, or with any", example = "any"),
        ("service_category_id" = Option<Uuid>, Query, description = "Of this category"),
        ("customer_id" = Option<Uuid>, Query, description = "Of this customer", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01"),
        ("mechanic_profile_id" = Option<Uuid>, Query, description = "Of this mechanic", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("q" = Option<Text<1, 100>>, Query, description = "Part of the pickup address, the description or the beneficiary's name", example = "mg road"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<Job> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/jobs")]
pub async fn list_all_jobs(
    context: Data<JobsContext>,
    Admin(admin): Admin,
    query: Query<AllJobsParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let statuses = super::read::words(params.status.map(|status| status.0));
    let concerns = params.concern.map_or(Vec::new(), |concern| concern.0.words());
    let (from, to) = between(params.from, params.to)?;
    let of = AdminFilter {
        category: params.service_category_id.map(|id| id.0),
        customer: params.customer_id.map(|id| id.0),
        mechanic: params.mechanic_profile_id.map(|id| id.0),
        from,
        to,
        q: params.q.map(|q| q.0),
    };
    let filter = JobFilter { is_everyone: true, statuses, concerns, of, ..JobFilter::default() };
    list::<Jobs>(&context, admin.user_id, request, filter).await
}

/// All jobs.
struct Jobs;

impl AdminList for Jobs {
    const NAME: &'static str = "jobs";
    type Filter = JobFilter;
    type Item = Job;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        let key = |row: &JobRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.iter().map(|row| (key(row), present(row, Viewer::Admin, &core.settings))).collect())
    }
}

/// Any job.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = Job)))]
#[get("/admin/jobs/{id}")]
pub async fn get_any_job(
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
) -> ApiResult<HttpResponse> {
    let (row, viewer) = find_for(&context, &admin, path.id("id")?).await?;
    Ok(HttpResponse::Ok().json(present(&row, viewer, &context.settings)))
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
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<Assign>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let profile_id = body.read()?.mechanic_profile_id.0;
    match mechanics::user_of_verified(&context.db, profile_id).await? {
        None => return Err(ApiError::invalid("mechanic_profile_id", "is not a verified mechanic")),
        Some(user_id) if user_id == row.customer_id => {
            return Err(ApiError::invalid("mechanic_profile_id", "is the customer's own"));
        }
        Some(_) => {}
    }
    let done = context.engine.assign(job_id(row.id), MechanicId(profile_id), UserId(admin.user_id)).await;
    answer(&context, row.id, Viewer::Admin, done).await
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
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done = context.engine.order(job_id(row.id), by, Command::Reassign { reason }).await;
    answer(&context, row.id, Viewer::Admin, done).await
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
    context: Data<JobsContext>,
    Admin(admin): Admin,
    path: PathIds,
    body: Body<AdminReason>,
) -> ApiResult<HttpResponse> {
    let (row, _) = find_for(&context, &admin, path.id("id")?).await?;
    let reason = body.read()?.reason.0;
    let by = Actor::Admin(UserId(admin.user_id));
    let done = context.engine.cancel(job_id(row.id), by, "admin".to_owned(), Some(reason), None).await;
    answer(&context, row.id, Viewer::Admin, done).await
}
