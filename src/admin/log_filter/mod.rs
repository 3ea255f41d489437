//! The log's filter of this server, which a super-admin may change for a while.

mod actions;
mod dto;
mod handlers;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_log_filter)
        .service(handlers::set_log_filter)
        .service(handlers::reset_log_filter);
}
