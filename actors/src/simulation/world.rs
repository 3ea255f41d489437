//! An engine on in-memory ports, in an invented city.
//!
//! Meant for `#[actix::test]` with `tokio::time::pause()`: the clock follows tokio's, so that waiting costs nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{MemoryJournal, Recorder, invariants, journal::OfferRow};
use crate::{
    clock::Clock,
    concern::Concern,
    engine::{AcceptedFee, Engine, Placement},
    eta::StraightLine,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, TrackerId, UserId, VehicleId},
    job::state::{Actor as By, Command, Done, Job, JobDetails, JobSpec, Refusal, Status, Urgency},
    mechanic::state::{Located, Ping, PositionSource, Profile},
    ports::{Eta, JobToCreate, Ports},
    protocol::{Accept, Arrive, Assign, Cancel, OpenJob, TakeBack},
    random::Random,
    settings::{
        FeePolicy, JobPolicy, Limits, MatchingPolicy, PresencePolicy, PricingPolicy, SearchOverrides,
        SearchPolicy, Settings, SharedSearchPolicy, Strategy, WatchPolicy,
    },
    vehicle::VehicleType,
};

const LOOK_AFTER_JOBS_EVERY: Duration = Duration::from_secs(60);

/// The centre of the invented city.
pub const CENTRE: Point = Point { lat: 12.9716, lng: 77.5946 };

/// Returns the point `metres` north of the centre.
pub fn north(metres: f64) -> Point {
    Point::new(CENTRE.lat + metres / 111_195.0, CENTRE.lng)
}

/// Returns the time at which virtual worlds begin.
pub fn morning() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_600_000, 0).expect("a time within range")
}

/// Returns the settings that the service ships with.
pub fn settings() -> Settings {
    Settings {
        jobs: JobPolicy {
            start_code: true,
            wrong_start_codes: 5,
            start_code_lock: TimeDelta::minutes(10),
            arrival_radius_m: 150.0,
            correction_radius_m: 2_000.0,
            no_show_after: TimeDelta::minutes(10),
            no_mechanic_ttl: TimeDelta::hours(24),
            parked_offer_ttl: TimeDelta::seconds(90),
            dispute_window: TimeDelta::hours(48),
        },
        fees: FeePolicy {
            free_after_accept: TimeDelta::seconds(120),
            flat_paise: 5_000,
            call_out_paise: 15_000,
            late_grace: TimeDelta::minutes(15),
            dark_after: TimeDelta::minutes(3),
            stalled_after: TimeDelta::minutes(10),
        },
        presence: PresencePolicy {
            fresh_position: TimeDelta::seconds(60),
            auto_off: TimeDelta::minutes(15),
            max_accuracy_m: 100.0,
            max_speed_mps: 50.0,
            fast_interval_s: 3,
            unwatched_interval_s: 10,
            slow_interval_s: 15,
            parked_max: TimeDelta::hours(12),
            parked_radius_m: 300.0,
            parked_unanswered_max: 2,
        },
        watch: WatchPolicy {
            dark_after: TimeDelta::seconds(90),
            stalled_after: TimeDelta::minutes(5),
            stalled_radius_m: 100.0,
            away_m: 1_000.0,
            away_window: TimeDelta::minutes(5),
            slip_after: TimeDelta::minutes(8),
            near_m: 500.0,
            debounce: TimeDelta::seconds(30),
            tell_after: TimeDelta::seconds(60),
            reassign_after: TimeDelta::minutes(3),
            nudge_every: TimeDelta::seconds(60),
            navigation_grace: TimeDelta::minutes(5),
            navigation_max: TimeDelta::minutes(45),
            may_reassign: [Concern::Dark, Concern::Stalled, Concern::MovingAway].into(),
        },
        matching: matching(),
        limits: Limits { mailbox: 64, command_timeout: Duration::from_secs(5) },
    }
}

/// Returns the matching that the service ships with, without prices: most tests are about something else.
pub fn matching() -> MatchingPolicy {
    MatchingPolicy {
        strategy: Strategy::Exact,
        window: TimeDelta::milliseconds(500),
        unserved_s: 7_200,
        waiting_weight_s_per_min: 10,
        highway_bonus_s: 300,
        accident_bonus_s: 600,
        refusal_weight_s: 20,
        idle_weight_s_per_min: 1,
        parked_cost_s: 60,
        rematch_after: TimeDelta::milliseconds(50),
        solve_exact_edges: 20_000,
        solve_steps: 2_000_000,
        solve_inline_edges: 5_000,
        explain: true,
        pricing: None,
    }
}

