//! The admins' side: the list, a grievance in full, and the answer.

use super::{
    actions,
    dto::{AdminGrievance, GrievanceAnswer, GrievanceEntry, ListedGrievance},
    queries::{self, GrievanceFilter, GrievanceRow},
};
use crate::notifications::NotifyContext;
use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use roadcall_accounts::{
    auth::{Admin, desk},
    users::Contacts,
};
use roadcall_http::{
    AdminList, Body, ExportQuery, KeyedRows, ListWindow, Owned, OwnedBy, Page, PathIds, RowKey, list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody, after_commit},
};

/// Lists people's questions and complaints about their data, without the texts: open ones in the order in which they are due,
/// others newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(ExportQuery<GrievanceFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ListedGrievance> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/grievances")]
pub async fn list_grievances(
    core: Data<Core>,
    Admin(admin, _): Admin<desk::People>,
    query: ExportQuery<GrievanceFilter>,
) -> ApiResult<HttpResponse> {
    list::<GrievanceList>(&core, admin.user_id, &query).await
}

/// The list of all grievances.
struct GrievanceList;

impl AdminList for GrievanceList {
    const NAME: &'static str = "grievances";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = GrievanceFilter;
    type Item = ListedGrievance;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list(&core.db, filter, window).await?;
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.user_id)).await?;
        let key = |row: &GrievanceRow| RowKey { at: row.done_at.unwrap_or(row.due_at), id: row.id };
        let shown = |row: &GrievanceRow| ListedGrievance {
            entry: GrievanceEntry::from(row),
            person: contacts.customer(row.user_id),
        };
        Ok(rows.iter().map(|row| (key(row), shown(row))).collect())
    }
}

/// Admins answer every grievance.
impl OwnedBy<Admin<desk::People>> for GrievanceRow {
    const NAME: &'static str = actions::NAME;

    async fn find(core: &Core, _: &Admin<desk::People>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Returns a grievance with its text.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AdminGrievance)),
)]
#[get("/admin/grievances/{id}")]
pub async fn get_grievance(
    core: Data<Core>,
    target: Owned<GrievanceRow, Admin<desk::People>>,
) -> ApiResult<Json<AdminGrievance>> {
    let (row, _) = target.into_parts();
    shown(&core, row).await
}

/// Answers a grievance, once. The person is notified, and can read the answer with their grievance.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    request_body = GrievanceAnswer,
    responses(
        (status = 200, body = AdminGrievance),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was answered before, or its account is deleted"),
    ),
)]
#[post("/admin/grievances/{id}/answer")]
pub async fn answer_grievance(
    context: Data<NotifyContext>,
    target: Owned<GrievanceRow, Admin<desk::People>>,
    body: Body<GrievanceAnswer>,
) -> ApiResult<Json<AdminGrievance>> {
    let (row, Admin(admin, _)) = target.into_parts();
    let GrievanceAnswer { answer } = body.read()?;
    let answered = actions::answer(&context, (row.id, row.user_id), &answer.0, admin.user_id).await?;
    shown(&context, answered).await.map_err(after_commit)
}

async fn shown(core: &Core, row: GrievanceRow) -> ApiResult<Json<AdminGrievance>> {
    let contacts = Contacts::of(&core.db, [row.user_id]).await?;
    let person = contacts.customer(row.user_id);
    Ok(Json(AdminGrievance::of(row, person)))
}
