//! Turns what happens to jobs into events of their cases.
//!
//! Neither a job's transactions nor the one that settles it write anything for partners. The job's log is read afterwards: each
//! entry after `partner_jobs.fed_seq` becomes the events that it stands for, in one transaction that also moves that number on.
//! So each entry becomes one event, in order, even if the server dies in between. Jobs with news share a transaction, so that its
//! statements cost each of them little.

use roadcall_actors::job::state::EventName;
use uuid::Uuid;

use super::{
    actions::{NewPartnerEvent, append_all},
    queries::{self, Fed, MarkedRow, UnfedRow},
};
use crate::{
    jobs::{self, JobEvent, Subject},
    partners::feeds::{context::FeedsContext, kind::PartnerEventKind},
    platform::error::{ApiResult, commit_error},
};

/// The number of jobs that are read at once, whose news one transaction tells.
const JOBS_AT_ONCE: i64 = 100;
/// The number of a job's entries that one transaction tells.
const ENTRIES_AT_ONCE: i64 = 20;
/// The number of all jobs' entries after which a transaction takes no other job: an event has some kilobytes.
const ENTRIES_TOGETHER: usize = 400;

/// Tells cases what their jobs' logs have; returns how many had news. A job that fails keeps no other back, however many fail.
pub async fn feed(context: &FeedsContext) -> ApiResult<u64> {
    let (mut fed, mut failure, mut last) = (0, None, None::<UnfedRow>);
    loop {
        let unfed = queries::unfed(&context.db, last.as_ref(), JOBS_AT_ONCE).await?;
        match feed_jobs(context, &unfed).await {
            Ok(with_news) => fed += with_news,
            // Each is tried alone, so that one that fails keeps no other back.
            Err(_) => {
                for job in &unfed {
                    match feed_jobs(context, std::slice::from_ref(job)).await {
                        Ok(with_news) => fed += with_news,
                        Err(error) => failure = Some(error),
                    }
                }
            }
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
        && feed_jobs(context, &[job]).await? > 0
    {}
    Ok(())
}

/// The news of a job.
struct News<'a> {
    job: &'a UnfedRow,
    entries: Vec<JobEvent>,
    /// Whether the log has nothing after these entries.
    is_all: bool,
}

impl News<'_> {
    async fn read<'a>(context: &FeedsContext, job: &'a UnfedRow) -> ApiResult<News<'a>> {
        let (since, newest) = (job.fed_seq, Some(job.newest));
        let entries = match job.newest > since {
            true => jobs::events_since(context, job.job_id, since, newest, ENTRIES_AT_ONCE).await?,
            false => Vec::new(),
        };
        let is_all = entries.last().is_none_or(|entry| entry.seq >= job.newest);
        Ok(News { job, entries, is_all })
    }

    /// Returns whether the job's outcome follows these entries.
    fn is_decided(&self) -> bool {
        self.job.is_decided && self.is_all
    }

    fn add_to(&self, fed: &mut Fed) {
        fed.job_ids.push(self.job.job_id);
        fed.from.push(self.job.fed_seq);
        fed.to.push(self.entries.last().map_or(self.job.fed_seq, |entry| entry.seq));
        fed.are_fed.push(self.job.is_over && self.is_all);
        fed.are_decided.push(self.is_decided());
    }

    fn events(&self, context: &FeedsContext, accepts_promises: bool) -> Vec<NewPartnerEvent> {
        let (job_id, now) = (self.job.job_id, context.clock.now());
        let mut told: Vec<NewPartnerEvent> =
            self.entries.iter().flat_map(|entry| events_of(job_id, entry, accepts_promises)).collect();
        if self.is_decided() {
            told.push(NewPartnerEvent::of_job(PartnerEventKind::JobOutcome, now, job_id));
        }
        told
    }
}

/// Tells the next entries of these jobs, and returns how many had any. Of several jobs, those that are locked are left for the next
/// time.
async fn feed_jobs(context: &FeedsContext, unfed: &[UnfedRow]) -> ApiResult<u64> {
    let (mut fed, mut together, mut entries) = (0, Vec::new(), 0);
    for job in unfed {
        let news = News::read(context, job).await?;
        if news.entries.is_empty() && !news.is_decided() && !job.is_over {
            continue;
        }
        entries += news.entries.len();
        together.push(news);
        fed += 1;
        if entries >= ENTRIES_TOGETHER {
            tell(context, &std::mem::take(&mut together)).await?;
            entries = 0;
        }
    }
    if !together.is_empty() {
        tell(context, &together).await?;
    }
    Ok(fed)
}

/// Tells the news of these jobs in one transaction.
async fn tell(context: &FeedsContext, news: &[News<'_>]) -> ApiResult<()> {
    let mut fed = Fed::default();
    news.iter().for_each(|news| news.add_to(&mut fed));
    let mut tx = context.db.begin().await?;
    let marked = queries::mark_fed(&mut tx, &fed).await?;
    let mut told: Vec<(Uuid, Vec<NewPartnerEvent>)> = Vec::new();
    for news in news {
        let of_job = marked.iter().find(|marked| marked.job_id == news.job.job_id);
        let Some(MarkedRow { case_id, accepts_promises, .. }) = of_job else { continue };
        let events = news.events(context, *accepts_promises);
        match told.iter_mut().find(|(id, _)| id == case_id) {
            Some((_, of_case)) => of_case.extend(events),
            None => told.push((*case_id, events)),
        }
    }
    let is_heard = append_all(&mut tx, context, told).await?;
    tx.commit().await.map_err(commit_error)?;
    if is_heard {
        context.wake();
    }
    Ok(())
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
