//! Notifies customers whose mechanic is about to arrive.

use super::{queries, state::OnTheWay};
use crate::{
    jobs::context::JobsContext,
    notifications::{self, DomainEvent},
    platform::error::{ApiResult, commit_error},
};

/// Notifies the customers who are due, and returns how many were notified.
pub async fn notify_near(context: &JobsContext) -> ApiResult<u64> {
    let (mut notified, mut failure) = (0, None);
    for on_the_way in context.near.take_due() {
        match notify(context, on_the_way).await {
            Ok(is_news) => notified += u64::from(is_news),
            Err(error) => {
                context.near.forget(on_the_way.job_id);
                failure = Some(error);
            }
        }
    }
    failure.map_or(Ok(notified), Err)
}

/// Notifies the customer, if that mechanic is on the way to them and they were not notified of it before.
async fn notify(context: &JobsContext, on_the_way: OnTheWay) -> ApiResult<bool> {
    let OnTheWay { job_id, mechanic_id } = on_the_way;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let Some((customer_id, accepted_at)) = queries::lock_on_the_way(&mut tx, job_id, mechanic_id).await?
    else {
        // When the mechanic sets out, the job changes, and the next position tries again.
        return Ok(false);
    };
    if notifications::was_notified_near(&mut tx, customer_id, job_id, accepted_at).await? {
        return Ok(false);
    }
    let news = DomainEvent::MechanicNear { customer_id, job_id };
    notifications::record(&mut tx, &context.random, news, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(true)
}
