//! Lists of jobs, and the timeline of one job.

use serde::Serialize;
use utoipa::ToSchema;

use super::{ActorKind, JobStatus, ListRole, TimelineEvent};
use crate::http::{Between, Timestamp, list_filter};

list_filter! {
    /// The filter of the list of jobs for their participants.
    JobListFilter {
        /// With one of these statuses: `status=a&status=b`, or `status=a,b`.
        statuses as "status": Vec<JobStatus> = ["pending", "dispatching"],
        /// As whom; both if not given.
        role: Option<ListRole>,
        /// Made in this time.
        made: Between,
    }
}

/// An event of a job, as every participant may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimelineEntry {
    pub seq: i64,
    pub event: TimelineEvent,
    /// The job's status after the event.
    pub status: JobStatus,
    pub by: ActorKind,
    /// The event's details, e.g. why an arrival was overridden, or the `concern` behind a delay and since when there has been a
    /// reason for it.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
    pub at: Timestamp,
}
