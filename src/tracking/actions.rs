//! Receives positions of mechanics, and forgets old ones.

use chrono::TimeDelta;
use roadcall_actors::{engine::SocketLink, ids::MechanicId, job::state::Refusal, mechanic::state::Located};
use uuid::Uuid;

use super::{
    dto::{LocationReceipt, Points},
    queries,
};
use crate::{
    jobs::JobsContext,
    platform::error::{ApiError, ApiResult},
};

/// Gives points from a mechanic's phone to the mechanic's actor; those that the receipt calls accepted are stored.
pub async fn locate(
    context: &JobsContext,
    mechanic_profile_id: Uuid,
    points: Points,
) -> ApiResult<LocationReceipt> {
    let (id, received_at) = (MechanicId(mechanic_profile_id), context.clock.now());
    receipt(context.engine.locate(id, points.pings(), received_at).await)
}

/// The same for points that came over a socket.
pub async fn locate_over(
    context: &JobsContext,
    link: &mut SocketLink,
    points: Points,
) -> ApiResult<LocationReceipt> {
    receipt(context.engine.locate_over(link, points.pings(), context.clock.now()).await)
}

fn receipt(located: Result<Located, Refusal>) -> ApiResult<LocationReceipt> {
    // Without an answer, nothing in the batch counts as stored: the phone sends it again, which is harmless.
    located.map(LocationReceipt::from).map_err(|refusal| ApiError::unavailable(refusal.to_string()))
}

/// Deletes points of trails after their retention time, at most `limit` at once.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.tracking.trail_retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
