//! People's own accounts, and what admins see of them and do to them (`admin.rs`: the path says who may call, the
//! folder whose rows change).

mod admin;
mod audited;
mod dto;
mod handlers;
mod queries;
mod roles;

pub use dto::Me;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::auth::{Caller, Role, UserStatus},
    platform::error::{ApiError, ApiResult, Code},
};

/// As many admins are told of one thing; more of them find it in their lists.
const MAX_ADMINS_TOLD: i64 = 100;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_me)
        .service(handlers::update_me)
        .service(handlers::delete_me)
        .service(admin::list_users)
        .service(admin::get_user)
        .service(admin::suspend_user)
        .service(admin::reinstate_user)
        .service(roles::list_admins)
        .service(roles::change_role);
}

/// [`lock_admins`], and then the caller with the role of this moment: of two admins who suspend each other at once the second is
/// suspended already. 403 for who is no admin any more.
async fn lock_as_admin(tx: &mut PgConnection, caller: Caller) -> ApiResult<Caller> {
    queries::lock_admins(tx).await?;
    let row = queries::find(tx, caller.user_id).await?.filter(|row| row.status == UserStatus::Active);
    let caller = row.map(|row| Caller { role: row.role, ..caller });
    caller.filter(Caller::is_admin).ok_or_else(|| ApiError::forbidden("this is for admins"))
}

/// One writer at a time over what a person has, until the transaction ends: whoever adds to it asks here first, so
/// that nothing is left behind by an account that is being deleted. 401 where it was.
pub async fn hold(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    held(tx, user_id).await.map(drop)
}

/// [`hold`] for what only customers may have: a job, a mechanic's profile. 403 where an admin was made of the customer meanwhile,
/// or they were suspended. Locks users before vehicles, profiles and jobs.
pub async fn hold_customer(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    match held(tx, user_id).await? {
        (Role::Customer, UserStatus::Active) => Ok(()),
        (Role::Customer, _) => Err(ApiError::new(Code::AccountSuspended, "this account is suspended")),
        (Role::Admin | Role::SuperAdmin, _) => Err(ApiError::forbidden("this is for customers")),
    }
}

async fn held(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<(Role, UserStatus)> {
    let found = queries::hold(tx, user_id).await?;
    found.ok_or_else(|| ApiError::unauthorized("this account was deleted"))
}

/// Waits for whoever else changes who is an admin, until the transaction ends. Comes before every other lock: after it those of
/// users, of invitations and of the embedded provider's accounts, in this order.
pub async fn lock_admins(tx: &mut PgConnection) -> sqlx::Result<()> {
    queries::lock_admins(tx).await
}

/// [`lock_admins`], and then looks whether the caller still is a super-admin: of two who take each other's role at once the
/// second has lost its own. 403 where it has.
pub async fn lock_super_admins(tx: &mut PgConnection, caller: &Caller) -> ApiResult<()> {
    queries::lock_admins(tx).await?;
    let caller = queries::find(tx, caller.user_id).await?;
    match caller.map(|row| (row.role, row.status)) {
        Some((Role::SuperAdmin, UserStatus::Active)) => Ok(()),
        _ => Err(ApiError::forbidden("this is for super-admins")),
    }
}

/// Locks a customer's account that is to become an admin's, and looks whether it may: 409 where it is a mechanic's, has an
/// open job, or owes anything.
pub async fn may_become_admin(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let row = queries::lock(tx, user_id).await?.ok_or_else(admin::no_user)?;
    roles::may_become_admin(tx, &row, now).await
}

/// Who is told what only admins can see to: [`MAX_ADMINS_TOLD`] at most, the oldest accounts first.
pub async fn active_admins(db: &mut PgConnection) -> ApiResult<Vec<Uuid>> {
    Ok(queries::active_admins(db, MAX_ADMINS_TOLD).await?)
}

/// Whether another super-admin could go on without this one; [`lock_admins`] first.
pub async fn has_other_super_admin(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<bool> {
    queries::has_other_super_admin(tx, user_id).await
}

/// The person's own account; `None` where it is gone.
pub async fn me(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Option<Me>> {
    Ok(queries::find(db, user_id).await?.map(Me::from))
}