/// Returns the prices that the service ships with.
pub fn pricing() -> PricingPolicy {
    PricingPolicy {
        applies: true,
        worth_s: 3_600,
        late_percent: 30,
        eta_sigma: 0.25,
        window: TimeDelta::hours(1),
        hold_accidents: false,
        advise_after: Some(TimeDelta::seconds(120)),
    }
}

/// Returns a search in rounds that grow wider, so that tests see offers side by side.
pub fn search() -> SearchPolicy {
    SearchPolicy {
        version: 0,
        rings_m: vec![3_000.0, 5_000.0, 8_000.0, 12_000.0, 20_000.0],
        round_widths: vec![1, 3, 5],
        max_rounds: 6,
        offer_ttl: TimeDelta::seconds(20),
        offer_grace: TimeDelta::seconds(1),
        attempt_ttl: TimeDelta::seconds(180),
        urgent_first_round: 2,
        in_time: TimeDelta::minutes(30),
        worth_s: 3_600,
        over: SearchOverrides::default(),
    }
}

/// Returns the terms of a job, with the parts that tests vary.
pub fn spec(vehicle: VehicleId, pickup: Point, now: DateTime<Utc>) -> JobSpec {
    JobSpec {
        customer_id: UserId(uuid::Uuid::from_u128(1)),
        vehicle_id: vehicle,
        category_id: category(),
        vehicle_type: VehicleType::FourWheeler,
        pickup,
        urgency: Urgency::Normal,
        summary: Arc::default(),
        base_price_paise: 30_000,
        travel_price_paise: 4_000,
        destination: None,
        destination_price_paise: 0,
        on_account: None,
        created_at: now,
        begin_at: now,
        search: Arc::new(search()),
    }
}

/// Returns the one category that every mechanic serves.
pub fn category() -> CategoryId {
    CategoryId(uuid::Uuid::from_u128(7))
}

/// Returns a profile that serves every vehicle and the one category, within 30 km.
pub fn profile(user_id: UserId) -> Profile {
    Profile {
        user_id,
        is_verified: true,
        radius_m: 30_000.0,
        vehicle_types: BTreeSet::from(VehicleType::ALL).into(),
        categories: BTreeSet::from([category()]).into(),
    }
}

/// An engine with its ports.
#[derive(Debug)]
pub struct World {
    pub engine: Engine,
    pub journal: Arc<MemoryJournal>,
    pub outbound: Arc<Recorder>,
    pub clock: Clock,
    pub random: Random,
    pub settings: Settings,
    pub search: SharedSearchPolicy,
    pub eta: Arc<dyn Eta>,
    next_seq: BTreeMap<MechanicId, i64>,
}

impl World {
    /// Creates an empty world with the shipped settings.
    pub fn new() -> Self {
        Self::seeded(1, settings())
    }

