//! What is nobody else's of the admins' work: the trail of what they did, and figures across all areas.
//!
//! What admins do to a thing stands with the thing (docs/adr/0009). `figures/` reads other areas' tables, and changes
//! none.

mod dto;
mod figures;
mod handlers;
mod queries;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::list_audit_log).configure(figures::routes);
}
