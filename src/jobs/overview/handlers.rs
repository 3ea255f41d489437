use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};

use super::{
    dto::JobForAdmin,
    queries::{self, AdminJobFilter},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ExportQuery, ListWindow, MAX_COUNTED_RESULTS, Owned, Page, RowKey, list},
    jobs::{
        callbacks,
        context::JobsContext,
        dto::Job,
        owned::ViewedJob,
        remembered::has_event,
        shown::ListedJob,
        view::{present, present_listed},
        viewer::Viewer,
    },
    platform::error::ApiResult,
};

/// Lists all jobs, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(ExportQuery<AdminJobFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<JobForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/jobs")]
pub async fn list_all_jobs(
    context: Data<JobsContext>,
    Admin(admin, _): Admin<desk::Cases>,
    query: ExportQuery<AdminJobFilter>,
) -> ApiResult<HttpResponse> {
    list::<Jobs>(&context, admin.user_id, &query).await
}

/// The list of all jobs.
struct Jobs;

impl AdminList for Jobs {
    const NAME: &'static str = "jobs";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "pickup", "vehicle"];
    type Filter = AdminJobFilter;
    type Item = JobForAdmin;
    type Context = JobsContext;

    async fn count(context: &JobsContext, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&context.db, filter, None).await?)
    }

    async fn total(context: &JobsContext, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&context.db, filter, Some(MAX_COUNTED_RESULTS)).await?)
    }

    async fn rows(
        context: &JobsContext,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&context.db, filter, window).await?;
        let people = rows.iter().flat_map(|row| [Some(row.job.customer_id), row.job.mechanic_profile_id]);
        let contacts = Contacts::of(&context.db, people.flatten()).await?;
        let now = context.clock.now();
        let shown = |row: ListedJob| {
            has_event(context, row.job.id, row.job.seq);
            let key = RowKey { at: row.job.created_at, id: row.job.id };
            let job = present_listed(row, Viewer::Admin, &context.visibility, now);
            (key, with_contacts(job, &contacts))
        };
        Ok(rows.into_iter().map(shown).collect())
    }
}

/// Returns any job.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = JobForAdmin)),
)]
#[get("/admin/jobs/{id}")]
pub async fn get_any_job(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Admin<desk::Cases>>,
) -> ApiResult<Json<JobForAdmin>> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let people = [Some(row.customer_id), row.mechanic_profile_id];
    let contacts = Contacts::of(&context.db, people.into_iter().flatten()).await?;
    let callback = callbacks::of_job(&context.db, &row, viewer).await?;
    let job = Job { callback, ..present(&row, viewer, &context) };
    Ok(Json(with_contacts(job, &contacts)))
}

fn with_contacts(job: Job, contacts: &Contacts) -> JobForAdmin {
    let customer = contacts.customer(job.customer_id);
    let mechanic = contacts.mechanic(job.mechanic_profile_id);
    JobForAdmin { job, customer, mechanic }
}
