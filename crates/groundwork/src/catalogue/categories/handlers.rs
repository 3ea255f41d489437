use actix_web::{
    HttpResponse, delete, get, patch, post, put,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, AnyId, Caller, desk};
use roadcall_http::{Body, IdempotencyKey, List, Owned, OwnedBy, PathIds, Query};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions::{self, no_such_category},
    context::CategoriesContext,
    dto::{CategoryChanges, CategoryFilter, NewCategory, ServiceCategory},
    queries::{self, CategoryRow},
    questions::{CategoryQuestions, NewQuestions},
};

/// Lists the kinds of help, in their order. Only admins see those that are switched off.
#[utoipa::path(
    tag = "service-categories",
    params(("vehicle_type" = Option<crate::catalogue::vehicles::VehicleKind>, Query, description = "Only those for this type")),
    responses((status = 200, body = List<ServiceCategory>)),
)]
#[get("/service-categories")]
pub async fn list_service_categories(
    context: Data<Core>,
    caller: Caller,
    filter: Query<CategoryFilter>,
) -> ApiResult<HttpResponse> {
    let kind = filter.read()?.vehicle_type.map(|kind| kind.0);
    let rows = queries::list(&context.db, kind, caller.is_admin()).await?;
    Ok(HttpResponse::Ok().json(List { data: rows.into_iter().map(ServiceCategory::from).collect() }))
}

/// Returns a kind of help.
#[utoipa::path(
    tag = "service-categories",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = ServiceCategory)),
)]
#[get("/service-categories/{id}")]
pub async fn get_service_category(category: Owned<CategoryRow, Caller>) -> ApiResult<HttpResponse> {
    let (row, _) = category.into_parts();
    Ok(HttpResponse::Ok().json(ServiceCategory::from(row)))
}

/// Everybody sees a category while it is offered, and admins see all.
impl OwnedBy<Caller> for CategoryRow {
    const NAME: &'static str = "service category";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let row = queries::find(&core.db, path.id("id")?).await?;
        Ok(row.filter(|row| row.is_active || by.is_admin()))
    }
}

/// Adds a kind of help.
#[utoipa::path(
    tag = "service-categories",
    extensions(("x-desks" = json!(desk::Settings))),
    params(IdempotencyKey),
    request_body = NewCategory,
    responses(
        (status = 201, body = ServiceCategory),
        (status = 409, body = ErrorBody, description = "CONFLICT: the slug is another category's; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/service-categories")]
pub async fn create_service_category(
    context: Data<CategoriesContext>,
    Admin(caller, _): Admin<desk::Settings>,
    key: IdempotencyKey,
    body: Body<NewCategory>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/service-categories", key.read()?, body.bytes());
    let make = async |claim: &Claim| actions::create(&context, caller.user_id, body.read()?, claim).await;
    let again = async |id, _| queries::find(&context.db, id).await?.ok_or_else(no_such_category);
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(ServiceCategory::from(row)))
}

/// Changes the given fields. Prices of existing jobs stay the same.
#[utoipa::path(
    tag = "service-categories",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = CategoryChanges,
    responses(
        (status = 200, body = ServiceCategory),
        (status = 409, body = ErrorBody, description = "CONFLICT: the slug is another category's"),
    ),
)]
#[patch("/service-categories/{id}")]
pub async fn update_service_category(
    context: Data<CategoriesContext>,
    target: Owned<AnyId, Admin<desk::Settings>>,
    body: Body<CategoryChanges>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(caller, _)) = target.into_parts();
    if queries::find(&context.db, id).await?.is_none() {
        return Err(no_such_category());
    }
    let row = actions::change(&context, caller.user_id, id, body.read()?).await?;
    Ok(HttpResponse::Ok().json(ServiceCategory::from(row)))
}

/// Removes a kind of help; one that jobs or mechanics refer to is switched off instead.
#[utoipa::path(
    tag = "service-categories",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "CATEGORY_IN_USE: a job that asks for it is open"),
    ),
)]
#[delete("/service-categories/{id}")]
pub async fn delete_service_category(
    context: Data<CategoriesContext>,
    target: Owned<AnyId, Admin<desk::Settings>>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(caller, _)) = target.into_parts();
    actions::delete(&context, caller.user_id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Returns the questions that partners are asked about this kind of help.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = CategoryQuestions)),
)]
#[get("/admin/service-categories/{id}/questions")]
pub async fn get_questions(
    core: Data<Core>,
    target: Owned<AnyId, Admin<desk::Settings>>,
) -> ApiResult<Json<CategoryQuestions>> {
    let row = queries::find(&core.db, target.0).await?.ok_or_else(no_such_category)?;
    Ok(Json(CategoryQuestions { questions: queries::questions_of(&core.db, row.id).await? }))
}

/// Replaces the questions that partners are asked about this kind of help. The answers of earlier cases stay.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = NewQuestions,
    responses((status = 200, body = CategoryQuestions)),
)]
#[put("/admin/service-categories/{id}/questions")]
pub async fn set_questions(
    core: Data<Core>,
    target: Owned<AnyId, Admin<desk::Settings>>,
    body: Body<NewQuestions>,
) -> ApiResult<Json<CategoryQuestions>> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    if queries::find(&core.db, id).await?.is_none() {
        return Err(no_such_category());
    }
    let questions = actions::set_questions(&core, admin.user_id, id, body.read()?).await?;
    Ok(Json(CategoryQuestions { questions }))
}
