//! Changing roles, and deciding who may become an admin.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::dues,
    accounts::{
        auth::{self, AuthContext, Role, UserStatus},
        invites,
        users::{self, UserRow},
    },
    lifecycle::actions::lock_for_super_admin,
    money::no_shows,
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, commit_error, constraint},
    },
};

/// Gives a role, or takes one away.
pub async fn change_role(
    context: &AuthContext,
    super_admin: Uuid,
    id: Uuid,
    role: Role,
) -> ApiResult<UserRow> {
    let row = commit_role(context, super_admin, id, role).await?;
    auth::forget(context, id).await;
    Ok(row)
}

async fn commit_role(context: &AuthContext, super_admin: Uuid, id: Uuid, role: Role) -> ApiResult<UserRow> {
    let now = context.clock.now();
    let (mut tx, before) = lock_for_super_admin(context, super_admin, id).await?;
    if before.role == role {
        return Ok(before);
    }
    may_have(&mut tx, &before, role, now).await?;
    users::set_role(&mut tx, id, role, now).await.map_err(taken)?;
    let is_promoted_admin = (before.role, role) == (Role::Admin, Role::SuperAdmin);
    if !is_promoted_admin {
        auth::revoke_sessions(&mut tx, id, "role_changed", now).await?;
    }
    let entry = NewAuditEntry {
        actor_id: Some(super_admin),
        action: "user.role",
        subject_kind: "user",
        subject_id: id,
        before: json!({"role": before.role}),
        after: json!({"role": role}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    if before.role == Role::SuperAdmin {
        invites::revoke_invites_of(&mut tx, &context.random, id, Some(super_admin), now).await?;
    }
    let after = users::find(&mut *tx, id).await?.ok_or_else(users::no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok(after)
}

/// Checks that the account can take that role.
async fn may_have(tx: &mut PgConnection, before: &UserRow, role: Role, now: DateTime<Utc>) -> ApiResult<()> {
    let conflict = |why: &'static str| Err(ApiError::new(Code::Conflict, why));
    if before.status == UserStatus::Deleted {
        return conflict("This account was deleted.");
    }
    if before.role == Role::SuperAdmin && !users::has_other_super_admin(tx, before.id).await? {
        return conflict("This is the last active super-admin.");
    }
    if before.role != Role::Customer {
        return Ok(());
    }
    if before.email.is_none() {
        return conflict("This account has no email address to sign in with. Invite the person instead.");
    }
    match role {
        Role::Customer => Ok(()),
        Role::Admin | Role::SuperAdmin => may_become_admin(tx, before, now).await,
    }
}

/// Checks that a customer has nothing that only customers can have. The row is locked, so this stays true.
async fn may_become_admin(tx: &mut PgConnection, before: &UserRow, now: DateTime<Utc>) -> ApiResult<()> {
    if before.mechanic_profile_id.is_some() {
        let why = "A mechanic can't become an admin. Invite them with a separate account.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    if users::has_open_job(tx, before.id).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "This account has an open job. It must be finished or cancelled first.",
        ));
    }
    // Admins can't pay.
    no_shows::check_decided(tx, before.id).await?;
    dues::check_settled(tx, before.id, now).await
}

/// Locks a customer's account that is to become an admin's, and checks that it may: 409 if it is a mechanic's, has an open
/// job, or owes anything.
pub(super) async fn lock_future_admin(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let row = users::lock(tx, user_id).await?.ok_or_else(users::no_user)?;
    may_become_admin(tx, &row, now).await
}

/// Makes an error of a violated constraint: no two admins may share an email.
fn taken(error: sqlx::Error) -> ApiError {
    match constraint(&error) {
        Some("users_admin_email_key") => {
            ApiError::new(Code::Conflict, "Another admin uses this account's email address.")
        }
        _ => error.into(),
    }
}
