//! The running engine: its actors, their dependencies, and the links between them.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use actix::{MailboxError, dev::ToEnvelope, prelude::*};
use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use opentelemetry::trace::SpanKind;
use uuid::Uuid;

use crate::{
    audience::Audience,
    clock::Clock,
    concern::Finding,
    dispatcher::{
        self, actor::DispatcherActor, context::DispatcherContext, feed::SupplyFeed, loading::LoadingMechanics,
    },
    experience::{Experience, Lessons},
    ids::{CommandId, JobId, MechanicId, OfferId},
    job::{
        self,
        actor::{JobActor, RunningJobs},
        context::{GracePeriods, JobContext},
        messages::{Order, StartedFlag},
        state::{Actor as By, Command, Done, Job, Proposal},
    },
    mechanic::{
        self,
        actor::{MechanicActor, RunningMechanics},
        context::MechanicContext,
        messages::{Announce, Reserve},
        state::Mechanic,
    },
    messages::{DemandUpdate, MechanicMessage, SupplyChanged, SupplyReport},
    placement::{Arbiters, Placement},
    ports::Ports,
    random::Random,
    refusal::Refusal,
    registry::locked,
    settings::Settings,
    shutdown::Shutdown,
    traces::{self, Traced},
    tuning::CurrentPolicies,
};

/// The number of times that a command is sent if job actors end before they take it. An actor in its grace period
/// still takes commands, so this limit is reached only while [`GracePeriods`] are used up.
const MAX_TRIES: usize = 32;

/// The time for which calls count while prices are off.
const DEFAULT_WINDOW: TimeDelta = TimeDelta::hours(1);

/// The state that the engine handle, the supervisor and the links between actors share.
#[derive(Debug)]
pub(crate) struct EngineContext {
    pub settings: Arc<Settings>,
    pub ports: Ports,
    pub clock: Clock,
    pub random: Random,
    pub policies: Arc<CurrentPolicies>,
    pub shutdown: Shutdown,
    pub arbiters: Arbiters,
    pub jobs: Arc<RunningJobs>,
    pub mechanics: Arc<RunningMechanics>,
    dispatcher: Mutex<Option<Addr<DispatcherActor>>>,
    supplies: Arc<SupplyFeed>,
    pub loading: Arc<LoadingMechanics>,
    /// Apart from the dispatcher, so that it outlives one that panics.
    pub experience: Arc<Experience>,
    pub audience: Arc<Audience>,
    grace_periods: GracePeriods,
    /// The context of all mechanics' actors, as long as one of them runs.
    for_mechanics: Mutex<Weak<MechanicContext>>,
    /// Mechanics whose mailboxes were full: the supervisor has them reload.
    missed_messages: Mutex<BTreeSet<MechanicId>>,
    /// The dispatcher is new, or missed an update: the supervisor has everyone report again.
    needs_announcement: AtomicBool,
}

impl EngineContext {
    pub(crate) fn new(
        settings: Settings,
        ports: Ports,
        clock: Clock,
        random: Random,
        placement: Placement,
        past: Lessons,
    ) -> Arc<Self> {
        let window = settings.matching.pricing.map_or(DEFAULT_WINDOW, |pricing| pricing.window);
        let experience = Arc::new(Experience::new(past, window, clock.now()));
        let context = Arc::new(Self {
            policies: Arc::new(CurrentPolicies::new(settings.matching.clone())),
            settings: Arc::new(settings),
            ports,
            clock,
            random,
            shutdown: Shutdown::default(),
            arbiters: Arbiters::new(placement),
            jobs: Arc::default(),
            mechanics: Arc::default(),
            dispatcher: Mutex::default(),
            supplies: Arc::default(),
            loading: Arc::default(),
            experience,
            audience: Arc::default(),
            grace_periods: GracePeriods::default(),
            for_mechanics: Mutex::default(),
            missed_messages: Mutex::default(),
            needs_announcement: AtomicBool::new(false),
        });
        context.dispatcher();
        // Nothing has been reported yet, so nothing has to be repeated.
        context.take_needs_announcement();
        context
    }

    pub(crate) fn new_id(&self) -> Uuid {
        self.random.id(self.clock.now())
    }

