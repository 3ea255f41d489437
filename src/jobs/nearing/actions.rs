//! Notifies customers whose mechanic is about to arrive.

use super::{queries, state::OnTheWay};
use crate::{
    jobs::context::JobsContext,
    notifications::{self, DomainEvent},
    platform::error::{ApiResult, commit_error},
};

/// Writes what is due, and returns how many customers were notified.
pub async fn notify_near(context: &JobsContext) -> ApiResult<u64> {
    let (mut notified, mut failure) = (0, None);
    for on_the_way in context.near.take_due() {
        match notify(context, on_the_way).await {
            Ok(is_news) => notified += u64::from(is_news),
            Err(error) => {
                context.near.try_again(on_the_way);
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
        // They may set off only now: the next position tries again.
        context.near.try_again(on_the_way);
        return Ok(false);
    };
    if notifications::was_told_near(&mut tx, customer_id, job_id, accepted_at).await? {
        return Ok(false);
    }
    let news = DomainEvent::MechanicNear { customer_id, job_id };
    notifications::record(&mut tx, &context.random, news, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(true)
}
