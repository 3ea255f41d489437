//! Places by name, and the address at a point; `providers/places` asks whoever knows.

mod actions;
mod context;
mod dto;
mod handlers;

pub use context::PlacesContext;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::search_places).service(handlers::find_address);
}
