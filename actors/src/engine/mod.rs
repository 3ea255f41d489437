//! The engine in this process, which reaches every actor by id, with plain data only.
//!
//! `protocol` has the service's calls, each with its answer. The methods here are shared by several calls, tests and the
//! simulator.

use std::{sync::Arc, time::Duration};

use actix::{MailboxError, dev::ToEnvelope, prelude::*};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    assigning::Assignability,
    clock::Clock,
    context::EngineContext,
    dispatcher::{
        actor::DispatcherActor,
        explain::Unfit,
        pricing::Market,
        queries::{AdviceQuery, OutlookQuery, PricesQuery},
    },
    eta::TripEstimate,
    experience::{Calibration, HoldReport, Lessons},
    geo::Point,
    ids::{CommandId, JobId, MechanicId},
    job::{
        execute::load,
        fee::MechanicProgress,
        messages as job_messages,
        messages::{Adopt, Order, Reload, StartedFlag},
        state::{Actor as By, Command, Done, Job, Refusal},
    },
    mechanic::{
        actor::MechanicActor,
        messages as mechanic_messages,
        messages::{EndParking, Locate, Park, ProfileChanged, SetAvailability},
        state::{Engagement, Fix, Located, Mechanic, ParkingEnd, Ping, PositionSource},
    },
    messages::Advice,
    outbound::Outlook,
    placement::{Arbiters, SocketThread},
    ports::Ports,
    random::Random,
    settings::{Settings, Tuning},
    status::Status,
    supervisor::Supervisor,
};

pub use crate::{
    assigning::Assignability as CandidateAssignability,
    dispatcher::queries::{
        Availability as SupplyAvailability, Fleet, FleetSquare, NearestQuery, OnlineMechanic,
    },
    job::{
        fee::{AcceptedFee, FeeQuote, FeeReason, FreeCancellationAllowance},
        state::Done as CommandDone,
    },
    placement::Placement,
};

/// The time after which an outlook is left out, since nothing waits for it.
const OUTLOOK_TIMEOUT: Duration = Duration::from_millis(500);

/// A mechanic whom an admin might assign to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssignmentCandidate {
    pub id: MechanicId,
    pub last: Fix,
    /// The estimate from their last position to the pickup.
    pub estimate: TripEstimate,
    /// The job that they are on.
    pub job: Option<JobId>,
    /// Why dispatch would not offer them the job now; empty if it could.
    pub misfits: Vec<Unfit>,
    pub assignability: Assignability,
}

/// The state that was committed before this process started.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Every job that is not settled.
    pub jobs: Vec<Job>,
    /// Every mechanic that has a pending offer or an active job, and every one that is available unless those follow.
    pub mechanics: Vec<Mechanic>,
    /// Whether available mechanics follow by [`Engine::take_up`]. No job is matched before [`Engine::begin_matching`].
    pub more_follow: bool,
    /// The lessons of the past about calls and work.
    pub past: Lessons,
}

/// Returns the refusal of a request that its actor took and did not answer.
pub(crate) fn unknown(error: MailboxError) -> Refusal {
    Refusal::OutcomeUnknown(format!("no answer from the job's actor: {error}"))
}

/// A mechanic's actor as seen from their socket, which sends it one position after another.
#[derive(Debug)]
pub struct SocketLink {
    mechanic: MechanicId,
    /// The thread that reads the socket.
    thread: Option<SocketThread>,
    /// The address of the actor that got the last position.
    addr: Option<Addr<MechanicActor>>,
}

impl SocketLink {
    /// Creates a link for a socket that the caller's thread reads.
    pub fn new(mechanic: MechanicId) -> Self {
        Self { mechanic, thread: SocketThread::current(), addr: None }
    }

    pub(crate) fn mechanic(&self) -> MechanicId {
        self.mechanic
    }
}

/// The engine. A cheap clone reaches every actor by id.
#[derive(Debug, Clone)]
pub struct Engine {
    context: Arc<EngineContext>,
    // Only a simulated crash sends the supervisor anything.
    #[cfg_attr(not(any(test, feature = "simulation")), allow(dead_code))]
    supervisor: Addr<Supervisor>,
}

