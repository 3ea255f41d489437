//! The map of admins: who is online in a box, and the open jobs there.
//!
//! Mechanics come from the engine, jobs from Postgres by way of `feed.rs`, which all who look share. `view/` puts them
//! together, in cells if they are many; `changes.rs` compares two looks, for sockets; `details.rs` has what a list shows of them.
//! `totals.rs` counts what is open everywhere, for the map and for the figures.

mod changes;
mod details;
mod dto;
mod feed;
mod handlers;
mod queries;
mod totals;
mod view;

pub use changes::FleetNews;
pub use details::{Listed, SentDetails};
pub use dto::{BoundingBox, FleetChanges, FleetTotals, FleetView, Zoom};
pub use feed::FleetFeed;
pub use totals::{engine_counts, totals};

use feed::Open;
use roadcall_actors::{geo::Bounds, protocol::FleetQuery};
use uuid::Uuid;

use crate::{
    http::{Routes, ShownList},
    jobs::{self, JobsContext},
    platform::{core::Core, error::ApiResult},
};

/// Mechanics are shown one by one from this zoom on, and so are jobs.
const DETAIL_ZOOM: u8 = 10;
/// Most mechanics, and most jobs, that are shown one by one; more are shown as cells.
const MAX_SHOWN: usize = 2_000;
/// Most cells; a box that would have more gets larger ones.
const MAX_CELLS: i64 = 2_000;
/// Reading the details leaves an entry in the audit log.
const DETAILS: ShownList =
    ShownList { name: "fleet", personal_data: &["name", "phone", "pickup", "vehicle"] };

/// What a map shows: a box, and how closely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FleetWindow {
    bounds: Bounds,
    zoom: u8,
    has_details: bool,
}

impl FleetWindow {
    pub fn new(bbox: BoundingBox, zoom: Zoom) -> Self {
        Self { bounds: bbox.0, zoom: zoom.0, has_details: false }
    }

    /// With what a list shows of all open jobs and of the mechanics in the box.
    pub fn with_details(self, has_details: bool) -> Self {
        Self { has_details, ..self }
    }
}

/// What a look finds.
#[derive(Debug)]
pub struct Looked {
    pub view: FleetView,
    /// If the window has details.
    pub listed: Option<Listed>,
}

pub(super) fn routes(config: &mut Routes) {
    config.service(handlers::get_fleet);
}

/// What is in the window now. Jobs may be a second old.
pub async fn look(context: &JobsContext, feed: &FleetFeed, window: FleetWindow) -> ApiResult<Looked> {
    let open = feed.open(&context.db, &context.engine, context.clock.now()).await?;
    let Open { jobs: open, everywhere } = open;
    let query = FleetQuery { bounds: window.bounds, most: window.most(&open), squares: window.squares() };
    let online = context.engine.ask(query).await.map_err(jobs::refused)?;
    let fresh = context.dispatch.fresh_position();
    let now = context.clock.now();
    let view = FleetView { everywhere, ..FleetView::of(window, online, &open, fresh, now) };
    let listed = match window.has_details {
        true => Some(feed.listed(&context.db, now, &open, &view).await?),
        false => None,
    };
    Ok(Looked { view, listed })
}

/// An admin is about to see this: an entry in the audit log, once in ten minutes, if it has details.
pub async fn record_read(core: &Core, admin: Uuid, looked: &Looked) -> ApiResult<()> {
    let Some(listed) = &looked.listed else { return Ok(()) };
    let rows = listed.len();
    DETAILS.record_page(core, admin, Vec::new(), (rows, i64::try_from(rows).unwrap_or(i64::MAX))).await
}
