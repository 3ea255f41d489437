//! Requests to be called, as they are shown with their jobs.

use std::collections::HashMap;

use sqlx::PgExecutor;
use uuid::Uuid;

use super::{
    dto::JobCallback,
    queries::{self, CallbackRow},
};
use crate::{
    jobs::{queries::JobRow, remembered::RememberedJob, viewer::Viewer},
    platform::db::Db,
};

/// The requests to be called about some jobs, by job.
#[derive(Debug, Default)]
pub struct Callbacks(HashMap<Uuid, CallbackRow>);

impl Callbacks {
    /// Reads the requests about all the jobs at once.
    pub async fn of(db: impl PgExecutor<'_>, jobs: &[JobRow]) -> sqlx::Result<Self> {
        if jobs.is_empty() {
            return Ok(Self::default());
        }
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
        let rows = queries::of_jobs(db, &ids).await?;
        Ok(Self(rows.into_iter().map(|row| (row.job_id, row)).collect()))
    }

    /// Returns the request about the job as `viewer` may see it: a mechanic sees none.
    pub fn of_job(&self, job: &JobRow, viewer: Viewer) -> Option<JobCallback> {
        if viewer == Viewer::Mechanic {
            return None;
        }
        let row = self.0.get(&job.id)?;
        Some(row.clone().settled(job.accepted_at).into())
    }
}

/// Returns the request about one job as `viewer` may see it.
pub async fn of_job(db: &Db, job: &RememberedJob, viewer: Viewer) -> sqlx::Result<Option<JobCallback>> {
    if viewer == Viewer::Mechanic {
        return Ok(None);
    }
    let read = || async move { Ok::<_, sqlx::Error>(queries::of_jobs(db, &[job.id]).await?.pop()) };
    let row = job.callback.get_or_try_init(read).await?.clone();
    Ok(row.map(|row| row.settled(job.accepted_at).into()))
}
