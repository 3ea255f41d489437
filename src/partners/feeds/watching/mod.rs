//! The watch on mechanics for partners: thresholds of subscriptions, and positions at their interval.

mod actions;
mod dto;
mod queries;
mod state;
mod worker;

pub use dto::PositionContent;
pub use worker::watching;
