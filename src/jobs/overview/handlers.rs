use std::slice;

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};

use super::{
    dto::{AllJobsParams, JobForAdmin},
    queries::{self, AdminJobFilter},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{
        AdminList, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey, SearchText, Text,
        Timestamp, between, list,
    },
    jobs::{
        callbacks::Callbacks,
        context::JobsContext,
        dto::{ConcernFilter, Job, JobStatus},
        queries::JobRow,
        view::present,
        viewer::Viewer,
    },
    platform::{core::Core, error::ApiResult},
};

/// All jobs, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<Vec<JobStatus>>, Query,
            description = "With one of these statuses: `status=a&status=b`, or `status=a,b`", example = json!(["dispatching"])),
        ("concern" = Option<ConcernFilter>, Query, description = "With this concern, or with any", example = "any"),
        ("service_category_id" = Option<Uuid>, Query, description = "Of this category"),
        ("customer_id" = Option<Uuid>, Query, description = "Of this customer", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01"),
        ("mechanic_profile_id" = Option<Uuid>, Query, description = "Of this mechanic", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("q" = Option<Text<2, 100>>, Query, description = "Words that begin words of the customer's or the mechanic's name or \
            email, of the pickup address, the description or the beneficiary's name; or the last digits of one of their phone \
            numbers, or the beginning or end of the vehicle's plate, at least 4 characters", example = "KA01AB1234"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<JobForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/jobs")]
pub async fn list_all_jobs(
    context: Data<JobsContext>,
    Admin(admin, _): Admin<desk::Cases>,
    query: Query<AllJobsParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = AdminJobFilter {
        statuses: params.status.map(|statuses| statuses.0).unwrap_or_default(),
        concerns: params.concern.map(|concern| concern.0.concerns()).unwrap_or_default(),
        category: params.service_category_id.map(|id| id.0.0),
        customer: params.customer_id.map(|id| id.0.0),
        mechanic: params.mechanic_profile_id.map(|id| id.0.0),
        made: between(params.from, params.to)?,
        q: SearchText::of(params.q),
    };
    list::<Jobs>(&context, admin.user_id, request, filter).await
}

/// All jobs.
struct Jobs;

impl AdminList for Jobs {
    const NAME: &'static str = "jobs";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "pickup", "vehicle"];
    type Filter = AdminJobFilter;
    type Item = JobForAdmin;
    type Context = JobsContext;

    async fn count(context: &JobsContext, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&context.db, filter).await?)
    }

    async fn rows(
        context: &JobsContext,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&context.db, filter, window).await?;
        let contacts = contacts_of(context, &rows).await?;
        let callbacks = Callbacks::of(&context.db, &rows).await?;
        let key = |row: &JobRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.iter().map(|row| (key(row), shown(context, &contacts, &callbacks, row))).collect())
    }
}

/// Any job.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = JobForAdmin)))]
#[get("/admin/jobs/{id}")]
pub async fn get_any_job(
    context: Data<JobsContext>,
    row: Owned<JobRow, Admin<desk::Cases>>,
) -> ApiResult<Json<JobForAdmin>> {
    let rows = slice::from_ref(&*row);
    let contacts = contacts_of(&context, rows).await?;
    let callbacks = Callbacks::of(&context.db, rows).await?;
    Ok(Json(shown(&context, &contacts, &callbacks, &row)))
}

async fn contacts_of(core: &Core, rows: &[JobRow]) -> ApiResult<Contacts> {
    let people = rows.iter().flat_map(|row| [Some(row.customer_id), row.mechanic_profile_id]);
    Ok(Contacts::of(&core.db, people.flatten()).await?)
}

fn shown(context: &JobsContext, contacts: &Contacts, callbacks: &Callbacks, row: &JobRow) -> JobForAdmin {
    let callback = callbacks.of_job(row, Viewer::Admin);
    JobForAdmin {
        job: Job { callback, ..present(row, Viewer::Admin, context) },
        customer: contacts.customer(row.customer_id),
        mechanic: contacts.mechanic(row.mechanic_profile_id),
    }
}
