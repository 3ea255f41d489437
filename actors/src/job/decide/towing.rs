//! Decisions about a vehicle that is towed. Pure.

use crate::{
    ids::MechanicId,
    job::{
        command::DropOff,
        event::Event,
        items::ItemStatus,
        model::{Assignment, Job, Outcome},
    },
    refusal::{Refusal, TowFault},
};

impl Job {
    /// Decides that the vehicle is on the truck. It can't be unloaded again: the job ends at the destination.
    pub(super) fn decide_load(
        &self,
        assignment: &Assignment,
        mechanic_id: MechanicId,
        photo_urls: &[String],
    ) -> Result<Event, Refusal> {
        assignment.check_owner(mechanic_id)?;
        if assignment.loaded_at.is_some() {
            return Err(Refusal::AlreadyDone);
        }
        if self.spec.destination.is_none() {
            return Err(Refusal::NoDestination);
        }
        // The customer decides about the items before their vehicle leaves.
        let undecided = self.undecided();
        if undecided > 0 {
            return Err(Refusal::PendingApproval { undecided });
        }
        Ok(Event::Loaded { photo_urls: photo_urls.to_vec() })
    }

    /// Checks that a tow may be proposed on the spot, which requires that the job has no destination and no open proposal.
    pub(super) fn check_tow(&self) -> Result<(), Refusal> {
        if self.spec.destination.is_some() {
            return Err(Refusal::HasDestination);
        }
        let is_open =
            self.items.iter().any(|item| item.destination.is_some() && item.status == ItemStatus::Proposed);
        if is_open { Err(Refusal::TowUndecided) } else { Ok(()) }
    }
}

impl Assignment {
    /// Checks that the work may end this way: as towed if the vehicle is loaded, and only then.
    pub(super) fn check_outcome(
        &self,
        outcome: Outcome,
        photo_urls: &[String],
        received_by: Option<&String>,
    ) -> Result<(), Refusal> {
        let fault = match (self.loaded_at.is_some(), outcome == Outcome::Towed) {
            (false, true) => Some(TowFault::NotLoaded),
            (true, false) => Some(TowFault::IsLoaded),
            (true, true) if photo_urls.is_empty() => Some(TowFault::NoPhotos),
            (true, true) if received_by.is_none() => Some(TowFault::NoReceiver),
            (true, true) | (false, false) => None,
        };
        fault.map_or(Ok(()), |fault| Err(Refusal::NotTowed(fault)))
    }

    /// Checks that a loaded vehicle is at its destination, by a position or by the mechanic's reason. Returns
    /// `None` if no vehicle is loaded.
    pub(super) fn check_drop_off(
        &self,
        drop_off: &DropOff,
        limit_m: f64,
    ) -> Result<Option<DropOff>, Refusal> {
        if self.loaded_at.is_none() {
            return Ok(None);
        }
        let DropOff { distance_m, driven_m, override_reason } = drop_off.clone();
        let is_near = distance_m.is_some_and(|distance| distance <= limit_m);
        if !is_near && override_reason.is_none() {
            return Err(Refusal::NotDelivered { distance_m, limit_m });
        }
        // A reason that was not needed is no override.
        let override_reason = override_reason.filter(|_| !is_near);
        Ok(Some(DropOff { distance_m, driven_m, override_reason }))
    }
}
