//! Mechanics who wait at a place with the phone in a pocket: the engine counts on them there, and a push brings them offers.

mod actions;
mod dto;
pub(super) mod handlers;
mod queries;
mod state;

pub use actions::{end_parking, parked, save_parking};
pub use dto::ParkedAt;
