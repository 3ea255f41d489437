//! Appends events to cases.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{CaseSnapshot, JobSnapshot, NearFigures, PartnerEventContent},
    queries::{self, FedCaseRow, NewDeliveryRows, NewEventRows, PartnerJobRow},
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
    if new.is_empty() {
        return Ok(());
    }
    let case = queries::number(tx, case_id, new.len() as i64).await?;
    let case = case.ok_or_else(|| ApiError::not_found("case"))?;
    let partner_jobs = queries::partner_jobs(&mut *tx, case_id).await?;
    let ids: Vec<Uuid> = partner_jobs.iter().map(|job| job.job_id).collect();
    let jobs = queries::jobs(&mut *tx, &ids).await?;
    let (whose, now) = ((case.organisation_id, case.made_by), context.clock.now());
    let listeners = subscriptions::listeners(tx, whose, now).await?;
    let written = Written { case: &case, partner_jobs: &partner_jobs, jobs: &jobs };
    let (events, deliveries) = written.rows(context, new, &listeners)?;
    Ok(queries::insert(tx, &case, now, &events, &deliveries).await?)
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

/// The rows of a case.
struct Written<'a> {
    case: &'a FedCaseRow,
    partner_jobs: &'a [PartnerJobRow],
    jobs: &'a [JobRow],
}

impl Written<'_> {
    fn case(&self) -> CaseSnapshot {
        let shown = self.partner_jobs.iter().filter_map(|partner| self.job(partner.job_id, None));
        CaseSnapshot::of(self.case, shown.collect())
    }

    fn job(&self, id: Uuid, row: Option<&JobRow>) -> Option<JobSnapshot> {
        let partner = self.partner_jobs.iter().find(|partner| partner.job_id == id)?;
        let row = row.or_else(|| self.jobs.iter().find(|job| job.id == id))?;
        Some(JobSnapshot::of(row, partner))
    }

    /// Returns the rows of new events and of their deliveries.
    fn rows(
        &self,
        context: &FeedsContext,
        new: Vec<NewPartnerEvent>,
        listeners: &[Listener],
    ) -> ApiResult<(NewEventRows, NewDeliveryRows)> {
        let (mut events, mut deliveries) = (NewEventRows::default(), NewDeliveryRows::default());
        let (now, first) = (context.clock.now(), self.case.last_seq + 1 - new.len() as i64);
        let id = || context.random.id(now);
        for (seq, event) in (first..).zip(new) {
            let (event_id, kind, job_id, only_for) = (id(), event.kind, event.job_id, event.only_for);
            for listener in listeners.iter().filter(|listener| listener.gets(kind, only_for)) {
                deliveries.ids.push(id());
                deliveries.subscription_ids.push(listener.id);
                deliveries.event_ids.push(event_id);
            }
            events.ids.push(event_id);
            events.job_ids.push(job_id);
            events.seqs.push(seq);
            events.kinds.push(kind.as_str());
            events.bodies.push(self.body(seq, event).value()?);
        }
        Ok((events, deliveries))
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
