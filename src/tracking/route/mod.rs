//! The way that a job's mechanic took, as GeoJSON.

mod dto;
pub(super) mod handlers;
mod queries;

pub use dto::Line;
