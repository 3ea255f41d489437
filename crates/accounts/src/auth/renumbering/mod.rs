//! Changing the number with which a person signs in.
//!
//! The owner of a number receives its codes, so the number is the account. A change needs the session, a code sent to
//! the present number, and one sent to the new number: neither a stolen session nor a code that somebody was talked
//! into revealing is enough. All other sessions end, and the old number is sent a message, so that a takeover does
//! not go unnoticed. A person who has lost the present number asks support.

mod actions;
mod audited;
pub mod handlers;
mod queries;

pub use actions::notify_old_numbers;
pub use queries::forget as forget_numbers;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::db::Db;

/// The time for which a change is stored.
const KEPT_FOR: TimeDelta = TimeDelta::days(180);

/// Deletes changes that nobody needs any longer, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT_FOR, limit).await
}
