//! The dependencies of the dispatcher.

use std::{fmt, sync::Arc};

use actix::MailboxError;
use futures_util::future::BoxFuture;

use super::{feed::SupplyFeed, loading::LoadingMechanics, ports::ExplanationLog};
use crate::{
    clock::Clock,
    eta::Eta,
    experience::Experience,
    ids::{JobId, MechanicId, OfferId},
    job::state::Proposal,
    mechanic::messages::Reserve,
    messages::MechanicMessage,
    outbound::Outbound,
    random::Random,
    refusal::Refusal,
    settings::{MatchingPolicy, Settings},
    shutdown::Shutdown,
    tuning::CurrentPolicies,
};

/// The dispatcher's context, made by the engine.
#[derive(Debug)]
pub(crate) struct DispatcherContext {
    pub eta: Arc<dyn Eta>,
    pub outbound: Arc<dyn Outbound>,
    pub explanations: Arc<dyn ExplanationLog>,
    pub clock: Clock,
    pub random: Random,
    pub settings: Arc<Settings>,
    pub policies: Arc<CurrentPolicies>,
    pub shutdown: Shutdown,
    pub supplies: Arc<SupplyFeed>,
    pub loading: Arc<LoadingMechanics>,
    pub experience: Arc<Experience>,
    /// Whether large problems may be solved on another thread. Off under virtual time, where a run must be
    /// repeatable.
    pub may_solve_elsewhere: bool,
    pub jobs: Box<dyn JobsHandle>,
    pub mechanics: Box<dyn MechanicsHandle>,
}

/// The dispatcher's access to jobs.
pub(crate) trait JobsHandle: fmt::Debug + Send + Sync {
    /// Proposes reserved mechanics to a job. The answer comes after the job's commit.
    fn propose(
        &self,
        job: JobId,
        attempt: u32,
        round: u32,
        proposals: Vec<Proposal>,
    ) -> BoxFuture<'_, Result<Result<(), Refusal>, MailboxError>>;
}

/// The dispatcher's access to mechanics.
pub(crate) trait MechanicsHandle: fmt::Debug + Send + Sync {
    /// Reserves the mechanic and answers whether they are reserved.
    fn reserve(&self, id: MechanicId, reserve: Reserve) -> BoxFuture<'_, Result<bool, MailboxError>>;

    /// Sends a message to the mechanic. If their mailbox is full, the supervisor has them reload later.
    fn notify(&self, id: MechanicId, message: MechanicMessage);

    /// Asks the mechanic to report their supply again.
    fn request_supply(&self, id: MechanicId);
}

impl DispatcherContext {
    pub(super) fn policy(&self) -> Arc<MatchingPolicy> {
        self.policies.matching()
    }

    pub(super) fn new_offer_id(&self) -> OfferId {
        OfferId(self.random.id(self.clock.now()))
    }
}
