//! Receives positions of mechanics, packs trails, and forgets old ones.

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

/// Partitions that take the hours in turn (migration 0073).
const SLOTS: i32 = 4;
/// How long before its turn a partition is emptied at the latest: longer than that may take.
const BEFORE_TURN: TimeDelta = TimeDelta::minutes(1);
/// Jobs packed with one statement: with a point a second it takes a fraction of a second.
const JOBS_AT_ONCE: i64 = 50;

/// Gives points from one of a mechanic's apps to the mechanic's actor; those that the receipt calls accepted are stored.
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

/// The same for points that came over a socket.
pub async fn locate_over(
    context: &JobsContext,
    link: &mut SocketLink,
    points: Points,
) -> ApiResult<LocationReceipt> {
    receipt(context.engine.locate_over(link, points.pings()).await)
}

fn receipt(located: Result<Located, Refusal>) -> ApiResult<LocationReceipt> {
    // Without an answer, nothing in the batch counts as stored: the phone sends it again, which is harmless.
    located.map(LocationReceipt::from).map_err(|refusal| ApiError::unavailable(refusal.to_string()))
}

/// Packs the trails of hours that are over, and empties the partitions that their points came into. Returns the number of jobs.
///
/// This hour's points still come, and the last hour's may: they wait for their turn. A pack that was interrupted is done again.
pub async fn pack(context: &JobsContext, clock: &Clock) -> ApiResult<u64> {
    let this_hour = hour_of(clock.now());
    let mut packed = 0;
    // The hours whose turn comes next: their partitions still have what came three hours ago, and two.
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

/// Whether a partition may be emptied before its turn comes. Too late, it stays as it is until after that.
fn is_before_turn(next_hour: i32, now: DateTime<Utc>) -> bool {
    hour_of(now + BEFORE_TURN) < next_hour
}

/// When a point was received, in hours since 1970, as trails are stored by.
pub fn hour_of(at: DateTime<Utc>) -> i32 {
    i32::try_from(at.timestamp().div_euclid(3600)).unwrap_or_default()
}

/// Deletes trails that are older than `kept`, at most `limit` rows at once.
pub async fn sweep(context: &JobsContext, kept: TimeDelta, limit: i64) -> ApiResult<u64> {
    let kept_from = context.clock.now() - kept;
    let unpacked = queries::sweep_unpacked(&context.db, kept_from, limit).await?;
    Ok(unpacked.max(queries::sweep(&context.db, hour_of(kept_from), limit).await?))
}
