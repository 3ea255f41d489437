use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{ImportedSheet, VehicleSheet},
    queries,
};
use crate::{
    accounts::organisations::{Partner, scope},
    catalogue::vehicles::{self, NewVehicle, Vehicle},
    http::{Body, IdempotencyKey, ListQuery, NoFilter, Page},
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Lists the organisation's vehicles in the order of their registration numbers: those that it added, and those of its cases. An agency
/// sees those of the cases that it made.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Read))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<Vehicle>)),
)]
#[get("/partner/vehicles")]
pub async fn list_fleet(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<Vehicle>>> {
    let (_, page) = query.read()?;
    let whose = (caller.account_id, caller.only_made_by());
    let rows = queries::list(&core.db, whose, page).await?;
    let total = page.total(rows.len(), queries::count(&core.db, whose)).await?;
    Ok(Json(page.of(rows.into_iter().map(Vehicle::from).collect(), total)))
}

/// Adds a vehicle to the organisation. An organisation may have any number of vehicles; `is_default` has no meaning for it.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(IdempotencyKey),
    request_body = NewVehicle,
    responses(
        (status = 201, body = Vehicle),
        (status = 409, body = ErrorBody, description = "CONFLICT: the organisation has a vehicle with this registration number; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/partner/vehicles")]
pub async fn add_fleet_vehicle(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Cases>,
    key: IdempotencyKey,
    body: Body<NewVehicle>,
) -> ApiResult<HttpResponse> {
    let request =
        Request::new(caller.account_id, "/partner/vehicles", caller.kept_key(key.read()?), body.bytes());
    let make = async |claim: &Claim| actions::add(&core, &caller, body.read()?, claim).await;
    let again = async |id, _| {
        let found = vehicles::find_own(&core.db, caller.account_id, id).await?;
        found.ok_or_else(|| ApiError::not_found("vehicle"))
    };
    let row = idempotency::once(&core, request, make, again).await?;
    Ok(HttpResponse::Created().json(Vehicle::from(row)))
}

/// Adds the vehicles of a spreadsheet. A vehicle that the organisation has already stays as it is, so the same spreadsheet can be
/// sent again; a line with a fault keeps no other line back.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Cases))),
    request_body = VehicleSheet,
    responses((status = 200, body = ImportedSheet)),
)]
#[post("/partner/vehicles/import")]
pub async fn import_fleet(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Cases>,
    body: Body<VehicleSheet>,
) -> ApiResult<Json<ImportedSheet>> {
    Ok(Json(actions::import(&core, &caller, &body.read()?.csv.0).await?))
}