impl Engine {
    /// Starts the engine with what was committed before. Must run inside an actix system.
    pub fn start(
        settings: Settings,
        ports: Ports,
        clock: Clock,
        random: Random,
        placement: Placement,
        snapshot: Snapshot,
    ) -> Self {
        let context = EngineContext::new(settings, ports, clock, random, placement, snapshot.past);
        context.loading.expect_more(snapshot.more_follow);
        snapshot.mechanics.into_iter().for_each(|mechanic| context.adopt_mechanic(mechanic));
        snapshot.jobs.into_iter().for_each(|job| context.adopt_job(job));
        let supervised = context.clone();
        let supervisor =
            Supervisor::start_in_arbiter(&context.arbiters.dispatcher, move |_| Supervisor::new(supervised));
        Self { context, supervisor }
    }

    /// Returns an id for a command that begins here.
    pub fn new_command(&self) -> CommandId {
        CommandId(self.context.new_id())
    }

    /// Returns the time before now by this much, or now if the age is negative.
    pub(crate) fn ago(&self, age: TimeDelta) -> DateTime<Utc> {
        self.context.clock.now() - age.max(TimeDelta::zero())
    }

    /// Gives a command to a job; answered after its commit.
    pub async fn order(&self, id: CommandId, job: JobId, by: By, command: Command) -> Result<Done, Refusal> {
        let started = StartedFlag::default();
        let order = Order { id, by, command, started: started.clone() };
        self.context.command(job, order, started).await
    }

    /// Returns the job as its actor knows it or, if the actor ends before it answers, as the journal has it.
    pub async fn job(&self, id: JobId) -> Result<Job, Refusal> {
        let timeout = self.context.settings.limits.command_timeout;
        match self.context.job(id).send(job_messages::GetJob).timeout(timeout).await {
            Err(MailboxError::Closed) => load(self.context.ports.journal.as_ref(), id).await,
            answer => answer.map_err(|error| Refusal::Unavailable(error.to_string()))?,
        }
    }

    /// Makes the job's actor load the row that another writer changed, unless it has this version, and inform the
    /// watchers.
    pub async fn refresh(&self, job: JobId, version: Option<i64>) -> Result<(), Refusal> {
        self.context.ask_job(job, Reload(version)).await.map_err(unknown)
    }

    /// Hands the job's actor the new state of a row that another writer changed, and has it inform the watchers.
    pub async fn adopt(&self, job: Job) -> Result<(), Refusal> {
        self.context.ask_job(job.id, Adopt(Arc::new(job))).await.map_err(unknown)
    }

    /// Returns the mechanic as their actor knows them, or `None` if they do not exist or can't be loaded.
    pub async fn mechanic(&self, id: MechanicId) -> Option<Mechanic> {
        self.context.ask_mechanic(id, mechanic_messages::GetMechanic).await.ok().flatten()
    }

    /// Takes in points from one of a mechanic's apps; answered when their trail is stored.
    pub async fn locate(
        &self,
        id: MechanicId,
        pings: Vec<Ping>,
        source: PositionSource,
        received_at: DateTime<Utc>,
    ) -> Result<Located, Refusal> {
        let answer = self.context.ask_mechanic(id, Locate { pings, source, received_at, socket: None }).await;
        answer.map_err(|error| Refusal::Unavailable(error.to_string()))?
    }

    /// Takes in points like [`Engine::locate`] that came over the link's socket. The mechanic's actor moves to its
    /// thread.
    pub async fn locate_over(
        &self,
        link: &mut SocketLink,
        pings: Vec<Ping>,
        received_at: DateTime<Utc>,
    ) -> Result<Located, Refusal> {
        let source = PositionSource::App;
        let locate = Locate { pings, source, received_at, socket: link.thread.clone() };
        let timeout = self.context.settings.limits.command_timeout;
        let addr = link.addr.get_or_insert_with(|| self.context.mechanic(link.mechanic));
        let answer = match addr.send(locate.clone()).timeout(timeout).await {
            // The actor has ended, or moved.
            Err(MailboxError::Closed) => {
                link.addr = None;
                self.context.ask_mechanic(link.mechanic, locate).await
            }
            answer => answer,
        };
        answer.map_err(|error| Refusal::Unavailable(error.to_string()))?
    }

