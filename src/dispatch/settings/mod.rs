//! How admins read and change the dispatch settings. `catalogue/dispatch_settings` holds the current ones.

mod actions;
mod dto;
mod handlers;

use crate::http::Routes;

pub(super) fn routes(config: &mut Routes) {
    config
        .service(handlers::get_dispatch_configuration)
        .service(handlers::change_dispatch_configuration)
        .service(handlers::list_dispatch_configurations);
}
