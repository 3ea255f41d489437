//! Sends events again.

use super::{
    dto::{DeliveryReplay, NewDeliveryReplay},
    queries::{self, ReplayOf},
};
use crate::{
    accounts::auth::PartnerCaller,
    partners::feeds::context::FeedsContext,
    platform::error::{ApiResult, commit_error},
};

/// The maximum number of deliveries that a replay makes.
const MAX_DELIVERIES: i64 = 1_000;

/// Queues the kept events since some time again, the oldest first.
pub async fn replay(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewDeliveryReplay,
) -> ApiResult<DeliveryReplay> {
    let now = context.clock.now();
    let of = ReplayOf {
        organisation_id: caller.organisation_id,
        made_by: caller.made_by,
        since: new.since.0,
        case_id: new.case_id.map(|id| id.0),
        job_id: new.job_id.map(|id| id.0),
        subscription_id: new.subscription_id.map(|id| id.0),
    };
    let mut tx = context.db.begin().await?;
    let mut rows = queries::replayed(&mut tx, &of, MAX_DELIVERIES + 1).await?;
    // The next replay begins with the event that did not fit.
    let next = if rows.len() as i64 > MAX_DELIVERIES { rows.pop() } else { None };
    if let Some(next) = &next {
        rows.retain(|row| row.created_at < next.created_at || row.event_id != next.event_id);
    }
    let ids: Vec<_> = rows.iter().map(|_| context.random.id(now)).collect();
    queries::insert_replayed(&mut tx, of.organisation_id, &ids, &rows, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(DeliveryReplay { deliveries: rows.len() as i64, next_since: next.map(|row| row.created_at.into()) })
}
