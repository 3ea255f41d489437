//! The job's actor: executes one command at a time, and commits it before anything follows from it. [`JobCache`]
//! decides what the actor remembers and when it acts.

use std::{sync::Arc, time::Duration};

use actix::{fut::LocalBoxActorFuture, prelude::*};

use super::{
    cache::{Execution, JobCache, WakeUp},
    context::{GracePeriod, JobContext},
    decide::{refused_start, refused_start_again},
    effects::{Effect, Schedule},
    execute::{create, execute, load},
    messages::{Adopt, Announce, CreateJob, FindCommand, GetJob, Order, Reload, StartedFlag, Wake},
    ports::LoggedAs,
    state::{Actor as By, Command, Done, Job, Refusal},
};
use crate::{
    ids::JobId,
    messages::DemandUpdate,
    outbound::Announcement,
    registry::Registry,
    traces::{Traced, on_actor},
};

/// The time for which the actor of a settled job is kept after its last command. An actor that ends drops the
/// messages in its mailbox, and while callers keep coming its successors would do the same.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The jobs that have actors.
pub(crate) type RunningJobs = Registry<JobId, JobActor>;

/// Owns one job.
#[derive(Debug)]
pub(crate) struct JobActor {
    id: JobId,
    running: Arc<RunningJobs>,
    context: Arc<JobContext>,
    cache: JobCache,
    timer: Option<SpawnHandle>,
    grace_period: Option<GracePeriod>,
}

impl JobActor {
    /// Creates an actor that loads its job with the first message, or by itself if none comes.
    pub(crate) fn new(id: JobId, running: Arc<RunningJobs>, context: JobContext) -> Self {
        let cache = JobCache::unloaded(context.clock.now());
        Self::with(id, running, cache, context)
    }

    /// Creates an actor for a job that was already loaded at start.
    pub(crate) fn loaded(job: Job, running: Arc<RunningJobs>, context: JobContext) -> Self {
        let (id, cache) = (job.id, JobCache::loaded(job, context.clock.now()));
        Self::with(id, running, cache, context)
    }

    fn with(id: JobId, running: Arc<RunningJobs>, cache: JobCache, context: JobContext) -> Self {
        Self { id, running, context: Arc::new(context), cache, timer: None, grace_period: None }
    }

    /// Returns the answer to the caller of a committed command. If the job can't be read, the answer never says
    /// that nothing was changed.
    fn committed(&self, logged_as: LoggedAs, job: Result<Job, Refusal>) -> Result<Job, Refusal> {
        let job = job.map_err(|refusal| Refusal::OutcomeUnknown(refusal.to_string()))?;
        match logged_as {
            LoggedAs::Done => Ok(job),
            LoggedAs::WrongStartCode => {
                let (policy, now) = (&self.context.settings.jobs, self.context.clock.now());
                Err(refused_start_again(&job, policy, now))
            }
        }
    }

    fn perform(&mut self, effects: Vec<Effect>, ctx: &mut Context<Self>) {
        for effect in effects {
            match effect {
                Effect::Notify(mechanic_id, message) => self.context.mechanics.notify(mechanic_id, message),
                Effect::ReportChange(seq) => {
                    let grown = Announcement::JobChanged { job: self.id, seq };
                    self.context.outbound.announce(grown);
                }
                Effect::ReportProgress(progress) => {
                    self.context.outbound.announce(Announcement::Progress(progress));
                }
                Effect::Learn(lesson) => self.context.experience.learn(lesson),
                Effect::UpdateDemand(demand) => {
                    let demand = demand.map(|demand| *demand);
                    self.context.dispatcher.update_demand(DemandUpdate { job_id: self.id, demand });
                }
                Effect::Schedule(schedule) => self.schedule(schedule, ctx),
                Effect::Stop => ctx.stop(),
            }
        }
    }

