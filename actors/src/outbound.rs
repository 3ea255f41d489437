//! What the engine reports to apps and watchers.

use std::fmt;

use crate::{
    concern::Delay,
    eta::Estimate,
    ids::{JobId, MechanicId, UserId},
    offer::OfferCard,
    position::Fix,
};

/// Passes updates on to sockets. Must not block and may drop updates: everything that matters is in the journal.
pub trait Outbound: fmt::Debug + Send + Sync + 'static {
    /// A job's log grew to `seq`: watchers read on from what they have.
    fn job_changed(&self, job: JobId, seq: i64);
    /// An offer was made to a mechanic, or ended.
    fn offer_changed(&self, card: &OfferCard);
    /// A round of offers went out.
    fn dispatch_progress(&self, progress: &DispatchProgress);
    /// The assigned mechanic's position, as fresh as possible.
    fn located(&self, sighting: &Sighting);
    /// How often the mechanic's app should send positions.
    fn location_rate(&self, mechanic: UserId, interval_s: u32);
    /// Something is wrong with the mechanic on the way to the job: their app should ask about it.
    fn nudge(&self, nudge: &Nudge);
    /// Whether anybody but the mechanic is shown where they are on this job. This is a query, so that no change can get
    /// lost.
    fn is_watched(&self, job: JobId) -> bool;
    /// The mechanic got this job (`true`) or lost it (`false`): their sockets follow.
    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool);
}

/// A round of offers as the customer sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DispatchProgress {
    pub job_id: JobId,
    pub customer: UserId,
    pub round: u32,
    pub radius_m: f64,
    pub mechanics_offered: u32,
}

/// The position of a job's assigned mechanic.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub fix: Fix,
    /// To the pickup; `None` once arrived.
    pub estimate: Option<Estimate>,
}

/// Something is wrong with a mechanic on the way to a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nudge {
    pub mechanic: UserId,
    pub job_id: JobId,
    pub delay: Delay,
}
