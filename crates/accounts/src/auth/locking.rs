use roadcall_platform::error::{ApiError, ApiResult, Code};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    principal::{Role, UserStatus},
    queries,
};

/// Locks the account, so that one transaction at a time writes the person's belongings and nothing is added to an
/// account that is being deleted. 401 if it was deleted.
pub async fn lock_account(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    lock(tx, user_id).await.map(drop)
}

/// Locks the account as [`lock_account`] does, for belongings that only customers can have: a job, a mechanic's
/// profile. 403 if they are an admin or suspended. Lock users before vehicles, profiles and jobs.
pub async fn lock_customer(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    match lock(tx, user_id).await? {
        (Role::Customer, UserStatus::Active) => Ok(()),
        (Role::Customer, _) => {
            Err(ApiError::new(Code::AccountSuspended, "This account is suspended. Contact support."))
        }
        (Role::Admin | Role::SuperAdmin, _) => Err(ApiError::forbidden("Only customers can do this.")),
    }
}

async fn lock(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<(Role, UserStatus)> {
    let found = queries::lock_account(tx, user_id).await?;
    found.ok_or_else(|| ApiError::unauthorized("This account was deleted."))
}
