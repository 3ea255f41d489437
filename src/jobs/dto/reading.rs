//! Lists of jobs, and the timeline of one job.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ActorKind, JobStatus, ListRole, TimelineEvent};
use crate::http::{Param, Several, Timestamp, ValidationErrors, Whole};

/// Parameters of `GET /jobs`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct JobListParams {
    #[deserr(default)]
    pub status: Option<Several<JobStatus>>,
    #[deserr(default)]
    pub role: Option<Param<ListRole>>,
    #[deserr(default)]
    pub from: Option<Timestamp>,
    #[deserr(default)]
    pub to: Option<Timestamp>,
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
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
