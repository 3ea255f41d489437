//! The map of admins: who is online in a box, and the open jobs there.
//!
//! Mechanics come from the engine, jobs from Postgres by way of `feed.rs`, which all who look share. `view.rs` puts them
//! together, in cells if they are many; `changes.rs` compares two looks, for sockets.

mod changes;
mod dto;
mod feed;
mod handlers;
mod queries;
mod view;

pub use changes::FleetNews;
pub use dto::{BoundingBox, FleetChanges, FleetView, Zoom};
pub use feed::FleetFeed;

use chrono::TimeDelta;
use roadcall_actors::geo::Bounds;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{
    jobs::{self, JobsContext},
    platform::error::ApiResult,
};

/// Mechanics are shown one by one from this zoom on, and so are jobs.
const DETAIL_ZOOM: u8 = 10;
/// Most mechanics, and most jobs, that are shown one by one; more are shown as cells.
const MAX_SHOWN: usize = 2_000;
/// Most cells; a box that would have more gets larger ones.
const MAX_CELLS: i64 = 2_000;

/// What a map shows: a box, and how closely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FleetWindow {
    bounds: Bounds,
    zoom: u8,
}

impl FleetWindow {
    pub fn new(bbox: BoundingBox, zoom: Zoom) -> Self {
        Self { bounds: bbox.0, zoom: zoom.0 }
    }
}

pub(super) fn routes(config: &mut ServiceConfig) {
    config.service(handlers::get_fleet);
}

/// What is in the window now. Jobs may be a second old.
pub async fn look(context: &JobsContext, feed: &FleetFeed, window: FleetWindow) -> ApiResult<FleetView> {
    let open = feed.open_jobs(&context.db, context.clock.now()).await?;
    let online = context.engine.fleet(window.bounds).await.map_err(jobs::refused)?;
    let fresh = TimeDelta::seconds(context.settings.dispatch.fresh_position_s);
    Ok(FleetView::of(window, online, &open, fresh, context.clock.now()))
}
