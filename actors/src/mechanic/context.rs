//! The dependencies of a mechanic's actor.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;

use super::ports::MechanicJournal;
use crate::{
    audience::Audience,
    clock::Clock,
    concern::Finding,
    eta::Eta,
    ids::{JobId, MechanicId, OfferId},
    messages::SupplyReport,
    outbound::Outbound,
    refusal::Refusal,
    settings::Settings,
    shutdown::Shutdown,
};

/// The context of a mechanic's actor, made by the engine.
#[derive(Debug)]
pub(crate) struct MechanicContext {
    pub journal: Arc<dyn MechanicJournal>,
    pub outbound: Arc<dyn Outbound>,
    pub audience: Arc<Audience>,
    pub eta: Arc<dyn Eta>,
    pub clock: Clock,
    pub settings: Arc<Settings>,
    pub shutdown: Shutdown,
    pub dispatcher: Box<dyn DispatcherHandle>,
    pub jobs: Box<dyn JobsHandle>,
}

/// A mechanic's access to the dispatcher.
pub(crate) trait DispatcherHandle: fmt::Debug + Send + Sync {
    fn update_supply(&self, id: MechanicId, report: SupplyReport);
}

/// A mechanic's access to jobs.
pub(crate) trait JobsHandle: fmt::Debug + Send + Sync {
    /// Withdraws an offer from a mechanic who can't serve it. This is best effort: an offer that is not withdrawn
    /// expires.
    fn revoke_offer(&self, job: JobId, offer: OfferId, mechanic: MechanicId);

    /// Reports what the watch over a mechanic found in this attempt; answered after the job's commit.
    fn report_finding(
        &self,
        job: JobId,
        mechanic: MechanicId,
        attempt: u32,
        finding: Finding,
    ) -> BoxFuture<'_, Result<(), Refusal>>;
}
