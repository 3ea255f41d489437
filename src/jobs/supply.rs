//! Finds the mechanics who could come to a pickup now.

use std::time::Duration;

use roadcall_actors::{
    engine::SupplyAvailability, eta::TripEstimate, geo::Point, ids::CategoryId, job::state::Refusal,
    protocol::AvailabilityQuery,
};

use crate::{
    catalogue::{categories::CategoryRow, vehicles::VehicleKind},
    jobs::context::JobsContext,
    platform::error::ApiResult,
    wire::refused,
};

/// No mechanic farther than this from a pickup is considered.
const FARTHEST_M: f64 = 50_000.0;
/// How long an engine that has just started may take to load the mechanics.
const LOADED_WITHIN: Duration = Duration::from_secs(3);
/// The pause between tries. The engine itself waits a while before it refuses.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns the trip of the nearest mechanic who could serve a pickup now, on which the travel price depends.
pub(super) async fn nearest(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
) -> ApiResult<Option<TripEstimate>> {
    Ok(availability_of(context, pickup, vehicle_type, category, 1).await?.nearest)
}

/// Returns the mechanics who could serve a pickup now, up to [`SupplyAvailability::MAX_COUNT`].
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
    let asked_at = context.clock.elapsed();
    loop {
        match context.engine.ask(query.clone()).await {
            Err(Refusal::Unavailable(_)) if context.clock.elapsed() - asked_at < LOADED_WITHIN => {
                tokio::time::sleep(PAUSE).await;
            }
            answered => return answered.map_err(refused),
        }
    }
}
