//! A job's log as its readers see it: one frame for each event, the same live, replayed and over HTTP.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::dto::EventData;
use crate::{
    error::ApiResult,
    jobs::{self, JobEvent, JobRow, Subject, Viewer},
    settings::Settings,
    state::AppState,
};

/// One event, with all that showing it needs.
#[derive(Debug)]
pub struct Logged {
    event: JobEvent,
}

/// What happened to a job after `since_seq`, in order, at most `limit` entries.
pub async fn logged(state: &AppState, job_id: Uuid, since_seq: i64, limit: i64) -> ApiResult<Vec<Logged>> {
    let events = jobs::events_since(&state.db, job_id, since_seq, limit).await?;
    Ok(events.into_iter().map(|event| Logged { event }).collect())
}

impl Logged {
    pub fn seq(&self) -> i64 {
        self.event.seq
    }

    /// As [`jobs::JobEvent`] has it.
    pub fn kind(&self) -> &str {
        &self.event.kind
    }

    pub fn at(&self) -> DateTime<Utc> {
        self.event.at
    }

    /// The job as it stood after the event.
    pub fn job(&self) -> &JobRow {
        &self.event.snapshot
    }

    /// What the event is about, as it stood afterwards, to this viewer.
    pub fn shown(&self, viewer: Viewer, settings: &Settings) -> EventData {
        match &self.event.subject {
            Subject::LineItem(item) => EventData::LineItem(item.clone()),
            // The seam for `payment.updated`: until payments can be shown, their events show the job.
            Subject::Job | Subject::Payment(_) => {
                EventData::Job(Box::new(jobs::present(&self.event.snapshot, viewer, settings)))
            }
        }
    }
}

impl EventData {
    /// The type of the frame that tells of it.
    pub fn kind(&self) -> &'static str {
        match self {
            EventData::Job(_) => "job.updated",
            EventData::LineItem(_) => "line_item.updated",
        }
    }
}
