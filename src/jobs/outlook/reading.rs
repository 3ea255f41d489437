use roadcall_actors::{experience::Calibration, ids::JobId, job::state::Status, protocol::JobOutlook};

use super::{dto::Outlook, queries};
use crate::{
    jobs::{context::JobsContext, dto::JobStatus, queries::JobRow, viewer::Viewer},
    platform::{db::Db, error::ApiResult},
    wire::Named,
};

/// Returns the outlook on a job that is searching or has found no mechanic. Returns `None` for other jobs, for mechanics, and if
/// the engine does not answer at once.
pub async fn of_job(context: &JobsContext, row: &JobRow, viewer: Viewer) -> ApiResult<Option<Outlook>> {
    let Named(status): JobStatus = row.status;
    let may_search = matches!(status, Status::Pending | Status::Dispatching | Status::NoMechanicFound);
    if !may_search || viewer == Viewer::Mechanic {
        return Ok(None);
    }
    let Ok(Some(outlook)) = context.engine.ask(JobOutlook { job: JobId(row.id) }).await else {
        return Ok(None);
    };
    let is_refused =
        status == Status::NoMechanicFound && queries::was_refused(&context.db, row.id, row.attempt).await?;
    Ok(Some(if is_refused { outlook.of_refused() } else { outlook }.into()))
}

/// Returns how often promised chances had come true before this process started.
pub async fn calibration(db: &Db) -> sqlx::Result<Calibration> {
    let tenths = queries::calibration(db).await?;
    Ok(Calibration::of_tenths(
        tenths.into_iter().filter_map(|(tenth, jobs, in_time)| Some((tenth.try_into().ok()?, jobs, in_time))),
    ))
}
