//! The price of an hour of mechanics' time: now, and over the hours of the day, to see when one more mechanic would be worth
//! most.
//!
//! `sampling.rs` writes a look at the present prices every [`SAMPLE_EVERY`]; `roster.rs` sums them up by hour and class.
//! `switchback.rs` compares hours with and without prices.

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

use crate::http::Routes;

pub(super) fn routes(config: &mut Routes) {
    config
        .service(handlers::get_dispatch_prices)
        .service(handlers::get_switchback)
        .service(handlers::get_roster_picture)
        .service(handlers::get_roster);
}
