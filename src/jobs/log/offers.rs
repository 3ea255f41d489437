//! The part of a change that concerns offers: its job's offers, and the mechanic who gets the job.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::MechanicId,
    job::state::{Assignment, Event, Job, LiveOffer},
    ports::{JobChange, OfferStatus},
};
use uuid::Uuid;

/// The offers that a change makes and ends.
#[derive(Debug)]
pub struct OfferChanges<'a> {
    pub job: &'a Job,
    pub made: &'a [LiveOffer],
    /// The accepted offer, and the time until which it must have been open at least.
    pub accepted: Option<(Uuid, DateTime<Utc>)>,
    /// The pending offers that end, except the accepted one.
    pub ended: Vec<Uuid>,
    /// The status of the offers that end.
    pub status: &'static str,
    pub decline_reason: Option<&'a str>,
    pub at: DateTime<Utc>,
}

/// A pending offer that ends.
#[derive(Debug)]
pub struct EndedOffer<'a> {
    pub id: Uuid,
    pub job_id: Uuid,
    pub status: &'static str,
    pub decline_reason: Option<&'a str>,
    /// The time until which the offer must have been open at least, if it is accepted.
    pub open_until: Option<DateTime<Utc>>,
}

impl<'a> OfferChanges<'a> {
    /// Returns `None` for a change that makes and ends no offer.
    pub fn of(change: &'a JobChange) -> Option<Self> {
        let made: &[LiveOffer] = match &change.event {
            Event::OffersMade { offers } => offers,
            _ => &[],
        };
        let accepted = match &change.event {
            Event::Accepted { assignment: Assignment { offer_id, .. }, answered_at, .. } => {
                let answered_by = *answered_at - change.next.spec.search.offer_grace;
                offer_id.map(|id| (id.0, answered_by))
            }
            _ => None,
        };
        let decline_reason = match &change.event {
            Event::OfferDeclined { reason, .. } => reason.as_deref(),
            _ => None,
        };
        let (ended, status) = change.event.ended_offers();
        let ended: Vec<Uuid> = ended.iter().map(|id| id.0).collect();
        let is_any = !made.is_empty() || accepted.is_some() || !ended.is_empty();
        let (job, status, at) = (&change.next, status.as_str(), change.at);
        is_any.then_some(Self { job, made, accepted, ended, status, decline_reason, at })
    }

    /// Returns all offers that end, the accepted one first.
    pub fn all_ended(&self) -> Vec<EndedOffer<'a>> {
        let (job_id, accepted) = (self.job.id.0, OfferStatus::Accepted.as_str());
        let ended = |id: Uuid, status, open_until| EndedOffer {
            id,
            job_id,
            status,
            decline_reason: self.decline_reason,
            open_until,
        };
        let first = self.accepted.map(|(id, open_until)| ended(id, accepted, Some(open_until)));
        first.into_iter().chain(self.ended.iter().map(|id| ended(*id, self.status, None))).collect()
    }
}

/// Returns the mechanic who gets the job, and whether they accepted an offer of it.
pub fn assigned(change: &JobChange) -> Option<(MechanicId, bool)> {
    let Event::Accepted { assignment, .. } = &change.event else { return None };
    Some((assignment.mechanic_id, assignment.offer_id.is_some()))
}
