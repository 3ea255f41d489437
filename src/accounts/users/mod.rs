//! People's own accounts, and what admins see of them and do to them (`admin.rs`: the path says who may call, the
//! folder whose rows change).

mod actions;
mod admin;
pub mod audited;
mod contacts;
mod dto;
mod handlers;
pub mod job_hook;
mod queries;
mod refusals;

pub use admin::CustomerAccount;
pub use contacts::{Contacts, CustomerContact, MechanicContact};
pub use dto::{AdminUser, ChangeDesks, ChangeRole, Me, SuspendUser, UserListParams};
pub use queries::{
    UserRow, agreed_notice, anonymise, clear_email, confirm_email, count_admins, find, has_open_job,
    left_before, list_admins, lock, mark_coarsened, set_agreed_notice, set_desks, set_role, set_status,
};
pub use refusals::{gone, no_user, not_own};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::auth::{
        Role, UserStatus,
        desk::{AtDesk, Desk},
    },
    http::Routes,
    platform::error::{ApiError, ApiResult},
};

/// Admins who are notified of one event; the others find it in their lists.
const MAX_ADMINS_NOTIFIED: i64 = 100;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_me)
        .service(handlers::update_me)
        .service(admin::list_users)
        .service(admin::find_or_create_user)
        .service(admin::get_user)
        .service(admin::set_job_limit);
}

/// [`lock_admins`], and then the admin's role at this moment: of two admins who suspend each other at once the second is
/// suspended already. 403 for who is no admin any more, or no longer at that desk.
pub async fn lock_as_admin<D: AtDesk>(tx: &mut PgConnection, admin: Uuid) -> ApiResult<Role> {
    queries::lock_admins(tx).await?;
    let row = queries::find(tx, admin).await?.filter(|row| row.status == UserStatus::Active);
    let row = row.filter(|row| row.role != Role::Customer);
    let row = row.ok_or_else(|| ApiError::forbidden("Only admins can do this."))?;
    row.at().check::<D>().map(|()| row.role)
}

/// Lets one transaction at a time change who is an admin. Comes before every other lock: after it those of
/// users, of invitations and of the embedded provider's accounts, in this order.
pub async fn lock_admins(tx: &mut PgConnection) -> sqlx::Result<()> {
    queries::lock_admins(tx).await
}

/// [`lock_admins`], and then looks whether that person still is a super-admin: of two who take each other's role at once the
/// second has lost its own. 403 where it has.
pub async fn lock_super_admins(tx: &mut PgConnection, super_admin: Uuid) -> ApiResult<()> {
    queries::lock_admins(tx).await?;
    let row = queries::find(tx, super_admin).await?;
    match row.map(|row| (row.role, row.status)) {
        Some((Role::SuperAdmin, UserStatus::Active)) => Ok(()),
        _ => Err(ApiError::forbidden("Only super-admins can do this.")),
    }
}

/// The admins who are notified of what only those at this desk can act on: [`MAX_ADMINS_NOTIFIED`] at most, the oldest accounts first.
pub async fn active_admins(db: &mut PgConnection, desk: Desk) -> ApiResult<Vec<Uuid>> {
    Ok(queries::active_admins(db, desk, MAX_ADMINS_NOTIFIED).await?)
}

/// Whether another super-admin could go on without this one; [`lock_admins`] first.
pub async fn has_other_super_admin(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<bool> {
    queries::has_other_super_admin(tx, user_id).await
}

/// The person's own account; `None` where it is gone.
pub async fn me(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Option<Me>> {
    Ok(queries::find(db, user_id).await?.map(Me::from))
}
