//! Saves that a mechanic waits at a place, and that they no longer do.

use actix::prelude::*;

use super::{
    actor::MechanicActor,
    messages::{EndParking, Park},
    parked::ParkingEnd,
    state::Mechanic,
};
use crate::{
    commit::CommitError,
    geo::Point,
    ids::JobId,
    outbound::{Announcement, Sighting},
    refusal::{Ineligibility, Refusal},
};

impl MechanicActor {
    /// Shows a mechanic who gets a job where they wait at that place, until their phone sends a position. Call this
    /// before they are assigned.
    pub(super) fn set_out_from_place(&mut self, job_id: JobId, pickup: Point) {
        let now = self.now();
        let context = self.context.clone();
        let set_out = |mechanic: &mut Mechanic| mechanic.set_out_from_place(&context.settings.presence, now);
        let Some(fix) = self.mechanic.as_mut().and_then(set_out) else { return };
        context.journal.record_position(self.id, fix);
        let estimate = Some(context.eta.estimate(fix.point, pickup, now));
        let sighting = Sighting { job_id, mechanic_id: self.id, fix, estimate };
        context.outbound.announce(Announcement::Located(sighting));
    }
}

/// Returns the refusal for a change of the profile's row that was not saved.
pub(super) fn not_saved(error: CommitError) -> Refusal {
    match error {
        CommitError::Refused(_) => Refusal::NotEligible(Ineligibility::NotVerified),
        CommitError::Unknown(why) => Refusal::OutcomeUnknown(why),
        error => Refusal::Unavailable(error.to_string()),
    }
}

impl Handler<Park> for MechanicActor {
    type Result = AtomicResponse<Self, Result<(), Refusal>>;

    fn handle(&mut self, park: Park, _: &mut Self::Context) -> Self::Result {
        let (context, id, now) = (self.context.clone(), self.id, self.now());
        let decided = match &self.mechanic {
            Some(mechanic) => mechanic.decide_parking(park.place, &context.settings.presence, now),
            None => Err(self.missing()),
        };
        let save = async move {
            let parked = decided?;
            context.journal.save_parking(id, parked, park.label).await.map_err(not_saved)?;
            Ok(parked)
        };
        AtomicResponse::new(Box::pin(save.into_actor(self).map(move |saved, actor, _| {
            match &saved {
                Ok(parked) => {
                    actor.becomes_available(now);
                    actor.mechanic.iter_mut().for_each(|mechanic| mechanic.parked = Some(*parked));
                }
                Err(Refusal::OutcomeUnknown(_)) => actor.needs_reload = true,
                Err(_) => {}
            }
            actor.publish_changes();
            saved.map(drop)
        })))
    }
}

impl Handler<EndParking> for MechanicActor {
    type Result = AtomicResponse<Self, Result<(), Refusal>>;

    fn handle(&mut self, EndParking { why }: EndParking, _: &mut Self::Context) -> Self::Result {
        let (context, id, now) = (self.context.clone(), self.id, self.now());
        let parked = match &self.mechanic {
            Some(mechanic) => Ok(mechanic.parked),
            None => Err(self.missing()),
        };
        let save = async move {
            match parked? {
                Some(parked) => {
                    context.journal.end_parking(id, parked.since, why, now).await.map_err(not_saved)
                }
                None => Ok(()),
            }
        };
        AtomicResponse::new(Box::pin(save.into_actor(self).map(move |saved, actor, _| {
            match (&saved, &mut actor.mechanic) {
                (Ok(()), Some(mechanic)) => {
                    tracing::info!(mechanic.id = %actor.id, why = why.as_str(), "the mechanic is not parked any more");
                    mechanic.parked = None;
                    // They hold the phone, so it has time to send their position.
                    if why == ParkingEnd::OwnWish {
                        actor.heard_at = actor.context.clock.elapsed();
                    }
                }
                (Err(Refusal::OutcomeUnknown(_)), _) => actor.needs_reload = true,
                _ => {}
            }
            actor.publish_changes();
            saved
        })))
    }
}
