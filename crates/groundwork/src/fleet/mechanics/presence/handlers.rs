use actix_web::{HttpResponse, get, put, web::Data};

use roadcall_accounts::auth::{Customer, Mechanic, OwnProfile};
use roadcall_actors::{engine::SupplyAvailability, geo::Point, ids::CategoryId, protocol::AvailabilityQuery};
use roadcall_http::{Body, Latitude, Longitude, Query};
use roadcall_platform::error::{ApiError, ApiResult, ErrorBody};

use super::{
    actions,
    dto::{AvailabilityWish, NearbyMechanics, NearbyQuery},
};
use crate::{
    catalogue::{categories, vehicles::VehicleKind},
    fleet::mechanics::{MechanicProfile, MechanicsContext, refusals::refused},
};

/// Sets whether the caller wants to be offered jobs. Switching it off gives an open offer back, which does not count as a
/// refusal, and never touches the job under way. It switches itself off after 15 minutes without a position. A mechanic is online
/// if they are available and were seen within the last minute.
#[utoipa::path(
    tag = "mechanics",
    request_body = AvailabilityWish,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 403, body = ErrorBody, description = "NOT_VERIFIED: the profile is not verified"),
        (status = 409, body = ErrorBody, description = "CONSENT_NEEDED: the caller has not agreed to the privacy notice (`PUT \
            /users/me/consent`) and wants to be offered jobs"),
    ),
)]
#[put("/mechanics/me/availability")]
pub async fn set_my_availability(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<Mechanic>,
    body: Body<AvailabilityWish>,
) -> ApiResult<HttpResponse> {
    let wish = body.read()?;
    let position = wish.position()?;
    let profile = actions::set_availability(&context, mechanic.into(), wish.is_available, position).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Returns how many mechanics could help at a place now, and how soon; for the map before a job is created.
#[utoipa::path(
    tag = "mechanics",
    params(
        ("lat" = Latitude, Query),
        ("lng" = Longitude, Query),
        ("vehicle_type" = VehicleKind, Query),
        ("service_category_id" = Uuid, Query),
    ),
    responses((status = 200, body = NearbyMechanics)),
)]
#[get("/mechanics/nearby")]
pub async fn find_nearby_mechanics(
    context: Data<MechanicsContext>,
    _customer: Customer,
    query: Query<NearbyQuery>,
) -> ApiResult<HttpResponse> {
    let query = query.read()?;
    let id = query.service_category_id.0;
    let category = categories::find_active(&context.db, id).await?;
    let category =
        category.ok_or_else(|| ApiError::invalid("service_category_id", "is not a service category"))?;
    let now = context.dispatch.current();
    let rings_km = category.overrides.rings_km.as_ref().unwrap_or(&now.settings.rings_km);
    let within_m = rings_km.last().copied().unwrap_or_default() * 1000.0;
    let pickup = Point::new(query.lat.0.0, query.lng.0.0);
    let (vehicle_type, category_id) = (query.vehicle_type.0.0, CategoryId(id));
    let most = SupplyAvailability::MAX_COUNT;
    let query = AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most };
    let supply = context.engine.ask(query).await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(NearbyMechanics::from(supply)))
}
