//! What an hour of mechanics' time costs: now, and over the hours of the day, to see when one more would be worth most.
//!
//! `sampling.rs` writes a look at the present prices every [`SAMPLE_EVERY`]; `roster.rs` sums them up by hour and class. `switchback.rs` compares hours
//! with and without prices.

mod alarms;
mod dto;
mod handlers;
mod picture;
mod queries;
mod roster;
mod sampling;
mod switchback;
mod view;

pub use alarms::Look;
pub use sampling::{SAMPLE_EVERY, sample, sweep};

use utoipa_actix_web::service_config::ServiceConfig;

/// Most classes that a look records: the dearest.
const MAX_SAMPLED: usize = 64;
/// Most classes that a roster shows: those in which one more mechanic would save most.
const MAX_CLASSES: usize = 64;
/// Most hours in a roster's list of the dearest.
const MAX_DEAREST: usize = 100;
/// Most rows that a roster is made of: an hour of a class at a place each.
const MAX_ROWS: i64 = 20_000;

pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_dispatch_prices)
        .service(handlers::get_switchback)
        .service(handlers::get_roster_picture)
        .service(handlers::get_roster);
}
