//! People's own accounts, and what admins see of them and do to them (`admin.rs`: the path says who may call, the
//! folder whose rows change).

mod admin;
mod dto;
mod handlers;
mod queries;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_me)
        .service(handlers::update_me)
        .service(handlers::delete_me)
        .service(admin::list_users)
        .service(admin::get_user)
        .service(admin::suspend_user)
        .service(admin::reinstate_user);
}
