//! The request to be called, as it is shown with its job.

use super::{dto::JobCallback, queries};
use crate::{
    jobs::{remembered::RememberedJob, viewer::Viewer},
    platform::db::Db,
};

/// Returns the request about one job as `viewer` may see it: a mechanic sees none.
pub async fn of_job(db: &Db, job: &RememberedJob, viewer: Viewer) -> sqlx::Result<Option<JobCallback>> {
    if viewer == Viewer::Mechanic {
        return Ok(None);
    }
    let row = job.callback.get_or_try_init(|| queries::of_job(db, job.id)).await?.clone();
    Ok(row.map(|row| row.settled(job.accepted_at).into()))
}
