//! The drivers of an organisation. A case may name a driver instead of the person who is helped.

mod actions;
mod dto;
pub mod handlers;
mod queries;

pub use queries::{DriverRow, find};
