//! The first minute of a developer: a simulated city on this very server, and sign-ins without a code. Development only; production,
//! and a program without the simulator, answer 404.
//!
//! The city is the command line's (`cli/sim.rs`): the service knows it as [`City`], and the city knows the service by its public
//! interface. It plays by the settings in force.

mod actions;
mod city;
mod context;
mod dto;
mod guard;
mod handlers;

pub use actions::city_admin;
pub use city::{City, CityAdmin, CityPerson, PlayTime};
pub use context::DemoContext;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_demo)
        .service(handlers::play_demo)
        .service(handlers::stop_demo)
        .service(handlers::demo_sign_in);
}
