//! Vehicles that are towed: their destinations, their loading, and tows that are agreed on the spot.
//!
//! The engine's rules are in `actors/src/job/decide/towing.rs`. The destination is in the job's row; a tow that a mechanic
//! proposes on the spot is a line item until the customer approves it.

mod actions;
mod choosing;
mod chosen;
mod dto;
mod handlers;
pub mod job_hook;
mod queries;
mod shown;

pub use choosing::{fits, haul};
pub use chosen::Chosen;
pub use dto::{DestinationChoice, EstimatedDestination, JobDestination, NewDestination};
pub use shown::{destination, engine_destination, roughly};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::load_vehicle).service(handlers::propose_tow);
}
