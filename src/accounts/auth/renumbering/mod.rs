//! Changing the number that one signs in with.
//!
//! Whoever has a number receives its codes, so the number is the account. A change needs the session, a code sent to the present
//! number, and one sent to the new number: neither a stolen session nor a code that somebody was talked into telling is
//! enough. All other sessions end, and the old number is sent a message, so that a takeover does not go unnoticed. Who has lost the
//! present number asks support.

mod audited;
pub mod handlers;
mod queries;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{AuthContext, otp};
use crate::platform::{
    db::Db,
    error::{ApiError, ApiResult, commit_error},
};

/// Changes that one person can make within [`WINDOW`].
const MOST: i64 = 3;
const WINDOW: TimeDelta = TimeDelta::days(30);
/// How long a change is kept.
const KEPT_FOR: TimeDelta = TimeDelta::days(180);
/// How long the service tries to send the old number its message.
const TELL_FOR: TimeDelta = TimeDelta::days(1);
/// Messages of one run.
const TOLD_AT_ONCE: i64 = 50;

/// Sends the old numbers their message where that has not worked yet; returns how many it sent.
pub async fn tell_old_numbers(context: &AuthContext) -> ApiResult<u64> {
    let since = context.clock.now() - TELL_FOR;
    let mut told = 0;
    for (id, phone) in queries::untold(&context.db, since, TOLD_AT_ONCE).await? {
        // A number whose country has no budget left does not hold up the others.
        if let Ok(counted_at) = admit_message(context, &phone).await {
            told += u64::from(tell(context, id, &phone, counted_at).await);
        }
    }
    Ok(told)
}

/// Counts one message more to the old number; returns the time at which it counts.
async fn admit_message(context: &AuthContext, phone: &str) -> ApiResult<DateTime<Utc>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    otp::admit_text_message(&context.settings, &mut tx, phone, otp::TextRecipient::KnownPhone, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(now)
}

/// Whether the old number was sent its message, which was counted at that time; if not, [`tell_old_numbers`] tries again.
async fn tell(context: &AuthContext, id: Uuid, phone: &str, counted_at: DateTime<Utc>) -> bool {
    let done = send(context, id, phone, counted_at).await;
    if let Err(error) = &done {
        tracing::warn!(%error, phone_change.id = %id, "an old number could not be sent its message; will retry");
    }
    done.is_ok()
}

/// A message that costs nothing, since it was not taken, does not count.
async fn send(context: &AuthContext, id: Uuid, phone: &str, counted_at: DateTime<Utc>) -> ApiResult<()> {
    let Err(why) = context.auth.0.sms.send_number_changed(phone).await else {
        return Ok(queries::mark_told(&context.db, id, context.clock.now()).await?);
    };
    if why.is_free() {
        otp::give_back_text_message(context, phone, counted_at).await?;
    }
    Err(ApiError::unavailable(why))
}

/// Forgets the numbers that a person had, in the transaction that deletes their account.
pub async fn forget_numbers(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::forget(tx, user_id).await
}

/// Deletes changes that nobody needs any more, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT_FOR, limit).await
}
