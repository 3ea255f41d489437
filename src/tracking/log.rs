//! A job's log as its readers see it: one frame for each event, the same live, replayed and over HTTP.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::dto::EventData;
use crate::{
    jobs::{self, JobEvent, JobRow, JobsContext, Subject, Viewer},
    messaging::{
        calls,
        chat::{self, ChatMessage},
    },
    money::payments::{self, Payment},
    platform::{error::ApiResult, settings::Settings},
};

/// One event, with everything that is needed to show it.
#[derive(Debug)]
pub struct Logged {
    event: JobEvent,
    /// Set if the event is about one; as it is now. The same holds for the next two.
    payment: Option<Payment>,
    message: Option<ChatMessage>,
    call: Option<calls::Shown>,
}

/// What happened to a job after `since_seq`, in order, at most `limit` entries.
pub async fn logged(
    context: &JobsContext,
    job_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> ApiResult<Vec<Logged>> {
    let events = jobs::events_since(&context.db, job_id, since_seq, limit).await?;
    let message_ids: Vec<Uuid> = events.iter().filter_map(|event| event.subject.message()).collect();
    let mut messages = chat::shown(&context.db, &message_ids).await?;
    let mut log = Vec::new();
    for event in events {
        let (mut payment, mut message, mut call) = (None, None, None);
        match event.subject {
            Subject::Payment(id) => payment = payments::shown(context, id).await?,
            Subject::Message(id) => message = messages.remove(&id),
            Subject::Call(id) => call = calls::shown(context, id).await?,
            Subject::Job | Subject::LineItem(_) => {}
        }
        log.push(Logged { event, payment, message, call });
    }
    Ok(log)
}

impl Logged {
    pub fn seq(&self) -> i64 {
        self.event.seq
    }

    /// The kind in [`jobs::JobEvent`].
    pub fn kind(&self) -> &str {
        &self.event.kind
    }

    pub fn at(&self) -> DateTime<Utc> {
        self.event.at
    }

    /// The job after the event.
    pub fn job(&self) -> &JobRow {
        &self.event.snapshot
    }

    /// What the event is about, for this viewer: as it was after the event, except payments, messages and calls, which
    /// are as they are now.
    pub fn shown(&self, viewer: Viewer, settings: &Settings) -> EventData {
        let thing = match &self.event.subject {
            Subject::LineItem(item) => Some(EventData::LineItem(item.clone())),
            Subject::Payment(_) => {
                let payment = self.payment.clone().filter(|payment| is_of(viewer, payment));
                payment.map(|payment| EventData::Payment(Box::new(payment)))
            }
            Subject::Message(_) => self.message.clone().map(|message| EventData::Message(Box::new(message))),
            Subject::Call(_) => {
                self.call_for(viewer).map(|shown| EventData::Call(Box::new(shown.call.clone())))
            }
            Subject::Job => None,
        };
        // Every number has a frame, even if the payment, message or call is not shown.
        let job = || EventData::Job(Box::new(jobs::present_logged(&self.event, viewer, settings)));
        thing.unwrap_or_else(job)
    }

    /// A call that ended after its mechanic had lost the job is not shown to the next mechanic.
    fn call_for(&self, viewer: Viewer) -> Option<&calls::Shown> {
        let is_own =
            |shown: &&calls::Shown| self.job().mechanic_profile_id == Some(shown.mechanic_profile_id);
        self.call.as_ref().filter(|shown| viewer != Viewer::Mechanic || is_own(shown))
    }
}

/// Whether this viewer may see a payment. A payment of fees may be for jobs of other mechanics, too.
fn is_of(viewer: Viewer, payment: &Payment) -> bool {
    viewer != Viewer::Mechanic || payment.job_id.is_some()
}

impl EventData {
    /// The type of the event's frame.
    pub fn kind(&self) -> &'static str {
        match self {
            EventData::Job(_) => "job.updated",
            EventData::LineItem(_) => "line_item.updated",
            EventData::Payment(_) => "payment.updated",
            EventData::Message(_) => "chat.message",
            EventData::Call(_) => "call.updated",
        }
    }
}
