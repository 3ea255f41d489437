//! A job's log as its readers see it: a frame for each event, the same live, replayed and over HTTP.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use moka::future::Cache;
use uuid::Uuid;

use super::dto::{EventData, JobEventType};
use crate::{
    jobs::{self, JobEvent, JobRow, JobsContext, Subject, Viewer},
    messaging::{
        calls,
        chat::{self, ChatMessage},
    },
    money::payments::{self, Payment},
    platform::error::{ApiError, ApiResult},
};

/// An event, with everything that is needed to show it.
#[derive(Debug)]
pub struct Logged {
    event: JobEvent,
    /// The event's payment in its present state, if the event is about one. The next two are like that.
    payment: Option<Payment>,
    message: Option<ChatMessage>,
    call: Option<calls::Shown>,
}

/// The entries that the followers of a job have just read, so that followers at the same event share a read.
#[derive(Debug, Clone)]
pub struct SharedLogs(Cache<LogPart, Arc<Vec<Logged>>>);

/// A part of a job's log: the entries after the first number up to the second.
type LogPart = (Uuid, i64, i64);

/// Followers ask within milliseconds. A change of a payment, a message or a call has an entry of its own.
const SHARED_FOR: Duration = Duration::from_secs(1);
const MAX_SHARED: u64 = 1_000;
/// Each follower reads a longer part alone.
const MAX_ENTRIES: i64 = 8;

impl Default for SharedLogs {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_SHARED).time_to_live(SHARED_FOR).build())
    }
}

impl SharedLogs {
    /// Reads entries like [`logged`], for a follower who knows the newest entry.
    pub async fn logged(
        &self,
        context: &JobsContext,
        job_id: Uuid,
        since_seq: i64,
        newest: i64,
        limit: i64,
    ) -> ApiResult<Arc<Vec<Logged>>> {
        let read = async || logged(context, job_id, since_seq, Some(newest), limit).await.map(Arc::new);
        if newest - since_seq > MAX_ENTRIES {
            return read().await;
        }
        let part = (job_id, since_seq, newest);
        let found = self.0.try_get_with(part, read()).await;
        let found = found.map_err(|shared| Arc::try_unwrap(shared).unwrap_or_else(ApiError::unavailable))?;
        // A change may be announced before it is visible: a follower who asks again must not find the gap.
        if found.len() as i64 != newest - since_seq {
            self.0.invalidate(&part).await;
        }
        Ok(found)
    }
}

/// Returns the entries of a job after `since_seq`, in order, at most `limit`; for `newest` see [`jobs::events_since`].
pub async fn logged(
    context: &JobsContext,
    job_id: Uuid,
    since_seq: i64,
    newest: Option<i64>,
    limit: i64,
) -> ApiResult<Vec<Logged>> {
    let events = jobs::events_since(context, job_id, since_seq, newest, limit).await?;
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

    /// Returns the kind in [`jobs::JobEvent`].
    pub fn kind(&self) -> &str {
        &self.event.kind
    }

    pub fn at(&self) -> DateTime<Utc> {
        self.event.at
    }

    /// Returns the job after the event.
    pub fn job(&self) -> &JobRow {
        &self.event.snapshot
    }

    /// Returns the subject of the event, for this viewer: as it was after the event, except payments, messages and calls, which
    /// are as they are now.
    pub fn shown(&self, viewer: Viewer, context: &JobsContext) -> EventData {
        let thing = match &self.event.subject {
            Subject::LineItem(item) => {
                let item = item.clone();
                Some(EventData::LineItem(if self.is_rough(viewer, context) { item.roughly() } else { item }))
            }
            Subject::Payment(_) => {
                let payment = self.payment.clone().filter(|payment| is_of(viewer, payment));
                payment.map(|payment| EventData::Payment(Box::new(payment)))
            }
            Subject::Message(_) => self.message.clone().map(|message| {
                let is_rough = self.is_rough(viewer, context);
                EventData::Message(Box::new(if is_rough { message.roughly() } else { message }))
            }),
            Subject::Call(_) => {
                self.call_for(viewer).map(|shown| EventData::Call(Box::new(shown.call.clone())))
            }
            Subject::Job => None,
        };
        // Every number has a frame, even if the payment, message or call is not shown.
        let job = || EventData::Job(Box::new(jobs::present_logged(&self.event, viewer, context)));
        thing.unwrap_or_else(job)
    }

    /// Returns whether the viewer sees the event's places only roughly.
    fn is_rough(&self, viewer: Viewer, context: &JobsContext) -> bool {
        viewer == Viewer::Mechanic
            && !self.event.is_active
            && jobs::is_long_past(self.event.at, &context.visibility, context.clock.now())
    }

    /// Returns the call, unless it ended after its mechanic had lost the job and the viewer is the next mechanic.
    fn call_for(&self, viewer: Viewer) -> Option<&calls::Shown> {
        let is_own =
            |shown: &&calls::Shown| self.job().mechanic_profile_id == Some(shown.mechanic_profile_id);
        self.call.as_ref().filter(|shown| viewer != Viewer::Mechanic || is_own(shown))
    }
}

/// Returns whether this viewer may see a payment. A payment of fees may be for jobs of other mechanics, too, and the amount on an
/// organisation's account is not for mechanics.
fn is_of(viewer: Viewer, payment: &Payment) -> bool {
    viewer != Viewer::Mechanic || (payment.job_id.is_some() && !payment.is_on_account())
}

impl EventData {
    /// Returns the type of the event's frame.
    pub fn kind(&self) -> JobEventType {
        match self {
            EventData::Job(_) => JobEventType::Job,
            EventData::LineItem(_) => JobEventType::LineItem,
            EventData::Payment(_) => JobEventType::Payment,
            EventData::Message(_) => JobEventType::Message,
            EventData::Call(_) => JobEventType::Call,
        }
    }
}