    /// Returns an order for a new command, and the flag that shows whether an actor has started to execute it.
    pub(crate) fn new_order(&self, by: By, command: Command) -> (Order, StartedFlag) {
        let started = StartedFlag::default();
        (Order { id: CommandId(self.new_id()), by, command, started: started.clone() }, started)
    }

    /// Returns the actor of a job, started if none is running. It loads its job with the first message.
    pub(crate) fn job(self: &Arc<Self>, id: JobId) -> Addr<JobActor> {
        self.jobs.with(
            id,
            || self.start_job(move |running, context| JobActor::new(id, running, context)),
            Addr::clone,
        )
    }

    /// Starts the actor of a job that is already loaded.
    pub(crate) fn adopt_job(self: &Arc<Self>, job: Job) {
        self.jobs.with(
            job.id,
            || self.start_job(move |running, context| JobActor::loaded(job, running, context)),
            |_| (),
        );
    }

    fn start_job(
        self: &Arc<Self>,
        new: impl FnOnce(Arc<RunningJobs>, JobContext) -> JobActor + Send + 'static,
    ) -> Addr<JobActor> {
        let context = JobContext {
            journal: self.ports.journal.clone(),
            outbound: self.ports.outbound.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            settings: self.settings.clone(),
            policies: self.policies.clone(),
            shutdown: self.shutdown.clone(),
            grace_periods: self.grace_periods.clone(),
            experience: self.experience.clone(),
            dispatcher: Box::new(self.clone()),
            mechanics: Box::new(self.clone()),
        };
        let running = self.jobs.clone();
        JobActor::start_in_arbiter(&self.arbiters.jobs, move |_| new(running, context))
    }

    pub(crate) fn mechanic(self: &Arc<Self>, id: MechanicId) -> Addr<MechanicActor> {
        self.with_mechanic(id, Addr::clone)
    }

    /// Starts the actor of a mechanic who is already loaded.
    pub(crate) fn adopt_mechanic(self: &Arc<Self>, mechanic: Mechanic) {
        let id = mechanic.id;
        let start =
            || self.start_mechanic(move |running, context| MechanicActor::loaded(mechanic, running, context));
        self.mechanics.with(id, start, |_| ());
    }

    fn with_mechanic<T>(self: &Arc<Self>, id: MechanicId, with: impl FnOnce(&Addr<MechanicActor>) -> T) -> T {
        let start = || self.start_mechanic(move |running, context| MechanicActor::new(id, running, context));
        self.mechanics.with(id, start, with)
    }

    fn start_mechanic(
        self: &Arc<Self>,
        new: impl FnOnce(Arc<RunningMechanics>, Arc<MechanicContext>) -> MechanicActor + Send + 'static,
    ) -> Addr<MechanicActor> {
        let (running, context) = (self.mechanics.clone(), self.context_for_mechanics());
        MechanicActor::start_in_arbiter(&self.arbiters.mechanics, move |_| new(running, context))
    }

    fn context_for_mechanics(self: &Arc<Self>) -> Arc<MechanicContext> {
        let mut shared = locked(&self.for_mechanics);
        if let Some(context) = shared.upgrade() {
            return context;
        }
        let context = Arc::new(MechanicContext {
            journal: self.ports.journal.clone(),
            outbound: self.ports.outbound.clone(),
            audience: self.audience.clone(),
            eta: self.ports.eta.clone(),
            clock: self.clock.clone(),
            settings: self.settings.clone(),
            shutdown: self.shutdown.clone(),
            dispatcher: Box::new(self.clone()),
            jobs: Box::new(self.clone()),
        });
        *shared = Arc::downgrade(&context);
        context
    }

    pub(crate) fn dispatcher(self: &Arc<Self>) -> Addr<DispatcherActor> {
        self.with_dispatcher(Addr::clone)
    }

    fn with_dispatcher<T>(self: &Arc<Self>, with: impl FnOnce(&Addr<DispatcherActor>) -> T) -> T {
        let mut slot = locked(&self.dispatcher);
        match &*slot {
            Some(addr) if addr.connected() => with(addr),
            _ => {
                // The new dispatcher knows no jobs or mechanics yet.
                self.request_announcement();
                with(slot.insert(self.start_dispatcher()))
            }
        }
    }

