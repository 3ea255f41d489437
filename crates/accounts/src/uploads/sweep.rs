//! Deletes uploads in a safe order: first the upload is hidden, then its bytes are deleted, then its row. So a row
//! that says "complete" has its bytes, and a crash between two steps leaves a row that is found again.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::ApiResult;
use roadcall_providers::ProviderError;
use uuid::Uuid;

use super::queries::{self, Doomed};
use crate::uploads::UploadsContext;

/// The number of uploads that one statement checks for use: each is looked up in every table that may refer to it.
const LOOKED_THROUGH_AT_ONCE: i64 = 500;
/// The number of such statements in one sweep; the rest waits for the next sweep.
const LOOKS: usize = 100;

/// Deletes uploads that were never completed, and those that nothing refers to; returns how many. Run it regularly.
pub async fn sweep(context: &UploadsContext, rows: i64) -> ApiResult<u64> {
    let (now, settings) = (context.clock.now(), &context.upload_settings);
    let pending = now - TimeDelta::hours(settings.pending_hours);
    let doomed = async {
        queries::doom_pending(&context.db, pending, now, rows).await?;
        doom_unused(context, now, rows.min(LOOKED_THROUGH_AT_ONCE)).await
    };
    // Uploads that are already doomed are removed even if the search for more has failed.
    let (doomed, buried) = (doomed.await, bury(context, None, rows).await?);
    doomed?;
    Ok(buried)
}

async fn doom_unused(context: &UploadsContext, now: DateTime<Utc>, at_once: i64) -> sqlx::Result<()> {
    let unused = now - TimeDelta::days(context.upload_settings.unused_days);
    for _ in 0..LOOKS {
        let looked_through = queries::doom_unused(&context.db, unused, now, at_once).await?;
        if looked_through < at_once.unsigned_abs() {
            break;
        }
    }
    Ok(())
}

/// Removes the bytes of the files that [`leave`] marked. The next sweep removes those that can't be removed now.
pub async fn erase(context: &UploadsContext, user_id: Uuid) {
    if let Err(error) = bury(context, Some(user_id), i64::MAX).await {
        tracing::warn!(%error, user.id = %user_id, "files of a deleted account could not be removed; will retry");
    }
}

async fn bury(context: &UploadsContext, user_id: Option<Uuid>, rows: i64) -> ApiResult<u64> {
    let doomed = queries::doomed(&context.db, &context.stores.names(), user_id, rows).await?;
    let mut buried = 0;
    for upload in doomed {
        match remove(context, &upload).await {
            Ok(()) => {
                queries::delete(&context.db, upload.id).await?;
                buried += 1;
            }
            // The other files would wait for the store as long.
            Err(error @ (ProviderError::Unavailable(_) | ProviderError::Unknown(_))) => {
                return Err(roadcall_platform::error::ApiError::unavailable(error));
            }
            Err(error) => {
                tracing::warn!(%error, upload.id = %upload.id, "a file could not be removed; will retry")
            }
        }
    }
    Ok(buried)
}

async fn remove(context: &UploadsContext, upload: &Doomed) -> Result<(), ProviderError> {
    match context.stores.named(&upload.store) {
        Some(store) => store.remove(upload.id, upload.attempt).await,
        None => Err(ProviderError::Unavailable("the store is not set up".to_owned())),
    }
}