    /// Creates an empty world whose ids and codes follow from `seed`.
    pub fn seeded(seed: u64, settings: Settings) -> Self {
        let eta = StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 };
        Self::with_eta(seed, settings, Arc::new(eta))
    }

    /// Creates an empty world whose trips are estimated by `eta`.
    pub fn with_eta(seed: u64, settings: Settings, eta: Arc<dyn Eta>) -> Self {
        let (journal, outbound) = (Arc::new(MemoryJournal::default()), Arc::new(Recorder::default()));
        let (clock, random) = (Clock::virtual_from(morning()), Random::seeded(seed));
        let engine = start(&settings, &journal, &outbound, &eta, &clock, &random);
        let (search, next_seq) = (Arc::new(search()), BTreeMap::new());
        Self { engine, journal, outbound, clock, random, settings, search, eta, next_seq }
    }

    /// Ends the process at once, and starts another that loads what was committed.
    pub async fn restart(&mut self) {
        self.die();
        self.pass(Duration::from_millis(1)).await;
        self.rise();
    }

    /// Ends the process at once: its work under way never reaches the journal.
    pub fn die(&mut self) {
        let next = Arc::new(self.journal.after_crash());
        self.engine.crash();
        self.journal = next;
    }

    /// Starts a process that loads what was committed.
    pub fn rise(&mut self) {
        let (journal, outbound) = (&self.journal, &self.outbound);
        self.engine = start(&self.settings, journal, outbound, &self.eta, &self.clock, &self.random);
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Lets (virtual) time pass.
    pub async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    /// Lets seconds pass.
    pub async fn pass_s(&self, seconds: u64) {
        self.pass(Duration::from_secs(seconds)).await;
    }

    /// Waits until `holds`, in steps of 10 ms.
    ///
    /// # Panics
    /// Panics if that takes longer than `limit`.
    pub async fn until(&self, what: &str, limit: Duration, holds: impl Fn(&Self) -> bool) {
        let end = self.now() + TimeDelta::from_std(limit).unwrap_or(TimeDelta::MAX);
        while !holds(self) {
            assert!(self.now() < end, "waited {limit:?} in vain until {what}");
            self.pass(Duration::from_millis(10)).await;
        }
    }

    /// Adds a verified mechanic who is offline and has never been seen.
    pub fn mechanic(&self) -> MechanicId {
        let id = MechanicId(self.random.id(self.now()));
        self.journal.add_mechanic(id, profile(user_of(id)), self.now());
        id
    }

    /// Adds a mechanic who is online at `point`.
    pub async fn mechanic_at(&mut self, point: Point) -> MechanicId {
        let id = self.mechanic();
        self.ping(id, point).await.expect("a ping to a mechanic that exists");
        self.engine.set_availability(id, true).await.expect("a verified mechanic becomes available");
        id
    }

    /// Sends one exact position, recorded now.
    pub async fn ping(&mut self, id: MechanicId, point: Point) -> Result<Located, Refusal> {
        let ping = self.ping_at(id, point, self.now());
        self.engine.locate(id, vec![ping], PositionSource::App, self.now()).await
    }

    /// Sends such a position from a tracker.
    pub async fn track(&mut self, id: MechanicId, point: Point) -> Result<Located, Refusal> {
        let now = self.now();
        let ping = Ping { seq: Ping::number_of(now), ..self.ping_at(id, point, now) };
        let source = PositionSource::Tracker(TrackerId(id.0));
        self.engine.locate(id, vec![ping], source, now).await
    }

    /// Returns a position with the mechanic's next number.
    pub fn ping_at(&mut self, id: MechanicId, point: Point, recorded_at: DateTime<Utc>) -> Ping {
        let seq = self.next_seq.entry(id).or_insert(0);
        *seq += 1;
        let (accuracy_m, speed_mps, heading) = (Some(10.0), None, None);
        Ping { seq: *seq, point, accuracy_m, speed_mps, heading, recorded_at, is_mock: false }
    }

    /// Creates a job at `pickup`, for a vehicle of its own.
    pub async fn job_at(&self, pickup: Point) -> JobId {
        let vehicle = VehicleId(self.random.id(self.now()));
        self.open(spec(vehicle, pickup, self.now())).await.expect("a job for a new vehicle")
    }

    pub async fn open(&self, spec: JobSpec) -> Result<JobId, Refusal> {
        let id = JobId(self.random.id(self.now()));
        let by = By::Customer(spec.customer_id);
        let spec = JobSpec { search: self.search.clone(), ..spec };
        let (details, excluded, idempotency) = (JobDetails::default(), BTreeSet::new(), None);
        let new = Box::new(JobToCreate { id, spec, details, excluded, idempotency });
        let open = OpenJob { command: self.engine.new_command(), by, new };
        open.carry_out(&self.engine).await.map(|_| id)
    }

    /// Returns the offer that the mechanic may answer, as committed.
    pub fn offer(&self, mechanic: MechanicId) -> Option<OfferRow> {
        self.journal.pending_offer(mechanic)
    }

    /// Waits at most a second until the mechanic is offered the job.
    pub async fn offered(&self, job: JobId, mechanic: MechanicId) -> OfferRow {
        let of_job = |world: &Self| world.offer(mechanic).filter(|row| row.job_id == job);
        self.until("the mechanic is offered the job", Duration::from_secs(1), |world| {
            of_job(world).is_some()
        })
        .await;
        of_job(self).expect("just seen")
    }

    pub async fn accept(&self, row: &OfferRow) -> Result<Done, Refusal> {
        let (command, logged_under) = (self.engine.new_command(), None);
        let (job, offer, mechanic) = (row.job_id, row.offer.id, row.offer.mechanic_id);
        let (user, answered_ago) = (user_of(mechanic), TimeDelta::zero());
        let accept = Accept { command, logged_under, job, offer, mechanic, user, answered_ago };
        accept.carry_out(&self.engine).await
    }

    /// Has an admin assign the mechanic.
    pub async fn assign(
        &self,
        job: JobId,
        mechanic: MechanicId,
        override_reason: Option<String>,
    ) -> Result<Done, Refusal> {
        let (command, logged_under, admin) = (self.engine.new_command(), None, user_of(mechanic));
        let assign = Assign { command, logged_under, job, mechanic, admin, override_reason };
        assign.carry_out(&self.engine).await
    }

    /// Has the mechanic take the job back that they lost.
    pub async fn take_back(&self, job: JobId, mechanic: MechanicId) -> Result<Done, Refusal> {
        let (command, logged_under, user) = (self.engine.new_command(), None, user_of(mechanic));
        TakeBack { command, logged_under, job, mechanic, user }.carry_out(&self.engine).await
    }

    /// Has the mechanic say that they are at the pickup.
    pub async fn arrive(
        &self,
        job: JobId,
        mechanic: MechanicId,
        override_reason: Option<String>,
    ) -> Result<Done, Refusal> {
        let (command, logged_under, user) = (self.engine.new_command(), None, user_of(mechanic));
        let arrive = Arrive { command, logged_under, job, mechanic, user, override_reason };
        arrive.carry_out(&self.engine).await
    }

    pub async fn decline(&self, row: &OfferRow) -> Result<Done, Refusal> {
        let (offer_id, mechanic_id): (OfferId, _) = (row.offer.id, row.offer.mechanic_id);
        let command = Command::Decline { offer_id, mechanic_id, reason: None };
        self.engine
            .order(self.engine.new_command(), row.job_id, By::Mechanic(user_of(mechanic_id)), command)
            .await
    }

    pub async fn order(&self, job: JobId, command: Command) -> Result<Done, Refusal> {
        self.engine.order(self.engine.new_command(), job, By::System, command).await
    }

    pub async fn cancel(&self, job: JobId) -> Result<Done, Refusal> {
        let cancel = Cancel {
            command: self.engine.new_command(),
            logged_under: None,
            job,
            by: By::Customer(UserId(uuid::Uuid::from_u128(1))),
            reason_code: "changed_mind".to_owned(),
            reason: None,
            accepted_fee: AcceptedFee::Any,
            free_cancellations: None,
        };
        cancel.carry_out(&self.engine).await
    }

    /// Returns the job as committed.
    ///
    /// # Panics
    /// Panics if the job does not exist.
    pub fn row(&self, job: JobId) -> Job {
        self.journal.job(job).expect("a job that was made")
    }

    pub fn status(&self, job: JobId) -> Status {
        self.row(job).status()
    }

    /// Checks the invariants of everything that is committed.
    ///
    /// # Panics
    /// Panics if an invariant does not hold.
    pub fn check(&self) {
        invariants::of_journal(&self.journal);
    }

    /// Checks like [`Self::check`] what changed since the last such call: cheap after every step of a long run.
    ///
    /// # Panics
    /// Panics if an invariant does not hold.
    pub fn check_changes(&self) {
        invariants::of_changes(&self.journal);
    }

    /// Checks that memory and journal agree once nothing is under way.
    ///
    /// # Panics
    /// Panics if they differ.
    pub async fn check_quiet(&self) {
        self.check();
        invariants::memory_equals_journal(&self.engine, &self.journal).await;
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the person behind a mechanic's profile.
pub fn user_of(id: MechanicId) -> UserId {
    UserId(id.0)
}

fn start(
    settings: &Settings,
    journal: &Arc<MemoryJournal>,
    outbound: &Arc<Recorder>,
    eta: &Arc<dyn Eta>,
    clock: &Clock,
    random: &Random,
) -> Engine {
    let ports = Ports { journal: journal.clone(), outbound: outbound.clone(), eta: eta.clone() };
    let snapshot = journal.snapshot();
    let engine =
        Engine::start(settings.clone(), ports, clock.clone(), random.clone(), Placement::Here, snapshot);
    actix_rt::spawn(look_after_jobs(engine.clone(), journal.clone()));
    engine
}

/// Runs the service's housekeeping.
async fn look_after_jobs(engine: Engine, journal: Arc<MemoryJournal>) {
    while !engine.context().shutdown.has_begun() {
        tokio::time::sleep(LOOK_AFTER_JOBS_EVERY).await;
        engine.ensure_running(journal.unsettled_ids());
    }
}