    fn start_dispatcher(self: &Arc<Self>) -> Addr<DispatcherActor> {
        let context = DispatcherContext {
            eta: self.ports.eta.clone(),
            outbound: self.ports.outbound.clone(),
            explanations: self.ports.journal.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            settings: self.settings.clone(),
            policies: self.policies.clone(),
            shutdown: self.shutdown.clone(),
            supplies: self.supplies.clone(),
            loading: self.loading.clone(),
            experience: self.experience.clone(),
            may_solve_elsewhere: self.arbiters.are_own,
            jobs: Box::new(self.clone()),
            mechanics: Box::new(self.clone()),
        };
        DispatcherActor::start_in_arbiter(&self.arbiters.dispatcher, move |_| DispatcherActor::new(context))
    }

    /// Has the supervisor ask everyone to report to the dispatcher again.
    pub(crate) fn request_announcement(&self) {
        self.needs_announcement.store(true, Ordering::Release);
    }

    pub(crate) fn take_needs_announcement(&self) -> bool {
        self.needs_announcement.swap(false, Ordering::AcqRel)
    }

    pub(crate) fn take_missed_messages(&self) -> BTreeSet<MechanicId> {
        std::mem::take(&mut *locked(&self.missed_messages))
    }

    /// Sends a message to a mechanic. If their mailbox is full, the supervisor has them reload later.
    pub(crate) fn notify_mechanic(self: &Arc<Self>, id: MechanicId, message: MechanicMessage) {
        if self.with_mechanic(id, |addr| addr.try_send(message).is_err()) {
            locked(&self.missed_messages).insert(id);
        }
    }

    /// Withdraws an offer from a mechanic who can't serve it. This is best effort: an offer that is not withdrawn
    /// expires.
    pub(crate) fn revoke_offer(
        self: &Arc<Self>,
        job: JobId,
        offer_id: OfferId,
        mechanic_id: MechanicId,
    ) -> actix_rt::task::JoinHandle<()> {
        let context = self.clone();
        let (order, _) = self.new_order(By::System, Command::Revoke { offer_id, mechanic_id });
        actix_rt::spawn(async move {
            if let Err(error) = context.ask_job(job, order).await {
                tracing::warn!(offer.id = %offer_id, error.cause = %error, "an offer was not revoked");
            }
        })
    }

    /// Asks a mechanic's actor. If it ended before it took the message, its successor is asked, once.
    pub(crate) async fn ask_mechanic<M>(
        self: &Arc<Self>,
        id: MechanicId,
        message: M,
    ) -> Result<M::Result, MailboxError>
    where
        M: Message + Clone + Send + 'static,
        M::Result: Send,
        MechanicActor: Handler<M>,
        Context<MechanicActor>: ToEnvelope<MechanicActor, M>,
    {
        let timeout = self.settings.limits.command_timeout;
        match self.mechanic(id).send(message.clone()).timeout(timeout).await {
            Err(MailboxError::Closed) => self.mechanic(id).send(message).timeout(timeout).await,
            answer => answer,
        }
    }

    /// Asks a job's actor. If it ended before it took the message, its successor is asked, once: the command's id makes
    /// the repetition harmless.
    pub(crate) async fn ask_job<M>(self: &Arc<Self>, id: JobId, message: M) -> Result<M::Result, MailboxError>
    where
        M: Message + Clone + Send + 'static,
        M::Result: Send,
        JobActor: Handler<M>,
        Context<JobActor>: ToEnvelope<JobActor, M>,
    {
        let timeout = self.settings.limits.command_timeout;
        match self.job(id).send(message.clone()).timeout(timeout).await {
            Err(MailboxError::Closed) => self.job(id).send(message).timeout(timeout).await,
            answer => answer,
        }
    }

