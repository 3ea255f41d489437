//! Every route of the service, area by area. They are served at `/` and at `/api/v1` (contract 9).

use crate::http::Routes;

/// Registers all areas. A new area is one line here.
pub fn all(config: &mut Routes) {
    crate::edge::health::routes(config);
    crate::openapi::routes(config);
    crate::pages::routes(config);
    crate::accounts::auth::routes(config);
    crate::accounts::auth::idp::routes(config);
    crate::accounts::auth::oidc::routes(config);
    crate::accounts::users::routes(config);
    crate::grievances::routes(config);
    crate::accounts::notices::routes(config);
    crate::lifecycle::routes(config);
    crate::admin::routes(config);
    crate::accounts::invites::routes(config);
    crate::accounts::emails::routes(config);
    crate::accounts::organisations::routes(config);
    crate::places::routes(config);
    crate::catalogue::vehicles::routes(config);
    crate::catalogue::categories::routes(config);
    crate::catalogue::workshops::routes(config);
    crate::catalogue::job_stops::routes(config);
    // Both come before the mechanics' routes: `/mechanics/{id}` would take `me` for an id.
    crate::offers::routes(config);
    crate::tracking::routes(config);
    crate::fleet::mechanics::routes(config);
    crate::jobs::routes(config);
    crate::dispatch::routes(config);
    crate::money::disputes::routes(config);
    crate::money::no_shows::routes(config);
    crate::money::tow_reviews::routes(config);
    crate::sharing::ratings::routes(config);
    crate::sharing::shares::routes(config);
    crate::messaging::chat::routes(config);
    crate::messaging::calls::routes(config);
    crate::money::payments::routes(config);
    crate::partners::bills::routes(config);
    crate::partners::contracts::routes(config);
    crate::partners::cases::routes(config);
    crate::sandbox::routes(config);
    crate::demo::routes(config);
    crate::money::wallet::routes(config);
    crate::notifications::routes(config);
    crate::accounts::uploads::routes(config);
    crate::partners::feeds::routes(config);
    crate::partners::incoming::routes(config);
    crate::ws::routes(config);
    crate::cluster::routes(config);
}
