//! Exports everything that the service stores about a person, in one file.
//!
//! Each area reads its own rows, by a function of its `mod.rs`. `collect.rs` calls them all in one snapshot of the database and
//! cuts each list to `privacy.export_rows`.

mod collect;
mod dto;
mod handlers;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::export_my_data);
}
