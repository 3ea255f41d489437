//! The way that a job's mechanic has ahead of them, as GeoJSON.

mod actions;
mod dto;
pub(super) mod handlers;

pub use actions::way_ahead;
pub use dto::WayAhead;
