//! What every actor shares, and who is running: how actors reach each other by id.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use actix::{ArbiterHandle, MailboxError, dev::ToEnvelope, prelude::*};
use uuid::Uuid;

use crate::{
    clock::Clock,
    concern::Finding,
    dispatcher::{
        actor::DispatcherActor,
        messages::{Demand, Supply},
    },
    engine::Placement,
    ids::{CommandId, JobId, MechanicId, OfferId},
    job::{
        actor::JobActor,
        messages::{Begun, Done, Order},
        state::{Actor as By, Command, Job, Rules, Stage},
    },
    mechanic::{actor::MechanicActor, messages as mechanic_messages},
    ports::Ports,
    random::Random,
    refusal::Refusal,
    settings::{MatchingPolicy, SearchPolicy, Settings, Tuning},
    wires::Word,
};

/// How often a command is given to a job's actor that ends before it takes it. One that begins to end is not met twice, since
/// its successor lingers; where [`MOST_LINGERING`] do, whoever waited behind is next at the successor's door. Beyond it the
/// command is refused as not carried out.
const MAX_TRIES: usize = 32;
/// Actors of settled jobs that stay for a while; one more ends at once.
const MOST_LINGERING: usize = 10_000;

/// What every actor shares.
#[derive(Debug)]
pub(crate) struct World {
    pub settings: Settings,
    pub ports: Ports,
    pub clock: Clock,
    pub random: Random,
    pub registry: Registry,
    pub arbiters: Arbiters,
    pub tuned: RwLock<Tuned>,
    /// The dispatcher missed a word: everyone shall say again where they stand.
    pub needs_announcement: AtomicBool,
    /// No actor is started any more.
    pub is_stopping: AtomicBool,
    /// Actors of settled jobs that stay for a while.
    pub lingering: Arc<AtomicUsize>,
}

/// A place among the actors of settled jobs that stay for a while; free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Lingering(Arc<AtomicUsize>);

impl Drop for Lingering {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What holds now of what can be changed while the engine runs.
#[derive(Debug)]
pub(crate) struct Tuned {
    pub matching: Arc<MatchingPolicy>,
    /// `None` until somebody tunes it: then jobs are searched for as they were made.
    pub search: Option<SearchPolicy>,
}

#[derive(Debug)]
pub(crate) struct Arbiters {
    pub jobs: ArbiterHandle,
    pub mechanics: ArbiterHandle,
    pub dispatcher: ArbiterHandle,
    /// Whether the threads were made for the engine.
    pub are_ours: bool,
}

/// Who is running; in order, so that a seeded run is the same run again.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    pub(crate) jobs: Mutex<BTreeMap<JobId, Addr<JobActor>>>,
    pub(crate) mechanics: Mutex<BTreeMap<MechanicId, Addr<MechanicActor>>>,
    pub(crate) dispatcher: Mutex<Option<Addr<DispatcherActor>>>,
    /// Mechanics that missed a word: the keeper has them look into the journal.
    pub(crate) missed: Mutex<BTreeSet<MechanicId>>,
}

impl Registry {
    pub(crate) fn forget_job(&self, id: JobId, addr: &Addr<JobActor>) {
        forget(&self.jobs, id, addr);
    }

    pub(crate) fn forget_mechanic(&self, id: MechanicId, addr: &Addr<MechanicActor>) {
        forget(&self.mechanics, id, addr);
    }

    pub(crate) fn jobs(&self) -> Vec<(JobId, Addr<JobActor>)> {
        locked(&self.jobs).iter().map(|(id, addr)| (*id, addr.clone())).collect()
    }

    pub(crate) fn mechanics(&self) -> Vec<(MechanicId, Addr<MechanicActor>)> {
        locked(&self.mechanics).iter().map(|(id, addr)| (*id, addr.clone())).collect()
    }

    pub(crate) fn dead_jobs(&self) -> Vec<JobId> {
        dead(&self.jobs)
    }

    pub(crate) fn dead_mechanics(&self) -> Vec<MechanicId> {
        dead(&self.mechanics)
    }