    /// Runs work on the thread of the mechanics' actors, who answer it without waking another thread. Returns
    /// `false` once that thread has ended.
    pub fn spawn_beside_mechanics(&self, work: impl Future<Output = ()> + Send + 'static) -> bool {
        self.context.arbiters.mechanics.spawn(work)
    }

    /// Notes that someone other than the mechanic sees where the mechanics on these jobs are. Repeat this within
    /// [`WATCHED_FOR`](crate::audience::WATCHED_FOR) while it lasts.
    pub fn watch(&self, jobs: impl IntoIterator<Item = JobId>) {
        self.context.audience.note(jobs, self.context.clock.now());
    }

    /// Sets whether the mechanic wants offers; answered after the commit.
    pub async fn set_availability(&self, id: MechanicId, available: bool) -> Result<(), Refusal> {
        self.context.ask_mechanic(id, SetAvailability { available }).await.map_err(unknown)??;
        if !available {
            self.withdraw_offer(id).await;
        }
        Ok(())
    }

    /// Sets that the mechanic waits at this place and wants offers there; answered after the commit.
    pub async fn park(&self, id: MechanicId, place: Point, label: Option<String>) -> Result<(), Refusal> {
        self.context.ask_mechanic(id, Park { place, label }).await.map_err(unknown)?
    }

    /// Sets that the mechanic no longer waits there; answered after the commit.
    pub async fn end_parking(&self, id: MechanicId) -> Result<(), Refusal> {
        self.context.ask_mechanic(id, EndParking { why: ParkingEnd::OwnWish }).await.map_err(unknown)?
    }

    /// Withdraws the offer of a mechanic who becomes unavailable. It goes to the next mechanic at once and does not
    /// count as declined. This is best effort: an offer that is not withdrawn expires.
    async fn withdraw_offer(&self, mechanic_id: MechanicId) {
        let (job, offer_id) = match self.mechanic(mechanic_id).await.map(|mechanic| mechanic.engagement) {
            Some(Engagement::Offered(card)) => (card.job_id, card.id),
            // An offer that is still being made is revoked when the mechanic's actor gets it.
            Some(Engagement::Reserved { .. } | Engagement::Free | Engagement::Busy { .. }) | None => return,
        };
        let revoke = self.context.revoke_offer(job, offer_id, mechanic_id);
        // The work runs in a task of its own, so that it continues if the caller is gone.
        if let Err(gone) = revoke.await {
            tracing::error!(offer.id = %offer_id, error.cause = %gone, "revoking an offer failed");
        }
    }

    /// Makes the mechanic's actor load the profile again, which was changed in the database.
    pub async fn mechanic_changed(&self, id: MechanicId) -> Result<(), Refusal> {
        let answer = self.context.ask_mechanic(id, ProfileChanged).await;
        answer.map_err(|error| Refusal::Unavailable(error.to_string()))
    }

    /// Returns the nearest free mechanics who could serve a pickup now, nearest first, with their distances in metres.
    pub async fn nearest(&self, query: NearestQuery) -> Result<Vec<(MechanicId, f64)>, Refusal> {
        self.ask_dispatcher(query).await
    }

    /// Returns what an hour of mechanics' time costs now, by town and class. Empty while prices are off, and until
    /// the first.
    pub async fn prices(&self) -> Result<Vec<Market>, Refusal> {
        self.ask_dispatcher(PricesQuery).await
    }

    /// Returns how the chances that customers were promised turned out.
    pub fn calibration(&self) -> Calibration {
        self.context.experience.calibration()
    }

    /// Returns the results of holding jobs back since this process started.
    pub fn holds(&self) -> HoldReport {
        self.context.experience.holds(self.context.clock.now())
    }

