//! The shell around the job's state machine: one commit at a time, then the word to those concerned.
//!
//! Memory is a cache of the journal. It is dropped whenever it may be wrong (a version conflict, an unknown
//! outcome), and loaded again before the next command is decided. While the journal fails nothing is acted on, and
//! nothing is tried more often than once in [`RETRY_AFTER`].

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use actix::prelude::*;
use chrono::{DateTime, TimeDelta, Utc};

use super::{
    context::{GracePeriod, JobContext},
    drive::{Driven, create, drive, is_worth_a_pause, load},
    messages::{Announce, Begun, Done, Look, Open, Order, Refresh, Wake},
    state::{Actor as By, Command, Event, Job, Refusal, Stage, locked},
};
use crate::{
    ids::{JobId, MechanicId},
    messages::{DemandUpdate, MechanicMessage},
    status::OfferStatus,
};

/// After a failure the next try comes no sooner than this: the database may be away.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(1);
/// A commit whose outcome is unknown may happen this much later.
const MAY_APPEAR_WITHIN: TimeDelta = TimeDelta::seconds(30);
/// A process that starts looks again after this: what the one before it left under way is mostly over by then.
const LOOK_AFTER_START: TimeDelta = TimeDelta::seconds(8);

/// The actor of a settled job stays for this long after what it did last: an actor that ends drops what waits in its mailbox,
/// and its successor would end the same way while its callers still come.
const LINGER: Duration = Duration::from_secs(5);

/// Owns one job.
#[derive(Debug)]
pub(crate) struct JobActor {
    pub(super) id: JobId,
    pub(super) context: Arc<JobContext>,
    /// `None` until loaded, and whenever memory may be wrong.
    pub(super) job: Option<Job>,
    timer: Option<SpawnHandle>,
    /// Whom a memory that was dropped knew: what was committed since, nobody told them.
    concerned: BTreeSet<MechanicId>,
    /// Something failed: until then nothing is tried, nor asked of the dispatcher.
    paused_until: Option<DateTime<Utc>>,
    /// Until then a job that is not in the journal may still turn up there.
    may_appear_until: Option<DateTime<Utc>>,
    /// What the journal says may not be its last word.
    doubt: Option<Doubt>,
    /// Its place among those that linger.
    lingering: Option<GracePeriod>,
}

/// A commit may still happen that nobody will be told of: the journal is looked at again, at growing distances.
#[derive(Debug, Clone, Copy)]
struct Doubt {
    since: DateTime<Utc>,
    look_at: DateTime<Utc>,
}

impl Doubt {
    fn new(since: DateTime<Utc>, first: TimeDelta) -> Self {
        Self { since, look_at: since + first }
    }

    /// Once looked: the next look, if there is one.
    fn next(self) -> Option<Self> {
        let waited = self.look_at - self.since;
        (waited < MAY_APPEAR_WITHIN).then(|| Self::new(self.since, waited * 2))
    }
}

impl JobActor {
    /// An actor that loads its job with the first message, or by itself if none comes.
    pub(crate) fn new(id: JobId, context: JobContext) -> Self {
        // The one before may have died in the middle of a commit.
        let doubt = Some(Doubt::new(context.clock.now(), RETRY_AFTER));
        Self {
            id,
            context: Arc::new(context),
            job: None,
            timer: None,
            concerned: BTreeSet::new(),
            paused_until: None,
            may_appear_until: None,
            doubt,
            lingering: None,
        }
    }

    /// An actor of a job that was loaded already, at start.
    pub(crate) fn loaded(job: Job, context: JobContext) -> Self {
        let doubt = Some(Doubt::new(context.clock.now(), LOOK_AFTER_START));
        Self { job: Some(job.clone()), doubt, ..Self::new(job.id, context) }
    }

    fn settle(
        &mut self,
        command: &Command,
        driven: Driven,
        ctx: &mut Context<Self>,
    ) -> Result<Done, Refusal> {
        let Driven { job, result, is_reloaded, doubted } = driven;
        self.concerned.extend(doubted.iter().flat_map(concerned));
        self.take_up(job, is_reloaded);
        let could_not_look = self.job.is_none() && matches!(result, Err(Refusal::Unavailable(_)));
        // What was under way when the journal went away may be committed once it is back.
        if could_not_look || matches!(result, Err(Refusal::OutcomeUnknown(_))) {
            self.doubt = Some(Doubt::new(self.context.clock.now(), RETRY_AFTER));
        }
        let result = match (result, &self.job) {
            (Ok(event), Some(job)) => Ok(Done { event, job: job.clone() }),
            (Ok(_), None) => Err(Refusal::OutcomeUnknown("the job is no longer in memory".to_owned())),
            (Err(refusal), _) => Err(refusal),
        };
        match (&self.job, &result) {
            (Some(job), Ok(Done { event: Some(event), .. })) => {
                self.act_on(event, job);
                self.paused_until = None;
            }
            (_, Err(refusal)) if is_worth_a_pause(command, refusal) => self.pause(),
            _ => {}
        }
        self.carry_on(ctx);
        result
    }

