//! Admins: signing in, accepting an invitation, following the identity provider's claim, changing a role, creating an admin from
//! the command line, and removing a lost second factor.

mod actions;
mod handlers;

pub use actions::{CreateAdminError, create_admin, create_admin_with_hash};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::admin_login)
        .service(handlers::complete_admin_sign_in)
        .service(handlers::accept_invite)
        .service(handlers::list_admins)
        .service(handlers::change_role)
        .service(handlers::change_desks)
        .service(handlers::reset_second_factor);
}
