//! Receives positions of mechanics, packs trails, and deletes old ones.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    clock::Clock,
    engine::SocketLink,
    ids::MechanicId,
    job::state::Refusal,
    mechanic::state::{Located, Ping, PositionSource},
    protocol::Locate,
};
use uuid::Uuid;

use super::{
    dto::{LocationReceipt, Points},
    queries,
};
use crate::{
    jobs::JobsContext,
    platform::error::{ApiError, ApiResult, commit_error},
};

/// The number of partitions that take the hours in turn (migration 0073).
const SLOTS: i32 = 4;
/// A partition is emptied at least this long before its turn, since emptying may take a while.
const BEFORE_TURN: TimeDelta = TimeDelta::minutes(1);
/// The number of jobs packed with one statement: with a point a second it takes a fraction of a second.
const JOBS_AT_ONCE: i64 = 50;

/// Passes points from one of a mechanic's apps to the mechanic's actor; those that the receipt calls accepted are stored.
pub async fn locate(
    context: &JobsContext,
    mechanic_profile_id: Uuid,
    pings: Vec<Ping>,
    source: PositionSource,
) -> ApiResult<LocationReceipt> {
    let mechanic = MechanicId(mechanic_profile_id);
    let locate = Locate { mechanic, pings, source, received_ago: TimeDelta::zero() };
    receipt(context.engine.ask(locate).await)
}

/// Passes points that arrived over a socket to the mechanic's actor.
pub async fn locate_over(
    context: &JobsContext,
    link: &mut SocketLink,
    points: Points,
) -> ApiResult<LocationReceipt> {
    receipt(context.engine.locate_over(link, points.pings()).await)
}

fn receipt(located: Result<Located, Refusal>) -> ApiResult<LocationReceipt> {
    // Without an answer, no point of the batch counts as stored: the phone sends it again, which is harmless.
    located.map(LocationReceipt::from).map_err(|refusal| ApiError::unavailable(refusal.to_string()))
}

/// Packs the trails of past hours, and empties the partitions that their points are in. Returns the number of jobs.
///
/// Points of this hour still arrive, and those of the last hour may: they wait for their turn. An interrupted pack is repeated.
pub async fn pack(context: &JobsContext, clock: &Clock) -> ApiResult<u64> {
    let this_hour = hour_of(clock.now());
    let mut packed = 0;
    // The partitions of the two hours to come still contain the points of three hours ago and of two hours ago.
    for next in [this_hour + 1, this_hour + 2] {
        let slot = next.rem_euclid(SLOTS);
        let mut last = None;
        loop {
            let after = last.unwrap_or(Uuid::nil());
            let mut tx = context.db.begin().await?;
            // A phone may have sent far more than a point a second.
            queries::take_longer(&mut tx).await?;
            let jobs = queries::pack(&mut *tx, slot, after, JOBS_AT_ONCE).await?;
            tx.commit().await.map_err(commit_error)?;
            packed += jobs.len() as u64;
            match jobs.last() {
                Some(job) => last = Some(*job),
                None => break,
            }
        }
        if last.is_some() && is_before_turn(next, clock.now()) {
            queries::empty(&context.db, slot).await?;
        }
    }
    Ok(packed)
}

/// Returns whether a partition may be emptied before its turn comes. If it is too late, the partition stays as it is until after
/// the turn.
fn is_before_turn(next_hour: i32, now: DateTime<Utc>) -> bool {
    hour_of(now + BEFORE_TURN) < next_hour
}

/// Returns the hour in which a point was received, in hours since 1970, by which trails are stored.
pub fn hour_of(at: DateTime<Utc>) -> i32 {
    i32::try_from(at.timestamp().div_euclid(3600)).unwrap_or_default()
}

/// Deletes trails that are older than `kept`, at most `limit` rows at once.
pub async fn sweep(context: &JobsContext, kept: TimeDelta, limit: i64) -> ApiResult<u64> {
    let kept_from = context.clock.now() - kept;
    let unpacked = queries::sweep_unpacked(&context.db, kept_from, limit).await?;
    Ok(unpacked.max(queries::sweep(&context.db, hour_of(kept_from), limit).await?))
}
