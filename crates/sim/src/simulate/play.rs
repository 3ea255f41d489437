//! One simulated day: people do what is due and react to the engine's messages, until every job has ended.
//!
//! The run takes one step at a time; between two steps the engine's own timers fire. The steps are in `customers.rs`,
//! `mechanics.rs`, `mechanic_jobs.rs` and `phones.rs`.

use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;
use roadcall_actors::{ids::MechanicId, simulation::invariants};

use super::{
    demand,
    mechanic_profiles::{self, Mechanic},
    outcome::{BesideHeld, Outcome},
    people::{Customer, Worker, user_of},
    plan::Plan,
    policy::{Kind, settings_under},
    prices::{HOURS, PricesOfDay},
    queue::{Queue, Step},
    recording_outbound::Message,
    run::Run,
    service::{EstimatedTrips, Service},
    tally,
    travel::{Millis, millis},
};
use crate::rng::{Purpose, Rng};

/// The time after the last call. A job that is still open then never ends, which is a bug.
const WIND_DOWN: Millis = 24 * 3_600_000;
/// How often the journal is asked whether the day is over.
const LOOK_AGAIN: Millis = 60_000;
/// How often the run looks at the mechanics who are free beside held jobs; the guard's figure is itself a mean over this time.
const LOOK_AT_HOLDS_EVERY: Millis = 120_000;
/// How often the engine is asked for its prices.
const LOOK_AT_PRICES_EVERY: Millis = 600_000;
/// The time within which the engine's last deadlines and checks pass.
const QUIET: Duration = Duration::from_secs(90);

/// Plays the day. Must be called within its own actix system.
///
/// # Panics
/// When an invariant is broken.
pub async fn run(plan: Plan) -> Outcome {
    tokio::time::pause();
    let mut run = Run::new(plan);
    run.play().await;
    run.check_end().await;
    let outcome = tally::of(&run);
    run.service.engine.crash();
    tokio::time::sleep(Duration::from_millis(1)).await;
    outcome
}

impl Run {
    fn new(plan: Plan) -> Self {
        let rng = Rng::new(plan.seed);
        let settings = settings_under(plan.policy, &plan.settings, &plan.scenario.phones);
        let eta = EstimatedTrips::new(&plan.scenario, plan.eta_error, rng);
        let (calibration, seed) = (plan.calibration.clone(), rng.on(Purpose::Engine).seed());
        let service = Service::start(&plan.scenario, settings, eta, calibration, seed);
        plan.faults.apply_to(&service.journal, rng);
        let (calls, people) = match &plan.replay {
            Some(replay) => (replay.calls(&plan.scenario, rng), replay.mechanics(&plan.scenario, rng)),
            None => (
                demand::calls(&plan.scenario, plan.load, rng),
                mechanic_profiles::mechanics(&plan.scenario, rng),
            ),
        };
        let mut run = Self {
            queue: Queue::default(),
            customers: calls.into_iter().map(Customer::new).collect(),
            workers: Vec::new(),
            now: 0,
            rng,
            ended: 0,
            prices: PricesOfDay::default(),
            beside_held: BesideHeld::default(),
            trips: Vec::new(),
            next_look: 0,
            customer_of: HashMap::new(),
            worker_of: HashMap::new(),
            service,
            plan,
        };
        run.plan_day(people);
        run
    }

    fn plan_day(&mut self, people: Vec<Mechanic>) {
        let scenario = self.plan.scenario.clone();
        let since = self.service.now();
        for (m, person) in people.into_iter().enumerate() {
            let id = MechanicId(self.service.random.id(since));
            let profile = person.profile(&scenario, user_of(id));
            self.prices.know(&profile, person.crew);
            self.service.journal.add_mechanic(id, profile, since);
            self.worker_of.insert(id.0, m);
            for (from, to) in person.shifts() {
                self.queue.plan(from, Step::ShiftBegins(m));
                self.queue.plan(to, Step::ShiftEnds(m));
            }
            let share = scenario.phones.dark_percent / 100.0 + self.plan.faults.dark_phones;
            if let Some((connected, _)) = person.connection(&scenario, share, 0) {
                self.queue.plan(connected, Step::LoseConnection(m, 0));
            }
            self.workers.push(Worker::new(id, person, scenario.phones.slow_interval_s));
        }
        for c in 0..self.customers.len() {
            self.queue.plan(self.customers[c].call.at, Step::Call(c));
        }
        if let Some(every_s) = self.plan.faults.crash_every_s {
            self.queue.plan(millis(every_s), Step::Crash);
        }
        if let Some(learning) = &self.plan.settings.learning {
            self.queue.plan(millis(learning.every.as_secs_f64()), Step::LearnTrips);
        }
        if matches!(self.plan.policy.kind, Kind::Ours | Kind::Advised) {
            self.queue.plan(LOOK_AT_HOLDS_EVERY, Step::LookAtHolds);
        }
        if self.plan.roster {
            self.queue.plan(LOOK_AT_PRICES_EVERY, Step::LookAtPrices);
        }
    }

    async fn play(&mut self) {
        let end = millis(self.plan.scenario.hours * 3600.0) + WIND_DOWN;
        loop {
            self.now = self.service.elapsed();
            while let Some(message) = self.service.outbound.next() {
                self.handle(message);
            }
            if self.is_over() {
                return;
            }
            assert!(self.now < end, "{} jobs have not ended", self.open_jobs());
            let Some(step) = self.queue.due(self.now) else {
                self.wait().await;
                continue;
            };
            self.take(step).await;
            if self.plan.check_every_step {
                invariants::of_changes(&self.service.journal);
            }
        }
    }

