use roadcall_actors::geo::Point;

use crate::{
    jobs::{JobRow, JobsContext},
    platform::error::ApiResult,
    providers::routing::Road,
    tracking::sighting::latest,
};

/// The way by road from the mechanic's last position to the pickup, while they are on the way. It begins where the position is
/// shown; `None` without a router, and where it knows none.
pub async fn way_ahead(context: &JobsContext, row: &JobRow) -> ApiResult<Option<Road>> {
    if row.arrived_at.is_some() {
        return Ok(None);
    }
    let Some(sighting) = latest(context, row).await? else { return Ok(None) };
    let pickup = Point::new(row.pickup_lat, row.pickup_lng);
    let trip = (sighting.mechanic_id.0, row.id);
    Ok(context.etas.way_ahead(trip, sighting.fix.point, pickup).await)
}
