//! `Idempotency-Key`: a repeated request takes effect once, and gets the same answer.
//!
//! A mark with a lease is claimed before the work; the effect completes the mark in its own transaction. When the work fails, the
//! mark changes as follows:
//!
//! - A refusal is kept and given again, unless it has a `Retry-After`, is large, or says that no new jobs are taken or that the
//!   person has to agree to the privacy notice. In those cases the mark is deleted, and a repeat tries anew.
//! - After a fault of the service (5xx) that surely changed nothing, the mark is deleted.
//! - After a fault whose outcome is unknown, the mark stays without an owner: a repeat takes it over at once.
//!
//! The marks of a server that is gone are free at once; while the server lives they are in progress, whichever server is asked.
//! Taking a mark over is safe at any time. A transaction that has completed it and may still commit holds its row, for which the
//! repeat waits; a transaction that comes later finds the mark gone, and is rolled back.

mod queries;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

pub use queries::{complete_item_mark, complete_mark};

use crate::{
    core::Core,
    db::Db,
    error::{ApiError, ApiResult, Code},
};

/// How long a request may take before a repeat may try anew.
const LEASE: TimeDelta = TimeDelta::seconds(60);
/// How long a key is remembered.
pub const KEPT: TimeDelta = TimeDelta::hours(24);

/// The pauses between tries to store the outcome of a failed request. After the last, the lease ends by itself.
const SETTLE_AFTER_MS: [u64; 7] = [100, 400, 1_500, 2_000, 4_000, 8_000, 16_000];

/// The maximum size in bytes of a refusal that is kept.
const MAX_KEPT_BYTES: usize = 4_096;

/// The status when the effect existed before, so that the answer was 200.
const SHOWN: i32 = 200;

/// The present meaning of a key.
#[derive(Debug)]
pub enum Claim {
    /// No key was given.
    Unmarked,
    /// This request does the work, and completes it under this mark.
    Mine(Uuid),
    /// The work was done: it made this (a job, a payment, a withdrawal …), or found it.
    Made { id: Uuid, is_new: bool },
    /// The work was refused with this answer.
    Refused { status: i32, body: serde_json::Value },
}

impl Claim {
    pub fn mark(&self) -> Option<Uuid> {
        match self {
            Claim::Mine(mark) => Some(*mark),
            Claim::Unmarked | Claim::Made { .. } | Claim::Refused { .. } => None,
        }
    }
}

/// Claims `key` for the caller's request, or returns the outcome of an earlier request. Returns 409 while another request
/// with the key is in progress, 422 if the key was used with another body, and 429 if the caller has used too many keys.
async fn claim(context: &Core, request: Request) -> ApiResult<Claim> {
    let Request { user_id, route, key, digest } = request;
    let Some(key) = key else { return Ok(Claim::Unmarked) };
    let now = context.clock.now();
    let new = queries::NewMark {
        id: context.random.id(now),
        user_id,
        method: "POST",
        route,
        key: &key,
        body_sha256: &digest,
        leased_until: now + LEASE,
        created_at: now,
        server: context.db.lease().server(),
    };
    let most = context.settings.limits.idempotency_keys_per_user;
    if let Some(mark) = queries::claim(&context.db, &new, now - KEPT, most).await? {
        return Ok(Claim::Mine(mark));
    }
    let Some(mark) = queries::find(&context.db, &new).await? else {
        let held = queries::held(&context.db, user_id, now - KEPT).await?;
        // Otherwise the mark was deleted between the two statements, which counts as still in progress.
        return Err(if held.count >= most { too_many_keys(&held, now) } else { in_flight(1) });
    };
    if mark.body_sha256 != digest {
        return Err(key_reused());
    }
    match (mark.made_id, mark.status, mark.body) {
        (Some(id), status, _) => Ok(Claim::Made { id, is_new: status != Some(SHOWN) }),
        (None, Some(status), Some(body)) => Ok(Claim::Refused { status, body }),
        (None, _, _) => Err(in_flight(come_back_after_s(mark.created_at, mark.leased_until, now))),
    }
}