    fn schedule(&mut self, schedule: Schedule, ctx: &mut Context<Self>) {
        self.cancel_timer(ctx);
        match schedule {
            Schedule::EndAfterGracePeriod => {
                let began = self.grace_period.take().or_else(|| self.context.grace_periods.begin());
                match began {
                    Some(_) => self.timer = Some(ctx.run_later(GRACE_PERIOD, |_, ctx| ctx.stop())),
                    None => ctx.stop(),
                }
                self.grace_period = began;
            }
            Schedule::WakeAt { at, version } => {
                self.grace_period = None;
                let wait = (at - self.context.clock.now()).to_std().unwrap_or_default();
                self.timer = Some(ctx.notify_later(Wake { version }, wait));
            }
            Schedule::Never => self.grace_period = None,
        }
    }

    fn cancel_timer(&mut self, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
    }

    /// Executes an order on the copy that exists when the order's turn comes: a timer may fire between a message
    /// and the start of its work.
    fn execute(&self, order: Order) -> impl ActorFuture<Self, Output = Result<Done, Refusal>> + use<> {
        let start = actix::fut::ready(()).into_actor(self);
        let executed = start.then(|(), actor: &mut Self, _| {
            let (context, id, copy) = (actor.context.clone(), actor.id, actor.cache.job().cloned());
            let is_in_question = actor.cache.is_in_question();
            order.started.set();
            let work = async move {
                let execution = execute(&context, id, copy, &order, is_in_question).await;
                (execution, order.command)
            };
            work.into_actor(actor)
        });
        executed.map(|(execution, command), actor: &mut Self, ctx| {
            let now = actor.context.clock.now();
            let (result, effects) = actor.cache.executed(&command, execution, now);
            actor.perform(effects, ctx);
            result
        })
    }

    fn carry_out(&self, order: Order) -> LocalBoxActorFuture<Self, Result<Done, Refusal>> {
        Box::pin(self.execute(order).map(|result, actor, _| {
            let done = result?;
            let (policy, now) = (&actor.context.settings.jobs, actor.context.clock.now());
            match refused_start(&done, policy, now) {
                Some(refusal) => Err(refusal),
                None => Ok(done),
            }
        }))
    }

    fn create(
        &mut self,
        open: CreateJob,
        ctx: &mut Context<Self>,
    ) -> LocalBoxActorFuture<Self, Result<Done, Refusal>> {
        let (context, id, existing) = (self.context.clone(), self.id, self.cache.job().cloned());
        open.started.set();
        // There is nothing to load before the row exists.
        self.cancel_timer(ctx);
        let work = async move {
            match existing {
                Some(job) => Execution::known(job, Ok(None), false),
                None => create(&context, id, &open).await,
            }
        };
        Box::pin(work.into_actor(self).map(|execution, actor, ctx| {
            let (result, effects) = actor.cache.created(execution, actor.context.clock.now());
            actor.perform(effects, ctx);
            result
        }))
    }

    /// Returns the job, and loads it if there is no copy.
    fn look(&self) -> impl ActorFuture<Self, Output = Result<Job, Refusal>> + use<> {
        let start = actix::fut::ready(()).into_actor(self);
        let looked = start.then(|(), actor: &mut Self, _| {
            let (context, id, copy) = (actor.context.clone(), actor.id, actor.cache.job().cloned());
            let look = async move {
                match copy {
                    Some(job) => (Ok(job), false),
                    None => (load(context.journal.as_ref(), id).await, true),
                }
            };
            look.into_actor(actor)
        });
        looked.map(|(job, is_loaded), actor: &mut Self, ctx| {
            if is_loaded {
                let effects = actor.cache.looked_up(job.as_ref(), actor.context.clock.now());
                actor.perform(effects, ctx);
            }
            job
        })
    }
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.context.shutdown.has_begun() {
            return ctx.stop();
        }
        ctx.set_mailbox_capacity(self.context.settings.limits.mailbox);
        let effects = self.cache.start(self.context.clock.now());
        self.perform(effects, ctx);
    }

    fn stopped(&mut self, ctx: &mut Self::Context) {
        // An actor that panicked stays registered, so that the supervisor finds it.
        if !std::thread::panicking() {
            self.running.remove(self.id, &ctx.address());
        }
    }
}

