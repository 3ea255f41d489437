use std::{ops::Deref, sync::Arc};

use roadcall_actors::{
    EngineHandle,
    ids::{CommandId, JobId},
    job::state::{Actor, Command, Refusal, Rules},
    protocol::{Committed, Order},
    settings::Settings as Policies,
};

use crate::{
    accounting::ledger::ShareRates,
    accounts::notices::CurrentNotice,
    catalogue::{dispatch_settings::DispatchConfig, job_stops::CurrentJobStop},
    fleet::eta::Etas,
    jobs::{
        callbacks::OpenCallbacks,
        log::RecentEntries,
        nearing::NearMechanics,
        outlook::LongSearches,
        settings::{FeeSettings, JobSettings},
        step::JobStep,
        visibility::JobVisibility,
    },
    notifications::NotifyContext,
    platform::{core::Core, hooks::Hooks},
};

/// What jobs need, and other areas that change a job in their own transaction.
#[derive(Debug, Clone)]
pub struct JobsContext {
    pub notify: NotifyContext,
    pub job_settings: Arc<JobSettings>,
    pub fee_settings: Arc<FeeSettings>,
    pub visibility: Arc<JobVisibility>,
    /// How what customers pay is shared out.
    pub rates: ShareRates,
    /// The number of the support; empty if there is none.
    pub support_phone: Arc<str>,
    pub engine: EngineHandle,
    /// What the rules of jobs read.
    pub policies: Arc<Policies>,
    pub etas: Etas,
    /// How jobs are dispatched now.
    pub dispatch: DispatchConfig,
    /// Whether new jobs are taken.
    pub stop: CurrentJobStop,
    /// What customers have to agree to.
    pub notice: CurrentNotice,
    /// What else happens in a transaction that changes a job.
    pub hooks: Hooks,
    /// What was committed a moment ago.
    pub recent: RecentEntries,
    /// How many customers wait for a call.
    pub callbacks: OpenCallbacks,
    /// Whose search becomes long.
    pub searches: LongSearches,
    /// Who is about to arrive.
    pub near: NearMechanics,
}

impl Deref for JobsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}

impl AsRef<Core> for JobsContext {
    fn as_ref(&self) -> &Core {
        self
    }
}

impl JobsContext {
    /// Gives a job a command; answered after its commit.
    pub async fn order(
        &self,
        step: impl Into<JobStep>,
        by: Actor,
        command: Command,
    ) -> Result<Committed, Refusal> {
        let JobStep { job_id, logged_under } = step.into();
        self.engine.ask(Order { id: self.new_command(), logged_under, job: JobId(job_id), by, command }).await
    }

    /// An id for a command, under which it may be repeated.
    pub fn new_command(&self) -> CommandId {
        CommandId(self.random.id(self.clock.now()))
    }

    pub fn rules(&self) -> Rules<'_> {
        Rules { jobs: &self.policies.jobs, fees: &self.policies.fees }
    }
}
