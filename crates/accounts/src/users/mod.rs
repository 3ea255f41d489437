//! People's own accounts, and what admins see of them and do to them (`admin.rs`: the path decides who may call, the
//! changed rows decide the folder).

mod actions;
mod admin;
pub mod audited;
mod contacts;
mod dto;
mod handlers;
mod queries;
mod refusals;

pub use admin::CustomerAccount;
pub use contacts::{Contacts, CustomerContact, MechanicContact};
pub use dto::{AdminUser, ChangeDesks, ChangeRole, Language, Me, SuspendUser};
pub use queries::{
    UserRow, agreed_notice, anonymise, clear_email, confirm_email, count_admins, find, has_open_job,
    has_other_super_admin, left_before, list_admins, lock, lock_admins, mark_coarsened, set_agreed_notice,
    set_desks, set_role, set_status,
};
pub use refusals::{gone, no_user, not_own};

use roadcall_http::Routes;
use roadcall_platform::error::{ApiError, ApiResult};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::auth::{
    Role, UserStatus,
    desk::{AtDesk, Desk},
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

/// Takes [`lock_admins`], and then reads the admin's role: of two admins who suspend each other at once, the second
/// is already suspended. 403 for a caller who is no longer an admin, or no longer at that desk.
pub async fn lock_as_admin<D: AtDesk>(tx: &mut PgConnection, admin: Uuid) -> ApiResult<Role> {
    queries::lock_admins(tx).await?;
    let row = queries::find(tx, admin).await?.filter(|row| row.status == UserStatus::Active);
    let row = row.filter(|row| row.role != Role::Customer);
    let row = row.ok_or_else(|| ApiError::forbidden("Only admins can do this."))?;
    row.at().check::<D>().map(|()| row.role)
}

/// Takes [`lock_admins`], and then checks that the person is still a super-admin: of two who take each other's role
/// at once, the second has lost theirs. 403 in that case.
pub async fn lock_super_admins(tx: &mut PgConnection, super_admin: Uuid) -> ApiResult<()> {
    queries::lock_admins(tx).await?;
    let row = queries::find(tx, super_admin).await?;
    match row.map(|row| (row.role, row.status)) {
        Some((Role::SuperAdmin, UserStatus::Active)) => Ok(()),
        _ => Err(ApiError::forbidden("Only super-admins can do this.")),
    }
}

/// Returns the admins who are notified of events on which only this desk can act: [`MAX_ADMINS_NOTIFIED`] at most,
/// the oldest accounts first.
pub async fn active_admins(db: &mut PgConnection, desk: Desk) -> ApiResult<Vec<Uuid>> {
    Ok(queries::active_admins(db, desk, MAX_ADMINS_NOTIFIED).await?)
}

/// Returns the person's own account; `None` if it is gone.
pub async fn me(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Option<Me>> {
    Ok(queries::find(db, user_id).await?.map(Me::from))
}
