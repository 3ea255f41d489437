//! The shell around the job's state machine: one commit at a time, then the word to those concerned.
//!
//! Memory is a cache of the journal. It is dropped whenever it may be wrong (a version conflict, an unknown
//! outcome), and loaded again before the next command is decided.

use std::sync::Arc;

use actix::prelude::*;
use chrono::TimeDelta;

use super::{
    fee,
    messages::{Announce, Done, Look, Open, Order, QuoteFee, Refresh, Wake},
    state::{Actor as By, Command, Event, Job, Refusal, Stage},
};
use crate::{
    dispatcher::messages::{Demand, Want},
    engine::World,
    ids::{CommandId, JobId, MechanicId, OfferId},
    ports::{Change, CommitError, DispatchProgress, Guard, OfferCard, OfferStatus},
    wires::Word,
};

/// After a failed tick, the next try comes no sooner than this: the database may be away.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(1);
/// Offers show the pickup rounded to this many metres.
const PICKUP_GRID_M: f64 = 100.0;

/// Owns one job.
#[derive(Debug)]
pub(crate) struct JobActor {
    id: JobId,
    world: Arc<World>,
    /// `None` until loaded, and whenever memory may be wrong.
    job: Option<Job>,
    timer: Option<SpawnHandle>,
}

/// What became of one command, and the memory that goes with it.
struct Driven {
    job: Option<Job>,
    result: Result<Option<Event>, Refusal>,
}

impl JobActor {
    /// An actor that loads its job with the first message.
    pub(crate) fn new(id: JobId, world: Arc<World>) -> Self {
        Self { id, world, job: None, timer: None }
    }

    /// An actor of a job that was loaded already, at start.
    pub(crate) fn loaded(job: Job, world: Arc<World>) -> Self {
        Self { id: job.id, world, job: Some(job), timer: None }
    }

    fn settle(&mut self, driven: Driven, ctx: &mut Context<Self>) -> Result<Done, Refusal> {
        let was_unknown = self.job.is_none();
        self.job = driven.job;
        let result = match (driven.result, &self.job) {
            (Ok(event), Some(job)) => Ok(Done { event, job: job.clone() }),
            (Ok(_), None) => Err(Refusal::OutcomeUnknown("the job is no longer in memory".to_owned())),
            (Err(refusal), _) => Err(refusal),
        };
        if let (Some(job), Ok(Done { event: Some(event), .. })) = (&self.job, &result) {
            self.act_on(event, job);
        }
        if was_unknown && self.job.is_some() {
            self.announce();
        }
        self.carry_on(ctx);
        result
    }

    /// Sets the timer for what is due next, tells the dispatcher what is wanted, and ends when nothing is left to do.
    fn carry_on(&mut self, ctx: &mut Context<Self>) {
        self.arm(ctx, TimeDelta::zero());
        match &self.job {
            Some(job) => {
                self.world.demand(Demand { job_id: job.id, want: want(job, &self.world) });
                if job.is_settled() {
                    ctx.stop();
                }
            }
            // Whatever was wanted is unknown until the job is loaded again.
            None => self.world.demand(Demand { job_id: self.id, want: None }),
        }
    }

