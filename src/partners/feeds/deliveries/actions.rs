//! Sends events again.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    dto::{DeliveryReplay, NewDeliveryReplay},
    queries::{self, ReplayOf, ReplayedRow},
};
use crate::{
    accounts::auth::PartnerCaller,
    partners::feeds::{audited, context::FeedsContext},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// The number of deliveries that a replay makes at most, unless more events have come within a millisecond.
const MAX_DELIVERIES: i64 = 1_000;
/// The most deliveries of the events of one millisecond: more than a transaction appends, for all subscriptions of an organisation.
const MAX_TOGETHER: i64 = 50_000;
/// The maximum number of deliveries that wait for a subscription, beyond which nothing is replayed.
const MAX_WAITING: i64 = 10_000;
/// The seconds after which a part of a full queue may have been sent.
const TRY_AGAIN_S: u64 = 60;

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
    let mut rows = queries::replayed(&mut tx, &of, None, now, MAX_DELIVERIES + 1).await?;
    let next_since = next_since(&rows);
    if let Some(next) = next_since {
        let fit = rows.iter().take_while(|row| row.created_at < next).count();
        // Events of one millisecond are replayed together, however many they are.
        if fit == rows.len() {
            rows = queries::replayed(&mut tx, &of, Some(next), now, MAX_TOGETHER).await?;
        } else {
            rows.truncate(fit);
        }
    }
    let subscriptions: Vec<Uuid> = rows.iter().map(|row| row.subscription_id).collect();
    if queries::longest_queue(&mut tx, &subscriptions, MAX_WAITING).await? > MAX_WAITING {
        return Err(too_many());
    }
    let ids: Vec<_> = rows.iter().map(|_| context.random.id(now)).collect();
    queries::insert_replayed(&mut tx, of.organisation_id, &ids, &rows, now).await?;
    audited::replayed(context, &mut tx, caller, &of, rows.len()).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(DeliveryReplay { deliveries: rows.len() as i64, next_since: next_since.map(Into::into) })
}

/// Returns when the next replay begins, if these are more rows than one makes: at the millisecond of the last one, which times on the
/// wire can name, or after it if the first one is of the same.
fn next_since(rows: &[ReplayedRow]) -> Option<DateTime<Utc>> {
    let (first, last) = (rows.first()?, rows.last().filter(|_| rows.len() as i64 > MAX_DELIVERIES)?);
    let begin = last.created_at.trunc_subsecs(3);
    Some(if first.created_at < begin { begin } else { begin + TimeDelta::milliseconds(1) })
}

fn too_many() -> ApiError {
    let message = "A subscription would have more than 10,000 deliveries that wait. Wait until its receiver has taken some, or replay \
        less.";
    ApiError::new(Code::RateLimited, message).retry_after(TRY_AGAIN_S)
}
