//! What the service holds of a person, to that person: one file, made of the shapes that the lists give.
//!
//! It owns no rows. Each area reads its own and shows a function for it in its `mod.rs`; here they are put together, in one
//! moment of the database, and cut to `privacy.export_rows` each.

mod dto;
mod gathering;
mod handlers;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::export_my_data);
}