    fn arm(&mut self, ctx: &mut Context<Self>, least: TimeDelta) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let now = self.world.clock.now();
        let (version, due) = match &self.job {
            Some(job) => (job.version, job.next_due()),
            // Memory was dropped: look again by oneself, nobody else may ask.
            None => (0, Some(now + RETRY_AFTER)),
        };
        let Some(due) = due else { return };
        let wait = (due - now).max(least).to_std().unwrap_or_default();
        self.timer = Some(ctx.notify_later(Wake { version }, wait));
    }

    /// The word to those concerned, after the commit. Each repeats what the journal holds, so a lost one is mended
    /// by the next announcement.
    fn act_on(&self, event: &Event, job: &Job) {
        let world = &self.world;
        match event {
            Event::OffersMade { offers } => {
                for offer in offers {
                    self.tell_offered(job, offer.id);
                }
                self.tell_progress(job, offers.len());
            }
            Event::OfferDeclined { offer_id, mechanic_id, .. } => {
                self.end_offer(*offer_id, *mechanic_id, OfferStatus::Declined);
            }
            Event::OfferRevoked { offer_id, mechanic_id } => {
                self.end_offer(*offer_id, *mechanic_id, OfferStatus::Revoked);
            }
            Event::OffersExpired { offers } => self.end_offers(offers, OfferStatus::Expired),
            Event::Accepted { assignment, revoked, .. } => {
                if let Some(offer_id) = assignment.offer_id {
                    self.end_offer(offer_id, assignment.mechanic_id, OfferStatus::Accepted);
                }
                self.end_offers(revoked, OfferStatus::Revoked);
                self.tell_assigned(job);
            }
            Event::Arrived { .. } => self.tell_assigned(job),
            Event::Released { mechanic_id, .. } => self.unassign(*mechanic_id),
            Event::Completed { .. } => {
                if let Some(assignment) = job.assignment() {
                    self.unassign(assignment.mechanic_id);
                }
            }
            Event::Cancelled { revoked, .. } => {
                self.end_offers(revoked, OfferStatus::Revoked);
                if let Some(assignment) = job.assignment() {
                    self.unassign(assignment.mechanic_id);
                }
            }
            Event::Created { .. }
            | Event::Began { .. }
            | Event::Exhausted { .. }
            | Event::Retried { .. }
            | Event::WentEnRoute
            | Event::WrongCodeEntered { .. }
            | Event::Started => {}
        }
        if event.is_public() {
            world.ports.outbound.job_changed(job.id, job.seq);
        }
    }

    /// Says again what the journal holds: to mechanics whose actors may have started anew.
    fn announce(&self) {
        let Some(job) = &self.job else { return };
        for offer in job.live_offers() {
            self.tell_offered(job, offer.id);
        }
        if job.status().is_active() {
            self.tell_assigned(job);
        }
    }

    fn tell_offered(&self, job: &Job, offer_id: OfferId) {
        let Some(offer) = job.live_offers().iter().find(|offer| offer.id == offer_id) else { return };
        let card = OfferCard {
            id: offer.id,
            job_id: job.id,
            mechanic_id: offer.mechanic_id,
            // The mechanic's actor knows its user; the job's does not.
            mechanic_user: crate::ids::UserId(uuid::Uuid::nil()),
            status: OfferStatus::Pending,
            round: offer.round,
            distance_m: offer.distance_m,
            eta_s: offer.eta_s,
            estimated_price_paise: job.spec.estimated_price_paise(),
            category: job.spec.category_id.0,
            vehicle_type: job.spec.vehicle_type,
            pickup: job.spec.pickup.snapped(PICKUP_GRID_M),
            urgency: job.spec.urgency,
            created_at: offer.created_at,
            expires_at: offer.expires_at,
        };
        self.world.tell_mechanic(offer.mechanic_id, Word::Offered(Box::new(card)));
    }

    fn tell_progress(&self, job: &Job, mechanics_offered: usize) {
        let Some(farthest) =
            job.live_offers().iter().map(|offer| f64::from(offer.distance_m)).reduce(f64::max)
        else {
            return;
        };
        let rings = &job.spec.search.rings_m;
        let radius_m = rings.iter().copied().find(|ring| *ring >= farthest).unwrap_or(farthest);
        let round = job.live_offers().last().map_or(0, |offer| offer.round);
        self.world.ports.outbound.dispatch_progress(&DispatchProgress {
            job_id: job.id,
            customer: job.spec.customer_id,
            round,
            radius_m,
            mechanics_offered: u32::try_from(mechanics_offered).unwrap_or(u32::MAX),
        });
    }

    fn tell_assigned(&self, job: &Job) {
        let Some(assignment) = job.assignment() else { return };
        let is_arrived = matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_));
        let word = Word::Assigned { job_id: job.id, pickup: job.spec.pickup, is_arrived };
        self.world.tell_mechanic(assignment.mechanic_id, word);
    }

    fn unassign(&self, mechanic_id: MechanicId) {
        self.world.tell_mechanic(mechanic_id, Word::Unassigned { job_id: self.id });
    }

    fn end_offers(&self, offers: &[(OfferId, MechanicId)], status: OfferStatus) {
        for (offer_id, mechanic_id) in offers {
            self.end_offer(*offer_id, *mechanic_id, status);
        }
    }

    fn end_offer(&self, offer_id: OfferId, mechanic_id: MechanicId, status: OfferStatus) {
        self.world.tell_mechanic(mechanic_id, Word::OfferEnded { offer_id, status });
    }

    /// Reservations whose offers were not committed are let go.
    fn undo_proposals(&self, command: &Command, result: &Result<Option<Event>, Refusal>) {
        if let (Command::Offer { proposals, .. }, Err(refusal)) = (command, result) {
            for proposal in proposals {
                self.end_offer(proposal.offer_id, proposal.mechanic_id, OfferStatus::Revoked);
                // The schema knows an offer or a job that the mechanic's actor does not: it shall look.
                if *refusal == Refusal::MechanicBusy {
                    self.world.tell_mechanic(proposal.mechanic_id, Word::Reload);
                }
            }
        }
    }
}

