use uuid::Uuid;

use crate::{
    accounts::users::{self, UserRow},
    platform::{core::Core, db::Transaction, error::ApiResult},
};

/// Locks another person's account that a super-admin is about to change, in a transaction in which they still are a super-admin.
pub async fn lock_for_super_admin(
    core: &Core,
    super_admin: Uuid,
    id: Uuid,
) -> ApiResult<(Transaction, UserRow)> {
    users::not_own(super_admin, id)?;
    let mut tx = core.db.begin().await?;
    users::lock_super_admins(&mut tx, super_admin).await?;
    let row = users::lock(&mut tx, id).await?.ok_or_else(users::no_user)?;
    Ok((tx, row))
}