    /// Takes the job as it is known now. A reload may bring commits that nobody was told of.
    fn take_up(&mut self, job: Option<Job>, is_reloaded: bool) {
        if job.is_none() || is_reloaded {
            self.concerned.extend(self.job.iter().flat_map(concerned));
        }
        self.job = job;
        if let (true, Some(job)) = (is_reloaded, &self.job) {
            for mechanic_id in std::mem::take(&mut self.concerned) {
                self.context.mechanics.notify(mechanic_id, MechanicMessage::Reload);
            }
            self.announce();
            self.context.outbound.job_changed(job.id, job.seq);
        }
    }

    fn pause(&mut self) {
        self.paused_until = Some(self.context.clock.now() + RETRY_AFTER);
    }

    /// Sets the timer for what is due next, tells the dispatcher what is wanted, and lingers when nothing is left to do.
    fn carry_on(&mut self, ctx: &mut Context<Self>) {
        self.paused_until = self.paused_until.filter(|until| self.context.clock.now() < *until);
        self.arm(ctx);
        let job = self.job.as_ref().filter(|_| self.paused_until.is_none());
        // Without a job, whatever was wanted is unknown until it is loaded again.
        let demand = job.and_then(|job| job.demand(self.context.clock.now()));
        self.context.dispatcher.update_demand(DemandUpdate { job_id: self.id, demand });
        match self.job.as_ref().is_some_and(Job::is_settled) {
            true => self.linger(ctx),
            false => self.lingering = None,
        }
    }

    /// Nothing is due any more: only the end, a while after the last that was done.
    fn linger(&mut self, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        self.lingering = self.lingering.take().or_else(|| self.context.grace_periods.begin());
        match self.lingering {
            Some(_) => self.timer = Some(ctx.run_later(LINGER, |_, ctx| ctx.stop())),
            None => ctx.stop(),
        }
    }

    fn arm(&mut self, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let now = self.context.clock.now();
        let version = self.job.as_ref().map_or(0, |job| job.version);
        let due = match (self.paused_until, &self.job) {
            (Some(until), _) => Some(until),
            (None, Some(job)) => job.next_due(),
            // Look again by oneself: nobody else may ask. Not at once, a first message may be on its way.
            (None, None) => Some(now + RETRY_AFTER),
        };
        let look_at = self.doubt.map(|doubt| doubt.look_at);
        let Some(due) = due.into_iter().chain(look_at).min() else { return };
        let wait = (due - now).to_std().unwrap_or_default();
        self.timer = Some(ctx.notify_later(Wake { version }, wait));
    }

    /// Reservations whose offers were not committed are let go.
    fn undo_proposals(&self, command: &Command, result: &Result<Option<Event>, Refusal>) {
        let (Command::Offer { proposals, .. }, Err(refusal)) = (command, result) else { return };
        for proposal in proposals {
            self.end_offer(proposal.offer_id, proposal.mechanic_id, OfferStatus::Revoked);
            // The journal knows, or may know, what the mechanic's actor does not: it shall look.
            if matches!(refusal, Refusal::MechanicBusy | Refusal::OutcomeUnknown(_)) {
                self.context.mechanics.notify(proposal.mechanic_id, MechanicMessage::Reload);
            }
        }
    }

    /// Drives an order on the memory as it is when its turn comes: a timer may fire between a message and the
    /// start of its work.
    fn driven(&self, order: Order) -> impl ActorFuture<Self, Output = (Driven, Order)> + use<> {
        let start = actix::fut::ready(()).into_actor(self);
        start.then(|(), actor: &mut Self, _| {
            let (context, id, memory) = (actor.context.clone(), actor.id, actor.job.clone());
            let is_in_doubt = actor.doubt.is_some();
            order.begun.set();
            let work = async move {
                let driven = drive(&context, id, memory, &order, is_in_doubt).await;
                (driven, order)
            };
            work.into_actor(actor)
        })
    }

    /// The job, loaded where it was not in memory.
    fn looked_at(&self) -> impl ActorFuture<Self, Output = Result<Job, Refusal>> + use<> {
        let start = actix::fut::ready(()).into_actor(self);
        let looked = start.then(|(), actor: &mut Self, _| {
            let (context, id, memory) = (actor.context.clone(), actor.id, actor.job.clone());
            let look = async move {
                match memory {
                    Some(job) => (Ok(job), false),
                    None => (load(context.journal.as_ref(), id).await, true),
                }
            };
            look.into_actor(actor)
        });
        looked.map(|(job, is_loaded), actor: &mut Self, ctx| {
            if is_loaded {
                actor.take_up(job.as_ref().ok().cloned(), true);
                if matches!(job, Err(Refusal::Unavailable(_))) {
                    actor.pause();
                }
                actor.carry_on(ctx);
                actor.leave_if_missing(&job, ctx);
            }
            job
        })
    }