    pub(crate) fn take_missed(&self) -> BTreeSet<MechanicId> {
        std::mem::take(&mut *locked(&self.missed))
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The maps are whole between any two statements, so a panic elsewhere leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Only the actor that stands there itself is forgotten, not one that took its place.
fn forget<Id: Ord, A: actix::Actor>(map: &Mutex<BTreeMap<Id, Addr<A>>>, id: Id, addr: &Addr<A>) {
    let mut map = locked(map);
    if map.get(&id) == Some(addr) {
        map.remove(&id);
    }
}

/// Looked for every second among everybody: no address is cloned for it.
fn dead<Id: Ord + Copy, A: actix::Actor>(map: &Mutex<BTreeMap<Id, Addr<A>>>) -> Vec<Id> {
    locked(map).iter().filter(|(_, addr)| !addr.connected()).map(|(id, _)| *id).collect()
}

/// What `with` makes of the address that stands in the map, after an actor was started where none runs.
///
/// Words are sent by this very address: every clone of one has a slot of its own in the mailbox, past its capacity.
pub(crate) fn running<Id: Ord, A: actix::Actor, T>(
    map: &Mutex<BTreeMap<Id, Addr<A>>>,
    id: Id,
    start: impl FnOnce() -> Addr<A>,
    with: impl FnOnce(&Addr<A>) -> T,
) -> T {
    use std::collections::btree_map::Entry;
    let mut map = locked(map);
    match map.entry(id) {
        Entry::Occupied(entry) if entry.get().connected() => with(entry.get()),
        Entry::Occupied(mut entry) => {
            entry.insert(start());
            with(entry.get())
        }
        Entry::Vacant(entry) => with(entry.insert(start())),
    }
}

impl World {
    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules { jobs: &self.settings.jobs, fees: &self.settings.fees }
    }

    /// How a match is made now.
    pub(crate) fn matching(&self) -> Arc<MatchingPolicy> {
        self.tuned.read().unwrap_or_else(PoisonError::into_inner).matching.clone()
    }

    pub(crate) fn tune(&self, tuning: Tuning) {
        let Tuning { search, matching } = tuning;
        let tuned = Tuned { matching: Arc::new(matching), search: Some(search) };
        *self.tuned.write().unwrap_or_else(PoisonError::into_inner) = tuned;
    }

    /// The job as it is to be decided upon. While it is searched for it keeps the policy that its attempt began with; at
    /// any other time it has the one by which its next attempt will go.
    pub(crate) fn with_policy_of_now(&self, mut job: Job) -> Job {
        if matches!(job.stage, Stage::Dispatching(_)) {
            return job;
        }
        let tuned = self.tuned.read().unwrap_or_else(PoisonError::into_inner);
        let held = &job.spec.search;
        if let Some(search) = tuned.search.as_ref().filter(|search| search.version != held.version) {
            job.spec.search = Arc::new(search.with(held.over.clone()));
        }
        job
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Acquire)
    }

    /// A place to linger, where one is free.
    pub(crate) fn linger(&self) -> Option<Lingering> {
        let place = Lingering(self.lingering.clone());
        let before = self.lingering.fetch_add(1, Ordering::AcqRel);
        (before < MOST_LINGERING).then_some(place)
    }

    pub(crate) fn new_id(&self) -> Uuid {
        self.random.id(self.clock.now())
    }

    /// The actor of a job, started where none runs; it loads its job with the first message.
    pub(crate) fn job(self: &Arc<Self>, id: JobId) -> Addr<JobActor> {
        let world = self.clone();
        let start = || JobActor::start_in_arbiter(&self.arbiters.jobs, move |_| JobActor::new(id, world));
        running(&self.registry.jobs, id, start, Addr::clone)
    }

    pub(crate) fn mechanic(self: &Arc<Self>, id: MechanicId) -> Addr<MechanicActor> {
        self.with_mechanic(id, Addr::clone)
    }

    fn with_mechanic<T>(self: &Arc<Self>, id: MechanicId, with: impl FnOnce(&Addr<MechanicActor>) -> T) -> T {
        let world = self.clone();
        let arbiter = &self.arbiters.mechanics;
        let start = || MechanicActor::start_in_arbiter(arbiter, move |_| MechanicActor::new(id, world));
        running(&self.registry.mechanics, id, start, with)
    }

    pub(crate) fn dispatcher(self: &Arc<Self>) -> Addr<DispatcherActor> {
        self.with_dispatcher(Addr::clone)
    }

    fn with_dispatcher<T>(self: &Arc<Self>, with: impl FnOnce(&Addr<DispatcherActor>) -> T) -> T {
        let mut slot = locked(&self.registry.dispatcher);
        match &*slot {
            Some(addr) if addr.connected() => with(addr),
            _ => {
                let world = self.clone();
                let addr = DispatcherActor::start_in_arbiter(&self.arbiters.dispatcher, move |_| {
                    DispatcherActor::new(world)
                });
                // A new picture is empty.
                self.needs_announcement.store(true, Ordering::Release);
                with(slot.insert(addr))
            }
        }
    }

