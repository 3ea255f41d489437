use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, Caller, desk};
use roadcall_http::{
    AdminList, Body, ExportQuery, IdempotencyKey, KeyedRows, Latitude, List, ListWindow, Longitude, Owned,
    OwnedBy, Page, PathIds, Query, RowKey, list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions,
    dto::{NearWorkshop, NearestQuery, NewWorkshop, Workshop, WorkshopChanges},
    queries::{self, WorkshopFilter},
};

/// Lists the workshops that a vehicle can be towed to, nearest first.
#[utoipa::path(
    tag = "workshops",
    params(
        ("lat" = Latitude, Query, description = "From where the distance counts: the pickup."),
        ("lng" = Longitude, Query),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 50, description = "20 if not given"),
    ),
    responses((status = 200, body = List<NearWorkshop>)),
)]
#[get("/workshops")]
pub async fn list_workshops(
    _caller: Caller,
    context: Data<Core>,
    query: Query<NearestQuery>,
) -> ApiResult<Json<List<NearWorkshop>>> {
    let (from, limit) = query.read()?.checked()?;
    let near = actions::nearest(&context, from, limit).await?;
    Ok(Json(List { data: near.into_iter().map(|(row, metres)| NearWorkshop::of(row, metres)).collect() }))
}

/// Lists all workshops, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(ExportQuery<WorkshopFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<Workshop> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/workshops")]
pub async fn list_all_workshops(
    context: Data<Core>,
    Admin(admin, _): Admin<desk::Settings>,
    query: ExportQuery<WorkshopFilter>,
) -> ApiResult<HttpResponse> {
    list::<WorkshopList>(&context, admin.user_id, &query).await
}

/// All workshops. They are businesses of the operator's list, so showing them reveals no personal data.
struct WorkshopList;

impl AdminList for WorkshopList {
    const NAME: &'static str = "workshops";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = WorkshopFilter;
    type Item = Workshop;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list(&core.db, filter, window).await?;
        let key = |row: &Workshop| RowKey { at: row.created_at.0, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), row)).collect())
    }
}

/// Adds a workshop.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(IdempotencyKey),
    request_body = NewWorkshop,
    responses(
        (status = 201, body = Workshop),
        (status = 409, body = ErrorBody, description = "CONFLICT: there are 1,000 workshops; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/workshops")]
pub async fn create_workshop(
    context: Data<Core>,
    Admin(caller, _): Admin<desk::Settings>,
    key: IdempotencyKey,
    body: Body<NewWorkshop>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/admin/workshops", key.read()?, body.bytes());
    let make = async |claim: &Claim| actions::create(&context, caller.user_id, body.read()?, claim).await;
    let again = async |id, _| queries::find(&context.db, id).await?.ok_or_else(actions::no_such_workshop);
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(row))
}

/// Admins maintain the list.
impl OwnedBy<Admin<desk::Settings>> for Workshop {
    const NAME: &'static str = "workshop";

    async fn find(core: &Core, _: &Admin<desk::Settings>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Changes the given fields. Jobs that go there keep the place as it was.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = WorkshopChanges,
    responses((status = 200, body = Workshop)),
)]
#[patch("/admin/workshops/{id}")]
pub async fn update_workshop(
    context: Data<Core>,
    target: Owned<Workshop, Admin<desk::Settings>>,
    body: Body<WorkshopChanges>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(caller, _)) = target.into_parts();
    let row = actions::change(&context, caller.user_id, row.id, body.read()?).await?;
    Ok(HttpResponse::Ok().json(row))
}

/// Removes a workshop. Jobs that go there keep its place and its name.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/admin/workshops/{id}")]
pub async fn delete_workshop(
    context: Data<Core>,
    target: Owned<Workshop, Admin<desk::Settings>>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(caller, _)) = target.into_parts();
    actions::delete(&context, caller.user_id, row.id).await?;
    Ok(HttpResponse::NoContent().finish())
}
