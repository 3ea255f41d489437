//! A seeded random world: people act at random, the journal fails, processes die. The invariants are checked after
//! every step.
//!
//! `ROADCALL_SEEDS=5000 cargo test -p roadcall-actors --test random_world` tries more seeds; `ROADCALL_SEED=17`
//! repeats one.

mod steps;
mod tables;

use std::{collections::BTreeMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use chrono::TimeDelta;
use futures_util::FutureExt;
use roadcall_actors::{
    concern::Concern,
    dispatcher::explain::{Passed, Verdict},
    experience::{CompletedWork, Lesson},
    geo::Point,
    ids::{JobId, LineItemId, MechanicId, VehicleId},
    job::state::{Command, ItemCommand, ItemKind, ItemPatch, ItemQuote, ItemTerms, JobSpec, Stage, Urgency},
    random::Random,
    settings::{MatchingPolicy, SearchPolicy, Settings, WatchPolicy},
    simulation::{
        Fault, World,
        world::{CENTRE, category, matching, pricing, search, settings, spec},
    },
};

use steps::complete;
use tables::Table;

const SEEDS: u64 = 150;
const STEPS: u32 = 120;
const MECHANICS: u32 = 6;
const VEHICLES: u32 = 5;

/// Every kind of event that a job can have, and [`HELD`].
const EVERYTHING: &[&str] = &[
    "created",
    "dispatching",
    "offers_made",
    "offer_declined",
    "offer_revoked",
    "offers_expired",
    "accepted",
    "no_mechanic_found",
    "retried",
    "en_route",
    "delayed",
    "recovered",
    "arrived",
    "wrong_start_code",
    "in_progress",
    "line_item_proposed",
    "line_item_amended",
    "line_item_withdrawn",
    "line_item_approved",
    "line_item_rejected",
    "completed",
    "released",
    "cancelled",
    "payment",
    "message",
    "paid",
    "disputed",
    "resolved",
    HELD,
];

/// The name for a decision that left a job waiting because mechanics' time was worth more.
const HELD: &str = "held back";

/// The events of a run.
struct Ran {
    log: Vec<String>,
    events: Vec<&'static str>,
}

/// A world and the dice that drive it. The engine draws its ids from a stream of its own.
struct Play {
    world: World,
    dice: Random,
    mechanics: Vec<MechanicId>,
    vehicles: Vec<VehicleId>,
    log: Vec<String>,
}

#[test]
fn the_invariants_hold_whatever_happens() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("ROADCALL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ROADCALL_SEEDS").unwrap_or(SEEDS),
    };
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let is_whole = seeds.end - seeds.start >= SEEDS;
    for seed in seeds {
        for kind in actix::System::new().block_on(run(seed)).events {
            *seen.entry(kind).or_default() += 1;
        }
    }
    // A world in which too little happens proves nothing.
    let rarest = EVERYTHING.iter().min_by_key(|kind| seen.get(**kind).copied().unwrap_or(0));
    let rarest = rarest.map(|kind| (*kind, seen.get(kind).copied().unwrap_or(0)));
    assert!(!is_whole || rarest.is_some_and(|(_, count)| count >= 10), "{rarest:?} of {seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let log = |seed| actix::System::new().block_on(run(seed)).log;
    assert_eq!(log(3), log(3));
    assert_ne!(log(3), log(4));
}

/// Returns limits so short that a run sees many mechanics go dark, be reported, come back or lose their job.
fn impatient() -> WatchPolicy {
    let s = TimeDelta::seconds;
    let (dark_after, stalled_after, slip_after) = (s(18), s(25), s(30));
    let (debounce, tell_after, reassign_after, nudge_every) = (s(4), s(3), s(15), s(5));
    let may_reassign = Concern::ALL.into();
    let away_window = s(60);
    WatchPolicy {
        dark_after,
        stalled_after,
        away_window,
        slip_after,
        debounce,
        tell_after,
        reassign_after,
        nudge_every,
        may_reassign,
        ..settings().watch
    }
}

