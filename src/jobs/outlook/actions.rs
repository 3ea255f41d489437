//! Writes the news of searches, and stores the calibration of promised chances.

use chrono::{DateTime, Utc};
use roadcall_actors::{ids::JobId, protocol::CalibrationQuery};
use uuid::Uuid;

use super::queries;
use crate::{
    jobs::context::JobsContext,
    notifications::{self, DomainEvent, Prospect},
    platform::error::{ApiResult, commit_error},
    wire::refused,
};

/// Writes the news that is due at `now`, and returns how many customers were notified.
pub async fn notify_due(context: &JobsContext, now: DateTime<Utc>) -> ApiResult<u64> {
    let searches = &context.searches;
    let due = searches.take_due(now);
    let (mut notified, mut failure) = (0, None);
    for (job, prospect) in due {
        match notify(context, job, prospect, now).await {
            Ok(Some(is_news)) => {
                searches.set_known(job, prospect);
                notified += u64::from(is_news);
            }
            Ok(None) => searches.forget(JobId(job)),
            Err(error) => {
                searches.try_again(job, now);
                failure = Some(error);
            }
        }
    }
    failure.map_or(Ok(notified), Err)
}

/// Notifies the customer of the job, if it is still searching and they may be notified. Returns whether they were notified, or
/// `None` if the job is no longer searching.
async fn notify(
    context: &JobsContext,
    job_id: Uuid,
    prospect: Prospect,
    now: DateTime<Utc>,
) -> ApiResult<Option<bool>> {
    let mut tx = context.db.begin().await?;
    let Some((customer_id, attempt)) = queries::lock_searching(&mut tx, job_id).await? else {
        return Ok(None);
    };
    let kind = prospect.kind();
    let is_news = queries::keep(&mut tx, job_id, attempt, kind, prospect == Prospect::Short, now).await?;
    if is_news {
        let news = DomainEvent::SearchProspect { customer_id, job_id, prospect };
        notifications::record(&mut tx, &context.random, news, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    if is_news {
        context.wakeups.notify();
    }
    Ok(Some(is_news))
}

/// Deletes the stored news of searches that are over, at most `limit` at once.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    Ok(queries::sweep(&context.db, limit).await?)
}

/// Stores how often promised chances came true, so that a restart continues from there. Returns how many tenths have changed.
pub async fn keep_calibration(context: &JobsContext) -> ApiResult<u64> {
    let calibration = context.engine.ask(CalibrationQuery).await.map_err(refused)?;
    let (jobs, in_time): (Vec<f64>, Vec<f64>) = calibration.tenths().into_iter().unzip();
    Ok(queries::keep_calibration(&context.db, &jobs, &in_time, context.clock.now()).await?)
}
