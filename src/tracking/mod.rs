//! Mechanics' positions, and the events of a job so far.
//!
//! Points are parsed only here, whether they came over HTTP or a socket ([`Points`]). A position is shown in only one
//! shape ([`Location`]), only from accepted to completed, and never without its age.

mod actions;
mod dto;
mod handlers;
mod log;
mod queries;
mod route;
mod settings;
mod sighting;
mod trackers;
mod way_ahead;

use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::{hour_of, locate, locate_over, pack, sweep};
pub use dto::{Eta, EventData, KeptPoint, Location, LocationReceipt, Points, RejectedPoint, SUPERSEDED};
pub use log::{Logged, SharedLogs, logged};
pub use settings::TrackingSettings;
pub use sighting::{assigned_while_shown, latest};
#[cfg(any(test, fuzzing))]
pub(crate) use trackers::protocols;
pub use trackers::{Tracker, TrackersContext, forget_person as forget_trackers, of_mechanic as trackers_of};
pub use way_ahead::{WayAhead, way_ahead};

use crate::{http::Routes, platform::error::ApiResult};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::send_my_location)
        .service(trackers::handlers::list_my_trackers)
        .service(trackers::handlers::connect_my_tracker)
        .service(trackers::handlers::remove_my_tracker)
        .service(trackers::handlers::take_from_owntracks)
        .service(trackers::handlers::take_from_osmand)
        .service(trackers::handlers::take_from_traccar)
        .service(handlers::get_job_location)
        .service(handlers::list_job_events)
        .service(route::handlers::get_job_route)
        .service(way_ahead::handlers::get_way_ahead);
}

/// Returns the newest stored points of a mechanic on these jobs, at most `limit`.
pub async fn newest_points(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    job_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<KeptPoint>> {
    let rows = queries::newest_points(db, mechanic_profile_id, job_ids, limit).await?;
    Ok(rows.into_iter().map(KeptPoint::from).collect())
}

/// Returns the last known position of a mechanic, on a job or off; `None` if there never was one.
pub async fn last_point(db: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Option<KeptPoint>> {
    Ok(queries::last_position(db, mechanic_profile_id).await?.and_then(KeptPoint::last))
}
