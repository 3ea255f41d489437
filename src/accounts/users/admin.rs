//! Accounts as admins see them, and their suspension.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::{AdminUser, SuspendUser, User, UserFilter},
    queries::{self, Filter, UserRow},
};
use crate::{
    accounts::{
        auth::{self, Admin, Caller, Role, UserStatus},
        invites,
    },
    fleet::mechanics::{self, ProfileRow},
    http::{
        Body, ListFormat, NoFields, Page, PageParams, PathIds, Query, RowKey, Text,
        csv_export::{self, Export},
    },
    platform::{
        audit::{self, Entry},
        error::{ApiError, ApiResult, Code, commit_error},
    },
    state::AppState,
};

/// All accounts, the newest first (contract 4.7).
#[utoipa::path(tag = "admin",
    params(
        ("role" = Option<Role>, Query), ("status" = Option<UserStatus>, Query),
        ("q" = Option<Text<1, 100>>, Query, description = "Part of a name, an email or a phone number"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<User> = "application/json"), (String = "text/csv")))))]
#[get("/admin/users")]
pub async fn list_users(
    Admin(admin): Admin,
    state: Data<AppState>,
    query: Query<UserFilter>,
) -> ApiResult<HttpResponse> {
    let asked = query.read()?;
    let page = PageParams::new(asked.page, asked.limit)?;
    let filter = Filter {
        role: asked.role.map(|role| role.0),
        status: asked.status.map(|status| status.0),
        q: asked.q.map(|q| q.0),
    };
    let total = queries::count(&state.db, &filter).await?;
    if csv_export::is_csv(asked.format) {
        let export = Export { list: "users", asked: query.pairs(), total };
        let db = state.db.clone();
        let read = move |slice| {
            let (db, filter) = (db.clone(), filter.clone());
            async move {
                let rows = queries::list(&db, &filter, slice).await?;
                Ok(rows
                    .into_iter()
                    .map(|row| (RowKey { at: row.created_at, id: row.id }, User::from(row)))
                    .collect())
            }
        };
        return export.csv(&state, &admin, read).await;
    }
    let rows = queries::list(&state.db, &filter, page.into()).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(User::from).collect(), total)))
}

/// One account, with what only admins see of it.
#[utoipa::path(tag = "admin", responses((status = 200, body = AdminUser)))]
#[get("/admin/users/{id}")]
pub async fn get_user(_: Admin, state: Data<AppState>, path: PathIds) -> ApiResult<Json<AdminUser>> {
    let row = queries::find(&state.db, path.id("id")?).await?.ok_or_else(no_user)?;
    Ok(Json(row.into()))
}

/// Keeps a person out: every request of theirs is 403 ACCOUNT_SUSPENDED from now on. Offers to a mechanic are taken back, and
/// the job that they are on is given to another, at no fee. Where the work has begun nobody else can go on: the customer and
/// all admins are told, and an admin cancels the job or lets the mechanic in again.
#[utoipa::path(tag = "admin", request_body = SuspendUser,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not an active account; CONFLICT: the last super-admin")))]
#[post("/admin/users/{id}/suspend")]
pub async fn suspend_user(
    Admin(caller): Admin,
    state: Data<AppState>,
    path: PathIds,
    body: Body<SuspendUser>,
) -> ApiResult<Json<AdminUser>> {
    let id = reached(&state, &caller, &path).await?;
    let reason = body.read()?.reason.0;
    move_to(state, caller, id, UserStatus::Suspended, Some(reason)).await
}

/// Lets a suspended person in again.
#[utoipa::path(tag = "admin", request_body = Option<NoFields>,
    responses((status = 200, body = AdminUser), (status = 409, description = "INVALID_TRANSITION: not a suspended account")))]
#[post("/admin/users/{id}/reinstate")]
pub async fn reinstate_user(
    Admin(caller): Admin,
    state: Data<AppState>,
    path: PathIds,
    body: Body<NoFields>,
) -> ApiResult<Json<AdminUser>> {
    let id = reached(&state, &caller, &path).await?;
    body.read()?;
    move_to(state, caller, id, UserStatus::Active, None).await
}

/// Who may not, and 404, come before what is wrong with the body.
async fn reached(state: &AppState, caller: &Caller, path: &PathIds) -> ApiResult<Uuid> {
    let row = queries::find(&state.db, path.id("id")?).await?.ok_or_else(no_user)?;
    may_touch(caller, &row)?;
    Ok(row.id)
}

async fn move_to(
    state: Data<AppState>,
    caller: Caller,
    id: Uuid,
    to: UserStatus,
    reason: Option<String>,
) -> ApiResult<Json<AdminUser>> {
    let admin = caller.user_id;
    let (row, off_the_road) = commit_move(&state, caller, id, to, reason.as_deref()).await?;
    auth::forget(&state, id).await;
    if let Some(profile) = off_the_road {
        mechanics::changed(&state, &profile).await;
        mechanics::stand_down(&state, admin, &profile).await;
    }
    Ok(Json(row.into()))
}

/// The account afterwards, and the mechanic profile that was switched off with it.
async fn commit_move(
    state: &AppState,
    caller: Caller,
    id: Uuid,
    to: UserStatus,
    reason: Option<&str>,
) -> ApiResult<(UserRow, Option<ProfileRow>)> {
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    let caller = super::lock_as_admin(&mut tx, caller).await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_user)?;
    may_move(&caller, &before, to)?;
    let leaves_none = to == UserStatus::Suspended
        && before.role == Role::SuperAdmin
        && !queries::has_other_super_admin(&mut tx, id).await?;
    if leaves_none {
        return Err(ApiError::new(Code::Conflict, "this is the last active super-admin"));
    }
    queries::set_status(&mut tx, id, to, reason, now).await?;
    let entry = Entry {
        actor_id: Some(caller.user_id),
        action: if to == UserStatus::Suspended { "user.suspend" } else { "user.reinstate" },
        subject_kind: "user",
        subject_id: id,
        before: json!({"status": before.status, "suspension_reason": before.suspension_reason}),
        after: json!({"status": to, "suspension_reason": reason}),
    };
    audit::record(&mut tx, &state.random, now, entry).await?;
    let off_the_road = match to {
        UserStatus::Suspended => mechanics::take_off_the_road(&mut tx, id, now).await?,
        UserStatus::Active | UserStatus::Deleted => None,
    };
    if to == UserStatus::Suspended {
        invites::revoke_invites_of(&mut tx, &state.random, id, Some(caller.user_id), now).await?;
    }
    let after = queries::find(&mut *tx, id).await?.ok_or_else(no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok((after, off_the_road))
}

pub(super) fn not_own(caller: &Caller, id: Uuid) -> ApiResult<()> {
    let forbidden = || ApiError::forbidden("nobody may do this to their own account");
    if id == caller.user_id { Err(forbidden()) } else { Ok(()) }
}

/// Nobody suspends themselves, nor an admin a super-admin.
fn may_touch(caller: &Caller, target: &UserRow) -> ApiResult<()> {
    not_own(caller, target.id)?;
    if target.role == Role::SuperAdmin && caller.role != Role::SuperAdmin {
        return Err(ApiError::forbidden("only a super-admin may do this to a super-admin"));
    }
    Ok(())
}

/// There are two ways only: active to suspended and back.
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
            let message = format!("an account can't go from {from} to {to}; allowed: {allowed}");
            Err(ApiError::new(Code::InvalidTransition, message))
        }
    }
}

pub(super) fn no_user() -> ApiError {
    ApiError::not_found("user")
}
