//! Plays plans in a simulated world, one after the other: a mechanic whose reservation one plan leaks is missing in
//! the next.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use roadcall_actors::{
    Engine,
    engine::CommandDone as Done,
    ids::{JobId, MechanicId, VehicleId},
    job::state::{
        Actor as By, Command, DropOff, JobDetails, JobSpec, LiveOffer, Outcome, Refusal, Stage, Status,
    },
    mechanic::state::{Engagement, PositionSource},
    ports::JobToCreate,
    protocol::{Accept, Arrive, OpenJob},
    random::Random,
    settings::{MatchingPolicy, PricingPolicy, SearchPolicy, Settings},
    simulation::{
        Fault, MemoryJournal, World, invariants,
        world::{CENTRE, matching, north, pricing, search, settings, spec, user_of},
    },
};

use crate::{
    check::{self, Answer, Trace},
    plan::{Number, Plan, Situation, When},
};

pub const OFFER_TTL: TimeDelta = TimeDelta::seconds(1);
pub const GRACE: TimeDelta = TimeDelta::milliseconds(200);
const ATTEMPT_TTL: TimeDelta = TimeDelta::seconds(5);
/// Longer than every attempt and every round of it.
const ALONE: Duration = Duration::from_secs(12);
/// The time within which everything is back in line if nothing failed.
const CALM_WITHIN: TimeDelta = TimeDelta::seconds(3);
/// The time within which everything is back in line if commits failed: actors with an unknown outcome have looked again.
const ROUGH_WITHIN: TimeDelta = TimeDelta::seconds(6);
/// The time within which everything is back in line if an actor or the process died: every watchdog has looked.
const DEADLY_WITHIN: TimeDelta = TimeDelta::seconds(90);
/// The time within which an actor that could not read the journal tries again, with its next tick.
const SEEN_WITHIN: TimeDelta = TimeDelta::seconds(7);
/// The time within which a free mechanic is offered a new job.
const OFFERED_WITHIN: TimeDelta = TimeDelta::seconds(2);
/// The number of settled jobs that the journal remembers.
const REMEMBERED: usize = 64;

/// A world, its mechanics, and what happened since the plan began.
pub struct Play {
    pub world: RefCell<World>,
    pub dice: Random,
    pub is_down: Cell<bool>,
    pub mechanics: RefCell<Vec<MechanicId>>,
    pub jobs: RefCell<Vec<JobId>>,
    pub answers: RefCell<Vec<(Trace, Answer)>>,
    /// The first violation that is known immediately.
    pub wrong: RefCell<Option<String>>,
    pub steps: RefCell<Vec<String>>,
    pub told: RefCell<BTreeMap<(&'static str, &'static str), u64>>,
}

type Played<T = ()> = Result<T, String>;

/// Returns settings that price mechanics' time in every second world. The price changes who is asked, but holds no
/// job back, since each must get its offers.
fn priced(seed: u64) -> Settings {
    let pricing = (seed % 2 == 1).then(|| PricingPolicy { worth_s: 60, ..pricing() });
    Settings { matching: MatchingPolicy { pricing, ..matching() }, ..settings() }
}

impl Play {
    pub async fn new(seed: u64, mechanics: usize) -> Self {
        let mut world = World::seeded(seed, priced(seed));
        world.journal.watch();
        world.journal.keep_settled(REMEMBERED);
        world.outbound.keep(0);
        let mut ids = Vec::new();
        for number in 0..mechanics {
            ids.push(world.mechanic_at(at(number)).await);
        }
        Self {
            world: RefCell::new(world),
            dice: Random::seeded(seed ^ 0x5eed),
            is_down: Cell::new(false),
            mechanics: RefCell::new(ids),
            jobs: RefCell::default(),
            answers: RefCell::default(),
            wrong: RefCell::default(),
            steps: RefCell::default(),
            told: RefCell::default(),
        }
    }

    /// Plays one interleaving, from fresh jobs to the end of them all.
    pub async fn interleave(&self, plan: &Plan) -> Played {
        self.jobs.borrow_mut().clear();
        self.answers.borrow_mut().clear();
        self.steps.borrow_mut().clear();
        self.greet().await?;
        self.set_up(&plan.situation).await?;
        self.let_loose(plan).await;
        self.quiet(plan).await?;
        self.judge()?;
        if plan.is_left_alone {
            tokio::time::sleep(ALONE).await;
            self.check_searches_end()?;
        }
        self.clear_up().await?;
        // Getting back in line may have taken longer than a position stays fresh.
        self.greet().await?;
        self.all_are_free(if plan.is_deadly() { SEEN_WITHIN } else { CALM_WITHIN }).await?;
        self.judge()
    }