/// What the dispatcher is asked for: as many offers as the round has room for.
fn want(job: &Job, world: &World) -> Option<Want> {
    let Stage::Dispatching(search) = &job.stage else { return None };
    let policy = &job.spec.search;
    let room = policy.width(search.round).saturating_sub(search.offers.len());
    let is_on = search.round <= policy.max_rounds && search.has_time(world.clock.now());
    (room > 0 && is_on).then(|| Want {
        attempt: job.attempt,
        round: search.round,
        offers: room,
        pickup: job.spec.pickup,
        vehicle_type: job.spec.vehicle_type,
        category_id: job.spec.category_id,
        created_at: job.spec.created_at,
        excluded: job.excluded.clone(),
        search: policy.clone(),
    })
}

/// Decides and commits. A stale memory is loaded anew and decided once more; nothing is believed that the journal
/// did not confirm.
async fn drive(world: &World, id: JobId, mut memory: Option<Job>, order: &Order) -> Driven {
    for _ in 0..2 {
        let job = match memory.take() {
            Some(job) => job,
            None => match world.ports.journal.load_job(id).await {
                Ok(Some(job)) => job,
                Ok(None) => return Driven { job: None, result: Err(Refusal::NotFound) },
                Err(error) => {
                    return Driven { job: None, result: Err(Refusal::Unavailable(error.to_string())) };
                }
            },
        };
        let now = world.clock.now();
        let event = match job.decide(&order.command, world.rules(), now) {
            Ok(event) => event,
            Err(Refusal::AlreadyDone) => return Driven { job: Some(job), result: Ok(None) },
            Err(refusal) => return Driven { job: Some(job), result: Err(refusal) },
        };
        let next = job.apply(&event, now);
        let change = Change {
            command_id: order.id,
            by: order.by,
            at: now,
            expected_version: job.version,
            event: event.clone(),
            next: next.clone(),
            idempotency: None,
        };
        match world.ports.journal.commit(change).await {
            Ok(()) => return Driven { job: Some(next), result: Ok(Some(event)) },
            // Memory was stale, or this command was carried out before a crash: look, and decide once more.
            Err(CommitError::Conflict) => {}
            Err(CommitError::AlreadyCommitted) => return reloaded(world, id).await,
            Err(error) => return failed(error, job),
        }
    }
    Driven { job: None, result: Err(Refusal::Unavailable("the job changes too fast".to_owned())) }
}

/// The command is in the journal already: its caller is told of the job as it stands.
async fn reloaded(world: &World, id: JobId) -> Driven {
    match world.ports.journal.load_job(id).await {
        Ok(Some(job)) => Driven { job: Some(job), result: Ok(None) },
        Ok(None) => Driven { job: None, result: Err(Refusal::NotFound) },
        Err(error) => Driven { job: None, result: Err(Refusal::OutcomeUnknown(error.to_string())) },
    }
}

