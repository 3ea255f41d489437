//! A job's log as its readers see it: one frame for each event, the same live, replayed and over HTTP.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::dto::EventData;
use crate::{
    chat::{self, Message},
    error::ApiResult,
    jobs::{self, JobEvent, JobRow, Subject, Viewer},
    payments::{self, Payment},
    settings::Settings,
    state::AppState,
};

/// One event, with all that showing it needs.
#[derive(Debug)]
pub struct Logged {
    event: JobEvent,
    /// Of an event that is about one, as it stands by now.
    payment: Option<Payment>,
    message: Option<Message>,
}

/// What happened to a job after `since_seq`, in order, at most `limit` entries.
pub async fn logged(state: &AppState, job_id: Uuid, since_seq: i64, limit: i64) -> ApiResult<Vec<Logged>> {
    let events = jobs::events_since(&state.db, job_id, since_seq, limit).await?;
    let message_ids: Vec<Uuid> = events.iter().filter_map(|event| event.subject.message()).collect();
    let mut messages = chat::shown(&state.db, &message_ids).await?;
    let mut log = Vec::new();
    for event in events {
        let payment = match event.subject {
            Subject::Payment(id) => payments::shown(state, id).await?,
            Subject::Job | Subject::LineItem(_) | Subject::Message(_) => None,
        };
        let message = event.subject.message().and_then(|id| messages.remove(&id));
        log.push(Logged { event, payment, message });
    }
    Ok(log)
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

    /// What the event is about, to this viewer: as it stood afterwards, save a payment or a message, which is as it stands
    /// by now.
    pub fn shown(&self, viewer: Viewer, settings: &Settings) -> EventData {
        match (&self.event.subject, &self.payment, &self.message) {
            (Subject::LineItem(item), _, _) => EventData::LineItem(item.clone()),
            (Subject::Payment(_), Some(payment), _) if is_of(viewer, payment) => {
                EventData::Payment(Box::new(payment.clone()))
            }
            (Subject::Message(_), _, Some(message)) => EventData::Message(Box::new(message.clone())),
            // Every number is a frame, whatever became of what it is about.
            (Subject::Job | Subject::Payment(_) | Subject::Message(_), _, _) => {
                EventData::Job(Box::new(jobs::present(&self.event.snapshot, viewer, settings)))
            }
        }
    }
}

/// Whether a payment is this viewer's to see. One for fees may be for jobs of other mechanics, too.
fn is_of(viewer: Viewer, payment: &Payment) -> bool {
    viewer != Viewer::Mechanic || payment.job_id.is_some()
}

impl EventData {
    /// The type of the frame that tells of it.
    pub fn kind(&self) -> &'static str {
        match self {
            EventData::Job(_) => "job.updated",
            EventData::LineItem(_) => "line_item.updated",
            EventData::Payment(_) => "payment.updated",
            EventData::Message(_) => "chat.message",
        }
    }
}
