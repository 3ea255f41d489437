//! Ending accounts: customers end their own, and super-admins those of admins.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::locking::lock_for_super_admin;
use crate::{
    accounting::dues,
    accounts::{
        auth::{self, Role, UserStatus, idp},
        emails, invites, organisations, uploads,
        users::{self, UserRow},
    },
    catalogue::vehicles,
    fleet::mechanics::{self, ProfileRow},
    grievances, jobs,
    lifecycle::LifecycleContext,
    messaging::chat,
    money::{no_shows, wallet},
    notifications, offers,
    platform::error::{ApiError, ApiResult, Code, commit_error},
    tracking,
};

fn not_an_admins() -> ApiError {
    ApiError::forbidden("Admin accounts can only be ended by a super-admin. Please ask one.")
}

/// Anonymises a customer's own account and ends its sessions; 409 while anything is open or owed.
pub async fn close_account(context: &LifecycleContext, user_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = users::lock(&mut tx, user_id).await?.ok_or_else(users::gone)?;
    if row.role != Role::Customer {
        return Err(not_an_admins());
    }
    mechanics::lock_of(&mut tx, row.id).await?;
    may_leave(&mut tx, context, &row).await?;
    if let Some(profile) = row.mechanic_profile_id {
        wallet::close(&mut tx, &context.wallet, profile, now).await?;
    }
    let retired = erase(&mut tx, context, &row, user_id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    forget(context, user_id, retired).await;
    Ok(())
}

/// Ends an admin's account, with its sessions, its password and its pending invitations.
pub async fn end_admin(context: &LifecycleContext, super_admin: Uuid, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let (mut tx, row) = lock_for_super_admin(context, super_admin, id).await?;
    if row.role == Role::Customer || row.status == UserStatus::Deleted {
        let why = "This is not an active admin account. To block a customer, suspend the account; only its owner can \
            delete it.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    users::audited::ended(&mut tx, &context.random, super_admin, &row, now).await?;
    let retired = erase(&mut tx, context, &row, super_admin, now).await?;
    tx.commit().await.map_err(commit_error)?;
    forget(context, id, retired).await;
    Ok(())
}

/// Anonymises a person's retained data, and deletes the rest. The row is locked.
async fn erase(
    tx: &mut PgConnection,
    context: &LifecycleContext,
    row: &UserRow,
    actor: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<Option<ProfileRow>> {
    let person_key = context.auth.auth.budget_of(row.id, row.phone.as_deref());
    auth::keep_former_account(tx, row.id, person_key, now).await?;
    users::anonymise(tx, row.id, now).await?;
    auth::forget_numbers(tx, row.id).await?;
    emails::forget(tx, row.id).await?;
    if let Some(uid) = &row.idp_uid {
        idp::remove_account(tx, uid).await?;
    }
    jobs::forget_person(tx, row.id, row.mechanic_profile_id).await?;
    chat::forget_user(tx, row.id, now).await?;
    vehicles::anonymise(tx, row.id, now).await?;
    grievances::forget_person(tx, row.id, now).await?;
    organisations::forget_person(tx, row.id, now).await?;
    notifications::forget_user(tx, row.id).await?;
    uploads::leave(tx, row.id).await?;
    tracking::forget_trackers(tx, row.id).await?;
    let retired = mechanics::retire(tx, row.id, now).await?;
    auth::revoke_sessions(tx, row.id, "deleted", now).await?;
    invites::revoke_invites_of(tx, &context.random, row.id, Some(actor), now).await?;
    invites::forget_invites_of(tx, row.id, row.email.as_deref(), now).await?;
    Ok(retired)
}

/// Cleans up after an account has ended for good.
async fn forget(context: &LifecycleContext, user_id: Uuid, retired: Option<ProfileRow>) {
    // Their tokens are refused at once, also while the leader can't be told.
    auth::forget(context, user_id).await;
    jobs::log::details_changed(&context.jobs, None).await;
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
    // This comes after the check for open jobs, so that it sees the debts of a job that has just ended.
    no_shows::check_decided(tx, row.id).await?;
    dues::check_settled(tx, row.id, context.clock.now()).await?;
    let dispute_window = context.jobs.policies.jobs.dispute_window;
    match row.mechanic_profile_id {
        Some(profile) => dues::check_earned(tx, profile, dispute_window, context.clock.now()).await,
        None => Ok(()),
    }
}