/// Returns 422 IDEMPOTENCY_KEY_REUSED.
pub fn key_reused() -> ApiError {
    let message = "This Idempotency-Key was used with a different body. Use a new key.";
    ApiError::new(Code::IdempotencyKeyReused, message)
}

fn in_flight(retry_after_s: u64) -> ApiError {
    let message = "A request with this Idempotency-Key is still in progress. Repeat it with the same key after the time in Retry-After.";
    ApiError::new(Code::IdempotencyInFlight, message).retry_after(retry_after_s)
}

fn too_many_keys(held: &queries::Held, now: DateTime<Utc>) -> ApiError {
    let free_in_s = held.oldest_at.map_or(0, |oldest_at| (oldest_at + KEPT - now).num_seconds());
    let message = "You have used too many Idempotency-Keys in the last 24 hours. Repeat a request with the key it had; \
        for a new one, wait for the time in Retry-After or send no key.";
    ApiError::new(Code::RateLimited, message).retry_after(u64::try_from(free_in_s).unwrap_or_default().max(1))
}

/// Returns after how many seconds to ask again. Most work is done within a second; for longer work the pause grows,
/// and ends at the latest when the lease ends.
fn come_back_after_s(since: DateTime<Utc>, leased_until: DateTime<Utc>, now: DateTime<Utc>) -> u64 {
    let (age, left) = ((now - since).num_seconds(), (leased_until - now).num_seconds());
    u64::try_from((age / 2).min(left)).unwrap_or_default().max(1)
}

/// A request that may be repeated.
#[derive(Debug)]
pub struct Request {
    user_id: Uuid,
    route: &'static str,
    key: Option<String>,
    digest: Vec<u8>,
}

impl Request {
    /// Describes a request. `route` is the template of the path. `key` is the `Idempotency-Key`; without a key, every request is
    /// new. `body` holds everything that must be the same in a repeat: the ids of the path, then the body's bytes.
    pub fn new(user_id: Uuid, route: &'static str, key: Option<String>, body: &[u8]) -> Self {
        Self { user_id, route, key, digest: Sha256::digest(body).to_vec() }
    }
}

/// Carries out a request that is safe to repeat. `make` does the work and completes the claim in its transaction; `again` reads
/// what an earlier request with the same key made (its id, and whether it was new then). A kept refusal is given again.
pub async fn once<T>(
    core: &Core,
    request: Request,
    make: impl AsyncFnOnce(&Claim) -> ApiResult<T>,
    again: impl AsyncFnOnce(Uuid, bool) -> ApiResult<T>,
) -> ApiResult<T> {
    let claim = claim(core, request).await?;
    let made = match &claim {
        Claim::Unmarked | Claim::Mine(_) => make(&claim).await,
        Claim::Made { id, is_new } => again(*id, *is_new).await,
        Claim::Refused { body, .. } => return Err(ApiError::kept(body)),
    };
    settle(core, &claim, &made).await;
    made
}

/// Completes the claim's mark, if there is one, in the transaction of the effect: `id` is what was made. Returns 409
/// if an earlier try under the same key, whose outcome was unknown, did make it.
pub async fn complete(tx: &mut PgConnection, claim: &Claim, id: Uuid) -> ApiResult<()> {
    complete_as(tx, claim, id, None).await
}

/// Completes the mark like [`complete`], but for an `id` that existed before, so that the answer is 200.
pub async fn complete_shown(tx: &mut PgConnection, claim: &Claim, id: Uuid) -> ApiResult<()> {
    complete_as(tx, claim, id, Some(SHOWN)).await
}

async fn complete_as(tx: &mut PgConnection, claim: &Claim, id: Uuid, status: Option<i32>) -> ApiResult<()> {
    let Some(mark) = claim.mark() else { return Ok(()) };
    if queries::complete(tx, mark, id, status).await? {
        Ok(())
    } else {
        Err(ApiError::new(Code::IdempotencyInFlight, "This request was already carried out."))
    }
}

