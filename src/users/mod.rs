//! People's own accounts, and what admins see of them and do to them (`admin.rs`: the path says who may call, the
//! folder whose rows change).

mod admin;
mod dto;
mod handlers;
mod queries;

use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::error::{ApiError, ApiResult};

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

/// One writer at a time over what a person has, until the transaction ends: whoever adds to it asks here first, so
/// that nothing is left behind by an account that is being deleted. 401 where it was.
pub async fn hold(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    if queries::hold(tx, user_id).await? {
        Ok(())
    } else {
        Err(ApiError::unauthorized("this account was deleted"))
    }
}
