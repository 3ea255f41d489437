//! Who could come to a pickup now.

use roadcall_actors::{
    engine::SupplyAvailability, eta::TripEstimate, geo::Point, ids::CategoryId, protocol::AvailabilityQuery,
};

use crate::{
    catalogue::{categories::CategoryRow, vehicles::VehicleKind},
    http::refused,
    jobs::context::JobsContext,
    platform::error::ApiResult,
};

/// No mechanic farther than this from a pickup is considered.
const FARTHEST_M: f64 = 50_000.0;

/// The nearest who could serve a pickup now: what the travel price depends on.
pub(super) async fn nearest(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
) -> ApiResult<Option<TripEstimate>> {
    Ok(availability_of(context, pickup, vehicle_type, category, 1).await?.nearest)
}

/// Who could serve a pickup now, up to [`SupplyAvailability::MAX_COUNT`].
pub(super) async fn availability(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
) -> ApiResult<SupplyAvailability> {
    availability_of(context, pickup, vehicle_type, category, SupplyAvailability::MAX_COUNT).await
}

async fn availability_of(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
    most: usize,
) -> ApiResult<SupplyAvailability> {
    let now = context.dispatch.current();
    let rings = category.overrides.rings_km.as_ref().unwrap_or(&now.settings.rings_km);
    let within_m = rings.last().map_or(FARTHEST_M, |km| (km * 1000.0).min(FARTHEST_M));
    let (vehicle_type, category_id) = (vehicle_type.0, CategoryId(category.id));
    let query = AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most };
    context.engine.ask(query).await.map_err(refused)
}
