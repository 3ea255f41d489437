//! The ports of the engine: what it needs from the service around it. The service implements these on Postgres and
//! sockets, tests in memory. Each kind of actor sees only the part of the journal that it needs.

use std::{fmt, sync::Arc};

pub use crate::{
    commit::{CommitError, Guard, LoadError},
    dispatcher::ports::ExplanationLog,
    eta::{Eta, TripEstimate},
    job::ports::{JobChange, JobJournal, JobToCreate, LoggedAs},
    mechanic::ports::MechanicJournal,
    messages::{Advice, Surroundings},
    offer::{OFFERED_PICKUP_GRID_M, OfferCard},
    outbound::{Announcement, DispatchProgress, Nudge, Outbound, Outlook, Sighting, WaitReason},
    status::OfferStatus,
};

/// The durable store of the engine. Everything that implements its three parts is a journal.
pub trait Journal: JobJournal + MechanicJournal + ExplanationLog + fmt::Debug {}

impl<T: JobJournal + MechanicJournal + ExplanationLog + fmt::Debug> Journal for T {}

/// Everything that the engine needs from the service.
#[derive(Debug, Clone)]
pub struct Ports {
    pub journal: Arc<dyn Journal>,
    pub outbound: Arc<dyn Outbound>,
    pub eta: Arc<dyn Eta>,
}
