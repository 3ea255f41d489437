//! A map of where customers call from, and how soon help comes there, in cells of H3 (h3geo.org).
//!
//! Jobs of people who left have their places rounded to about a kilometre, so they may count in a neighbouring cell.

mod cells;
mod dto;
mod handlers;
mod queries;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::get_heat_map);
}