impl Handler<Order> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, order: Order, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(self.carry_out(order))
    }
}

impl Handler<Traced<Order>> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, order: Traced<Order>, _: &mut Self::Context) -> Self::Result {
        let Traced { message, context } = order;
        AtomicResponse::new(Box::pin(on_actor("job.execute", context, || self.carry_out(message))))
    }
}

impl Handler<CreateJob> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, open: CreateJob, ctx: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(self.create(open, ctx))
    }
}

impl Handler<Traced<CreateJob>> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, open: Traced<CreateJob>, ctx: &mut Self::Context) -> Self::Result {
        let Traced { message, context } = open;
        AtomicResponse::new(Box::pin(on_actor("job.execute", context, || self.create(message, ctx))))
    }
}

impl Handler<Wake> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    /// Executes what is due. The next due time gets a timer of its own.
    fn handle(&mut self, wake: Wake, ctx: &mut Self::Context) -> Self::Result {
        self.timer = None;
        if let WakeUp::OutOfDate(effects) = self.cache.wake_up(wake.version, self.context.clock.now()) {
            self.perform(effects, ctx);
            return AtomicResponse::new(Box::pin(actix::fut::ready(())));
        }
        let (id, started) = (self.context.new_command_id(), StartedFlag::default());
        let order = Order { id, by: By::System, command: Command::Tick, started };
        AtomicResponse::new(Box::pin(self.execute(order).map(|result, actor, _| match result {
            Ok(_) | Err(Refusal::NothingDue | Refusal::NotFound) => {}
            Err(refusal) => {
                tracing::warn!(job.id = %actor.id, error.cause = %refusal, "could not do what is due, will try again");
            }
        })))
    }
}

impl Handler<GetJob> for JobActor {
    type Result = AtomicResponse<Self, Result<Job, Refusal>>;

    fn handle(&mut self, _: GetJob, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(Box::pin(self.look()))
    }
}

impl Handler<FindCommand> for JobActor {
    type Result = AtomicResponse<Self, Result<Option<Job>, Refusal>>;

    /// Returns the current job if the command is in its log. Waits for the command that is being executed.
    fn handle(&mut self, FindCommand(command): FindCommand, _: &mut Self::Context) -> Self::Result {
        let (context, id) = (self.context.clone(), self.id);
        let find = async move { context.journal.find_command(id, command).await };
        let found = find.into_actor(self).then(move |found, actor, _| -> LocalBoxActorFuture<Self, _> {
            match found {
                Ok(Some(logged_as)) => {
                    Box::pin(actor.look().map(move |job, actor, _| actor.committed(logged_as, job).map(Some)))
                }
                Ok(None) if actor.cache.is_in_question() => {
                    let unknown = "a commit of this job may still appear".to_owned();
                    Box::pin(actix::fut::ready(Err(Refusal::OutcomeUnknown(unknown))))
                }
                Ok(None) => Box::pin(actix::fut::ready(Ok(None))),
                Err(error) => Box::pin(actix::fut::ready(Err(Refusal::OutcomeUnknown(error.to_string())))),
            }
        });
        AtomicResponse::new(Box::pin(found))
    }
}

impl Handler<Adopt> for JobActor {
    type Result = ();

    fn handle(&mut self, Adopt(job): Adopt, ctx: &mut Self::Context) {
        let effects = self.cache.committed_elsewhere(&job, self.context.clock.now());
        self.perform(effects, ctx);
    }
}

impl Handler<Reload> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    fn handle(&mut self, Reload(version): Reload, _: &mut Self::Context) -> Self::Result {
        if self.cache.job().zip(version).is_none_or(|(job, version)| job.version < version) {
            self.cache.discard();
        }
        AtomicResponse::new(Box::pin(self.look().map(|_, _, _| ())))
    }
}

impl Handler<Announce> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Announce, ctx: &mut Self::Context) {
        let effects = self.cache.announce(self.context.clock.now());
        self.perform(effects, ctx);
    }
}

#[cfg(any(test, feature = "simulation"))]
impl Handler<crate::messages::InjectedFault> for JobActor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
