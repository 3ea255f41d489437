//! Removing a second factor that its owner has lost.

use actix_web::{HttpResponse, delete, web::Data};

use crate::{
    accounts::auth::{AnyId, AuthContext, SuperAdmin, idp},
    http::Owned,
    lifecycle::lock_for_super_admin,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Removes an admin's second factor at the embedded identity provider. They sign in with the password alone until they set up
/// another. Your own is reset by another super-admin, or on the command line with `admin create`.
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
    let now = context.clock.now();
    let (mut tx, row) = lock_for_super_admin(&context, &caller, id).await?;
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
