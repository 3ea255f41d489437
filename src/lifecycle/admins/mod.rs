//! Who is an admin: accepting an invitation, changing a role, making one from the command line, and taking away a lost second
//! factor.

mod accepting;
mod creating;
mod roles;
mod second_factor;

pub use creating::{CreateAdminError, create_admin};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{accounts::users, platform::error::ApiResult};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(accepting::accept_invite)
        .service(roles::list_admins)
        .service(roles::change_role)
        .service(second_factor::reset_second_factor);
}

/// Locks a customer's account that is to become an admin's, and checks that it may: 409 if it is a mechanic's, has an open
/// job, or owes anything.
async fn may_become_admin(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let row = users::lock(tx, user_id).await?.ok_or_else(users::no_user)?;
    roles::may_become_admin(tx, &row, now).await
}
