//! The dependencies of a job's actor.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{
    ports::JobJournal,
    state::{Job, Rules, Stage},
};
use crate::{
    clock::Clock,
    experience::Experience,
    ids::{CommandId, MechanicId},
    messages::{DemandUpdate, MechanicMessage},
    outbound::Outbound,
    random::Random,
    settings::Settings,
    shutdown::Shutdown,
    tuning::CurrentPolicies,
};

/// The largest number of settled jobs whose actors are kept for a grace period at the same time. Further actors end
/// at once.
const MAX_GRACE_PERIODS: usize = 10_000;

/// The context of a job's actor, made by the engine.
#[derive(Debug)]
pub(crate) struct JobContext {
    pub journal: Arc<dyn JobJournal>,
    pub outbound: Arc<dyn Outbound>,
    pub clock: Clock,
    pub random: Random,
    pub settings: Arc<Settings>,
    pub policies: Arc<CurrentPolicies>,
    pub shutdown: Shutdown,
    pub grace_periods: GracePeriods,
    pub experience: Arc<Experience>,
    pub dispatcher: Box<dyn DispatcherHandle>,
    pub mechanics: Box<dyn MechanicsHandle>,
}

/// A job's access to the dispatcher.
pub(crate) trait DispatcherHandle: fmt::Debug + Send + Sync {
    fn update_demand(&self, update: DemandUpdate);
}

/// A job's access to mechanics.
pub(crate) trait MechanicsHandle: fmt::Debug + Send + Sync {
    /// Sends a message to the mechanic. If their mailbox is full, the supervisor has them reload later.
    fn notify(&self, id: MechanicId, message: MechanicMessage);
}

impl JobContext {
    pub(super) fn rules(&self) -> Rules<'_> {
        Rules { jobs: &self.settings.jobs, fees: &self.settings.fees }
    }

    pub(super) fn new_command_id(&self) -> CommandId {
        CommandId(self.random.id(self.clock.now()))
    }

    /// Returns the job with the search policy that applies to it: while it is being dispatched, the policy with
    /// which this attempt began; at any other time, the current one.
    pub(super) fn with_current_policy(&self, mut job: Job) -> Job {
        if matches!(job.stage, Stage::Dispatching(_)) {
            return job;
        }
        self.policies.with_search(|current| {
            let own = &job.spec.search;
            if let Some(current) = current.filter(|current| current.version != own.version) {
                job.spec.search = Arc::new(current.with(own.over.clone()));
            }
        });
        job
    }
}

/// Limits how many actors of settled jobs are kept for a grace period. Clones share the limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct GracePeriods(Arc<AtomicUsize>);

/// One grace period, which counts until it is dropped.
#[derive(Debug)]
pub(crate) struct GracePeriod(Arc<AtomicUsize>);

impl GracePeriods {
    /// Begins a grace period, or returns `None` if too many are under way.
    pub(super) fn begin(&self) -> Option<GracePeriod> {
        let period = GracePeriod(self.0.clone());
        let before = self.0.fetch_add(1, Ordering::AcqRel);
        (before < MAX_GRACE_PERIODS).then_some(period)
    }
}

impl Drop for GracePeriod {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
