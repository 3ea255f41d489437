//! Follows what jobs report about a mechanic's offers and assignments, and makes up for lost messages.

use super::{
    actor::MechanicActor,
    state::{Engagement, Mechanic},
};
use crate::{
    geo::Point, ids::JobId, messages::MechanicMessage, offer::OfferCard, outbound::Announcement,
    status::OfferStatus,
};

impl MechanicActor {
    pub(super) fn receive(&mut self, message: MechanicMessage) {
        let now = self.now();
        let outbound = self.context.outbound.clone();
        let Some(mechanic) = &mut self.mechanic else { return };
        let user = mechanic.profile.user_id;
        match message {
            MechanicMessage::Offered(mut card) => {
                card.mechanic_user = user;
                let is_new =
                    !matches!(&mechanic.engagement, Engagement::Offered(current) if *current == card);
                if !mechanic.offered((*card).clone()) {
                    // Either the copy is wrong or the offer must go: the journal decides.
                    self.conflicting_offer = Some((card.job_id, card.id));
                    self.needs_reload = true;
                } else if is_new {
                    outbound.announce(Announcement::Offer(card.clone()));
                    if !mechanic.available {
                        // They became unavailable while the offer was on its way.
                        self.context.jobs.revoke_offer(card.job_id, card.id, self.id);
                    }
                }
            }
            MechanicMessage::OfferEnded { offer_id, status } => {
                if let Some(mut card) = mechanic.end_offer(offer_id, now) {
                    card.status = status;
                    mechanic.history.record_outcome(status);
                    mechanic.note_answer(status);
                    outbound.announce(Announcement::Offer(card.clone().into()));
                    if status == OfferStatus::Accepted {
                        // They must not count as free until the message about the assignment comes.
                        self.assign(card.job_id, card.pickup, false);
                    }
                }
            }
            MechanicMessage::Assigned { job_id, pickup, is_arrived, delivers_to, duty } => {
                let is_new = !matches!(&mechanic.engagement, Engagement::Busy { job_id: current, .. } if *current == job_id);
                if is_new {
                    if let Engagement::Offered(card) = &mechanic.engagement
                        && card.job_id != job_id
                    {
                        // An admin assigned them while they had an offer of another job, which they can no longer
                        // serve.
                        let revoked = OfferCard { status: OfferStatus::Revoked, ..(**card).clone() };
                        outbound.announce(Announcement::Offer(revoked.into()));
                        self.context.jobs.revoke_offer(card.job_id, card.id, self.id);
                    }
                    self.assign(job_id, pickup, is_arrived);
                }
                let (Some(mechanic), duty) = (&mut self.mechanic, Some(duty)) else { return };
                mechanic.engagement = Engagement::Busy { job_id, pickup, is_arrived, delivers_to, duty };
                outbound.announce(Announcement::Assigned { mechanic: user, job: job_id, is_on_it: true });
            }
            MechanicMessage::Unassigned { job_id } => {
                if mechanic.unassign(job_id, now) {
                    outbound.announce(Announcement::Assigned {
                        mechanic: user,
                        job: job_id,
                        is_on_it: false,
                    });
                }
            }
            // The mechanic may be on a job by now, or no longer want one.
            MechanicMessage::Advised(advice) => {
                if mechanic.available && matches!(mechanic.engagement, Engagement::Free) {
                    outbound.announce(Announcement::WaitAdvised { mechanic: user, advice });
                }
            }
            MechanicMessage::Reload => self.needs_reload = true,
        }
        self.publish_changes();
    }

    fn assign(&mut self, job_id: JobId, pickup: Point, is_arrived: bool) {
        self.set_out_from_place(job_id, pickup);
        self.mechanic.iter_mut().for_each(|mechanic| mechanic.assign(job_id, pickup, is_arrived));
    }

    /// Takes over the mechanic as the journal has them. If that differs from the copy, messages were lost: the app
    /// is informed now.
    pub(super) fn adopt(&mut self, loaded: Mechanic) {
        let now = self.now();
        let outbound = &self.context.outbound;
        let before = self.mechanic.as_ref().map_or(Engagement::Free, |old| old.engagement.clone());
        let mechanic = loaded.keeping_memory_of(self.mechanic.take(), now);
        let user = mechanic.profile.user_id;
        for card in mechanic.offer_changes_since(&before, now) {
            outbound.announce(Announcement::Offer(card.into()));
        }
        let assigned = |job, is_on_it| {
            outbound.announce(Announcement::Assigned { mechanic: user, job, is_on_it });
        };
        match (before.job(), mechanic.engagement.job()) {
            (old, new) if old == new => {}
            (old, new) => {
                old.into_iter().for_each(|job| assigned(job, false));
                new.into_iter().for_each(|job| assigned(job, true));
            }
        }
        let offer = mechanic.engagement.offer().map(|card| card.id);
        if let Some((job_id, offer_id)) = self.conflicting_offer.take().filter(|(_, id)| Some(*id) != offer) {
            self.context.jobs.revoke_offer(job_id, offer_id, self.id);
        }
        self.needs_reload = false;
        self.mechanic = Some(mechanic);
        self.publish_changes();
    }
}
