//! Taking away a second factor whose owner has lost it.

use actix_web::{HttpResponse, delete, web::Data};

use crate::{
    accounts::{
        auth::{AnyId, AuthContext, SuperAdmin, idp},
        users::{self, not_own},
    },
    http::Owned,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Takes away an admin's second factor, at the embedded identity provider. They sign in by the password alone until they
/// set up another. One's own is reset by another super-admin, or on the command line with `admin create`.
#[utoipa::path(tag = "super-admin",
    responses(
        (status = 204),
        (status = 403, description = "FORBIDDEN: not a super-admin, or one's own account"),
        (status = 409, description = "CONFLICT: the account has no second factor"),
    ))]
#[delete("/super-admin/users/{id}/second-factor")]
pub async fn reset_second_factor(
    context: Data<AuthContext>,
    target: Owned<AnyId, SuperAdmin>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    not_own(&caller, id)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    users::lock_super_admins(&mut tx, &caller).await?;
    let row = users::lock(&mut tx, id).await?.ok_or_else(users::no_user)?;
    let was_reset = match &row.idp_uid {
        Some(uid) => idp::reset_factor(&mut tx, uid).await?,
        None => false,
    };
    if !was_reset {
        return Err(ApiError::new(Code::Conflict, "This account has no second factor."));
    }
    idp::audited::reset(&mut tx, &context.random, caller.user_id, id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::NoContent().finish())
}