    /// Returns where a mechanic without a job should wait, or `None` if they are well where they are.
    pub async fn advice(&self, id: MechanicId) -> Result<Option<Advice>, Refusal> {
        self.ask_dispatcher(AdviceQuery(id)).await
    }

    /// Returns what the customer of a job without a mechanic can expect, or `None` once it has a mechanic or before
    /// its dispatch begins.
    pub async fn job_outlook(&self, id: JobId) -> Result<Option<Outlook>, Refusal> {
        let looked = tokio::time::timeout(OUTLOOK_TIMEOUT, self.look_ahead_for(id)).await;
        looked.map_err(|_| Refusal::Unavailable("no outlook in time".to_owned()))?
    }

    async fn look_ahead_for(&self, id: JobId) -> Result<Option<Outlook>, Refusal> {
        let job = self.job(id).await?;
        let is_due = match job.status() {
            Status::Pending => job.spec.begin_at <= self.context.clock.now(),
            status => matches!(status, Status::Dispatching | Status::NoMechanicFound),
        };
        if !is_due {
            return Ok(None);
        }
        let asked = job.live_offers().iter().map(|offer| offer.mechanic_id).collect();
        self.look_ahead(OutlookQuery { job_id: Some(id), demand: job.wish(), asked }).await.map(Some)
    }

    /// Returns the dispatcher's answer to a question with an outlook, if it comes in time.
    pub(crate) async fn look_ahead<M>(&self, query: M) -> Result<M::Result, Refusal>
    where
        M: Message + Send + 'static,
        M::Result: Send,
        DispatcherActor: Handler<M>,
        Context<DispatcherActor>: ToEnvelope<DispatcherActor, M>,
    {
        let answer = self.context.dispatcher().send(query).timeout(OUTLOOK_TIMEOUT).await;
        answer.map_err(|error| Refusal::Unavailable(error.to_string()))
    }

    /// Changes how jobs are dispatched: the matching policy from the next pass on, the search policy of each job from its
    /// next attempt on. An attempt under way ends as it began.
    pub fn tune(&self, tuning: Tuning) {
        self.context.policies.set(tuning);
    }

    /// Actors that start from now on end at once, and the supervisor restarts none. Commits under way end by themselves.
    pub fn stop(&self) {
        self.context.shutdown.begin();
    }

    /// Returns whether [`Engine::stop`] was called.
    pub fn has_stopped(&self) -> bool {
        self.context.shutdown.has_begun()
    }

    /// Ends the engine's own threads with all actors on them. After this nothing answers.
    pub fn end(&self) {
        self.stop();
        let Arbiters { jobs, mechanics, dispatcher, are_own } = &self.context.arbiters;
        if *are_own {
            for arbiter in [jobs, mechanics, dispatcher] {
                arbiter.stop();
            }
        }
    }

    pub(crate) fn context(&self) -> &Arc<EngineContext> {
        &self.context
    }

    #[cfg(any(test, feature = "simulation"))]
    pub(crate) fn supervisor(&self) -> &Addr<Supervisor> {
        &self.supervisor
    }

    pub(crate) async fn ask_dispatcher<M>(&self, query: M) -> Result<M::Result, Refusal>
    where
        M: Message + Send + 'static,
        M::Result: Send,
        DispatcherActor: Handler<M>,
        Context<DispatcherActor>: ToEnvelope<DispatcherActor, M>,
    {
        let limit = self.context.settings.limits.command_timeout;
        let answer = self.context.dispatcher().send(query).timeout(limit).await;
        answer.map_err(|error| Refusal::Unavailable(error.to_string()))
    }

    /// Returns the progress of the job's mechanic as their actor knows it, for the fee of a cancellation.
    pub(crate) async fn progress(&self, job: &Job) -> MechanicProgress {
        let Some(assignment) = job.assignment() else { return MechanicProgress::default() };
        let mechanic = self.mechanic(assignment.mechanic_id).await;
        mechanic.map_or(MechanicProgress::default(), |mechanic| MechanicProgress {
            last_contact_at: mechanic.last_contact_at(),
            last_moved_at: mechanic.last_moved_at(),
        })
    }
}

#[cfg(test)]
mod tests;
