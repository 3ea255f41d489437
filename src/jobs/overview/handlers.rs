use std::slice;

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
    http::{AdminList, ExportQuery, ListWindow, Owned, Page, RowKey, list},
    jobs::{
        callbacks::Callbacks, context::JobsContext, dto::Job, queries::JobRow, view::present, viewer::Viewer,
    },
    platform::{core::Core, error::ApiResult},
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
