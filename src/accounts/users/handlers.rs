use actix_web::{
    HttpResponse, delete, get, patch,
    web::{Data, Json},
};
use sqlx::PgConnection;

use super::{
    audited,
    dto::{Me, UpdateMe},
    queries::{self, Changes, UserRow},
};
use crate::{
    accounts::{
        auth::{self, Caller, Role},
        idp, invites,
    },
    catalogue::vehicles,
    fleet::mechanics::{self, ProfileRow},
    http::{Body, Change, Faults, Patch},
    jobs,
    messaging::chat,
    money::{payments::dues, wallet},
    notifications,
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error, constraint},
    },
    state::AppState,
    uploads,
};

/// The caller's own account.
#[utoipa::path(tag = "users", responses((status = 200, body = Me)))]
#[get("/users/me")]
pub async fn get_me(caller: Caller, state: Data<AppState>) -> ApiResult<Json<Me>> {
    let row = queries::find(&state.db, caller.user_id).await?.ok_or_else(gone)?;
    Ok(Json(row.into()))
}

/// Changes what is given of the caller's own account.
#[utoipa::path(tag = "users", request_body = UpdateMe, responses((status = 200, body = Me)))]
#[patch("/users/me")]
pub async fn update_me(caller: Caller, state: Data<AppState>, body: Body<UpdateMe>) -> ApiResult<Json<Me>> {
    let changes = checked(&state, &caller, body.read()?).await?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    queries::hold(&mut tx, caller.user_id).await?.ok_or_else(gone)?;
    let before = queries::find(&mut *tx, caller.user_id).await?.ok_or_else(gone)?;
    let updated = queries::update(&mut tx, caller.user_id, changes, now).await;
    let is_there = updated.map_err(|error| match constraint(&error) {
        Some("users_admin_email_key") => ApiError::invalid("email", "belongs to another admin"),
        _ => error.into(),
    })?;
    if !is_there {
        return Err(gone());
    }
    let row = queries::find(&mut *tx, caller.user_id).await?.ok_or_else(gone)?;
    if row.role != Role::Customer && row.email != before.email {
        audited::email_changed(&mut tx, &state.random, &before, &row, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(Json(row.into()))
}

async fn checked(state: &AppState, caller: &Caller, body: UpdateMe) -> ApiResult<Changes> {
    let mut faults = Faults::default();
    if let Patch::Set(url) = &body.avatar_url {
        let avatar = vec![("avatar_url".to_owned(), url)];
        uploads::check_urls(&state.db, state, caller.user_id, uploads::AVATAR, avatar, &mut faults).await?;
    }
    faults.into_result()?;
    Ok(Changes {
        name: body.name.map(|name| name.0),
        email: body.email.map(|email| email.0),
        avatar_url: body.avatar_url.map(|url| url.0),
        language: match body.language {
            Change::Keep => None,
            Change::To(language) => Some(language.0),
        },
    })
}

/// Anonymises the caller's account and ends its sessions. Jobs that are over stay, without a name.
///
/// Whoever owes for a job or in fees pays first; an admin may waive a fee. A mechanic waits for the pay of a completed job as
/// long as it can be disputed, and for payments that are under way.
#[utoipa::path(tag = "users",
    responses((status = 204), (status = 409, description = "CONFLICT: a job is open, or not paid yet, fees are due, a payment is under way, the wallet is not empty, or this is \
        the last super-admin")))]
#[delete("/users/me")]
pub async fn delete_me(caller: Caller, state: Data<AppState>) -> ApiResult<HttpResponse> {
    let retired = leave(&state, caller).await?;
    auth::forget(&state, caller.user_id).await;
    uploads::erase(&state, caller.user_id).await;
    if let Some(profile) = retired {
        mechanics::changed(&state, &profile).await;
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Tells the mechanic profile that ended with the account.
async fn leave(state: &AppState, caller: Caller) -> ApiResult<Option<ProfileRow>> {
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    if caller.is_admin() {
        queries::lock_admins(&mut tx).await?;
    }
    let row = queries::lock(&mut tx, caller.user_id).await?.ok_or_else(gone)?;
    mechanics::lock_of(&mut tx, row.id).await?;
    may_leave(&mut tx, state, &row).await?;
    if let Some(profile) = row.mechanic_profile_id {
        wallet::close(&mut tx, profile, now).await?;
    }
    queries::anonymise(&mut tx, row.id, now).await?;
    if let Some(uid) = &row.idp_uid {
        idp::remove_account(&mut tx, uid).await?;
    }
    jobs::forget_beneficiaries(&mut tx, row.id).await?;
    chat::forget_user(&mut tx, row.id, now).await?;
    vehicles::anonymise(&mut tx, row.id, now).await?;
    notifications::forget_user(&mut tx, row.id).await?;
    uploads::leave(&mut tx, row.id).await?;
    let retired = mechanics::retire(&mut tx, row.id, now).await?;
    auth::revoke_sessions(&mut tx, row.id, "deleted", now).await?;
    if row.role != Role::Customer {
        audited::left(&mut tx, &state.random, &row, now).await?;
    }
    invites::revoke_invites_of(&mut tx, &state.random, row.id, Some(row.id), now).await?;
    let forgotten = invites::forget_invites_of(&mut tx, row.id, row.email.as_deref(), now).await?;
    audit::forget_emails(&mut tx, row.id, &forgotten).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(retired)
}

async fn may_leave(tx: &mut PgConnection, state: &AppState, row: &UserRow) -> ApiResult<()> {
    if queries::has_open_job(tx, row.id).await? {
        return Err(ApiError::new(Code::Conflict, "finish or cancel the open job first"));
    }
    if row.role == Role::SuperAdmin && !queries::has_other_super_admin(tx, row.id).await? {
        return Err(ApiError::new(Code::Conflict, "the last super-admin can't leave"));
    }
    // After the look at open jobs: one that is completed in between owes already.
    dues::check_settled(tx, row.id, state.clock.now()).await?;
    match row.mechanic_profile_id {
        Some(profile) => dues::check_earned(tx, profile, &state.settings, state.clock.now()).await,
        None => Ok(()),
    }
}

/// Between the look at the token and the look at the row the account went away.
fn gone() -> ApiError {
    ApiError::unauthorized("this account is gone")
}
