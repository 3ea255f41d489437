//! Closing an account, by the person whose it is.

use actix_web::{HttpResponse, delete, web::Data};
use sqlx::PgConnection;

use crate::{
    accounting::dues,
    accounts::{
        auth::{self, Caller, Role, idp},
        invites, uploads,
        users::{self, UserRow},
    },
    catalogue::vehicles,
    fleet::mechanics::{self, ProfileRow},
    jobs,
    lifecycle::LifecycleContext,
    messaging::chat,
    money::wallet,
    notifications, offers,
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// Anonymises the caller's account and ends its sessions. Jobs that are over stay, without a name.
///
/// Whoever owes for a job or in fees pays first; an admin may waive a fee. A mechanic waits for the pay of a completed job as
/// long as it can be disputed, and for payments that are under way.
#[utoipa::path(tag = "users",
    responses((status = 204), (status = 409, description = "CONFLICT: a job is open, or not paid yet, fees are due, a payment is under way, the wallet is not empty, or this is \
        the last super-admin")))]
#[delete("/users/me")]
pub async fn delete_me(caller: Caller, context: Data<LifecycleContext>) -> ApiResult<HttpResponse> {
    let retired = leave(&context, caller).await?;
    auth::forget(&context, caller.user_id).await;
    uploads::erase(&context.uploads, caller.user_id).await;
    if let Some(profile) = retired {
        mechanics::changed(&context, &profile).await;
        offers::revoke_of(&context.jobs, profile.id).await;
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Tells the mechanic profile that ended with the account.
async fn leave(context: &LifecycleContext, caller: Caller) -> ApiResult<Option<ProfileRow>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if caller.is_admin() {
        users::lock_admins(&mut tx).await?;
    }
    let row = users::lock(&mut tx, caller.user_id).await?.ok_or_else(users::gone)?;
    mechanics::lock_of(&mut tx, row.id).await?;
    may_leave(&mut tx, context, &row).await?;
    if let Some(profile) = row.mechanic_profile_id {
        wallet::close(&mut tx, profile, now).await?;
    }
    users::anonymise(&mut tx, row.id, now).await?;
    if let Some(uid) = &row.idp_uid {
        idp::remove_account(&mut tx, uid).await?;
    }
    jobs::forget_person(&mut tx, row.id, row.mechanic_profile_id).await?;
    chat::forget_user(&mut tx, row.id, now).await?;
    vehicles::anonymise(&mut tx, row.id, now).await?;
    notifications::forget_user(&mut tx, row.id).await?;
    uploads::leave(&mut tx, row.id).await?;
    let retired = mechanics::retire(&mut tx, row.id, now).await?;
    auth::revoke_sessions(&mut tx, row.id, "deleted", now).await?;
    if row.role != Role::Customer {
        users::audited::left(&mut tx, &context.random, &row, now).await?;
    }
    invites::revoke_invites_of(&mut tx, &context.random, row.id, Some(row.id), now).await?;
    let forgotten = invites::forget_invites_of(&mut tx, row.id, row.email.as_deref(), now).await?;
    audit::forget_emails(&mut tx, row.id, &forgotten).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(retired)
}

async fn may_leave(tx: &mut PgConnection, context: &LifecycleContext, row: &UserRow) -> ApiResult<()> {
    if users::has_open_job(tx, row.id).await? {
        return Err(ApiError::new(Code::Conflict, "You have an open job. Finish or cancel it first."));
    }
    if row.role == Role::SuperAdmin && !users::has_other_super_admin(tx, row.id).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "You are the last super-admin. Make someone else a super-admin first.",
        ));
    }
    // After the look at open jobs: one that is completed in between owes already.
    dues::check_settled(tx, row.id, context.clock.now()).await?;
    match row.mechanic_profile_id {
        Some(profile) => dues::check_earned(tx, profile, &context.settings, context.clock.now()).await,
        None => Ok(()),
    }
}
