//! The map of admins: who is online in a box, and the open jobs there.
//!
//! Mechanics come from the engine, jobs from Postgres by way of `feed.rs`, which all viewers share. `view/` puts them
//! together, in cells if they are many; `changes.rs` compares two looks, for sockets; `details.rs` has their details for a list.
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
/// The maximum number of mechanics, and of jobs, that are shown one by one; more are shown as cells.
const MAX_SHOWN: usize = 2_000;
/// The maximum number of cells; a box that would have more gets larger ones.
const MAX_CELLS: i64 = 2_000;
/// Reading the details leaves an entry in the audit log.
const DETAILS: ShownList =
    ShownList { name: "fleet", personal_data: &["name", "phone", "pickup", "vehicle"] };

/// The part of the map that is shown: a box, and the zoom.
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

    /// Adds the details of all open jobs and of the mechanics in the box, for a list.
    pub fn with_details(self, has_details: bool) -> Self {
        Self { has_details, ..self }
    }
}

/// The result of a look.
#[derive(Debug)]
pub struct Looked {
    pub view: FleetView,
    /// The details, if the window has them.
    pub listed: Option<Listed>,
}

pub(super) fn routes(config: &mut Routes) {
    config.service(handlers::get_fleet);
}

/// Returns the jobs and mechanics in the window. Jobs may be a second old.
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

/// Records that an admin sees details: an entry in the audit log, once in ten minutes. A view without details leaves none.
pub async fn record_read(core: &Core, admin: Uuid, looked: &Looked) -> ApiResult<()> {
    let Some(listed) = &looked.listed else { return Ok(()) };
    let rows = listed.len();
    DETAILS.record_page(core, admin, Vec::new(), (rows, i64::try_from(rows).unwrap_or(i64::MAX))).await
}
