//! Queues mails, and deletes old ones.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::db::Db;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{dto::MailRecord, queries};

pub use super::queries::NewMail;

/// How long a mail's outcome is kept.
const KEPT_FOR: TimeDelta = TimeDelta::days(30);

/// Queues a mail in the transaction of the event that it reports; call [`Mails::wake`](super::Mails::wake) after the commit. An
/// event is mailed to an address once, except for codes.
pub async fn post(tx: &mut PgConnection, mail: &NewMail<'_>, at: DateTime<Utc>) -> sqlx::Result<()> {
    queries::insert(tx, mail, at).await
}

/// Returns a person's newest mails that are still kept, at most `limit`.
pub async fn newest_of(tx: &mut PgConnection, user_id: Uuid, limit: i64) -> sqlx::Result<Vec<MailRecord>> {
    Ok(queries::newest_of(tx, user_id, limit).await?.into_iter().map(MailRecord::from).collect())
}

/// Deletes a person's mails, sent or not.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::forget_user(tx, user_id).await
}

/// Deletes mails whose retention is over, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - KEPT_FOR, limit).await
}
