//! Closing and suspending accounts, and verifying mechanics.

use actix_web::{
    HttpResponse, delete, post,
    web::{Data, Json},
};

use super::{LifecycleContext, actions};
use crate::{
    accounts::{
        auth::{Admin, AnyId, Caller, Customer, Mechanic, SuperAdmin, desk},
        users::{AdminUser, SuspendUser},
    },
    fleet::mechanics::{self, MechanicProfile, MechanicVerification, WithReason},
    http::{Body, NoFields, Owned},
    platform::error::{ApiResult, ErrorBody},
};

/// Anonymises the caller's account and ends its sessions. Finished jobs stay, without a name.
///
/// Everything owed for jobs or in fees must be paid first; an admin may waive a fee, and decides about a reported no-show. A
/// mechanic has to wait for the pay of a completed job while it can be disputed, and for payments under way. Only a super-admin
/// ends an admin's account.
#[utoipa::path(tag = "users",
    responses(
        (status = 204),
        (status = 403, description = "FORBIDDEN: an admin's account, which a super-admin ends"),
        (status = 409, description = "CONFLICT: a job is open, or not paid yet, a no-show is not decided, fees are due, a payment is under way, or the wallet is not empty"),
    ))]
#[delete("/users/me")]
pub async fn delete_me(caller: Caller, context: Data<LifecycleContext>) -> ApiResult<HttpResponse> {
    actions::close_account(&context, caller.user_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Withdraws the caller's agreement to the privacy notice. While a notice is published, they can't create jobs or go online until
/// they agree again (`CONSENT_NEEDED`); a mechanic goes offline at once. Open jobs go on. The caller's stored data stays: `DELETE
/// /users/me` removes it.
#[utoipa::path(tag = "users", responses((status = 204)))]
#[delete("/users/me/consent")]
pub async fn withdraw_my_consent(
    Customer(caller): Customer,
    context: Data<LifecycleContext>,
) -> ApiResult<HttpResponse> {
    // Only a mechanic can be available.
    let mechanic = Mechanic::of(caller).ok().map(Into::into);
    actions::withdraw_consent(&context, caller.user_id, mechanic).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends an admin's account, with its sessions, its password and its pending invitations. The name and the email are removed,
/// except from the audit log, which keeps them as long as its entries.
#[utoipa::path(tag = "super-admin",
    responses(
        (status = 204),
        (status = 403, description = "FORBIDDEN: not a super-admin, or one's own account"),
        (status = 409, description = "CONFLICT: not an admin's account"),
    ))]
#[delete("/super-admin/users/{id}")]
pub async fn end_admin(
    context: Data<LifecycleContext>,
    target: Owned<AnyId, SuperAdmin>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    actions::end_admin(&context, caller.user_id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes a verified mechanic off duty; a job under way goes on.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not verified"),
    ),
)]
#[post("/admin/mechanics/{id}/suspend")]
pub async fn suspend_mechanic(
    context: Data<LifecycleContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<WithReason>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    mechanics::find(&context, id).await?;
    let reason = body.read()?.reason.0;
    let profile = actions::suspend_mechanic(&context, admin.user_id, id, reason).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Locks a person out: from now on all their requests get 403 ACCOUNT_SUSPENDED. A mechanic's offers are revoked, and their job
/// goes to another mechanic, at no fee. Once work has begun, no one else can take the job over: the customer and all admins are
/// notified, and an admin cancels the job or reinstates the mechanic.
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::People))), request_body = SuspendUser,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not an active account; CONFLICT: the last super-admin")))]
#[post("/admin/users/{id}/suspend")]
pub async fn suspend_user(
    target: Owned<AnyId, Admin<desk::People>>,
    context: Data<LifecycleContext>,
    body: Body<SuspendUser>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), Admin(caller, _)) = target.into_parts();
    actions::check_reach(&context, caller.user_id, caller.role, id).await?;
    let reason = body.read()?.reason.0;
    Ok(Json(actions::suspend(&context, caller.user_id, id, &reason).await?.into()))
}

/// Lets a suspended person back in.
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::People))), request_body = Option<NoFields>,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not a suspended account")))]
#[post("/admin/users/{id}/reinstate")]
pub async fn reinstate_user(
    target: Owned<AnyId, Admin<desk::People>>,
    context: Data<LifecycleContext>,
    body: Body<NoFields>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), Admin(caller, _)) = target.into_parts();
    actions::check_reach(&context, caller.user_id, caller.role, id).await?;
    body.read()?;
    Ok(Json(actions::reinstate(&context, caller.user_id, id).await?.into()))
}

/// Accepts a submitted profile under the name that its documents prove. With a `verified_name`, a verified profile is verified
/// again: if the name is a new one, UPI accounts whose name at the bank does not match it go back to review.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    request_body = MechanicVerification,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not pending_verification, or verified \
            where a verified_name is given, or its person has left; CONFLICT: without a verified_name, the mechanic has changed \
            their name since they registered"),
    ),
)]
#[post("/admin/mechanics/{id}/verify")]
pub async fn verify_mechanic(
    context: Data<LifecycleContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<MechanicVerification>,
) -> ApiResult<Json<MechanicProfile>> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    mechanics::find(&context, id).await?;
    let name = body.read()?.verified_name.map(|name| name.0);
    let profile = actions::verify_mechanic(&context, admin.user_id, id, name).await?;
    Ok(Json(MechanicProfile::from(profile)))
}