    /// Reports what happened, for finding the cause of a failure.
    pub fn report(&self) -> String {
        let mut lines = self.steps.borrow().clone();
        for job in self.jobs.borrow().iter() {
            lines.push(format!("log of job {job}:"));
            for committed in self.journal().events(*job) {
                lines.push(format!(
                    "  {} v{} {:?}",
                    committed.at.format("%S%.6f"),
                    committed.version,
                    committed.event
                ));
            }
        }
        lines.join("\n  ")
    }

    /// Returns the kinds of events and how often they were committed.
    pub fn events(&self) -> BTreeMap<&'static str, u64> {
        self.journal().tally().events
    }

    pub async fn end(self) {
        self.engine().crash();
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    pub fn engine(&self) -> Engine {
        self.world.borrow().engine.clone()
    }

    pub fn journal(&self) -> Arc<MemoryJournal> {
        self.world.borrow().journal.clone()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.world.borrow().now()
    }

    pub fn id(&self) -> uuid::Uuid {
        self.world.borrow().random.id(self.now())
    }

    pub fn mechanic(&self, number: Number) -> MechanicId {
        self.mechanics.borrow()[number]
    }

    pub fn job(&self, number: Number) -> JobId {
        let jobs = self.jobs.borrow();
        jobs[number.min(jobs.len() - 1)]
    }

    pub fn note(&self, step: impl FnOnce() -> String) {
        let at = self.now().format("%S%.6f");
        self.steps.borrow_mut().push(format!("{at} {}", step()));
    }

    /// Makes every mechanic send a position and want offers.
    async fn greet(&self) -> Played {
        let mechanics = self.mechanics.borrow().clone();
        for (number, id) in mechanics.into_iter().enumerate() {
            let now = self.now();
            let ping = self.world.borrow_mut().ping_at(id, at(number), now);
            self.engine()
                .locate(id, vec![ping], PositionSource::App, now)
                .await
                .map_err(|refusal| format!("{id}: {refusal}"))?;
        }
        Ok(())
    }

    async fn set_up(&self, situation: &Situation) -> Played {
        let mut free = self.mechanics.borrow().len();
        match situation {
            Situation::Offered(widths) => {
                for width in widths {
                    free -= self.offered(*width, free).await?.len();
                }
            }
            Situation::Assigned { steps, waiting } => {
                let offers = self.offered(1, free).await?;
                self.assigned(&offers[0], *steps).await?;
                if let Some(width) = waiting {
                    self.offered(*width, free - 1).await?;
                }
            }
            Situation::Lost => {
                let offers = self.offered(1, free).await?;
                self.assigned(&offers[0], 1).await?;
                self.lose_by_silence(self.job(0)).await;
                self.offers_of(self.job(0), 1).await?;
            }
        }
        Ok(())
    }

    /// Creates a job and returns its live offers, once it has this many. Every free mechanic must be reservable.
    async fn offered(&self, width: u32, free: usize) -> Played<Vec<LiveOffer>> {
        let vehicle = VehicleId(self.id());
        let id = self.open(vehicle, width).await.map_err(|refusal| format!("a new job: {refusal}"))?;
        self.offers_of(id, free.min(width as usize)).await
    }

    /// Returns the live offers of a job, once it has this many.
    async fn offers_of(&self, id: JobId, expected: usize) -> Played<Vec<LiveOffer>> {
        let end = self.now() + OFFERED_WITHIN;
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let rows = self.journal().pending_offers_of_job(id);
            if rows.len() == expected {
                return Ok(rows.into_iter().map(|row| row.offer).collect());
            }
            if self.now() > end {
                return Err(format!(
                    "job {id} got {} offers, not one for each of {expected} free mechanics: {}",
                    rows.len(),
                    self.states().await
                ));
            }
        }
    }

    /// Returns the states of the mechanics in memory.
    async fn states(&self) -> String {
        let mut states = Vec::new();
        let ids = self.mechanics.borrow().clone();
        for id in ids {
            let mechanic = self.engine().mechanic(id).await;
            states.push(format!("{id}: {:?}", mechanic.map(|m| (m.engagement, m.available, m.last))));
        }
        let counts = self.engine().counts(Duration::from_secs(1)).await;
        format!("{states:?}, {counts:?}")
    }

    async fn assigned(&self, offer: &LiveOffer, steps: u32) -> Played {
        let (job, id) = (self.job(0), offer.mechanic_id);
        // The mechanic with the job becomes the first of the plan.
        {
            let mut mechanics = self.mechanics.borrow_mut();
            let place = mechanics.iter().position(|mechanic| *mechanic == id).unwrap_or_default();
            mechanics.swap(0, place);
        }
        let refused = |refusal: Refusal| format!("setting up: {refusal}");
        let engine = self.engine();
        let accept = Accept {
            command: engine.new_command(),
            logged_under: None,
            job,
            offer: offer.id,
            mechanic: id,
            user: user_of(id),
            answered_ago: TimeDelta::zero(),
        };
        let accepted = accept.carry_out(&engine).await;
        self.answered("set up", Trace::Accepted(job, Some(offer.id), id), &accepted);
        accepted.map_err(refused)?;
        if steps > 0 {
            let en_route = Command::EnRoute { mechanic_id: id };
            let gone = engine.order(engine.new_command(), job, By::Mechanic(user_of(id)), en_route).await;
            self.answered("set up", Trace::EnRoute(job), &gone);
            gone.map_err(refused)?;
        }
        if steps > 1 {
            arrive(&engine, job, id).await.map_err(refused)?;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok(())
    }

    pub async fn open(&self, vehicle: VehicleId, width: u32) -> Result<JobId, Refusal> {
        let id = JobId(self.id());
        self.jobs.borrow_mut().push(id);
        let policy = SearchPolicy {
            round_widths: vec![width],
            max_rounds: 3,
            offer_ttl: OFFER_TTL,
            offer_grace: GRACE,
            attempt_ttl: ATTEMPT_TTL,
            ..search()
        };
        let spec = JobSpec { search: Arc::new(policy), ..spec(vehicle, CENTRE, self.now()) };
        let (details, excluded, idempotency) = (JobDetails::default(), BTreeSet::new(), None);
        let by = By::Customer(spec.customer_id);
        let (engine, new) = (self.engine(), JobToCreate { id, spec, details, excluded, idempotency });
        let open = OpenJob { command: engine.new_command(), by, new: Box::new(new) };
        let made = open.carry_out(&engine).await;
        self.answered("open", Trace::Created(id), &made);
        made.map(|_| id)
    }

    async fn let_loose(&self, plan: &Plan) {
        let journal = self.journal();
        journal.set_latency_below(self.dice.clone(), Duration::from_millis(plan.latency_ms));
        journal.fail_next(plan.faults.iter().copied());
        if !plan.rates.is_empty() {
            journal.fail_at_rate(self.dice.clone(), plan.rates.clone());
        }
        let offers = journal.pending_offers_of_job(self.job(0));
        let begin = self.now();
        let expiry = offers.first().map_or(begin + OFFER_TTL, |row| row.offer.expires_at);
        let due = |when: When| match when {
            When::After(ms) => begin + TimeDelta::milliseconds(ms as i64),
            When::Expiry(offset) => expiry + TimeDelta::microseconds(offset),
            When::Grace(offset) => expiry + GRACE + TimeDelta::microseconds(offset),
        };
        let commands = plan.commands.iter().map(|(when, what)| self.perform(due(*when), *what, expiry));
        if plan.is_in_turn {
            for command in commands {
                command.await;
            }
        } else {
            join_all(commands).await;
        }
    }

    /// Ends all failures, and checks that memory soon matches the journal and no mechanic stays reserved without an
    /// offer.
    async fn quiet(&self, plan: &Plan) -> Played {
        let journal = self.journal();
        journal.clear_faults();
        journal.come_back();
        journal.set_latency(Duration::ZERO);
        let late = plan.faults().filter_map(|fault| match fault {
            Fault::UnknownCommittedLate(after) => Some(after),
            _ => None,
        });
        let latest = late.max().unwrap_or_default();
        tokio::time::sleep(latest + Duration::from_millis(plan.latency_ms + 1)).await;
        let within = match (plan.is_deadly(), plan.faults().next()) {
            (true, _) => DEADLY_WITHIN,
            (false, Some(_)) => ROUGH_WITHIN,
            (false, None) => CALM_WITHIN,
        };
        self.in_line(within).await
    }

    async fn in_line(&self, within: TimeDelta) -> Played {
        let end = self.now() + within;
        let mut pause = Duration::from_millis(1);
        while let Err(difference) = self.difference().await {
            if self.now() > end {
                return Err(format!("after {within} {difference}"));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 4).min(Duration::from_millis(500));
        }
        Ok(())
    }

    async fn difference(&self) -> Played {
        let (engine, journal) = (self.engine(), self.journal());
        invariants::difference(&engine, &journal).await?;
        for id in journal.mechanic_ids() {
            let memory = engine.mechanic(id).await.ok_or_else(|| format!("{id} has no actor"))?;
            if let Engagement::Reserved { .. } = memory.engagement {
                return Err(format!("{id} is reserved for nothing: {:?}", memory.engagement));
            }
        }
        let now = self.now();
        let overdue = journal
            .unsettled_jobs()
            .into_iter()
            .find(|job| job.next_due().is_some_and(|due| now - due > CALM_WITHIN));
        overdue.map_or(Ok(()), |job| Err(format!("nobody does what is due: {job:?}")))
    }

    /// Checks what was committed, and the answers that people got.
    fn judge(&self) -> Played {
        let journal = self.journal();
        if let Some(wrong) = journal.broken().or(self.wrong.borrow_mut().take()) {
            return Err(wrong);
        }
        let jobs = self.jobs.borrow().clone();
        let rows = jobs.into_iter().filter_map(|id| Some((journal.job(id)?, journal.events(id))));
        let logs: Vec<_> = rows.collect();
        for (job, log) in &logs {
            check::log(job, log, GRACE)?;
            check::expiries(log, &journal, GRACE)?;
            invariants::of_job_and_people(&journal, job.id);
        }
        check::answers(&self.answers.borrow(), &logs)
    }

    fn check_searches_end(&self) -> Played {
        let searching = self.journal().unsettled_jobs().into_iter().find(invariants::is_searching);
        searching.map_or(Ok(()), |job| Err(format!("job {} searches for ever: {:?}", job.id, job.stage)))
    }

    /// Ends every job, one way or another, and makes every mechanic free and available again.
    async fn clear_up(&self) -> Played {
        let refused = |refusal: Refusal| format!("clearing up: {refusal}");
        let jobs = self.journal().unsettled_jobs();
        let (active, others): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.status().is_active());
        for job in others {
            self.cancel(job.id).await.map_err(refused)?;
        }
        for job in active {
            match self.dice.below(2) {
                0 => self.cancel(job.id).await.map_err(refused)?,
                _ => self.complete(job.id).await.map_err(refused)?,
            }
        }
        for id in self.journal().mechanic_ids() {
            if self.journal().mechanic(id).is_some_and(|mechanic| !mechanic.available) {
                self.engine().set_availability(id, true).await.map_err(refused)?;
            }
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.in_line(CALM_WITHIN).await?;
        match self.journal().unsettled_jobs().first() {
            Some(job) => Err(format!("job {} did not end: {:?}", job.id, job.stage)),
            None => Ok(()),
        }
    }

    /// Waits until the dispatcher may offer something to each of them.
    async fn all_are_free(&self, within: TimeDelta) -> Played {
        let (end, all) = (self.now() + within, self.mechanics.borrow().len());
        loop {
            let counts = self.engine().counts(Duration::from_secs(1)).await;
            if counts.is_some_and(|counts| counts.dispatcher.free_mechanics == all) {
                return Ok(());
            }
            if self.now() > end {
                return Err(format!("after {within} not all are free: {}", self.states().await));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn complete(&self, id: JobId) -> Result<(), Refusal> {
        let engine = self.engine();
        loop {
            let job = engine.job(id).await?;
            let Some(assignment) = job.assignment() else { return Ok(()) };
            let mechanic_id = assignment.mechanic_id;
            let by = By::Mechanic(user_of(mechanic_id));
            let order = |command| engine.order(engine.new_command(), id, by, command);
            let done = match &job.stage {
                Stage::Accepted(_) => order(Command::EnRoute { mechanic_id }).await,
                Stage::EnRoute(_) => arrive(&engine, id, mechanic_id).await,
                Stage::Arrived(a) => order(Command::Start { mechanic_id, code: a.start_code.clone() }).await,
                _ => {
                    let (notes, received_by, drop_off) = (None, None, DropOff::default());
                    let (outcome, photo_urls) = (Outcome::Fixed, Vec::new());
                    order(Command::Complete {
                        mechanic_id,
                        outcome,
                        notes,
                        photo_urls,
                        received_by,
                        drop_off,
                    })
                    .await
                }
            };
            if job.status() == Status::Accepted {
                self.answered("en-route", Trace::EnRoute(id), &done);
            }
            let done = done?;
            if done.job.status() == Status::Completed {
                return Ok(());
            }
        }
    }
}

/// Has the mechanic say that they are at the pickup, without a position that shows it.
async fn arrive(engine: &Engine, job: JobId, mechanic: MechanicId) -> Result<Done, Refusal> {
    let (command, logged_under, user) = (engine.new_command(), None, user_of(mechanic));
    let override_reason = Some("beside the road".to_owned());
    Arrive { command, logged_under, job, mechanic, user, override_reason }.carry_out(engine).await
}

fn at(number: Number) -> roadcall_actors::geo::Point {
    north(500.0 + 200.0 * number as f64)
}