/// Returns a world. Every third world has an ETA table to wait for, with a delay that depends on the seed; some
/// delays exceed the limit. In every second world mechanics' time has a price, which holds jobs back when many
/// call.
fn world(seed: u64) -> World {
    let matching = MatchingPolicy { pricing: (seed % 2 == 1).then(pricing), ..matching() };
    let settings = Settings { watch: impatient(), matching, ..settings() };
    match seed % 3 {
        0 => {
            let late = Duration::from_millis(seed * 40 % 2_500);
            World::with_eta(seed, settings, Arc::new(Table::late(late)))
        }
        _ => World::seeded(seed, settings),
    }
}

/// Returns lessons from earlier jobs, because time without any evidence has no price.
fn experience() -> Vec<Lesson> {
    let (travel_s, on_site_s, eta_s) = (720.0, 1_500.0, Some(720.0));
    vec![Lesson::Work(CompletedWork { category_id: category(), travel_s, on_site_s, eta_s }); 100]
}

async fn run(seed: u64) -> Ran {
    tokio::time::pause();
    let dice = Random::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut play = Play {
        world: world(seed),
        mechanics: Vec::new(),
        vehicles: (0..VEHICLES).map(|n| VehicleId(uuid::Uuid::from_u128(u128::from(n) + 100))).collect(),
        dice,
        log: Vec::new(),
    };
    // Searches are short, so that a run sees many of them end.
    let (attempt_ttl, offer_ttl) = (TimeDelta::seconds(60), TimeDelta::seconds(8));
    play.world.search = Arc::new(SearchPolicy { attempt_ttl, offer_ttl, ..search() });
    play.world.journal.remember(experience());
    play.world.restart().await;
    let outcome = AssertUnwindSafe(play.play()).catch_unwind().await;
    if outcome.is_err() {
        let tail: Vec<_> = play.log.iter().rev().take(25).rev().cloned().collect();
        panic!("seed {seed} broke (ROADCALL_SEED={seed} repeats it) after\n  {}", tail.join("\n  "));
    }
    play.world.engine.crash();
    play.world.pass(Duration::from_millis(1)).await;
    let jobs = play.world.journal.jobs();
    let events = jobs.iter().flat_map(|job| play.world.journal.events(job.id));
    let mut kinds: Vec<&str> = events.map(|committed| committed.event.kind()).collect();
    let decisions = jobs.iter().flat_map(|job| play.world.journal.explanations(job.id));
    let verdicts = decisions.flat_map(|decision| decision.considered);
    let held = |verdict: &Verdict| matches!(verdict, Verdict::Passed(_, Passed::HeldBack));
    kinds.extend(verdicts.filter(|considered| held(&considered.verdict)).map(|_| HELD));
    Ran { log: play.log, events: kinds }
}

impl Play {
    async fn play(&mut self) {
        self.world.journal.set_latency(Duration::from_millis(u64::from(self.dice.below(30))));
        for _ in 0..MECHANICS {
            let point = self.somewhere();
            let id = self.world.mechanic_at(point).await;
            self.mechanics.push(id);
        }
        for _ in 0..STEPS {
            self.step().await;
            self.world.check_changes();
            let pause = u64::from(self.dice.below(4_000));
            self.world.pass(Duration::from_millis(pause)).await;
            self.world.check_changes();
        }
        self.end().await;
    }

    /// Leaves everything alone: faults end, and so does every search.
    async fn end(&mut self) {
        self.world.journal.come_back();
        self.world.journal.clear_faults();
        self.world.pass_s(20).await;
        self.rest().await;
        self.world.check_quiet().await;
        let commits = self.world.journal.uses().commits;
        self.world.pass_s(400).await;
        self.world.check_quiet().await;
        for job in self.world.journal.jobs() {
            let is_searching = matches!(job.stage, Stage::Pending | Stage::Dispatching(_));
            assert!(!is_searching, "job {} searches for ever: {:?}", job.id, job.stage);
        }
        let commits = self.world.journal.uses().commits - commits;
        assert!(commits < 200, "{commits} commits although nobody does anything");
    }

