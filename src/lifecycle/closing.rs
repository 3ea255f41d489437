//! Ending an account: a customer ends their own, a super-admin an admin's.

use actix_web::{HttpResponse, delete, web::Data};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::dues,
    accounts::{
        auth::{self, AnyId, Caller, Role, SuperAdmin, UserStatus, idp},
        invites, uploads,
        users::{self, UserRow},
    },
    catalogue::vehicles,
    fleet::mechanics::{self, ProfileRow},
    http::Owned,
    jobs,
    lifecycle::LifecycleContext,
    messaging::chat,
    money::{no_shows, wallet},
    notifications, offers,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Anonymises the caller's account and ends its sessions. Jobs that are over stay, without a name.
///
/// What is owed for jobs or in fees must be paid first; an admin may waive a fee, and decides about a reported no-show. A mechanic
/// waits for the pay of a completed job as long as it can be disputed, and for payments that are under way. Only a super-admin ends
/// an admin's account.
#[utoipa::path(tag = "users",
    responses(
        (status = 204),
        (status = 403, description = "FORBIDDEN: an admin's account, which a super-admin ends"),
        (status = 409, description = "CONFLICT: a job is open, or not paid yet, a no-show is not decided, fees are due, a payment is under way, or the wallet is not empty"),
    ))]
#[delete("/users/me")]
pub async fn delete_me(caller: Caller, context: Data<LifecycleContext>) -> ApiResult<HttpResponse> {
    if caller.is_admin() {
        return Err(not_an_admins());
    }
    let retired = leave(&context, caller).await?;
    forget(&context, caller.user_id, retired).await;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends an admin's account, with its sessions, its password and its pending invitations. Name and email go, except from
/// the audit log, which keeps them as long as its entries.
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
    let now = context.clock.now();
    let (mut tx, row) = super::lock_for_super_admin(&context, &caller, id).await?;
    if row.role == Role::Customer || row.status == UserStatus::Deleted {
        let why = "This is not an active admin account. To block a customer, suspend the account; only its owner can \
            delete it.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    users::audited::ended(&mut tx, &context.random, caller.user_id, &row, now).await?;
    let retired = erase(&mut tx, &context, &row, caller.user_id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    forget(&context, id, retired).await;
    Ok(HttpResponse::NoContent().finish())
}

fn not_an_admins() -> ApiError {
    ApiError::forbidden("Admin accounts can only be ended by a super-admin. Please ask one.")
}

/// Returns the mechanic profile that ended with the account.
async fn leave(context: &LifecycleContext, caller: Caller) -> ApiResult<Option<ProfileRow>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = users::lock(&mut tx, caller.user_id).await?.ok_or_else(users::gone)?;
    if row.role != Role::Customer {
        return Err(not_an_admins());
    }
    mechanics::lock_of(&mut tx, row.id).await?;
    may_leave(&mut tx, context, &row).await?;
    if let Some(profile) = row.mechanic_profile_id {
        wallet::close(&mut tx, profile, now).await?;
    }
    let retired = erase(&mut tx, context, &row, caller.user_id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(retired)
}

/// Removes the person from what is kept, and deletes the rest. The row is locked.
async fn erase(
    tx: &mut PgConnection,
    context: &LifecycleContext,
    row: &UserRow,
    actor: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<Option<ProfileRow>> {
    users::anonymise(tx, row.id, now).await?;
    auth::forget_numbers(tx, row.id).await?;
    if let Some(uid) = &row.idp_uid {
        idp::remove_account(tx, uid).await?;
    }
    jobs::forget_person(tx, row.id, row.mechanic_profile_id).await?;
    chat::forget_user(tx, row.id, now).await?;
    vehicles::anonymise(tx, row.id, now).await?;
    notifications::forget_user(tx, row.id).await?;
    uploads::leave(tx, row.id).await?;
    let retired = mechanics::retire(tx, row.id, now).await?;
    auth::revoke_sessions(tx, row.id, "deleted", now).await?;
    invites::revoke_invites_of(tx, &context.random, row.id, Some(actor), now).await?;
    invites::forget_invites_of(tx, row.id, row.email.as_deref(), now).await?;
    Ok(retired)
}

/// What is done once the account has ended for good.
async fn forget(context: &LifecycleContext, user_id: Uuid, retired: Option<ProfileRow>) {
    auth::forget(context, user_id).await;
    uploads::erase(&context.uploads, user_id).await;
    if let Some(profile) = retired {
        mechanics::changed(context, &profile).await;
        offers::revoke_of(&context.jobs, profile.id).await;
    }
}

async fn may_leave(tx: &mut PgConnection, context: &LifecycleContext, row: &UserRow) -> ApiResult<()> {
    if users::has_open_job(tx, row.id).await? {
        return Err(ApiError::new(Code::Conflict, "You have an open job. Finish or cancel it first."));
    }
    // After the check for open jobs: what a job that ends in between leaves is seen here.
    no_shows::check_decided(tx, row.id).await?;
    dues::check_settled(tx, row.id, context.clock.now()).await?;
    match row.mechanic_profile_id {
        Some(profile) => dues::check_earned(tx, profile, &context.settings, context.clock.now()).await,
        None => Ok(()),
    }
}
