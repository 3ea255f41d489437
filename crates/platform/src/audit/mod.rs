//! The audit log. Every write by an admin leaves who did what, with the values before and after, and every read of personal
//! data leaves who read it. The schema ensures that entries never change, and are deleted only by age.

mod queries;
mod reads;
mod redaction;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_base::random::Random;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub use reads::RecentReads;
pub use redaction::redacted;

use crate::{
    db::Db,
    error::{ApiError, ApiResult, Code, commit_error},
};

const DAY_S: u64 = 24 * 3600;

/// An entry for one write or one read.
#[derive(Debug, Clone)]
pub struct NewAuditEntry<'a> {
    /// The person; `None` for the command line, for a partner's program, and for changes that follow from the identity
    /// provider's claim.
    pub actor_id: Option<Uuid>,
    /// Noun and verb: "user.suspend", "mechanic.verify".
    pub action: &'a str,
    /// "user", "mechanic_profile", "service_category" …
    pub subject_kind: &'a str,
    pub subject_id: Uuid,
    /// The changed fields as they were; null for a new subject. No secrets, no phone numbers.
    pub before: Value,
    /// The same fields afterwards; null for a removed subject.
    pub after: Value,
}

/// Writes an entry in the transaction of the write that it describes, with the actor's present name and the email
/// that the identity provider vouches for, since the name is the actor's own choice.
pub async fn record(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    entry: NewAuditEntry<'_>,
) -> sqlx::Result<()> {
    record_via(tx, random, at, None, entry).await
}

/// Writes an entry as [`record`] does, with the credential of the action: a key, a membership or a link.
pub async fn record_via(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    via: Option<Value>,
    entry: NewAuditEntry<'_>,
) -> sqlx::Result<()> {
    let (before, after) = (redacted(entry.before), redacted(entry.after));
    queries::insert(tx, (random.id(at), at, via), NewAuditEntry { before, after, ..entry }).await
}

/// Returns 429 with this reason if an admin has done this `most` times in the last 24 hours. The caller locks the admin's account
/// first, so that simultaneous requests count each other.
pub async fn check_daily(
    tx: &mut PgConnection,
    (actor_id, action): (Uuid, &str),
    (most, why): (i64, &'static str),
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let done = queries::count_since(tx, actor_id, action, now - TimeDelta::days(1)).await?;
    if done < most { Ok(()) } else { Err(ApiError::new(Code::RateLimited, why).retry_after(DAY_S)) }
}

/// Writes an entry in a transaction of its own, for an action that writes nothing else: a read, or something
/// that an admin follows.
pub async fn record_alone(
    db: &Db,
    random: &Random,
    at: DateTime<Utc>,
    entry: NewAuditEntry<'_>,
) -> ApiResult<()> {
    let mut tx = db.begin().await?;
    record(&mut tx, random, at, entry).await?;
    tx.commit().await.map_err(commit_error)
}

/// Deletes at most `limit` of the entries from before `kept_from`, but none of the last 365 days; returns how many it deleted.
pub async fn sweep(db: &Db, kept_from: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    Ok(queries::sweep(db, kept_from, limit).await?.unsigned_abs())
}
