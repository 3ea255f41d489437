//! The actions of people on their own accounts, and of admins on anybody's.

use roadcall_http::{Change, Patch};
use roadcall_platform::error::{ApiError, ApiResult, commit_error, constraint};
use uuid::Uuid;

use super::{
    audited,
    dto::UpdateMe,
    queries::{self, Changes, UserRow},
    refusals::{gone, no_user},
};
use crate::{
    auth::{self, AuthContext, Role},
    uploads::{self, AvatarFile, FileRef},
};

/// Changes the given fields of the person's own account.
pub async fn update(context: &AuthContext, user_id: Uuid, changes: UpdateMe) -> ApiResult<UserRow> {
    let changes = checked(context, user_id, changes).await?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    let before = queries::find(&mut *tx, user_id).await?.ok_or_else(gone)?;
    let updated = queries::update(&mut tx, user_id, changes, now).await;
    let is_there = updated.map_err(|error| match constraint(&error) {
        Some("users_admin_email_key") => ApiError::invalid("email", "is used by another admin"),
        _ => error.into(),
    })?;
    if !is_there {
        return Err(gone());
    }
    let row = queries::find(&mut *tx, user_id).await?.ok_or_else(gone)?;
    if row.role != Role::Customer && row.email != before.email {
        audited::email_changed(&mut tx, &context.random, &before, &row, now).await?;
    }
    if row.role != Role::Customer && row.name != before.name {
        audited::renamed(&mut tx, &context.random, &before, &row, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

async fn checked(context: &AuthContext, user_id: Uuid, changes: UpdateMe) -> ApiResult<Changes> {
    let avatar = match changes.avatar_url {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(url) => {
            let db = &context.db;
            Patch::Set(uploads::refer_one::<AvatarFile>(db, context, user_id, "avatar_url", url).await?)
        }
    };
    Ok(Changes {
        name: changes.name.map(|name| name.0),
        email: changes.email.map(|email| email.0),
        avatar_url: avatar.map(FileRef::into_url),
        language: match changes.language {
            Change::Keep => None,
            Change::To(language) => Some(language.0),
        },
    })
}

/// Returns the account with this number, and whether it was made for that.
pub async fn find_or_create(
    context: &AuthContext,
    admin: Uuid,
    phone: &str,
    name: Option<&str>,
) -> ApiResult<(UserRow, bool)> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let id = context.random.id(now);
    let person = auth::person_of_phone(&mut tx, id, phone, name, now).await?;
    if person.is_new {
        audited::created(&mut tx, &context.random, admin, person.id, now).await?;
    } else {
        audited::found(&mut tx, &context.random, admin, person.id, now).await?;
    }
    let row = queries::find(&mut *tx, person.id).await?.ok_or_else(no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok((row, person.is_new))
}

/// Sets how many jobs a customer may have open at once; `None` restores everybody's limit.
pub async fn set_job_limit(
    context: &AuthContext,
    admin: Uuid,
    customer: Uuid,
    most: Option<i32>,
) -> ApiResult<UserRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, customer).await?.ok_or_else(no_user)?;
    queries::set_max_open_jobs(&mut tx, customer, most, now).await?;
    audited::job_limit(&mut tx, &context.random, admin, &before, most, now).await?;
    let row = queries::find(&mut *tx, customer).await?.ok_or_else(no_user)?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}
