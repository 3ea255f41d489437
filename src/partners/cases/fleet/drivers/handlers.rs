use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{DriverSheet, FleetDriver, NewFleetDriver},
    queries::{self, DriverRow},
};
use crate::{
    accounts::{
        auth::scope::{self, Scope},
        organisations::Partner,
    },
    http::{Body, IdempotencyKey, ListQuery, NoFilter, Owned, OwnedBy, Page, PathIds},
    partners::cases::fleet::dto::ImportedSheet,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// A driver belongs to their organisation; an agency sees those whom it added.
impl<S: Scope> OwnedBy<Partner<S>> for DriverRow {
    const NAME: &'static str = "driver";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?.filter(|row| row.is_visible(caller)))
    }
}

/// Lists the organisation's drivers in the order of their references. An agency sees those whom it added.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Read))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<FleetDriver>)),
)]
#[get("/partner/drivers")]
pub async fn list_fleet_drivers(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<FleetDriver>>> {
    let (_, page) = query.read()?;
    let whose = (caller.organisation_id, caller.only_made_by());
    let rows = queries::list(&core.db, whose, page).await?;
    let total = page.total(rows.len(), queries::count(&core.db, whose)).await?;
    Ok(Json(page.of(rows.into_iter().map(FleetDriver::from).collect(), total)))
}

/// Adds a driver, whom a new case may name by `driver_id` instead of the person who is helped.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(IdempotencyKey),
    request_body = NewFleetDriver,
    responses(
        (status = 201, body = FleetDriver),
        (status = 409, body = ErrorBody, description = "CONFLICT: there is a driver with this reference, or the fleet has 20,000 \
            drivers; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/partner/drivers")]
pub async fn add_fleet_driver(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Cases>,
    key: IdempotencyKey,
    body: Body<NewFleetDriver>,
) -> ApiResult<HttpResponse> {
    let request =
        Request::new(caller.account_id, "/partner/drivers", caller.kept_key(key.read()?), body.bytes());
    let make = async |claim: &Claim| actions::add(&core, &caller, body.read()?, claim).await;
    let again = async |id, _| {
        let found = queries::find(&core.db, id).await?;
        found.ok_or_else(|| ApiError::not_found("driver"))
    };
    let row = idempotency::once(&core, request, make, again).await?;
    Ok(HttpResponse::Created().json(FleetDriver::from(row)))
}

/// Adds the drivers of a spreadsheet. A driver whose reference is known stays as they are, so the same spreadsheet can be sent
/// again; a line with a fault keeps no other line back.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Cases))),
    request_body = DriverSheet,
    responses(
        (status = 200, body = ImportedSheet),
        (status = 409, body = ErrorBody, description = "CONFLICT: the fleet would have more than 20,000 drivers; none is added"),
    ),
)]
#[post("/partner/drivers/import")]
pub async fn import_fleet_drivers(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Cases>,
    body: Body<DriverSheet>,
) -> ApiResult<Json<ImportedSheet>> {
    Ok(Json(actions::import(&core, &caller, &body.read()?.csv.0).await?))
}

/// Deletes a driver, with the name and the number. Cases that named them show who was helped until they forget it.
#[utoipa::path(
    tag = "partner-fleets",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/partner/drivers/{id}")]
pub async fn delete_fleet_driver(
    core: Data<Core>,
    driver: Owned<DriverRow, Partner<scope::Cases>>,
) -> ApiResult<HttpResponse> {
    let (row, Partner(caller, _)) = driver.into_parts();
    actions::delete(&core, &caller, &row).await?;
    Ok(HttpResponse::NoContent().finish())
}
