use actix_web::{HttpResponse, delete, get, patch, post, web::Data};
use roadcall_accounts::{
    auth::{Admin, Customer, OwnId, desk},
    users::CustomerAccount,
};
use roadcall_http::{Body, IdempotencyKey, List, Owned};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};
use uuid::Uuid;

use super::{
    actions::{self, no_such_vehicle},
    dto::{NewVehicle, Vehicle, VehicleChanges},
    queries::{self, VehicleRow},
};

/// Lists the caller's vehicles: the default first, then the newest.
#[utoipa::path(tag = "vehicles", responses((status = 200, body = List<Vehicle>)))]
#[get("/vehicles")]
pub async fn list_vehicles(context: Data<Core>, Customer(caller): Customer) -> ApiResult<HttpResponse> {
    let rows = queries::list(&context.db, caller.user_id).await?;
    Ok(HttpResponse::Ok().json(List { data: rows.into_iter().map(Vehicle::from).collect() }))
}

/// Adds a vehicle. A person's first one becomes the default.
#[utoipa::path(
    tag = "vehicles",
    params(IdempotencyKey),
    request_body = NewVehicle,
    responses(
        (status = 201, body = Vehicle),
        (status = 409, body = ErrorBody, description = "CONFLICT: the registration number is registered already, \
            or the caller has 50 vehicles; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/vehicles")]
pub async fn create_vehicle(
    context: Data<Core>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<NewVehicle>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/vehicles", key.read()?, body.bytes());
    let row = add_once(&context, request, (caller.user_id, None), body).await?;
    Ok(HttpResponse::Created().json(Vehicle::from(row)))
}

/// Lists the vehicles of a customer: the default first, then the newest.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = List<Vehicle>)),
)]
#[get("/admin/users/{id}/vehicles")]
pub async fn list_vehicles_of_user(
    context: Data<Core>,
    customer: Owned<CustomerAccount, Admin<desk::Cases>>,
) -> ApiResult<HttpResponse> {
    let rows = queries::list(&context.db, customer.id).await?;
    Ok(HttpResponse::Ok().json(List { data: rows.into_iter().map(Vehicle::from).collect() }))
}

/// Adds a vehicle for a customer who calls.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewVehicle,
    responses(
        (status = 201, body = Vehicle),
        (status = 409, body = ErrorBody, description = "CONFLICT: the customer has a vehicle with this registration \
            number, or 50 vehicles; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/users/{id}/vehicles")]
pub async fn create_vehicle_of_user(
    context: Data<Core>,
    customer: Owned<CustomerAccount, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<NewVehicle>,
) -> ApiResult<HttpResponse> {
    let (customer, Admin(admin, _)) = customer.into_parts();
    let key = key.read()?;
    // The same key for another customer is a different request.
    let digested = [customer.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/users/{id}/vehicles", key, &digested);
    let row = add_once(&context, request, (customer.id, Some(admin.user_id)), body).await?;
    Ok(HttpResponse::Created().json(Vehicle::from(row)))
}

/// Adds a vehicle for its owner, or as an admin, unless the request was carried out before.
async fn add_once(
    context: &Core,
    request: Request,
    (owner, admin): (Uuid, Option<Uuid>),
    body: Body<NewVehicle>,
) -> ApiResult<VehicleRow> {
    let make = async |claim: &Claim| actions::create(context, owner, body.read()?, admin, claim).await;
    let again = async |id, _| queries::find(&context.db, owner, id).await?.ok_or_else(no_such_vehicle);
    idempotency::once(context, request, make, again).await
}

/// Returns one of the caller's vehicles.
#[utoipa::path(tag = "vehicles", params(("id" = Uuid, Path)), responses((status = 200, body = Vehicle)))]
#[get("/vehicles/{id}")]
pub async fn get_vehicle(context: Data<Core>, own: Owned<OwnId, Customer>) -> ApiResult<HttpResponse> {
    let row = queries::find(&context.db, own.owner, own.id).await?;
    Ok(HttpResponse::Ok().json(Vehicle::from(row.ok_or_else(no_such_vehicle)?)))
}

/// Changes the given fields. Making a vehicle the default replaces the present default.
#[utoipa::path(
    tag = "vehicles",
    params(("id" = Uuid, Path)),
    request_body = VehicleChanges,
    responses(
        (status = 200, body = Vehicle),
        (status = 409, body = ErrorBody, description = "CONFLICT: the registration number is registered already"),
    ),
)]
#[patch("/vehicles/{id}")]
pub async fn update_vehicle(
    context: Data<Core>,
    own: Owned<OwnId, Customer>,
    body: Body<VehicleChanges>,
) -> ApiResult<HttpResponse> {
    if queries::find(&context.db, own.owner, own.id).await?.is_none() {
        return Err(no_such_vehicle());
    }
    let row = actions::change(&context, own.owner, own.id, body.read()?).await?;
    Ok(HttpResponse::Ok().json(Vehicle::from(row)))
}

/// Removes a vehicle. If it was the default, the newest remaining vehicle becomes the default.
#[utoipa::path(
    tag = "vehicles",
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "VEHICLE_IN_USE: a job for it is open"),
    ),
)]
#[delete("/vehicles/{id}")]
pub async fn delete_vehicle(context: Data<Core>, own: Owned<OwnId, Customer>) -> ApiResult<HttpResponse> {
    actions::delete(&context, own.owner, own.id).await?;
    Ok(HttpResponse::NoContent().finish())
}