fn failed(error: CommitError, job: Job) -> Driven {
    match error {
        CommitError::Refused(guard) => Driven { job: Some(job), result: Err(refusal_of(guard)) },
        CommitError::Unknown(why) => Driven { job: None, result: Err(Refusal::OutcomeUnknown(why)) },
        CommitError::Failed(why) => Driven { job: Some(job), result: Err(Refusal::Unavailable(why)) },
        CommitError::Conflict | CommitError::AlreadyCommitted => {
            Driven { job: None, result: Err(Refusal::Unavailable(error.to_string())) }
        }
    }
}

fn refusal_of(guard: Guard) -> Refusal {
    match guard {
        Guard::OneActiveJobPerMechanic | Guard::OnePendingOfferPerMechanic => Refusal::MechanicBusy,
        Guard::OneOpenJobPerVehicle => Refusal::VehicleBusy,
        Guard::OfferGone => Refusal::OfferExpired,
        Guard::VehicleGone => Refusal::VehicleGone,
        Guard::NotVerified => Refusal::NotEligible("it is not verified"),
        Guard::MarkUsed => Refusal::AlreadyDone,
    }
}

async fn create(world: &World, id: JobId, open: &Open) -> Driven {
    let now = world.clock.now();
    let job = Job::new(id, open.spec.clone(), open.excluded.clone());
    let event = Event::Created { details: Box::new(open.details.clone()) };
    let change = Change {
        command_id: open.id,
        by: open.by,
        at: now,
        expected_version: 0,
        event: event.clone(),
        next: job.clone(),
        idempotency: open.idempotency,
    };
    match world.ports.journal.commit(change).await {
        Ok(()) => Driven { job: Some(job), result: Ok(Some(event)) },
        Err(CommitError::AlreadyCommitted | CommitError::Conflict) => reloaded(world, id).await,
        Err(error) => Driven { job: None, ..failed(error, job) },
    }
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(self.world.settings.limits.mailbox);
        match &self.job {
            Some(_) => {
                self.announce();
                self.carry_on(ctx);
            }
            // Loads by itself if nobody asks first.
            None => self.arm(ctx, TimeDelta::zero()),
        }
    }

    fn stopped(&mut self, ctx: &mut Self::Context) {
        self.world.registry.forget_job(self.id, &ctx.address());
    }
}

impl Handler<Order> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, order: Order, _: &mut Self::Context) -> Self::Result {
        let (world, id, memory) = (self.world.clone(), self.id, self.job.clone());
        let work = async move {
            let driven = drive(&world, id, memory, &order).await;
            (driven, order)
        };
        AtomicResponse::new(Box::pin(work.into_actor(self).map(|(driven, order), actor, ctx| {
            actor.undo_proposals(&order.command, &driven.result);
            // What the mechanic's try at the code led to is committed either way.
            let result = actor.settle(driven, ctx)?;
            let stage = &result.job.stage;
            match (&result.event, stage) {
                (Some(Event::WrongCodeEntered { locked_until: Some(until) }), _) => {
                    Err(Refusal::StartLocked { until: *until })
                }
                (Some(Event::WrongCodeEntered { locked_until: None }), Stage::Arrived(assignment)) => {
                    let left =
                        actor.world.settings.jobs.wrong_start_codes.saturating_sub(assignment.wrong_codes);
                    Err(Refusal::WrongStartCode { left })
                }
                _ => Ok(result),
            }
        })))
    }
}

impl Handler<Open> for JobActor {
    type Result = AtomicResponse<Self, Result<Done, Refusal>>;

    fn handle(&mut self, open: Open, ctx: &mut Self::Context) -> Self::Result {
        let (world, id, existing) = (self.world.clone(), self.id, self.job.clone());
        // Nothing to look at again by oneself before the row exists.
        self.timer.take().map(|timer| ctx.cancel_future(timer));
        let work = async move {
            match existing {
                Some(job) => Driven { job: Some(job), result: Ok(None) },
                None => create(&world, id, &open).await,
            }
        };
        AtomicResponse::new(Box::pin(work.into_actor(self).map(|driven, actor, ctx| {
            let is_unmade = driven.job.is_none();
            let result = actor.settle(driven, ctx);
            if is_unmade {
                ctx.stop();
            }
            result
        })))
    }
}

