//! Suspending people: their accounts, or their work as mechanics.

use serde_json::json;
use uuid::Uuid;

use super::suspended_mechanic;
use crate::{
    accounts::{
        auth::{self, Role, UserStatus, desk},
        invites,
        users::{self, UserRow},
    },
    fleet::mechanics::{self, ProfileCommand, ProfileRow},
    lifecycle::LifecycleContext,
    offers,
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// Takes a verified mechanic off duty; a job under way goes on.
pub async fn suspend_mechanic(
    context: &LifecycleContext,
    admin: Uuid,
    id: Uuid,
    reason: String,
) -> ApiResult<ProfileRow> {
    let command = ProfileCommand::Suspend { reason };
    let profile = mechanics::move_profile(context, admin, id, command).await?;
    // A remaining offer is refused when accepted, or expires.
    offers::revoke_of(&context.jobs, profile.id).await;
    Ok(profile)
}

/// Locks a person out, and takes their work as a mechanic from them.
pub async fn suspend(context: &LifecycleContext, admin: Uuid, id: Uuid, reason: &str) -> ApiResult<UserRow> {
    move_to(context, admin, id, UserStatus::Suspended, Some(reason)).await
}

/// Lets a suspended person back in.
pub async fn reinstate(context: &LifecycleContext, admin: Uuid, id: Uuid) -> ApiResult<UserRow> {
    move_to(context, admin, id, UserStatus::Active, None).await
}

/// Checks that an admin of that role can suspend the account: 404 if it does not exist, 403 if they can't.
pub async fn check_reach(context: &LifecycleContext, admin: Uuid, role: Role, id: Uuid) -> ApiResult<()> {
    let row = users::find(&context.db, id).await?.ok_or_else(users::no_user)?;
    may_touch(admin, role, &row)
}

async fn move_to(
    context: &LifecycleContext,
    admin: Uuid,
    id: Uuid,
    to: UserStatus,
    reason: Option<&str>,
) -> ApiResult<UserRow> {
    let (row, off_the_road) = commit_move(context, admin, id, to, reason).await?;
    auth::forget(context, id).await;
    if let Some(profile) = off_the_road {
        mechanics::changed(context, &profile).await;
        suspended_mechanic::withdraw_work(context, admin, &profile).await;
    }
    Ok(row)
}

/// Commits the change, and returns the account with the mechanic profile that was switched off, if any.
async fn commit_move(
    context: &LifecycleContext,
    admin: Uuid,
    id: Uuid,
    to: UserStatus,
    reason: Option<&str>,
) -> ApiResult<(UserRow, Option<ProfileRow>)> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let role = users::lock_as_admin::<desk::People>(&mut tx, admin).await?;
    let before = users::lock(&mut tx, id).await?.ok_or_else(users::no_user)?;
    may_move(admin, role, &before, to)?;
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
        actor_id: Some(admin),
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
        invites::revoke_invites_of(&mut tx, &context.random, id, Some(admin), now).await?;
    }
    let after = users::find(&mut *tx, id).await?.ok_or_else(users::no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok((after, off_the_road))
}

/// Checks that an admin may suspend the account: never their own, and an admin's only as a super-admin.
fn may_touch(admin: Uuid, role: Role, target: &UserRow) -> ApiResult<()> {
    users::not_own(admin, target.id)?;
    match (target.role, role) {
        (Role::Customer, _) | (_, Role::SuperAdmin) => Ok(()),
        (Role::Admin | Role::SuperAdmin, Role::Admin | Role::Customer) => Err(ApiError::forbidden(
            "Only a super-admin can suspend or reinstate an admin. Ask a super-admin to do it.",
        )),
    }
}

/// Checks that the change is allowed: only from active to suspended and back.
fn may_move(admin: Uuid, role: Role, target: &UserRow, to: UserStatus) -> ApiResult<()> {
    may_touch(admin, role, target)?;
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
