//! What admins do with an account.

use uuid::Uuid;

use super::{
    admin::no_user,
    audited,
    queries::{self, UserRow},
};
use crate::{
    accounts::auth::AuthContext,
    platform::error::{ApiResult, commit_error},
};

/// Lets a customer have so many jobs open at once; `None`: as many as everybody.
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
