//! Publishes a version of the notice, and returns the version that somebody reads.

use std::sync::Arc;

use roadcall_platform::{
    error::{ApiError, ApiResult, commit_error},
    idempotency::{self, Claim},
};
use uuid::Uuid;

use super::{
    audited,
    context::NoticesContext,
    queries::{self, NoticeRow},
    refusals::{no_notice, published_meanwhile},
};
use crate::users;

/// A version as a super-admin has written it.
#[derive(Debug)]
pub struct WrittenNotice {
    pub en: String,
    pub hi: Option<String>,
    pub kn: Option<String>,
    pub ask_again: bool,
    /// The version that it was written to follow; 0 if there was none.
    pub follows: Option<i64>,
}

/// Publishes the next version, which is in force from now on.
pub async fn publish(
    context: &NoticesContext,
    super_admin: Uuid,
    written: WrittenNotice,
    claim: &Claim,
) -> ApiResult<NoticeRow> {
    let mut tx = context.db.begin().await?;
    users::lock_super_admins(&mut tx, super_admin).await?;
    queries::lock(&mut tx).await?;
    let before = queries::newer_than(&mut *tx, 0).await?;
    let newest = before.as_ref().map_or(0, |before| before.version);
    if written.follows.is_some_and(|follows| follows != newest) {
        return Err(published_meanwhile(newest));
    }
    let version = newest + 1;
    let row = NoticeRow {
        version,
        text_en: written.en,
        text_hi: written.hi,
        text_kn: written.kn,
        ask_again: written.ask_again,
        counts_from: before
            .as_ref()
            .filter(|_| !written.ask_again)
            .map_or(version, |before| before.counts_from),
        published_by: super_admin,
        published_at: context.clock.now(),
    };
    queries::insert(&mut tx, &row).await?;
    audited::published(context, &mut tx, before.as_ref(), &row).await?;
    idempotency::complete(&mut tx, claim, id_of(version)).await?;
    tx.commit().await.map_err(commit_error)?;
    // This server learns of it at once, the others by the wake-up.
    context.current.adopt(row.clone());
    context.changed.wake();
    Ok(row)
}

/// Returns the id by which a mark remembers a version, since versions have no other than their number.
fn id_of(version: i64) -> Uuid {
    Uuid::from_u64_pair(0, version.unsigned_abs())
}

/// Returns the version that a mark remembers.
pub async fn published(context: &NoticesContext, id: Uuid) -> ApiResult<NoticeRow> {
    let (_, version) = id.as_u64_pair();
    let found = queries::find(&context.db, i64::try_from(version).unwrap_or_default()).await?;
    found.ok_or_else(no_notice)
}

/// Returns the newest version, from memory, or the requested one.
pub async fn read(context: &NoticesContext, version: Option<i64>) -> ApiResult<Arc<NoticeRow>> {
    let newest = context.current.newest();
    match (newest, version) {
        (Some(newest), None) => Ok(newest),
        (Some(newest), Some(version)) if newest.version == version => Ok(newest),
        (None, None) => Err(no_notice()),
        (_, Some(version)) => {
            let found = queries::find(&context.db, version).await?;
            found.map(Arc::new).ok_or_else(|| ApiError::not_found("version of the privacy notice"))
        }
    }
}