impl Handler<Wake> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    /// Does all that is due, one commit after the other. While the journal is away nothing is acted on.
    fn handle(&mut self, wake: Wake, ctx: &mut Self::Context) -> Self::Result {
        self.timer = None;
        let is_late = self.job.as_ref().is_some_and(|job| job.version != wake.version);
        if is_late {
            self.arm(ctx, TimeDelta::zero());
            return AtomicResponse::new(Box::pin(actix::fut::ready(())));
        }
        let order = Order { id: CommandId(self.world.new_id()), by: By::System, command: Command::Tick };
        let (world, id, memory) = (self.world.clone(), self.id, self.job.clone());
        let work = async move { drive(&world, id, memory, &order).await };
        AtomicResponse::new(Box::pin(work.into_actor(self).map(|driven, actor, ctx| {
            let result = actor.settle(driven, ctx);
            match result {
                Ok(_) | Err(Refusal::NothingDue) => {}
                Err(Refusal::NotFound) => ctx.stop(),
                Err(refusal) => {
                    tracing::warn!(job.id = %actor.id, error.cause = %refusal, "could not do what is due, will try again");
                    actor.arm(ctx, RETRY_AFTER);
                }
            }
        })))
    }
}

impl Handler<QuoteFee> for JobActor {
    type Result = AtomicResponse<Self, Result<fee::FeeQuote, Refusal>>;

    fn handle(&mut self, quote: QuoteFee, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(Box::pin(self.looked_at().map(move |job, actor: &mut Self, ctx| {
            actor.rest(ctx);
            let now = actor.world.clock.now();
            job.map(|job| fee::quote(&job, &actor.world.settings.fees, quote.progress, now))
        })))
    }
}

impl Handler<Look> for JobActor {
    type Result = AtomicResponse<Self, Result<Job, Refusal>>;

    fn handle(&mut self, _: Look, _: &mut Self::Context) -> Self::Result {
        AtomicResponse::new(Box::pin(self.looked_at().map(|job, actor: &mut Self, ctx| {
            actor.rest(ctx);
            job
        })))
    }
}

impl Handler<Refresh> for JobActor {
    type Result = AtomicResponse<Self, ()>;

    fn handle(&mut self, _: Refresh, _: &mut Self::Context) -> Self::Result {
        self.job = None;
        AtomicResponse::new(Box::pin(self.looked_at().map(|job, actor: &mut Self, ctx| {
            if let Ok(job) = job {
                actor.world.ports.outbound.job_changed(job.id, job.seq);
                actor.announce();
            }
            actor.carry_on(ctx);
        })))
    }
}

impl Handler<Announce> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Announce, ctx: &mut Self::Context) {
        self.announce();
        self.carry_on(ctx);
    }
}

impl JobActor {
    /// The job, loaded where it was not in memory.
    fn looked_at(&self) -> impl ActorFuture<Self, Output = Result<Job, Refusal>> + use<> {
        let (world, id, memory) = (self.world.clone(), self.id, self.job.clone());
        let load = async move {
            match memory {
                Some(job) => Ok(job),
                None => match world.ports.journal.load_job(id).await {
                    Ok(Some(job)) => Ok(job),
                    Ok(None) => Err(Refusal::NotFound),
                    Err(error) => Err(Refusal::Unavailable(error.to_string())),
                },
            }
        };
        load.into_actor(self).map(|job, actor: &mut Self, _| {
            actor.job = job.as_ref().ok().cloned();
            job
        })
    }

    /// An actor that was started only to be looked at does not stay.
    fn rest(&mut self, ctx: &mut Context<Self>) {
        match &self.job {
            Some(job) if !job.is_settled() => self.arm(ctx, TimeDelta::zero()),
            _ => ctx.stop(),
        }
    }
}
