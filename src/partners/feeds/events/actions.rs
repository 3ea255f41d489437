//! Appends events to cases.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{CaseSnapshot, JobSnapshot, NearFigures, PartnerEventContent},
    queries::{self, EventCounts, FedCaseRow, NewDeliveryRows, NewEventRows, NumberedCase, PartnerJobRow},
};
use crate::{
    jobs::{self, JobRow, LineItem},
    partners::feeds::{
        context::FeedsContext,
        dto::EventBody,
        kind::PartnerEventKind,
        subscriptions::{self, Listener},
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// An event to append.
#[derive(Debug)]
pub struct NewPartnerEvent {
    pub kind: PartnerEventKind,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// The job that it is about.
    pub job_id: Option<Uuid>,
    /// The job after the event; its present row if it is not given.
    pub job: Option<Box<JobRow>>,
    pub item: Option<Box<LineItem>>,
    pub near: Option<NearFigures>,
    pub reason: Option<String>,
    /// The subscription that gets it, whatever kinds it asks for; all others that ask for this kind if it is not given.
    pub only_for: Option<Uuid>,
}

impl NewPartnerEvent {
    /// Returns an event of a case alone.
    pub fn of_case(kind: PartnerEventKind, at: DateTime<Utc>) -> Self {
        Self { kind, at, job_id: None, job: None, item: None, near: None, reason: None, only_for: None }
    }

    /// Returns an event of a job.
    pub fn of_job(kind: PartnerEventKind, at: DateTime<Utc>, job_id: Uuid) -> Self {
        Self { job_id: Some(job_id), ..Self::of_case(kind, at) }
    }

    /// Returns the same event with the reason that somebody gave.
    pub fn because(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }
}

/// Appends events to a case in the caller's transaction, which locks the case until it ends. Call [`FeedsContext::wake`] after
/// the commit. The snapshots show what the transaction has written so far.
pub async fn append(
    tx: &mut PgConnection,
    context: &FeedsContext,
    case_id: Uuid,
    new: Vec<NewPartnerEvent>,
) -> ApiResult<()> {
    append_all(tx, context, vec![(case_id, new)]).await.map(drop)
}

/// Appends events to cases, as [`append`] does, and returns whether one of them is to be delivered. The caller has locked the cases if
/// there are several.
pub async fn append_all(
    tx: &mut PgConnection,
    context: &FeedsContext,
    mut new: Vec<(Uuid, Vec<NewPartnerEvent>)>,
) -> ApiResult<bool> {
    new.retain(|(_, events)| !events.is_empty());
    if new.is_empty() {
        return Ok(false);
    }
    let numbered = queries::number(tx, &counted(&new)).await?;
    if numbered.len() < new.len() {
        return Err(ApiError::not_found("case"));
    }
    let ids: Vec<Uuid> = numbered.iter().map(|numbered| numbered.case.id).collect();
    let (partner_jobs, jobs) = jobs_of(tx, &ids).await?;
    let now = context.clock.now();
    let whose = numbered.iter().map(|NumberedCase { case, .. }| (case.organisation_id, case.made_by));
    let listeners = subscriptions::listeners(tx, whose, now).await?;
    let mut rows = NewRows::default();
    for NumberedCase { case, is_untold } in &numbered {
        let events = new.iter_mut().find(|(id, _)| *id == case.id).map(|(_, events)| std::mem::take(events));
        let mut events = events.unwrap_or_default();
        if *is_untold {
            let made = NewPartnerEvent::of_case(PartnerEventKind::CaseCreated, case.created_at);
            events.insert(0, made);
        }
        let written = Written { case, partner_jobs: &partner_jobs, jobs: &jobs };
        written.add_to(&mut rows, context, events, &listeners)?;
    }
    queries::insert(tx, now, &rows.events, &rows.deliveries).await?;
    Ok(!rows.deliveries.ids.is_empty())
}

fn counted(new: &[(Uuid, Vec<NewPartnerEvent>)]) -> EventCounts {
    let mut counted = EventCounts::default();
    for (case_id, events) in new {
        counted.case_ids.push(*case_id);
        counted.counts.push(events.len() as i64);
        counted.begins.push(events.first().is_some_and(|event| event.kind.begins_a_case()));
    }
    counted
}

/// Returns the jobs of cases, from the partners' side and from ours.
async fn jobs_of(tx: &mut PgConnection, case_ids: &[Uuid]) -> ApiResult<(Vec<PartnerJobRow>, Vec<JobRow>)> {
    let partner_jobs = queries::partner_jobs(&mut *tx, case_ids).await?;
    let ids: Vec<Uuid> = partner_jobs.iter().map(|job| job.job_id).collect();
    let jobs = queries::jobs(tx, &ids).await?;
    Ok((partner_jobs, jobs))
}

/// Returns a case as its events show it. Most cases have one job, which the leader remembers.
pub async fn snapshot(core: &Core, case_id: Uuid) -> ApiResult<Option<CaseSnapshot>> {
    let found = queries::case_with_jobs(&core.db, case_id).await?;
    let Some((case, partner_jobs)) = found else { return Ok(None) };
    let ids: Vec<Uuid> = partner_jobs.iter().map(|job| job.job_id).collect();
    let jobs: Vec<JobRow> = match ids.as_slice() {
        [] => Vec::new(),
        [id] => jobs::find_row(core, *id).await?.into_iter().collect(),
        ids => queries::jobs(&core.db, ids).await?,
    };
    Ok(Some(Written { case: &case, partner_jobs: &partner_jobs, jobs: &jobs }.case()))
}

/// The rows of new events and of their deliveries.
#[derive(Default)]
struct NewRows {
    events: NewEventRows,
    deliveries: NewDeliveryRows,
}

/// The rows of a case, among those of others.
struct Written<'a> {
    case: &'a FedCaseRow,
    partner_jobs: &'a [PartnerJobRow],
    jobs: &'a [JobRow],
}

impl Written<'_> {
    fn case(&self) -> CaseSnapshot {
        let of_case = self.partner_jobs.iter().filter(|partner| partner.case_id == self.case.id);
        let shown = of_case.filter_map(|partner| self.job(partner.job_id, None));
        CaseSnapshot::of(self.case, shown.collect())
    }

    fn job(&self, id: Uuid, row: Option<&JobRow>) -> Option<JobSnapshot> {
        let partner = self.partner_jobs.iter().find(|partner| partner.job_id == id)?;
        let row = row.or_else(|| self.jobs.iter().find(|job| job.id == id))?;
        Some(JobSnapshot::of(row, partner))
    }

    /// Adds the rows of new events of the case, and of their deliveries.
    fn add_to(
        &self,
        rows: &mut NewRows,
        context: &FeedsContext,
        new: Vec<NewPartnerEvent>,
        listeners: &[Listener],
    ) -> ApiResult<()> {
        let NewRows { events, deliveries } = rows;
        let (now, last) = (context.clock.now(), self.case.last_seq - new.len() as i64);
        let id = || context.random.id(now);
        let whose = (self.case.organisation_id, self.case.made_by);
        let listeners: Vec<&Listener> =
            listeners.iter().filter(|listener| listener.hears_of(whose)).collect();
        for (seq, event) in (last + 1..).zip(new) {
            let (event_id, kind, job_id, only_for) = (id(), event.kind, event.job_id, event.only_for);
            for listener in listeners.iter().filter(|listener| listener.gets(kind, only_for)) {
                deliveries.ids.push(id());
                deliveries.subscription_ids.push(listener.id);
                deliveries.event_ids.push(event_id);
            }
            events.ids.push(event_id);
            events.case_ids.push(self.case.id);
            events.organisation_ids.push(self.case.organisation_id);
            events.job_ids.push(job_id);
            events.seqs.push(seq);
            events.last_seqs.push(last);
            events.kinds.push(kind.as_str());
            events.bodies.push(self.body(seq, event).value()?);
        }
        Ok(())
    }

    fn body(&self, seq: i64, event: NewPartnerEvent) -> EventBody<PartnerEventContent> {
        let data = PartnerEventContent {
            seq,
            case: self.case(),
            job: event.job_id.and_then(|id| self.job(id, event.job.as_deref())),
            item: event.item.map(|item| *item),
            near: event.near,
            reason: event.reason,
        };
        EventBody { kind: event.kind, timestamp: event.at.into(), data }
    }
}
