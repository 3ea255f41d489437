//! Finds the mechanics who could come to a pickup now.

use std::time::Duration;

use roadcall_actors::{
    engine::SupplyAvailability,
    eta::TripEstimate,
    geo::Point,
    ids::CategoryId,
    job::state::Refusal,
    ports::Outlook,
    protocol::{AvailabilityQuery, EstimateQuery, OutlookAt},
};

use crate::{
    catalogue::{categories::CategoryRow, vehicles::VehicleKind},
    jobs::context::JobsContext,
    platform::error::ApiResult,
    wire::{Named, refused},
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

/// Returns the mechanics who could serve a pickup now, up to [`SupplyAvailability::MAX_COUNT`], and what a customer can expect
/// there, if the dispatcher says so in time.
pub(super) async fn expected(
    context: &JobsContext,
    outlook: OutlookAt,
    category: &CategoryRow,
) -> ApiResult<(SupplyAvailability, Option<Outlook>)> {
    let (pickup, kind, most) = (outlook.pickup, Named(outlook.vehicle_type), SupplyAvailability::MAX_COUNT);
    let supply = availability_query(context, pickup, kind, category, most);
    let both = EstimateQuery { supply, outlook: outlook.clone() };
    if let Ok((supply, expected)) = context.engine.ask(both).await {
        return Ok((supply, Some(expected)));
    }
    // The engine has just started, is too busy for an outlook, or belongs to an earlier release: the price does not wait for it.
    let supply = availability_of(context, pickup, kind, category, most).await?;
    Ok((supply, context.engine.ask(outlook).await.ok()))
}

async fn availability_of(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
    most: usize,
) -> ApiResult<SupplyAvailability> {
    let query = availability_query(context, pickup, vehicle_type, category, most);
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

fn availability_query(
    context: &JobsContext,
    pickup: Point,
    vehicle_type: VehicleKind,
    category: &CategoryRow,
    most: usize,
) -> AvailabilityQuery {
    let now = context.dispatch.current();
    let rings = category.overrides.rings_km.as_ref().unwrap_or(&now.settings.rings_km);
    let within_m = rings.last().map_or(FARTHEST_M, |km| (km * 1000.0).min(FARTHEST_M));
    let (vehicle_type, category_id) = (vehicle_type.0, CategoryId(category.id));
    AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most }
}