    /// An actor without a row ends, unless the row may still turn up.
    fn leave_if_missing<T>(&mut self, result: &Result<T, Refusal>, ctx: &mut Context<Self>) {
        let now = self.context.clock.now();
        let may_appear = self.may_appear_until.is_some_and(|until| now < until);
        if matches!(result, Err(Refusal::NotFound)) && !may_appear {
            ctx.stop();
        }
    }
}

/// Mechanics with an offer of the job, or on it.
fn concerned(job: &Job) -> impl Iterator<Item = MechanicId> + '_ {
    let offered = job.live_offers().iter().map(|offer| offer.mechanic_id);
    let active = job.assignment().filter(|_| job.status().is_active());
    offered.chain(active.map(|assignment| assignment.mechanic_id))
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.context.shutdown.has_begun() {
            return ctx.stop();
        }
        ctx.set_mailbox_capacity(self.context.settings.limits.mailbox);
        match &self.job {
            Some(_) => {
                self.announce();
                self.carry_on(ctx);
            }
            None => self.arm(ctx),
        }
    }

    fn stopped(&mut self, ctx: &mut Self::Context) {
        // One that panicked stays in the registry, where the keeper finds it.
        if !std::thread::panicking() {
            self.context.registry.remove(self.id, &ctx.address());
        }
    }
}

impl Handler<Order> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, order: Order, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(Box::pin(self.driven(order).map(|(driven, order), actor, ctx| {
            actor.undo_proposals(&order.command, &driven.result);
            let result = actor.settle(&order.command, driven, ctx);
            actor.leave_if_missing(&result, ctx);
            let done = result?;
            // What the mechanic's try at the code led to is committed either way.
            match (&done.event, &done.job.stage) {
                (Some(Event::WrongCodeEntered { locked_until: Some(until) }), _) => {
                    Err(locked(*until, actor.context.clock.now()))
                }
                (Some(Event::WrongCodeEntered { locked_until: None }), Stage::Arrived(assignment)) => {
                    let left =
                        actor.context.settings.jobs.wrong_start_codes.saturating_sub(assignment.wrong_codes);
                    Err(Refusal::WrongStartCode { left })
                }
                _ => Ok(done),
            }
        })))
    }
}

impl Handler<Open> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, open: Open, ctx: &mut Self::Context) -> Self::Result {
        let (context, id, existing) = (self.context.clone(), self.id, self.job.clone());
        open.begun.set();
        // Nothing to look at again by oneself before the row exists.
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let work = async move {
            match existing {
                Some(job) => Driven::known(job, Ok(None), false),
                None => create(&context, id, &open).await,
            }
        };
        AtomicResponse::new(Box::pin(work.into_actor(self).map(|driven, actor, ctx| {
            let is_unmade = driven.job.is_none();
            if matches!(driven.result, Err(Refusal::OutcomeUnknown(_))) {
                // It may be committed: somebody must look after it then.
                actor.may_appear_until = Some(actor.context.clock.now() + MAY_APPEAR_WITHIN);
            } else if is_unmade {
                ctx.stop();
            } else {
                actor.doubt = None;
            }
            actor.settle(&Command::Tick, driven, ctx)
        })))
    }
}

impl Handler<Wake> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    /// Does what is due; the next thing due gets a timer of its own. While the journal is away nothing is acted on.
    fn handle(&mut self, wake: Wake, ctx: &mut Self::Context) -> Self::Result {
        self.timer = None;
        let is_late = self.job.as_ref().is_some_and(|job| job.version != wake.version);
        if is_late {
            self.arm(ctx);
            return AtomicResponse::new(Box::pin(actix::fut::ready(())));
        }
        if let Some(doubt) = self.doubt.filter(|doubt| self.context.clock.now() >= doubt.look_at) {
            self.doubt = doubt.next();
            self.take_up(None, false);
        }
        let order = Order {
            id: self.context.new_command_id(),
            by: By::System,
            command: Command::Tick,
            begun: Begun::default(),
        };
        AtomicResponse::new(Box::pin(self.driven(order).map(|(driven, order), actor, ctx| {
            let result = actor.settle(&order.command, driven, ctx);
            actor.leave_if_missing(&result, ctx);
            match result {
                Ok(_) | Err(Refusal::NothingDue | Refusal::NotFound) => {}
                Err(refusal) => {
                    tracing::warn!(job.id = %actor.id, error.cause = %refusal, "could not do what is due, will try again");
                }
            }
        })))
    }
}

impl Handler<Look> for JobActor {
    type Result = AtomicResponse<Self, Result<Job, Refusal>>;

    fn handle(&mut self, _: Look, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(Box::pin(self.looked_at()))
    }
}

impl Handler<Refresh> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    fn handle(&mut self, _: Refresh, _: &mut Self::Context) -> Self::Result {
        self.take_up(None, false);
        AtomicResponse::new(Box::pin(self.looked_at().map(|_, _, _| ())))
    }
}

impl Handler<Announce> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Announce, ctx: &mut Self::Context) {
        self.announce();
        self.carry_on(ctx);
    }
}

#[cfg(feature = "simulation")]
impl Handler<crate::messages::InjectedFault> for JobActor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