    /// Waits for a moment without commits, since searches under way commit at intervals.
    async fn rest(&self) {
        let mut commits = None;
        for _ in 0..100 {
            let before = commits.replace(self.world.journal.uses().commits);
            if before == commits {
                return;
            }
            self.world.pass(Duration::from_millis(77)).await;
        }
        panic!("there is no end of commits");
    }

    async fn step(&mut self) {
        match self.dice.below(100) {
            0..=14 => self.open().await,
            15..=39 => self.answer().await,
            40..=57 => {
                self.itemise().await;
                self.advance().await;
            }
            58..=62 => self.cancel().await,
            63..=65 => self.release().await,
            66..=67 => self.close().await,
            68..=70 => self.retry().await,
            71..=83 => self.ping().await,
            84..=88 => self.switch().await,
            89..=92 => self.fault(),
            93..=94 => self.strike(),
            95 => self.restart().await,
            96 => self.away(),
            _ => self.assign().await,
        }
    }

    async fn open(&mut self) {
        let vehicle = self.vehicles[self.dice.below(VEHICLES) as usize];
        let now = self.world.now();
        let urgency = Urgency::ALL[self.dice.below(3) as usize];
        let begin_at = now + TimeDelta::seconds(if self.dice.below(5) == 0 { 15 } else { 0 });
        let job = JobSpec { urgency, begin_at, ..spec(vehicle, self.somewhere(), now) };
        let made = self.world.open(job).await;
        self.note("open", &made);
    }

    /// Makes a mechanic with an offer accept or decline, or two do so at once, or retries an old offer.
    async fn answer(&mut self) {
        let pending: Vec<_> = self.mechanics.iter().filter_map(|id| self.world.offer(*id)).collect();
        let Some(offer) = self.any(&pending) else { return };
        match self.dice.below(10) {
            0..=5 => {
                let answer = self.world.accept(&offer).await.map(|done| done.job.status());
                self.note("accept", &answer);
            }
            6..=7 => {
                let answer = self.world.decline(&offer).await.map(|done| done.job.status());
                self.note("decline", &answer);
            }
            8 => {
                let other = self.any(&pending).unwrap_or_else(|| offer.clone());
                let both =
                    futures_util::future::join(self.world.accept(&offer), self.world.accept(&other)).await;
                self.note("accept twice", &(both.0.map(|d| d.job.status()), both.1.map(|d| d.job.status())));
            }
            _ => {
                let offers = self.world.journal.offers();
                let Some(old) = self.any(&offers) else { return };
                let answer = self.world.accept(&old).await.map(|done| done.job.status());
                self.note("accept an old one", &answer);
            }
        }
    }

    /// Makes the mechanic of a job do the next step.
    async fn advance(&mut self) {
        let Some((job, mechanic_id)) = self.any_active() else { return };
        let row = self.world.row(job);
        let answer = match &row.stage {
            Stage::Accepted(_) => self.world.order(job, Command::EnRoute { mechanic_id }).await,
            Stage::EnRoute(_) => {
                let reason = (self.dice.below(2) == 0).then(|| "beside the road".to_owned());
                self.world.arrive(job, mechanic_id, reason).await
            }
            Stage::Arrived(assignment) => {
                let right = assignment.start_code.clone();
                let code = if self.dice.below(4) == 0 { Some("wrong".to_owned()) } else { right };
                self.world.order(job, Command::Start { mechanic_id, code }).await
            }
            _ => self.world.order(job, complete(mechanic_id)).await,
        };
        self.note("advance", &answer.map(|done| done.job.status()));
    }

