//! What admins do: the list, one of it, and the answer.

use super::{
    actions,
    dto::{AdminGrievance, GrievanceAnswer, GrievanceEntry, GrievanceParams, ListedGrievance},
    queries::{self, GrievanceFilter, GrievanceRow},
    state::{GrievanceKind, GrievanceStatus},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, Owned, OwnedBy, Page, PathIds, Query, RowKey,
        Timestamp, between, list,
    },
    notifications::NotifyContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody, after_commit},
    },
};
use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

/// What people asked or complained about their data, without the texts: open ones in the order in which they are due, others newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<GrievanceStatus>, Query, description = "open if not given", example = "open"),
        ("kind" = Option<GrievanceKind>, Query, description = "All if not given", example = "erasure"),
        ("from" = Option<Timestamp>, Query, description = "Written from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Written before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ListedGrievance> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/grievances")]
pub async fn list_grievances(
    core: Data<Core>,
    Admin(admin, _): Admin<desk::People>,
    query: Query<GrievanceParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = GrievanceFilter {
        status: params.status.map_or(GrievanceStatus::Open, |status| status.0),
        kind: params.kind.map(|kind| kind.0),
        written: between(params.from, params.to)?,
    };
    list::<GrievanceList>(&core, admin.user_id, request, filter).await
}

/// All of them.
struct GrievanceList;

impl AdminList for GrievanceList {
    const NAME: &'static str = "grievances";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = GrievanceFilter;
    type Item = ListedGrievance;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, *filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, *filter, window).await?;
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

/// A grievance with what it says.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = AdminGrievance)))]
#[get("/admin/grievances/{id}")]
pub async fn get_grievance(
    core: Data<Core>,
    target: Owned<GrievanceRow, Admin<desk::People>>,
) -> ApiResult<Json<AdminGrievance>> {
    let (row, _) = target.into_parts();
    shown(&core, row).await
}

/// Answers a grievance, once. Its person is notified, and reads the answer with it.
#[utoipa::path(
    tag = "admin",
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
