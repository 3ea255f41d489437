//! Suspending people: their account, or their work as a mechanic.

use actix_web::{
    HttpResponse, post,
    web::{Data, Json},
};
use serde_json::json;
use uuid::Uuid;

use super::{LifecycleContext, suspended_mechanic};
use crate::{
    accounts::{
        auth::{self, Admin, AnyId, Caller, Role, UserStatus},
        invites,
        users::{self, AdminUser, SuspendUser, UserRow, not_own},
    },
    fleet::mechanics::{self, MechanicProfile, ProfileCommand, ProfileRow, WithReason},
    http::{Body, NoFields, Owned},
    offers,
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
    },
};

/// Takes a verified mechanic off duty; a job under way goes on.
#[utoipa::path(
    tag = "admin",
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
    target: Owned<AnyId, Admin>,
    body: Body<WithReason>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin)) = target.into_parts();
    let command = || Ok(ProfileCommand::Suspend { reason: body.read()?.reason.0 });
    let profile = mechanics::move_profile(&context, admin, id, command).await?;
    // An offer that remains is refused when accepted, or expires.
    offers::revoke_of(&context.jobs, profile.id).await;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Locks a person out: from now on all their requests get 403 ACCOUNT_SUSPENDED. A mechanic's offers are revoked, and their
/// job goes to another mechanic, at no fee. Once work has begun, no one else can take the job over: the customer and all admins
/// are notified, and an admin cancels the job or reinstates the mechanic.
#[utoipa::path(tag = "admin", request_body = SuspendUser,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not an active account; CONFLICT: the last super-admin")))]
#[post("/admin/users/{id}/suspend")]
pub async fn suspend_user(
    target: Owned<AnyId, Admin>,
    context: Data<LifecycleContext>,
    body: Body<SuspendUser>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), Admin(caller)) = target.into_parts();
    let id = reached(&context, &caller, id).await?;
    let reason = body.read()?.reason.0;
    move_to(context, caller, id, UserStatus::Suspended, Some(reason)).await
}

/// Lets a suspended person back in.
#[utoipa::path(tag = "admin", request_body = Option<NoFields>,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not a suspended account")))]
#[post("/admin/users/{id}/reinstate")]
pub async fn reinstate_user(
    target: Owned<AnyId, Admin>,
    context: Data<LifecycleContext>,
    body: Body<NoFields>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), Admin(caller)) = target.into_parts();
    let id = reached(&context, &caller, id).await?;
    body.read()?;
    move_to(context, caller, id, UserStatus::Active, None).await
}

/// 403 and 404 come before what is wrong with the body.
async fn reached(context: &LifecycleContext, caller: &Caller, id: Uuid) -> ApiResult<Uuid> {
    let row = users::find(&context.db, id).await?.ok_or_else(users::no_user)?;
    may_touch(caller, &row)?;
    Ok(row.id)
}

async fn move_to(
    context: Data<LifecycleContext>,
    caller: Caller,
    id: Uuid,
    to: UserStatus,
    reason: Option<String>,
) -> ApiResult<Json<AdminUser>> {
    let admin = caller.user_id;
    let (row, off_the_road) = commit_move(&context, caller, id, to, reason.as_deref()).await?;
    auth::forget(&context, id).await;
    if let Some(profile) = off_the_road {
        mechanics::changed(&context, &profile).await;
        suspended_mechanic::withdraw_work(&context, admin, &profile).await;
    }
    Ok(Json(row.into()))
}

/// The account afterwards, and the mechanic profile that was switched off with it.
async fn commit_move(
    context: &LifecycleContext,
    caller: Caller,
    id: Uuid,
    to: UserStatus,
    reason: Option<&str>,
) -> ApiResult<(UserRow, Option<ProfileRow>)> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let caller = users::lock_as_admin(&mut tx, caller).await?;
    let before = users::lock(&mut tx, id).await?.ok_or_else(users::no_user)?;
    may_move(&caller, &before, to)?;
    let leaves_none = to == UserStatus::Suspended
        && before.role == Role::SuperAdmin
        && !users::has_other_super_admin(&mut tx, id).await?;
    if leaves_none {
        return Err(ApiError::new(
            Code::Conflict,
            "This is the last active super-admin. Make someone else a super-admin first.",
        ));
    }
    users::set_status(&mut tx, id, to, reason, now).await?;
    let entry = NewAuditEntry {
        actor_id: Some(caller.user_id),
        action: if to == UserStatus::Suspended { "user.suspend" } else { "user.reinstate" },
        subject_kind: "user",
        subject_id: id,
        before: json!({"status": before.status, "suspension_reason": before.suspension_reason}),
        after: json!({"status": to, "suspension_reason": reason}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    let off_the_road = match to {
        UserStatus::Suspended => mechanics::take_off_the_road(&mut tx, id, now).await?,
        UserStatus::Active | UserStatus::Deleted => None,
    };
    if to == UserStatus::Suspended {
        invites::revoke_invites_of(&mut tx, &context.random, id, Some(caller.user_id), now).await?;
    }
    let after = users::find(&mut *tx, id).await?.ok_or_else(users::no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok((after, off_the_road))
}

/// People can't suspend themselves, and only a super-admin can suspend admins of either kind.
fn may_touch(caller: &Caller, target: &UserRow) -> ApiResult<()> {
    not_own(caller, target.id)?;
    match (target.role, caller.role) {
        (Role::Customer, _) | (_, Role::SuperAdmin) => Ok(()),
        (Role::Admin | Role::SuperAdmin, Role::Admin | Role::Customer) => Err(ApiError::forbidden(
            "Only a super-admin can suspend or reinstate an admin. Ask a super-admin to do it.",
        )),
    }
}

/// Only from active to suspended and back.
fn may_move(caller: &Caller, target: &UserRow, to: UserStatus) -> ApiResult<()> {
    may_touch(caller, target)?;
    match (target.status, to) {
        (UserStatus::Active, UserStatus::Suspended) | (UserStatus::Suspended, UserStatus::Active) => Ok(()),
        (from, to) => {
            let allowed = match from {
                UserStatus::Active => "suspended",
                UserStatus::Suspended => "active",
                UserStatus::Deleted => "nothing",
            };
            let message = format!("This account is {from} and can't become {to}; it can become: {allowed}.");
            Err(ApiError::new(Code::InvalidTransition, message))
        }
    }
}
