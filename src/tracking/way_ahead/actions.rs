use crate::{
    jobs::{JobRow, JobsContext},
    platform::error::ApiResult,
    providers::routing::Road,
    tracking::sighting::{drives_to, latest},
};

/// Returns the route from the mechanic's last position to the pickup, while they are on the way, and to the destination once the
/// vehicle is loaded. It begins where the position is shown; `None` without a router, or if it knows no route.
pub async fn way_ahead(context: &JobsContext, row: &JobRow) -> ApiResult<Option<Road>> {
    let Some(place) = drives_to(row) else { return Ok(None) };
    let Some(sighting) = latest(context, row).await? else { return Ok(None) };
    let trip = (sighting.mechanic_id.0, row.id);
    Ok(context.etas.way_ahead(trip, sighting.fix.point, place).await)
}
