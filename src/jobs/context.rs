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
    catalogue::{
        categories::CurrentCategories, dispatch_settings::DispatchConfig, job_stops::CurrentJobStop,
    },
    fleet::eta::Etas,
    jobs::{
        callbacks::OpenCallbacks,
        log::{Hooks, RecentEntries},
        nearing::NearMechanics,
        outlook::LongSearches,
        settings::{FeeSettings, JobSettings},
        step::JobStep,
        visibility::JobVisibility,
    },
    notifications::NotifyContext,
    platform::core::Core,
};

/// The context of jobs, also for other areas that change a job in their own transaction.
#[derive(Debug, Clone)]
pub struct JobsContext {
    pub notify: NotifyContext,
    pub job_settings: Arc<JobSettings>,
    pub fee_settings: Arc<FeeSettings>,
    pub visibility: Arc<JobVisibility>,
    /// The rates by which customers' payments are shared out.
    pub rates: ShareRates,
    /// The phone number of the support; empty if it has none.
    pub support_phone: Arc<str>,
    pub engine: EngineHandle,
    /// The settings that the rules of jobs read.
    pub policies: Arc<Policies>,
    pub etas: Etas,
    /// The present dispatch settings.
    pub dispatch: DispatchConfig,
    /// The kinds of help, for estimates.
    pub categories: CurrentCategories,
    /// Whether new jobs are taken.
    pub stop: CurrentJobStop,
    /// The privacy notice to which customers have to agree.
    pub notice: CurrentNotice,
    /// Further changes in a transaction that changes a job.
    pub hooks: Hooks,
    /// The entries that were committed a moment ago.
    pub recent: RecentEntries,
    /// The number of customers who wait for a call.
    pub callbacks: OpenCallbacks,
    /// The customers whose search becomes long.
    pub searches: LongSearches,
    /// The mechanics who are about to arrive.
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
    /// Gives a job a command, and answers after its commit.
    pub async fn order(
        &self,
        step: impl Into<JobStep>,
        by: Actor,
        command: Command,
    ) -> Result<Committed, Refusal> {
        let JobStep { job_id, logged_under } = step.into();
        self.engine.ask(Order { id: self.new_command(), logged_under, job: JobId(job_id), by, command }).await
    }

    /// Returns an id for a command, under which it may be repeated.
    pub fn new_command(&self) -> CommandId {
        CommandId(self.random.id(self.clock.now()))
    }

    pub fn rules(&self) -> Rules<'_> {
        Rules { jobs: &self.policies.jobs, fees: &self.policies.fees }
    }
}
