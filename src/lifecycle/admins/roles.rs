//! Who is an admin: what super-admins see and change.

use actix_web::{
    get, put,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::dues,
    accounts::{
        auth::{self, AnyId, AuthContext, Caller, Role, SuperAdmin, UserStatus},
        invites,
        users::{self, AdminUser, ChangeRole, UserListParams, UserRow, no_user, not_own},
    },
    http::{Body, Owned, Page, PageParams, Query, ShownList},
    lifecycle::lock_for_super_admin,
    money::no_shows,
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, commit_error, constraint},
    },
};

/// Admins and super-admins, the newest first.
#[utoipa::path(tag = "super-admin",
    params(
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<AdminUser>)))]
#[get("/super-admin/admins")]
pub async fn list_admins(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    query: Query<UserListParams>,
) -> ApiResult<Json<Page<AdminUser>>> {
    let asked = query.read()?;
    let page = PageParams::new(asked.page, asked.limit)?;
    let total = users::count_admins(&context.db).await?;
    let rows = users::list_admins(&context.db, page).await?;
    let shown = ShownList { name: "admins", personal_data: &["name", "email"] };
    shown.record_page(&context, caller.user_id, query.pairs(), (rows.len(), total)).await?;
    Ok(Json(page.of(rows.into_iter().map(AdminUser::from).collect(), total)))
}

/// Gives a role, or takes one away. A lost right ends at once, with the person's sessions and pending invitations. Sessions of a
/// customer who becomes an admin end too: admins sign in by email with the identity provider, not by phone.
///
/// To become an admin, a customer needs an email, and must not be a mechanic, have an open job, or owe anything. The usual way to
/// add an admin is an invitation.
#[utoipa::path(tag = "super-admin", request_body = ChangeRole,
    responses(
        (status = 200, body = AdminUser),
        (status = 409, description = "CONFLICT: the last super-admin; a customer who is a mechanic, has an open job, owes for a job or in \
            fees, or whose payment is under way"),
    ))]
#[put("/super-admin/users/{id}/role")]
pub async fn change_role(
    target: Owned<AnyId, SuperAdmin>,
    context: Data<AuthContext>,
    body: Body<ChangeRole>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    not_own(&caller, id)?;
    users::find(&context.db, id).await?.ok_or_else(no_user)?;
    let role = body.read()?.role;
    let row = commit_role(&context, caller, id, role).await?;
    auth::forget(&context, id).await;
    Ok(Json(row.into()))
}

async fn commit_role(context: &AuthContext, caller: Caller, id: Uuid, role: Role) -> ApiResult<UserRow> {
    let now = context.clock.now();
    let (mut tx, before) = lock_for_super_admin(context, &caller, id).await?;
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
        actor_id: Some(caller.user_id),
        action: "user.role",
        subject_kind: "user",
        subject_id: id,
        before: json!({"role": before.role}),
        after: json!({"role": role}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    if before.role == Role::SuperAdmin {
        invites::revoke_invites_of(&mut tx, &context.random, id, Some(caller.user_id), now).await?;
    }
    let after = users::find(&mut *tx, id).await?.ok_or_else(no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok(after)
}

/// Whether the account can take that role.
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
pub(super) async fn may_become_admin(
    tx: &mut PgConnection,
    before: &UserRow,
    now: DateTime<Utc>,
) -> ApiResult<()> {
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

/// No two admins share an email.
fn taken(error: sqlx::Error) -> ApiError {
    match constraint(&error) {
        Some("users_admin_email_key") => {
            ApiError::new(Code::Conflict, "Another admin uses this account's email address.")
        }
        _ => error.into(),
    }
}