    /// Waits until something is due, or the engine sends a message.
    async fn wait(&self) {
        let next = self.queue.next_at().unwrap_or(self.now + 1_000);
        let pause = Duration::from_millis(next.saturating_sub(self.now));
        tokio::select! {
            biased;
            () = self.service.outbound.wait() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Call(c) => self.call(c).await,
            Step::GiveUpSearch(c) => self.give_up_search(c).await,
            Step::GiveUpWaiting(c) => self.give_up_waiting(c).await,
            Step::Reconsider(c) => self.reconsider(c).await,
            Step::ShiftBegins(m) => self.begin_shift(m).await,
            Step::ShiftEnds(m) => self.end_shift(m).await,
            Step::BreakEnds(m) => self.end_break(m).await,
            Step::Ping(m) => self.ping_all(m).await,
            Step::Answer(m, offer) => self.answer(m, offer).await,
            Step::Work(m, engagement) => self.work(m, engagement).await,
            Step::LoseConnection(m, nth) => self.lose_connection(m, nth),
            Step::Reconnect(m) => self.reconnect(m).await,
            Step::Refresh(m) => self.refresh(m).await,
            Step::Crash => self.crash().await,
            Step::LookAtPrices => self.look_at_prices().await,
            Step::LookAtHolds => self.look_at_holds().await,
            Step::LearnTrips => self.learn_trips(),
        }
    }

    /// Sends the positions of all phones that are due at the same moment at once.
    async fn ping_all(&mut self, first: usize) {
        let mut due = vec![first];
        due.extend(std::iter::from_fn(|| self.queue.due_ping(self.now)));
        let pings: Vec<_> = due.into_iter().filter_map(|m| self.ping(m)).collect();
        if pings.is_empty() {
            return;
        }
        let received_at = self.service.now();
        let engine = &self.service.engine;
        let sent = pings.into_iter().map(|(m, id, ping, source)| async move {
            (m, engine.locate(id, vec![ping], source, received_at).await)
        });
        for (m, answer) in join_all(sent).await {
            if let Ok(located) = answer {
                self.workers[m].interval_s = located.next_interval_s;
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::JobChanged(job) => self.on_job_changed(job),
            Message::Offered { mechanic, offer, job, distance_m } => {
                // Customers always watch their jobs: from here on, and with each position.
                self.service.engine.watch([job]);
                if let (Some(m), Some(c)) = (self.worker(mechanic.0), self.customer(job)) {
                    self.on_offer(m, offer, job, c, distance_m);
                }
            }
            Message::OfferOver { mechanic, offer } => {
                if let Some(m) = self.worker(mechanic.0) {
                    self.on_offer_over(m, offer);
                }
            }
            Message::LocationRate { mechanic, interval_s } => {
                if let Some(m) = self.worker(mechanic.0) {
                    self.on_location_rate(m, interval_s);
                }
            }
            Message::WaitAdvised { mechanic, to } => {
                if let Some(m) = self.worker(mechanic.0) {
                    self.on_wait_advised(m, to);
                }
            }
            Message::Assigned { mechanic, job, is_on_it } => {
                if let (Some(m), Some(c)) = (self.worker(mechanic.0), self.customer(job)) {
                    self.on_assigned(m, job, c, is_on_it);
                }
            }
        }
    }

    /// Looks at the prices, and plans the next look while calls are made.
    async fn look_at_prices(&mut self) {
        let scenario = &self.plan.scenario;
        let hour = (scenario.start_hour + self.now as f64 / 3_600_000.0).rem_euclid(HOURS as f64);
        let ends = millis(scenario.hours * 3600.0);
        if let Ok(markets) = self.service.engine.prices().await {
            self.prices.look(hour as usize, &markets);
        }
        if self.now + LOOK_AT_PRICES_EVERY < ends {
            self.queue.plan(self.now + LOOK_AT_PRICES_EVERY, Step::LookAtPrices);
        }
    }

    async fn look_at_holds(&mut self) {
        if let Ok(markets) = self.service.engine.prices().await {
            self.beside_held.look(&markets);
        }
        let next = self.now + LOOK_AT_HOLDS_EVERY;
        if next < millis(self.plan.scenario.hours * 3600.0) {
            self.queue.plan(next, Step::LookAtHolds);
        }
    }

    fn learn_trips(&mut self) {
        let Some(learning) = self.plan.settings.learning else { return };
        self.service.eta.learn(&self.trips, learning.min_trips);
        self.queue.plan(self.now + millis(learning.every.as_secs_f64()), Step::LearnTrips);
    }

    async fn crash(&mut self) {
        self.service.crash().await;
        self.now = self.service.elapsed();
        // The sockets ended with the process: every phone connects again and asks for its state.
        for m in 0..self.workers.len() {
            self.refresh_after(m, 2.0);
        }
        if let Some(every_s) = self.plan.faults.crash_every_s {
            self.queue.plan(self.now + millis(every_s), Step::Crash);
        }
    }

    /// Returns whether nobody calls any more and every job has ended. Messages may be lost, so the journal decides, which is read
    /// now and then.
    fn is_over(&mut self) -> bool {
        if !self.queue.is_without_calls() || (self.ended < self.customers.len() && self.now < self.next_look)
        {
            return false;
        }
        self.next_look = self.now + LOOK_AGAIN;
        self.open_jobs() == 0
    }

    fn open_jobs(&self) -> usize {
        self.service.journal.unsettled_jobs().len()
    }

    /// Checks, with nothing under way any more, that the journal is consistent, every job has ended, and memory agrees.
    async fn check_end(&mut self) {
        self.service.journal.clear_faults();
        tokio::time::sleep(QUIET).await;
        invariants::of_journal(&self.service.journal);
        assert_eq!(self.open_jobs(), 0, "every job ends");
        invariants::memory_equals_journal(&self.service.engine, &self.service.journal).await;
    }
}
