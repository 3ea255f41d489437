//! Every route of the service, area by area. Served at `/` and at `/api/v1` (contract 9).

use utoipa_actix_web::service_config::ServiceConfig;

/// Registers all areas. A new area is one line here.
pub fn all(config: &mut ServiceConfig) {
    crate::health::routes(config);
    crate::openapi::routes(config);
    crate::auth::routes(config);
    crate::idp::routes(config);
    crate::users::routes(config);
    crate::privacy::routes(config);
    crate::admin::routes(config);
    crate::super_admin::routes(config);
    crate::vehicles::routes(config);
    crate::categories::routes(config);
    // Both before the mechanics': `/mechanics/{id}` would take `me` for an id.
    crate::offers::routes(config);
    crate::tracking::routes(config);
    crate::mechanics::routes(config);
    crate::jobs::routes(config);
    crate::dispatch::routes(config);
    crate::disputes::routes(config);
    crate::ratings::routes(config);
    crate::shares::routes(config);
    crate::chat::routes(config);
    crate::calls::routes(config);
    crate::payments::routes(config);
    crate::sandbox::routes(config);
    crate::wallet::routes(config);
    crate::notifications::routes(config);
    crate::uploads::routes(config);
    crate::ws::routes(config);
}
