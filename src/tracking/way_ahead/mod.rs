//! The route ahead of a job's mechanic, as GeoJSON.

mod actions;
mod dto;
pub(super) mod handlers;

pub use actions::way_ahead;
pub use dto::WayAhead;
