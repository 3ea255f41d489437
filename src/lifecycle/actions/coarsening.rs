//! Coarsens the places in the jobs of people who left some time ago.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::{
    accounts::users,
    jobs,
    lifecycle::LifecycleContext,
    messaging::chat,
    platform::error::{ApiResult, commit_error},
};

/// The number of people looked up at once.
const PEOPLE_AT_ONCE: i64 = 100;
/// The number of jobs in a transaction. A job can have ten thousand events, and all of them are rewritten.
const JOBS_AT_ONCE: i64 = 5;

/// Coarsens the places in the jobs of everybody who left `privacy.coarsen_after_days` ago; returns the number of jobs.
pub async fn coarsen_places(context: &LifecycleContext) -> ApiResult<u64> {
    let now = context.clock.now();
    let before = now - TimeDelta::days(context.privacy_settings.coarsen_after_days);
    let (mut after, mut jobs) = (Uuid::nil(), 0);
    loop {
        let people = users::left_before(&context.db, before, after, PEOPLE_AT_ONCE).await?;
        let Some(last) = people.last().copied() else { return Ok(jobs) };
        for person in people {
            // A failure does not hold up the others.
            match coarsen_jobs_of(context, person, now).await {
                Ok(changed) => jobs += changed,
                Err(error) => error.log(),
            }
        }
        after = last;
    }
}

async fn coarsen_jobs_of(context: &LifecycleContext, person: Uuid, now: DateTime<Utc>) -> ApiResult<u64> {
    let mut changed = 0;
    loop {
        let mut tx = context.db.begin().await?;
        let jobs = jobs::coarsen_places(&mut tx, person, JOBS_AT_ONCE, now).await?;
        if !jobs.is_empty() {
            chat::coarsen_places(&mut tx, &jobs).await?;
        }
        changed += jobs.len() as u64;
        let is_last = (jobs.len() as i64) < JOBS_AT_ONCE;
        if is_last && !jobs::has_exact_places(&mut tx, person).await? {
            users::mark_coarsened(&mut tx, person, now).await?;
        }
        tx.commit().await.map_err(commit_error)?;
        if !jobs.is_empty() {
            jobs::log::details_changed(&context.jobs, None).await;
        }
        if is_last {
            return Ok(changed);
        }
    }
}
