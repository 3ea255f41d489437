//! Removes people from their jobs: those who delete their account, and those for whom an organisation asked long ago.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;
use crate::{
    jobs::{callbacks, coarsening},
    platform::{
        db::Db,
        error::{ApiResult, commit_error},
    },
};

/// The maximum number of jobs whose logs are rewritten in one transaction.
const JOBS_AT_ONCE: i64 = 50;

/// Removes people who left the service from the logs of their jobs, and returns the number of jobs. Until then, readers of these
/// logs don't see them.
pub async fn forget_in_logs(db: &Db) -> ApiResult<u64> {
    let mut changed = 0;
    loop {
        let mut tx = db.begin().await?;
        let jobs = queries::lock_named_in_log(&mut tx, JOBS_AT_ONCE).await?;
        queries::forget_in_logs(&mut tx, &jobs).await?;
        tx.commit().await.map_err(commit_error)?;
        changed += jobs.len() as u64;
        if (jobs.len() as i64) < JOBS_AT_ONCE {
            return Ok(changed);
        }
    }
}

/// Removes the people who were helped from the jobs of a case, which are all over, and coarsens the jobs' places; returns the jobs.
/// [`forget_in_logs`] does the rest.
pub async fn forget_case(
    tx: &mut PgConnection,
    case_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Uuid>> {
    let jobs = coarsening::coarsen_case(tx, case_id, now).await?;
    queries::forget_named(tx, &jobs).await?;
    Ok(jobs)
}

/// Removes everything that identifies a person from their jobs, which are all over: those they created, with the people they
/// named, and those they served. [`forget_in_logs`] does the rest.
pub async fn forget_person(
    tx: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
) -> sqlx::Result<()> {
    queries::forget_customer(tx, user_id).await?;
    callbacks::forget_customer(tx, user_id).await?;
    match mechanic_profile_id {
        Some(profile) => queries::forget_mechanic(tx, profile).await,
        None => Ok(()),
    }
}