    /// Gives a job a command. If its actor died while executing it, the command is repeated to the successor. A refusal
    /// then means that the outcome is unknown: the first actor may have committed it.
    pub(crate) async fn command<M>(
        self: &Arc<Self>,
        id: JobId,
        message: M,
        started: StartedFlag,
    ) -> Result<Done, Refusal>
    where
        M: Message<Result = Result<Done, Refusal>> + Clone + Send + 'static,
        JobActor: Handler<M> + Handler<Traced<M>>,
        Context<JobActor>: ToEnvelope<JobActor, M> + ToEnvelope<JobActor, Traced<M>>,
    {
        // A context that is not recorded goes along, too: otherwise the commit would join the trace of an earlier
        // command.
        let trace = traces::begin("job.command", SpanKind::Internal, Vec::new).or_else(traces::current);
        let unknown =
            |error: MailboxError| Refusal::OutcomeUnknown(format!("no answer from the job's actor: {error}"));
        let timeout = self.settings.limits.command_timeout;
        let mut was_started = false;
        for _ in 0..MAX_TRIES {
            let (actor, message) = (self.job(id), message.clone());
            let answer = match trace.clone() {
                None => actor.send(message).timeout(timeout).await,
                Some(context) => actor.send(Traced { message, context }).timeout(timeout).await,
            };
            match answer {
                Err(MailboxError::Closed) if !was_started => was_started = started.get(),
                Ok(Err(refusal)) if was_started => {
                    return Err(Refusal::OutcomeUnknown(format!(
                        "the job's actor died during the command, and its successor answered: {refusal}"
                    )));
                }
                answer => return answer.map_err(unknown)?,
            }
        }
        match was_started {
            true => Err(unknown(MailboxError::Closed)),
            false => Err(Refusal::Unavailable("the job's actor keeps ending".to_owned())),
        }
    }
}

impl job::context::DispatcherHandle for Arc<EngineContext> {
    fn update_demand(&self, update: DemandUpdate) {
        if self.with_dispatcher(|addr| addr.try_send(update).is_err()) {
            self.request_announcement();
        }
    }
}

impl job::context::MechanicsHandle for Arc<EngineContext> {
    fn notify(&self, id: MechanicId, message: MechanicMessage) {
        self.notify_mechanic(id, message);
    }
}

impl mechanic::context::DispatcherHandle for Arc<EngineContext> {
    fn update_supply(&self, id: MechanicId, report: SupplyReport) {
        // If the mailbox is full, the next sweep takes the report in.
        if self.supplies.put(id, report) {
            self.with_dispatcher(|addr| addr.try_send(SupplyChanged).ok());
        }
    }
}

impl mechanic::context::JobsHandle for Arc<EngineContext> {
    fn revoke_offer(&self, job: JobId, offer: OfferId, mechanic: MechanicId) {
        EngineContext::revoke_offer(self, job, offer, mechanic);
    }

    fn report_finding(
        &self,
        job: JobId,
        mechanic_id: MechanicId,
        attempt: u32,
        finding: Finding,
    ) -> BoxFuture<'_, Result<(), Refusal>> {
        let (order, started) = self.new_order(By::System, Command::Watch { mechanic_id, attempt, finding });
        Box::pin(async move { self.command(job, order, started).await.map(drop) })
    }
}

impl dispatcher::context::JobsHandle for Arc<EngineContext> {
    fn propose(
        &self,
        job: JobId,
        attempt: u32,
        round: u32,
        proposals: Vec<Proposal>,
    ) -> BoxFuture<'_, Result<Result<(), Refusal>, MailboxError>> {
        let (order, _) = self.new_order(By::System, Command::Offer { attempt, round, proposals });
        Box::pin(async move { Ok(self.ask_job(job, order).await?.map(drop)) })
    }
}

impl dispatcher::context::MechanicsHandle for Arc<EngineContext> {
    fn reserve(&self, id: MechanicId, reserve: Reserve) -> BoxFuture<'_, Result<bool, MailboxError>> {
        Box::pin(self.ask_mechanic(id, reserve))
    }

    fn notify(&self, id: MechanicId, message: MechanicMessage) {
        self.notify_mechanic(id, message);
    }

    fn request_supply(&self, id: MechanicId) {
        if self.with_mechanic(id, |addr| addr.try_send(Announce).is_err()) {
            self.request_announcement();
        }
    }
}
