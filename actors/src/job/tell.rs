//! What a job's actor tells others once something is committed.

use super::{
    actor::JobActor,
    state::{Event, Job, Stage},
};
use crate::{
    ids::{MechanicId, OfferId},
    messages::MechanicMessage,
    offer::{OFFERED_PICKUP_GRID_M, OfferCard},
    outbound::DispatchProgress,
    status::OfferStatus,
};

impl JobActor {
    /// The word to those concerned, after the commit. Each repeats what the journal holds, so a lost one is mended
    /// by the next announcement.
    pub(super) fn act_on(&self, event: &Event, job: &Job) {
        let context = &self.context;
        match event {
            Event::OffersMade { offers } => {
                for offer in offers {
                    self.tell_offered(job, offer.id);
                }
                self.tell_progress(job, offers.len());
            }
            Event::OfferDeclined { offer_id, mechanic_id, .. } => {
                self.end_offer(*offer_id, *mechanic_id, OfferStatus::Declined);
            }
            Event::OfferRevoked { offer_id, mechanic_id } => {
                self.end_offer(*offer_id, *mechanic_id, OfferStatus::Revoked);
            }
            Event::OffersExpired { offers } => self.end_offers(offers, OfferStatus::Expired),
            Event::Accepted { assignment, revoked, .. } => {
                if let Some(offer_id) = assignment.offer_id {
                    self.end_offer(offer_id, assignment.mechanic_id, OfferStatus::Accepted);
                }
                self.end_offers(revoked, OfferStatus::Revoked);
                self.tell_assigned(job);
            }
            Event::Arrived { .. } | Event::Delayed(_) | Event::Recovered { .. } => self.tell_assigned(job),
            Event::Released { mechanic_id, .. } => self.unassign(*mechanic_id),
            Event::Completed { .. } => {
                if let Some(assignment) = job.assignment() {
                    self.unassign(assignment.mechanic_id);
                }
            }
            Event::Cancelled { revoked, .. } => {
                self.end_offers(revoked, OfferStatus::Revoked);
                if let Some(assignment) = job.assignment() {
                    self.unassign(assignment.mechanic_id);
                }
            }
            Event::Created { .. }
            | Event::Began { .. }
            | Event::Exhausted { .. }
            | Event::Retried { .. }
            | Event::WentEnRoute
            | Event::WrongCodeEntered { .. }
            | Event::Started
            | Event::ItemMoved { .. }
            | Event::PaymentMoved { .. }
            | Event::MessageSent { .. }
            | Event::CallMoved { .. }
            | Event::Paid
            | Event::Disputed
            | Event::Resolved => {}
        }
        if event.is_public() {
            context.outbound.job_changed(job.id, job.seq);
        }
    }

    /// Says again what the journal holds: to mechanics whose actors may have started anew.
    pub(super) fn announce(&self) {
        let Some(job) = &self.job else { return };
        for offer in job.live_offers() {
            self.tell_offered(job, offer.id);
        }
        if job.status().is_active() {
            self.tell_assigned(job);
        }
    }

    fn tell_offered(&self, job: &Job, offer_id: OfferId) {
        let Some(offer) = job.live_offers().iter().find(|offer| offer.id == offer_id) else { return };
        let card = OfferCard {
            id: offer.id,
            job_id: job.id,
            mechanic_id: offer.mechanic_id,
            // The mechanic's actor knows its user; the job's does not.
            mechanic_user: crate::ids::UserId(uuid::Uuid::nil()),
            status: OfferStatus::Pending,
            round: offer.round,
            distance_m: offer.distance_m,
            eta_s: offer.eta_s,
            eta_source: offer.eta_source,
            estimated_price_paise: job.spec.estimated_price_paise(),
            category: job.spec.category_id.0,
            vehicle_type: job.spec.vehicle_type,
            pickup: job.spec.pickup.snapped(OFFERED_PICKUP_GRID_M),
            urgency: job.spec.urgency,
            created_at: offer.created_at,
            expires_at: offer.expires_at,
        };
        self.context.mechanics.notify(offer.mechanic_id, MechanicMessage::Offered(Box::new(card)));
    }

    fn tell_progress(&self, job: &Job, mechanics_offered: usize) {
        let Some(farthest) =
            job.live_offers().iter().map(|offer| f64::from(offer.distance_m)).reduce(f64::max)
        else {
            return;
        };
        let rings = &job.spec.search.rings_m;
        let radius_m = rings.iter().copied().find(|ring| *ring >= farthest).unwrap_or(farthest);
        let round = job.live_offers().last().map_or(0, |offer| offer.round);
        self.context.outbound.dispatch_progress(&DispatchProgress {
            job_id: job.id,
            customer: job.spec.customer_id,
            round,
            radius_m,
            mechanics_offered: u32::try_from(mechanics_offered).unwrap_or(u32::MAX),
        });
    }

    fn tell_assigned(&self, job: &Job) {
        let (Some(assignment), Some(duty)) = (job.assignment(), job.duty()) else { return };
        let is_arrived = matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_));
        let word = MechanicMessage::Assigned { job_id: job.id, pickup: job.spec.pickup, is_arrived, duty };
        self.context.mechanics.notify(assignment.mechanic_id, word);
    }

    fn unassign(&self, mechanic_id: MechanicId) {
        self.context.mechanics.notify(mechanic_id, MechanicMessage::Unassigned { job_id: self.id });
    }

    fn end_offers(&self, offers: &[(OfferId, MechanicId)], status: OfferStatus) {
        for (offer_id, mechanic_id) in offers {
            self.end_offer(*offer_id, *mechanic_id, status);
        }
    }

    pub(super) fn end_offer(&self, offer_id: OfferId, mechanic_id: MechanicId, status: OfferStatus) {
        self.context.mechanics.notify(mechanic_id, MechanicMessage::OfferEnded { offer_id, status });
    }
}
