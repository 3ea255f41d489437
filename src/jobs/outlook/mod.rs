//! What the customer of a job that searches can expect: shown with the job, and as a notification when the search becomes long
//! (`news.rs`).

mod dto;
mod news;
mod queries;

use roadcall_actors::{ids::JobId, job::state::Status};

pub use dto::Outlook;
pub use news::{LongSearches, notify_due, sweep};

use super::{JobRow, JobStatus, JobsContext, Viewer};
use crate::http::Named;

/// The outlook on a job that searches, or has found no mechanic; `None` for others, for mechanics, and if the engine does not
/// answer at once.
pub async fn of_job(context: &JobsContext, row: &JobRow, viewer: Viewer) -> Option<Outlook> {
    let Named(status): JobStatus = row.status;
    let may_search = matches!(status, Status::Pending | Status::Dispatching | Status::NoMechanicFound);
    if !may_search || viewer == Viewer::Mechanic {
        return None;
    }
    context.engine.job_outlook(JobId(row.id)).await.ok().flatten().map(Outlook::from)
}
