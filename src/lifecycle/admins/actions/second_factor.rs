//! Removing a second factor that its owner has lost.

use uuid::Uuid;

use crate::{
    accounts::auth::{AuthContext, idp},
    lifecycle::actions::lock_for_super_admin,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Removes an admin's second factor; 409 if they have none.
pub async fn reset_second_factor(context: &AuthContext, super_admin: Uuid, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let (mut tx, row) = lock_for_super_admin(context, super_admin, id).await?;
    let was_reset = match &row.idp_uid {
        Some(uid) => idp::reset_factor(&mut tx, uid).await?,
        None => false,
    };
    if !was_reset {
        return Err(ApiError::new(Code::Conflict, "This account has no second factor."));
    }
    idp::audited::reset(&mut tx, &context.random, super_admin, id, now).await?;
    tx.commit().await.map_err(commit_error)
}
