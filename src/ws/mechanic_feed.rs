//! The frames that a mechanic's socket gets without asking: offers and the mechanic's own job.

use actix::prelude::*;
use roadcall_actors::{
    ids::MechanicId,
    ports::{OfferCard, OfferStatus},
    protocol::LocationInterval,
};
use uuid::Uuid;

use super::{
    listener::{LOOK_AGAIN, Listener},
    openings::Missed,
    protocol::{ServerFrame, ServerType},
    session::{Ctx, SocketSession},
    subscriptions::{AskedBy, Since},
};
use crate::{
    offers::Offer,
    platform::error::{ApiError, ApiResult},
};

impl SocketSession {
    /// Follows the job that the mechanic got, from its assignment on, without a request of the client.
    pub(super) fn follow_own(&mut self, job: Uuid, ctx: &mut Ctx) {
        if self.subscriptions.is_assured(job) {
            return;
        }
        self.subscriptions.jobs.retain(|_, subscription| !subscription.is_own);
        self.subscribe(job, Since::Assignment, AskedBy::OwnJob, ctx);
    }

    /// Sends a mechanic's socket the news that it may have missed: the pending offer and the active job. The look-up
    /// is repeated until it succeeds, since nothing else would send them.
    pub(super) fn catch_up_mechanic(&mut self, profile_id: Uuid, ctx: &mut Ctx) {
        let state = self.context.clone();
        let task = actix_rt::spawn(async move {
            let Missed { offers, active_job } = state.openings.missed(profile_id).await?;
            let mut interval_s = None;
            // The rate is sent at once only in this case. Otherwise the first location wakes the actor.
            if !offers.is_empty() || active_job.is_some() {
                let interval = LocationInterval { mechanic: MechanicId(profile_id) };
                interval_s = state.engine.ask(interval).await.ok().flatten();
            }
            ApiResult::Ok((offers, active_job, interval_s))
        });
        ctx.spawn(task.into_actor(self).map(move |looked, session, ctx| {
            let (offers, active, interval_s) =
                match looked.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                    Ok(found) => found,
                    Err(error) => {
                        session.in_span(|| error.log());
                        // This may last as long as the database is away, so others get their turn meanwhile.
                        session.turn = None;
                        let again = move |session: &mut Self, ctx: &mut Ctx| {
                            session.catch_up_mechanic(profile_id, ctx);
                        };
                        ctx.run_later(LOOK_AGAIN, again);
                        return;
                    }
                };
            if let Some(interval_s) = interval_s {
                session.send_location_rate(interval_s, ctx);
            }
            for offer in offers {
                session.show_pending(offer, ctx);
            }
            match active {
                // The turn lasts until the job is looked up: see `has_opened`.
                Some(job) if !session.subscriptions.is_assured(job) => {
                    session.subscribe(job, Since::Now, AskedBy::OwnJob, ctx);
                }
                _ => session.turn = None,
            }
        }));
    }

    /// Looks for offers and jobs, since announcements may have been missed.
    pub(super) fn look_for_missed(&mut self, ctx: &mut Ctx) {
        if let Some(mechanic) = self.caller.mechanic {
            self.catch_up_mechanic(mechanic.profile_id, ctx);
        }
    }

    pub(super) fn show_offer(&mut self, card: &OfferCard, ctx: &mut Ctx) {
        let kind = match card.status {
            OfferStatus::Pending => return self.show_pending(self.shown(card), ctx),
            OfferStatus::Revoked => ServerType::OfferRevoked,
            OfferStatus::Expired => ServerType::OfferExpired,
            // The offer was declined on another device or over HTTP. If this socket declined, it already has its
            // acknowledgement.
            OfferStatus::Declined if self.declined_offer != Some(card.id.0) => ServerType::OfferRevoked,
            // All of the mechanic's devices follow the job from here on, whichever of them accepted.
            OfferStatus::Accepted | OfferStatus::Declined => {
                self.shown_offer = Some((card.id.0, None));
                return;
            }
        };
        // This keeps an offer that a look-up found just before from being shown afterwards.
        self.shown_offer = Some((card.id.0, None));
        let frame = ServerFrame::new(kind, self.now(), self.shown(card));
        self.send_frame(&frame.of_job(card.job_id.0), ctx);
    }

    fn shown(&self, card: &OfferCard) -> Offer {
        Offer::of_card(card, self.context().rates)
    }

    /// Shows an offer that was pending when the socket opened and may also arrive as a notice: once, and again if the
    /// customer corrects what it says of the job.
    fn show_pending(&mut self, offer: Offer, ctx: &mut Ctx) {
        let is_known = match &self.shown_offer {
            Some((id, about)) => *id == offer.id && about.as_ref().is_none_or(|about| **about == offer.job),
            None => false,
        };
        if !is_known {
            self.shown_offer = Some((offer.id, Some(Box::new(offer.job.clone()))));
            let job = offer.job_id;
            let frame = ServerFrame::new(ServerType::OfferCreated, self.now(), offer);
            self.send_frame(&frame.of_job(job), ctx);
        }
    }
}
