//! Turns what happens to jobs into events of their cases.
//!
//! Neither a job's transactions nor the one that settles it write anything for partners. The job's log is read afterwards: each
//! entry after `partner_jobs.fed_seq` becomes the events that it stands for, in one transaction that also moves that number on.
//! So each entry becomes one event, in order, even if the server dies in between.

use roadcall_actors::job::state::EventName;
use uuid::Uuid;

use super::{
    actions::{NewPartnerEvent, append},
    queries::{self, UnfedRow},
};
use crate::{
    jobs::{self, JobEvent, Subject},
    partners::feeds::{context::FeedsContext, kind::PartnerEventKind},
    platform::error::{ApiResult, commit_error},
};

/// The number of jobs that are read at once.
const JOBS_AT_ONCE: i64 = 200;
/// The number of entries that one transaction tells.
const ENTRIES_AT_ONCE: i64 = 50;

/// Tells cases what their jobs' logs have; returns how many had news. A job that fails keeps no other back, however many fail.
pub async fn feed(context: &FeedsContext) -> ApiResult<u64> {
    let (mut fed, mut failure, mut last) = (0, None, None::<UnfedRow>);
    loop {
        let unfed = queries::unfed(&context.db, last.as_ref(), JOBS_AT_ONCE).await?;
        for job in &unfed {
            match feed_job(context, job).await {
                Ok(is_news) => fed += u64::from(is_news),
                Err(error) => failure = Some(error),
            }
        }
        if fed > 0 {
            context.wake();
        }
        if (unfed.len() as i64) < JOBS_AT_ONCE {
            return failure.map_or(Ok(fed), Err);
        }
        last = unfed.last().cloned();
    }
}

/// Tells a job's case at once what the job's log has. Actions of partners call it first, so that their own events come after
/// those to which they respond.
pub async fn catch_up(context: &FeedsContext, job_id: Uuid) -> ApiResult<()> {
    while let Some(job) = queries::unfed_job(&context.db, job_id).await?
        && feed_job(context, &job).await?
    {}
    context.wake();
    Ok(())
}

/// Tells the next entries of a job; returns whether there were any.
async fn feed_job(context: &FeedsContext, job: &UnfedRow) -> ApiResult<bool> {
    let entries = jobs::events_since(context, job.job_id, job.fed_seq, None, ENTRIES_AT_ONCE).await?;
    let to = entries.last().map_or(job.fed_seq, |entry| entry.seq);
    let is_last = (entries.len() as i64) < ENTRIES_AT_ONCE;
    let job = &UnfedRow { is_decided: job.is_decided && is_last, ..job.clone() };
    let accepts = queries::case(&context.db, job.case_id).await?.is_some_and(|case| case.accepts_promises);
    let mut told: Vec<NewPartnerEvent> =
        entries.into_iter().flat_map(|entry| events_of(job.job_id, &entry, accepts)).collect();
    if job.is_decided {
        let now = context.clock.now();
        told.push(NewPartnerEvent::of_job(PartnerEventKind::JobOutcome, now, job.job_id));
    }
    let mut tx = context.db.begin().await?;
    if !queries::mark_fed(&mut tx, job, to, job.is_over && is_last).await? {
        return Ok(true);
    }
    // The server that made the case may have died before it told so.
    if let Some(at) = told.first().map(|event| event.at)
        && queries::is_untold(&mut tx, job.case_id).await?
    {
        told.insert(0, NewPartnerEvent::of_case(PartnerEventKind::CaseCreated, at));
    }
    append(&mut tx, context, job.case_id, told).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(to > job.fed_seq || job.is_decided)
}

/// Returns the events that an entry stands for.
fn events_of(job_id: Uuid, entry: &JobEvent, accepts_promises: bool) -> Vec<NewPartnerEvent> {
    let name = EventName::parse(&entry.kind);
    let kinds = name.map_or(&[][..], |name| PartnerEventKind::of_entry(name, accepts_promises));
    let event = |kind: &PartnerEventKind| NewPartnerEvent {
        job: Some(Box::new(entry.snapshot.clone())),
        item: match &entry.subject {
            Subject::LineItem(item) => Some(Box::new(item.clone())),
            _ => None,
        },
        ..NewPartnerEvent::of_job(*kind, entry.at, job_id)
    };
    let mut told: Vec<NewPartnerEvent> = kinds.iter().map(event).collect();
    if entry.refusal.is_some() {
        told.push(event(&PartnerEventKind::JobPromiseRefused).because(entry.refusal.clone()));
    }
    told
}
