//! A job's log as its participants read it.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{CALL_EVENT, MESSAGE_EVENT, PAYMENT_EVENT, is_item_event};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{
    jobs::{
        context::JobsContext,
        dto::Job,
        line_items::{self, LineItem},
        log,
        queries::{self, JobEventRow, JobRow},
        remembered::has_event,
        view::{is_long_past, present, roughly},
        viewer::Viewer,
    },
    platform::{db::Db, error::ApiResult},
};

/// One entry of the log that every participant may see.
#[derive(Debug, Clone)]
pub struct JobEvent {
    /// The entry's number in the log, from 1 without gaps.
    pub seq: i64,
    pub kind: String,
    pub at: DateTime<Utc>,
    pub subject: Subject,
    /// The organisation's reason, if it took the job from the mechanic because it refused the promised time.
    pub refusal: Option<String>,
    /// The job after the event.
    pub snapshot: JobRow,
    /// Whether a mechanic is on the job now.
    pub is_active: bool,
    /// When the work was completed, if it is not paid now.
    pub unpaid_since: Option<DateTime<Utc>>,
}

/// The subject of an event.
#[derive(Debug, Clone)]
pub enum Subject {
    Job,
    /// The item after the event.
    LineItem(LineItem),
    /// A payment of the job, by its id.
    Payment(Uuid),
    /// A message of the job's chat, by its id.
    Message(Uuid),
    /// A call about the job, by its id.
    Call(Uuid),
}

impl Subject {
    /// Returns the message that the event is about.
    pub fn message(&self) -> Option<Uuid> {
        match self {
            Subject::Message(id) => Some(*id),
            Subject::Job | Subject::LineItem(_) | Subject::Payment(_) | Subject::Call(_) => None,
        }
    }
}

/// Returns the number of the newest event of each of these jobs; at most 1,000 at once.
pub async fn newest_seqs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<Vec<(Uuid, i64)>> {
    Ok(queries::newest_seqs(db, ids).await?)
}

/// Returns the log after `since_seq`, in order, at most `limit` entries. `newest` is the newest entry, where the caller knows it;
/// recently committed entries up to it need no read from the database.
pub async fn events_since(
    context: &JobsContext,
    job_id: Uuid,
    since_seq: i64,
    newest: Option<i64>,
    limit: i64,
) -> ApiResult<Vec<JobEvent>> {
    let rows = match newest.and_then(|newest| context.recent.between(job_id, since_seq, newest)) {
        Some(rows) => rows,
        None => log::entries_since(&context.db, job_id, since_seq, limit).await?,
    };
    if let Some(newest) = rows.last() {
        has_event(context, job_id, newest.seq);
    }
    Ok(rows.into_iter().map(|row| event(job_id, row)).collect())
}

fn event(job_id: Uuid, row: JobEventRow) -> JobEvent {
    let subject = subject(job_id, &row);
    let refusal = row.data["refusal"].as_str().map(str::to_owned);
    let JobEventRow { seq, kind, at, is_active, unpaid_since, snapshot, .. } = row;
    JobEvent { seq, kind, at, subject, refusal, snapshot, is_active, unpaid_since }
}

fn subject(job_id: Uuid, row: &JobEventRow) -> Subject {
    let id = |name: &str| row.data[name].as_str()?.parse().ok();
    match row.kind.as_str() {
        PAYMENT_EVENT => id("payment_id").map_or(Subject::Job, Subject::Payment),
        MESSAGE_EVENT => id("message_id").map_or(Subject::Job, Subject::Message),
        CALL_EVENT => id("call_id").map_or(Subject::Job, Subject::Call),
        kind if is_item_event(kind) => {
            line_items::of_event(job_id, &row.data).map_or(Subject::Job, Subject::LineItem)
        }
        _ => Subject::Job,
    }
}

/// Returns the first event of a job that the viewer may see: a mechanic sees events from their own assignment on.
pub async fn first_visible_seq(db: &Db, row: &JobRow, viewer: Viewer) -> ApiResult<i64> {
    match viewer {
        Viewer::Customer | Viewer::Admin => Ok(1),
        Viewer::Mechanic => Ok(queries::assigned_at_seq(db, row.id).await?.unwrap_or(1)),
    }
}

/// Returns the job after an event as `viewer` may see it now. A mechanic sees how to find the vehicle and its people only while
/// they are on the job, not when they read the log later; they see names until they are paid, with the ways that are open now.
pub fn present_logged(event: &JobEvent, viewer: Viewer, context: &JobsContext) -> Job {
    let job = present(&event.snapshot, viewer, context);
    match viewer {
        Viewer::Mechanic if !event.is_active => {
            let (visibility, now) = (&context.visibility, context.clock.now());
            let job = match event.unpaid_since {
                Some(completed_at) => job.with_names_alone(completed_at, visibility, now),
                None => job.without_contact(),
            };
            if is_long_past(event.at, visibility, now) { roughly(job) } else { job }
        }
        Viewer::Mechanic | Viewer::Customer | Viewer::Admin => job,
    }
}
