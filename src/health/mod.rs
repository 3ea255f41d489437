//! Whether the process lives, and whether it is ready to serve.

mod handlers;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::health);
}
