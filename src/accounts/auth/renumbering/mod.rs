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

use super::AuthContext;
use crate::platform::{db::Db, error::ApiResult};

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
        told += u64::from(tell(context, id, &phone).await);
    }
    Ok(told)
}

/// Whether the old number was sent its message; if not, [`tell_old_numbers`] tries again.
async fn tell(context: &AuthContext, id: Uuid, phone: &str) -> bool {
    let sent = context.auth.0.sms.send_number_changed(phone).await;
    let now = context.clock.now();
    let done = match sent {
        Ok(()) => queries::mark_told(&context.db, id, now).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = &done {
        tracing::warn!(error, phone_change.id = %id, "an old number could not be sent its message; will retry");
    }
    done.is_ok()
}

/// Forgets the numbers that a person had, in the transaction that deletes their account.
pub async fn forget_numbers(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::forget(tx, user_id).await
}

/// Deletes changes that nobody needs any more, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT_FOR, limit).await
}