    /// Makes the people at a vehicle change its line items: several at once, as a job does not stay there for long.
    async fn itemise(&mut self) {
        for _ in 0..self.dice.below(3) {
            let jobs = self.world.journal.jobs();
            let at_work =
                jobs.iter().filter(|job| matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_)));
            let at_work: Vec<_> =
                at_work.filter_map(|job| Some((job.clone(), job.assignment()?.mechanic_id))).collect();
            let Some((job, mechanic_id)) = self.any(&at_work) else { return };
            let item = self.any(&job.items).filter(|_| self.dice.below(3) > 0);
            let quote = item.as_ref().map_or(1, |item| item.version);
            let quote = ItemQuote { version: quote, total_paise: None };
            let item = item.map(|item| item.id);
            let command = match (item, self.dice.below(6)) {
                (None, _) => ItemCommand::Propose {
                    mechanic_id,
                    id: LineItemId(self.world.random.id(self.world.now())),
                    terms: self.terms(),
                    destination: None,
                    idempotency: None,
                },
                (Some(id), 0..=1) => {
                    let patch = ItemPatch { quantity: Some(1 + self.dice.below(5)), ..ItemPatch::default() };
                    ItemCommand::Amend { mechanic_id, id, patch }
                }
                (Some(id), 2) => ItemCommand::Withdraw { mechanic_id, id },
                (Some(id), 3) => ItemCommand::Reject { id, quote, on_account: false },
                (Some(id), _) => ItemCommand::Approve { id, quote, on_account: false },
            };
            let answer = self.world.order(job.id, Command::Item(command)).await;
            self.note("item", &answer.map(|done| done.job.price_paise()));
        }
    }

    fn terms(&self) -> ItemTerms {
        ItemTerms {
            kind: ItemKind::ALL[self.dice.below(6) as usize],
            description: "a tube".to_owned(),
            quantity: 1 + self.dice.below(3),
            unit_price_paise: i64::from(1 + self.dice.below(20_000)),
            photo_url: None,
        }
    }

    /// Takes the next step after the work.
    async fn close(&mut self) {
        let jobs = self.world.journal.jobs();
        let ended: Vec<_> = jobs.iter().filter(|job| job.is_settled()).map(|job| job.id).collect();
        let served: Vec<_> = jobs.iter().filter(|job| job.completion().is_some()).map(|job| job.id).collect();
        let served = self.any(&served).filter(|_| self.dice.below(4) > 0);
        let Some(job) = served.or_else(|| self.any(&ended)) else { return };
        let payment_id = self.world.random.id(self.world.now());
        let message_id = self.world.random.id(self.world.now());
        let assigned = jobs.iter().find(|found| found.id == job).and_then(|job| job.assignment());
        let mechanic_id = assigned.map_or(self.mechanics[0], |assignment| assignment.mechanic_id);
        let note = Command::NoteMessage { message_id, mechanic_id };
        for command in [
            Command::NotePayment { payment_id },
            note,
            Command::NoteCall { call_id: payment_id },
            Command::Pay,
            Command::Dispute,
            Command::Resolve,
        ] {
            if self.dice.below(8) > 0 {
                let answer = self.world.order(job, command).await;
                self.note("close", &answer.map(|done| done.job.status()));
            }
        }
    }

    async fn cancel(&mut self) {
        let Some(job) = self.any_job() else { return };
        let answer = self.world.cancel(job).await;
        self.note("cancel", &answer.map(|done| done.job.status()));
    }

    async fn release(&mut self) {
        let Some((job, mechanic_id)) = self.any_active() else { return };
        let release = Command::Release { mechanic_id, reason_code: "breakdown".to_owned() };
        let answer = self.world.order(job, release).await;
        self.note("release", &answer.map(|done| done.job.status()));
    }

    async fn retry(&mut self) {
        let jobs = self.world.journal.jobs();
        let ended: Vec<_> =
            jobs.iter().filter(|job| matches!(job.stage, Stage::NoMechanicFound { .. })).collect();
        let Some(job) = self.any(&ended).map(|job| job.id).or_else(|| self.any_job()) else { return };
        let answer = self.world.order(job, Command::Retry { most_open_jobs: None }).await;
        self.note("retry", &answer.map(|done| done.job.status()));
    }

    async fn ping(&mut self) {
        for id in self.mechanics.clone() {
            if self.dice.below(3) > 0 {
                // Half of them stay where they were: to a watch, a move that is too fast proves nothing.
                let last = self.world.journal.mechanic(id).and_then(|mechanic| mechanic.last);
                let held = last.filter(|_| self.dice.below(2) == 0).map(|fix| fix.point);
                let point = held.unwrap_or_else(|| self.somewhere());
                let answer = self.world.ping(id, point).await;
                self.note("ping", &answer.map(|located| located.accepted));
            }
        }
    }

    async fn switch(&mut self) {
        let Some(id) = self.any(&self.mechanics.clone()) else { return };
        let answer = self.world.engine.set_availability(id, self.dice.below(4) > 0).await;
        self.note("availability", &answer);
    }

    async fn assign(&mut self) {
        // Half of the time, the mechanic has an offer, perhaps of another job.
        let offered: Vec<_> =
            self.mechanics.iter().copied().filter(|id| self.world.offer(*id).is_some()).collect();
        let offered = self.any(&offered).filter(|_| self.dice.below(2) == 0);
        let id = offered.or_else(|| self.any(&self.mechanics.clone()));
        let (Some(job), Some(id)) = (self.any_job(), id) else { return };
        let why = Some("nobody else is near".to_owned());
        let answer = self.world.assign(job, id, why).await;
        self.note("assign", &answer.map(|done| done.job.status()));
    }

    fn fault(&mut self) {
        let faults = [
            Fault::Failed,
            Fault::UnknownCommitted,
            Fault::UnknownNotCommitted,
            Fault::Conflict,
            Fault::Panic,
        ];
        let fault = faults[self.dice.below(5) as usize];
        self.world.journal.fail_next([fault]);
        self.note("fault", &fault);
    }

    fn strike(&mut self) {
        match (self.dice.below(3), self.any_job(), self.any(&self.mechanics.clone())) {
            (0, Some(job), _) => self.world.engine.panic_job(job),
            (1, _, Some(id)) => self.world.engine.panic_mechanic(id),
            _ => self.world.engine.panic_dispatcher(),
        }
        self.note("strike", &());
    }

    async fn restart(&mut self) {
        self.world.restart().await;
        self.note("restart", &());
    }

    fn away(&mut self) {
        let is_away = self.dice.below(2) == 0;
        if is_away {
            self.world.journal.go_away()
        } else {
            self.world.journal.come_back()
        }
        self.note("journal away", &is_away);
    }

    fn somewhere(&self) -> Point {
        let offset = || (f64::from(self.dice.below(2_000)) - 1_000.0) * 0.00008;
        Point::new(CENTRE.lat + offset(), CENTRE.lng + offset())
    }

    fn any<T: Clone>(&self, among: &[T]) -> Option<T> {
        among.get(self.dice.below(u32::try_from(among.len()).unwrap_or(u32::MAX)) as usize).cloned()
    }

    fn any_job(&self) -> Option<JobId> {
        let ids: Vec<_> = self.world.journal.jobs().iter().map(|job| job.id).collect();
        self.any(&ids)
    }

    fn any_active(&self) -> Option<(JobId, MechanicId)> {
        let jobs = self.world.journal.jobs();
        let active = jobs.iter().filter(|job| job.status().is_active());
        let pairs: Vec<_> = active.filter_map(|job| Some((job.id, job.assignment()?.mechanic_id))).collect();
        self.any(&pairs)
    }

    fn note(&mut self, what: &str, became: &impl std::fmt::Debug) {
        self.log.push(format!("{} {what}: {became:?}", self.world.now().format("%H:%M:%S%.3f")));
    }
}
