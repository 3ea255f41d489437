//! What a mechanic's actor works with.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;

use super::ports::MechanicJournal;
use crate::{
    audience::Audience,
    clock::Clock,
    concern::Finding,
    eta::Eta,
    ids::{JobId, MechanicId, OfferId},
    messages::Supply,
    outbound::Outbound,
    refusal::Refusal,
    settings::Settings,
    shutdown::Shutdown,
};

/// Made by the engine for each mechanic's actor.
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

/// How a mechanic reaches the dispatcher.
pub(crate) trait DispatcherHandle: fmt::Debug + Send + Sync {
    fn update_supply(&self, id: MechanicId, supply: Option<Supply>);
}

/// How a mechanic reaches jobs.
pub(crate) trait JobsHandle: fmt::Debug + Send + Sync {
    /// Withdraws an offer from a mechanic that can't serve it. Best effort: an offer that is not withdrawn expires.
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