/// How the work under a mark failed, which decides what happens to the mark.
#[derive(Debug)]
enum Failure {
    /// Repeats get this refusal.
    Kept { status: i32, body: serde_json::Value },
    /// The work changed nothing.
    Undone,
    /// The work may have been done, or may yet be.
    Unknown,
}

impl Failure {
    fn of(error: &ApiError) -> Self {
        if error.code == Code::OutcomeUnknown {
            return Self::Unknown;
        }
        let body = serde_json::to_value(error.body()).unwrap_or_default();
        match is_kept(error, body.to_string().len()) {
            true => Self::Kept { status: i32::from(error.code.status().as_u16()), body },
            false => Self::Undone,
        }
    }

    /// Stores the failure. Returns whether nothing is left to do.
    async fn store(&self, db: &Db, mark: Uuid) -> sqlx::Result<bool> {
        match self {
            Self::Kept { status, body } => queries::refuse(db, mark, *status, body).await.map(|()| true),
            Self::Undone => queries::let_go(db, mark).await.map(|()| true),
            Self::Unknown => queries::hand_over(db, mark).await,
        }
    }
}

/// Stores the outcome of work that has failed. If Postgres is away, which may be why the work failed, or a transaction of the
/// work is still open, the outcome is stored later, and nobody waits for it.
async fn settle<T>(context: &Core, claim: &Claim, result: &ApiResult<T>) {
    let (Some(mark), Err(error)) = (claim.mark(), result) else { return };
    let failure = Failure::of(error);
    match failure.store(&context.db, mark).await {
        Ok(true) => return,
        Ok(false) => {}
        Err(error) => {
            tracing::warn!(error.cause = %error, "the result of an idempotent request could not be stored, will try again");
        }
    }
    actix_web::rt::spawn(settle_later(context.db.clone(), mark, failure));
}

/// Tries again, at growing intervals, while the mark is leased.
async fn settle_later(db: Db, mark: Uuid, failure: Failure) {
    for pause_ms in SETTLE_AFTER_MS {
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        if let Ok(true) = failure.store(&db, mark).await {
            return;
        }
    }
}

/// Returns whether repeats get this refusal again. Its body has `bytes` bytes.
fn is_kept(error: &ApiError, bytes: usize) -> bool {
    let passes = error.retry_after_s.is_some() || matches!(error.code, Code::NoNewJobs | Code::ConsentNeeded);
    !error.code.status().is_server_error() && !passes && bytes <= MAX_KEPT_BYTES
}

/// Deletes at most `limit` marks that are older than keys are kept.
pub async fn sweep(context: &Core, limit: i64) -> ApiResult<u64> {
    Ok(queries::sweep(&context.db, context.clock.now() - KEPT, limit).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_kept_unless_it_may_be_different_next_time_or_is_large() {
        let refusal = || ApiError::new(Code::Conflict, "no");
        let cases = [
            (refusal(), 1, true),
            (refusal(), MAX_KEPT_BYTES, true),
            (refusal(), MAX_KEPT_BYTES + 1, false),
            (refusal().retry_after(1), 1, false),
            (ApiError::internal("a bug"), 1, false),
            (ApiError::unavailable("away"), 1, false),
            (ApiError::new(Code::ProviderError, "no answer"), 1, false),
        ];
        for (error, bytes, kept) in cases {
            assert_eq!(is_kept(&error, bytes), kept, "{error}: {bytes}");
        }
    }

    #[test]
    fn a_repeat_comes_back_soon_then_less_and_less_often_and_never_after_the_lease() {
        let since = DateTime::UNIX_EPOCH;
        let after = |age_s| {
            let now = since + TimeDelta::seconds(age_s);
            come_back_after_s(since, since + LEASE, now)
        };
        let asked = [-5, 0, 1, 4, 20, 50, 58, 60, 90].map(after);
        assert_eq!(asked, [1, 1, 1, 2, 10, 10, 2, 1, 1]);
    }
}
