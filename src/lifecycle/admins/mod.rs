//! Who is an admin: accepting an invitation, changing a role, making one from the command line, and taking away a lost second
//! factor.

mod actions;
mod handlers;

pub use actions::{CreateAdminError, create_admin};

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::accept_invite)
        .service(handlers::list_admins)
        .service(handlers::change_role)
        .service(handlers::reset_second_factor);
}