    pub(crate) fn demand(self: &Arc<Self>, demand: Demand) {
        if self.with_dispatcher(|addr| addr.try_send(demand).is_err()) {
            self.needs_announcement.store(true, Ordering::Release);
        }
    }

    pub(crate) fn supply(self: &Arc<Self>, supply: Supply) {
        if self.with_dispatcher(|addr| addr.try_send(supply).is_err()) {
            self.needs_announcement.store(true, Ordering::Release);
        }
    }

    /// A word to a mechanic's actor. Where its mailbox is full the keeper has it look into the journal later.
    pub(crate) fn tell_mechanic(self: &Arc<Self>, id: MechanicId, word: Word) {
        if self.with_mechanic(id, |addr| addr.try_send(word).is_err()) {
            locked(&self.registry.missed).insert(id);
        }
    }

    /// Has a mechanic's actor say again where it stands.
    pub(crate) fn ask_where_it_stands(self: &Arc<Self>, id: MechanicId) {
        if self.with_mechanic(id, |addr| addr.try_send(mechanic_messages::Announce).is_err()) {
            self.needs_announcement.store(true, Ordering::Release);
        }
    }

    /// Takes an offer back from a mechanic that turned out to be engaged. Best effort: one that stays expires.
    pub(crate) fn revoke_offer(
        self: &Arc<Self>,
        job: JobId,
        offer_id: OfferId,
        mechanic_id: MechanicId,
    ) -> actix_rt::task::JoinHandle<()> {
        let world = self.clone();
        let command = Command::Revoke { offer_id, mechanic_id };
        let order = Order { id: CommandId(self.new_id()), by: By::System, command, begun: Begun::default() };
        actix_rt::spawn(async move {
            if let Err(error) = world.ask_job(job, order).await {
                tracing::warn!(offer.id = %offer_id, error.cause = %error, "an offer was not revoked");
            }
        })
    }

    /// Tells a job what the watch over its mechanic found out; answered after the commit.
    pub(crate) async fn report(
        self: &Arc<Self>,
        job: JobId,
        mechanic_id: MechanicId,
        attempt: u32,
        finding: Finding,
    ) -> Result<(), Refusal> {
        let command = Command::Watch { mechanic_id, attempt, finding };
        let begun = Begun::default();
        let order = Order { id: CommandId(self.new_id()), by: By::System, command, begun: begun.clone() };
        self.command(job, order, begun).await.map(drop)
    }

    /// Asks a mechanic's actor. One that ended before it took the message is started anew, once.
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

    /// Gives a job a command. One whose actor died in the middle of it is repeated to the next, and then refused only
    /// by name where it can't have been committed before.
    pub(crate) async fn command<M>(
        self: &Arc<Self>,
        id: JobId,
        message: M,
        begun: Begun,
    ) -> Result<Done, Refusal>
    where
        M: Message<Result = Result<Done, Refusal>> + Clone + Send + 'static,
        JobActor: Handler<M>,
        Context<JobActor>: ToEnvelope<JobActor, M>,
    {
        let unknown =
            |error: MailboxError| Refusal::OutcomeUnknown(format!("no answer from the job's actor: {error}"));
        let timeout = self.settings.limits.command_timeout;
        let mut was_begun = false;
        for _ in 0..MAX_TRIES {
            match self.job(id).send(message.clone()).timeout(timeout).await {
                Err(MailboxError::Closed) if !was_begun => was_begun = begun.get(),
                Ok(Err(refusal)) if was_begun => {
                    return Err(Refusal::OutcomeUnknown(format!("an actor died of it: {refusal}")));
                }
                answer => return answer.map_err(unknown)?,
            }
        }
        match was_begun {
            true => Err(unknown(MailboxError::Closed)),
            false => Err(Refusal::Unavailable("the job's actor ends again and again".to_owned())),
        }
    }

    /// Asks a job's actor. One that ended before it took the message is started anew, once: the command's id makes
    /// the repeat harmless.
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
}

impl Arbiters {
    pub(crate) fn new(placement: Placement) -> Self {
        let arbiter = || match placement {
            Placement::Here => Arbiter::current(),
            Placement::OwnThreads => Arbiter::new().handle(),
        };
        let are_ours = placement == Placement::OwnThreads;
        Self { jobs: arbiter(), mechanics: arbiter(), dispatcher: arbiter(), are_ours }
    }
}
