use actix_web::{
    get, patch,
    web::{Data, Json},
};

use super::{
    audited,
    dto::{Me, UpdateMe},
    queries::{self, Changes},
};
use crate::{
    accounts::{
        auth::{self, AuthContext, Caller, Role},
        uploads::{self, AvatarFile, FileRef},
    },
    http::{Body, Change, Patch},
    platform::error::{ApiError, ApiResult, commit_error, constraint},
};

/// The caller's own account.
#[utoipa::path(tag = "users", responses((status = 200, body = Me)))]
#[get("/users/me")]
pub async fn get_me(caller: Caller, context: Data<AuthContext>) -> ApiResult<Json<Me>> {
    let row = queries::find(&context.db, caller.user_id).await?.ok_or_else(gone)?;
    Ok(Json(row.into()))
}

/// Changes what is given of the caller's own account.
#[utoipa::path(tag = "users", request_body = UpdateMe, responses((status = 200, body = Me)))]
#[patch("/users/me")]
pub async fn update_me(
    caller: Caller,
    context: Data<AuthContext>,
    body: Body<UpdateMe>,
) -> ApiResult<Json<Me>> {
    let changes = checked(&context, &caller, body.read()?).await?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, caller.user_id).await?;
    let before = queries::find(&mut *tx, caller.user_id).await?.ok_or_else(gone)?;
    let updated = queries::update(&mut tx, caller.user_id, changes, now).await;
    let is_there = updated.map_err(|error| match constraint(&error) {
        Some("users_admin_email_key") => ApiError::invalid("email", "is used by another admin"),
        _ => error.into(),
    })?;
    if !is_there {
        return Err(gone());
    }
    let row = queries::find(&mut *tx, caller.user_id).await?.ok_or_else(gone)?;
    if row.role != Role::Customer && row.email != before.email {
        audited::email_changed(&mut tx, &context.random, &before, &row, now).await?;
    }
    if row.role != Role::Customer && row.name != before.name {
        audited::renamed(&mut tx, &context.random, &before, &row, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(Json(row.into()))
}

async fn checked(context: &AuthContext, caller: &Caller, body: UpdateMe) -> ApiResult<Changes> {
    let avatar = match body.avatar_url {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(url) => {
            let (db, owner) = (&context.db, caller.user_id);
            Patch::Set(uploads::refer_one::<AvatarFile>(db, context, owner, "avatar_url", url).await?)
        }
    };
    Ok(Changes {
        name: body.name.map(|name| name.0),
        email: body.email.map(|email| email.0),
        avatar_url: avatar.map(FileRef::into_url),
        language: match body.language {
            Change::Keep => None,
            Change::To(language) => Some(language.0),
        },
    })
}

/// The account was deleted after the token was checked.
pub fn gone() -> ApiError {
    ApiError::unauthorized("This account was deleted.")
}
