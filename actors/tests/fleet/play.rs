//! Plays what people do in a world with several gateways and what goes wrong, and checks that people got true
//! answers.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    EngineHandle,
    clock::Clock,
    engine::AcceptedFee,
    ids::{CommandId, JobId, MechanicId, UserId, VehicleId},
    job::state::{Actor as By, Command, JobDetails, JobSpec, Refusal, Status},
    mechanic::state::{Ping, PositionSource},
    ports::JobToCreate,
    protocol::{Accept, Arrive, Cancel, Committed, LastFix, Locate, OpenJob, Order, SetAvailability},
    random::Random,
    remote::RemoteEngine,
    settings::SearchPolicy,
    simulation::{
        Fault, MemoryJournal, invariants,
        world::{CENTRE, morning, north, profile, search, settings, spec, user_of},
    },
};

use crate::{
    bus::{Bus, CALM, GatewayLink, Weather},
    check::{self, Answer, Trace},
    node::{Ground, Node, State},
    steps::complete,
    watcher::Watcher,
};

const GATEWAYS: usize = 3;
const MECHANICS: usize = 5;
const STEPS: u32 = 50;
const OFFER_GRACE: TimeDelta = TimeDelta::seconds(1);
/// The time between a leader's last message and another's takeover.
const SILENCE: Duration = Duration::from_secs(4);
/// The time within which a command gets through once nothing goes wrong.
const CALM_WITHIN: Duration = Duration::from_secs(5);
/// Longer than a request waits, and longer than a frozen leader's last work takes.
const SETTLING: Duration = Duration::from_secs(40);
/// The time within which sockets show what was committed.
const SHOWN_WITHIN_S: u32 = 5;
/// The time within which memory matches the journal: every watchdog has looked.
const IN_LINE_WITHIN: u32 = 120;

/// The number of times that each thing happened.
#[derive(Debug, Default)]
pub struct Tally(pub BTreeMap<&'static str, u64>);

impl Tally {
    /// The events that a run of all seeds must have seen.
    pub const EXPECTED: &[&str] = &[
        "accept: done",
        "accept: done before",
        "accept: refused",
        "accept: unknown",
        "cancel: done",
        "complete: done",
        "crash",
        "cut",
        "decline: done",
        "en route: done",
        "freeze",
        "gap",
        "open: done",
        "storm",
        "take-over",
        "two believers",
    ];

    pub fn add(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            *self.0.entry(kind).or_default() += count;
        }
    }
}

pub struct Play {
    ground: Ground,
    gateways: Vec<EngineHandle>,
    watchers: Vec<Watcher>,
    /// The leader, or the last one.
    leader: RefCell<Node>,
    /// Former leaders that may still come back.
    former: RefCell<Vec<Node>>,
    dice: Random,
    mechanics: Vec<MechanicId>,
    jobs: RefCell<Vec<JobId>>,
    answers: RefCell<Vec<(Trace, Answer)>>,
    under_way: Cell<u32>,
    seqs: RefCell<BTreeMap<MechanicId, i64>>,
    /// The violations that are known immediately.
    wrong: RefCell<Vec<String>>,
    steps: RefCell<Vec<String>>,
    seen: RefCell<BTreeMap<&'static str, u64>>,
}

impl Play {
    pub fn new(seed: u64) -> std::rc::Rc<Self> {
        let dice = Random::seeded(seed ^ 0xf1ee7);
        let (clock, random) = (Clock::virtual_from(morning()), Random::seeded(seed));
        let journal = Arc::new(MemoryJournal::default());
        journal.watch();
        let mechanics: Vec<_> = (0..MECHANICS).map(|_| MechanicId(random.id(clock.now()))).collect();
        mechanics.iter().for_each(|id| journal.add_mechanic(*id, profile(user_of(*id)), clock.now()));
        let bus = Bus::new(Random::seeded(seed ^ 0xb05), GATEWAYS);
        let gateway = |gateway| {
            let link = GatewayLink { bus: bus.clone(), gateway };
            EngineHandle::elsewhere(Arc::new(RemoteEngine::new(link, clock.clone())))
        };
        let gateways = (0..GATEWAYS).map(gateway).collect();
        let ground = Ground { settings: settings(), clock, random, bus };
        let watchers: Vec<Watcher> = (0..GATEWAYS).map(|_| Watcher::default()).collect();
        let heard: Vec<_> = watchers.iter().map(|_| ground.bus.listen()).collect();
        let leader = Node::lead(&ground, 1, journal);
        let play = std::rc::Rc::new(Self {
            ground,
            gateways,
            watchers,
            leader: RefCell::new(leader),
            former: RefCell::default(),
            dice,
            mechanics,
            jobs: RefCell::default(),
            answers: RefCell::default(),
            under_way: Cell::new(0),
            seqs: RefCell::default(),
            wrong: RefCell::default(),
            steps: RefCell::default(),
            seen: RefCell::default(),
        });
        for (watcher, mut heard) in play.watchers.iter().cloned().zip(heard) {
            let play = std::rc::Rc::downgrade(&play);
            actix_rt::spawn(async move {
                while let (Some(broadcast), Some(play)) = (heard.recv().await, play.upgrade()) {
                    watcher.hear(broadcast, &play.journal(), &play.mechanics);
                }
            });
        }
        play
    }

    pub async fn play(self: &std::rc::Rc<Self>) -> Result<(), String> {
        for mechanic in self.mechanics.clone() {
            self.greet(mechanic).await.map_err(|refusal| format!("at the start: {refusal}"))?;
        }
        for _ in 0..STEPS {
            self.disturb();
            for _ in 0..=self.dice.below(3) {
                self.somebody_acts();
            }
            for mechanic in &self.mechanics {
                self.spawn_ping(*mechanic);
            }
            let pause = u64::from(self.dice.below(1_500));
            tokio::time::sleep(Duration::from_millis(pause)).await;
            self.look()?;
        }
        self.calm_down().await?;
        self.judge()
    }

    /// Makes something go wrong.
    fn disturb(self: &std::rc::Rc<Self>) {
        let bus = &self.ground.bus;
        match self.dice.below(20) {
            0 => {
                self.saw("crash");
                let leader = self.leader.borrow().clone();
                leader.crash();
                self.take_over_after(SILENCE);
                // The bus still believes that the leader is there.
                self.later(Duration::from_secs(1), move |play| play.ground.bus.unsubscribe(leader.term()));
            }
            1 => {
                self.saw("freeze");
                let leader = self.leader.borrow().clone();
                leader.freeze(true);
                let standing = Duration::from_millis(u64::from(1_000 + self.dice.below(9_000)));
                if standing > SILENCE {
                    self.take_over_after(SILENCE);
                }
                self.later(standing, move |_| leader.freeze(false));
            }
            2 => {
                self.saw("cut");
                bus.cut(self.dice.below(GATEWAYS as u32) as usize);
                let after = Duration::from_millis(u64::from(self.dice.below(6_000)));
                self.later(after, |play| play.ground.bus.mend());
            }
            3 | 4 => {
                self.saw("storm");
                let (delay_ms, lost, repeated) =
                    (1 + self.dice.below(1_500), self.dice.below(300), self.dice.below(300));
                bus.set_weather(Weather { delay_ms, lost, repeated });
                self.later(Duration::from_secs(5), |play| play.ground.bus.set_weather(CALM));
            }
            5 => {
                let faults =
                    [Fault::Failed, Fault::UnknownCommitted, Fault::UnknownNotCommitted, Fault::Conflict];
                let fault = faults[self.dice.below(faults.len() as u32) as usize];
                self.journal().fail_next([fault]);
            }
            _ => {}
        }
    }

    /// Lets another server lead, unless one has done so meanwhile.
    fn take_over_after(self: &std::rc::Rc<Self>, after: Duration) {
        let term = self.leader.borrow().term();
        self.later(after, move |play| {
            let last = play.leader.borrow().clone();
            if last.term() != term || last.is(State::Runs) {
                return;
            }
            play.saw("take-over");
            // The old leader's sessions are ended before anything is read.
            let journal = Arc::new(last.journal().after_crash());
            let next = Node::lead(&play.ground, term + 1, journal);
            play.note(|| format!("term {} begins", term + 1));
            *play.leader.borrow_mut() = next;
            if last.is(State::Frozen) {
                play.saw("two believers");
                // When the old leader goes on, it believes in its lease for a while, whatever its clock shows.
                let after = Duration::from_millis(u64::from(play.dice.below(20_000)));
                let former = last.clone();
                play.later(after, move |play| {
                    former.step_down();
                    play.ground.bus.unsubscribe(former.term());
                });
            }
            play.former.borrow_mut().push(last);
        });
    }

    fn later(self: &std::rc::Rc<Self>, after: Duration, then: impl FnOnce(std::rc::Rc<Self>) + 'static) {
        let play = self.clone();
        actix_rt::spawn(async move {
            tokio::time::sleep(after).await;
            then(play);
        });
    }

    /// Sends a request through some gateway, and waits for the answer while others do the same.
    fn somebody_acts(self: &std::rc::Rc<Self>) {
        let play = self.clone();
        self.under_way.set(self.under_way.get() + 1);
        let (choice, gateway) = (self.dice.below(10), self.gateway());
        actix_rt::spawn(async move {
            match choice {
                0..=2 => play.open(&gateway).await,
                3..=5 => play.answer_offer(&gateway).await,
                6..=8 => play.work(&gateway).await,
                _ => play.cancel(&gateway).await,
            }
            play.under_way.set(play.under_way.get() - 1);
        });
    }

    async fn open(&self, gateway: &EngineHandle) {
        let (id, vehicle) = (JobId(self.id()), VehicleId(self.id()));
        self.jobs.borrow_mut().push(id);
        self.watchers.iter().for_each(|watcher| watcher.watch(id, &self.journal()));
        let policy = SearchPolicy {
            offer_ttl: TimeDelta::seconds(6),
            offer_grace: OFFER_GRACE,
            attempt_ttl: TimeDelta::seconds(60),
            ..search()
        };
        let spec = JobSpec { search: Arc::new(policy), ..spec(vehicle, CENTRE, self.now()) };
        let by = By::Customer(spec.customer_id);
        let new = JobToCreate {
            id,
            spec,
            details: JobDetails::default(),
            excluded: Default::default(),
            idempotency: None,
        };
        let opened = gateway.ask(OpenJob { command: self.command(), by, new: new.into() }).await;
        self.answered("open", Trace::Created(id), opened);
    }

    async fn answer_offer(&self, gateway: &EngineHandle) {
        let pending = self.mechanics.iter().filter_map(|id| self.journal().pending_offer(*id));
        let Some(row) = self.one_of(pending.collect::<Vec<_>>()) else { return };
        let (job, offer, mechanic) = (row.job_id, row.offer.id, row.offer.mechanic_id);
        if self.dice.below(4) > 0 {
            let (command, user) = (self.command(), user_of(mechanic));
            let (logged_under, answered_ago) = (None, TimeDelta::zero());
            let accept = Accept { command, logged_under, job, offer, mechanic, user, answered_ago };
            let accepted = gateway.ask(accept).await;
            self.answered("accept", Trace::Accepted(job, Some(offer), mechanic), accepted);
        } else {
            let decline = Command::Decline { offer_id: offer, mechanic_id: mechanic, reason: None };
            let declined = self.order(gateway, job, By::Mechanic(user_of(mechanic)), decline).await;
            self.answered("decline", Trace::Declined(offer), declined);
        }
    }

    /// Makes a mechanic do the next step of their job, or give it back.
    async fn work(&self, gateway: &EngineHandle) {
        let active = self.journal().unsettled_jobs().into_iter().filter(|job| job.status().is_active());
        let Some(job) = self.one_of(active.collect::<Vec<_>>()) else { return };
        let Some(assignment) = job.assignment().cloned() else { return };
        let (id, mechanic_id) = (job.id, assignment.mechanic_id);
        let by = By::Mechanic(user_of(mechanic_id));
        if self.dice.below(8) == 0 {
            let release = Command::Release { mechanic_id, reason_code: "personal".to_owned() };
            let released = self.order(gateway, id, by, release).await;
            return self.answered("release", Trace::Released(id, mechanic_id), released);
        }
        match job.status() {
            Status::Accepted => {
                let gone = self.order(gateway, id, by, Command::EnRoute { mechanic_id }).await;
                self.answered("en route", Trace::EnRoute(id), gone);
            }
            Status::EnRoute => {
                let why = Some("beside the road".to_owned());
                let (command, user) = (self.command(), user_of(mechanic_id));
                let arrive = Arrive {
                    command,
                    logged_under: None,
                    job: id,
                    mechanic: mechanic_id,
                    user,
                    override_reason: why,
                };
                self.counted("arrive", &gateway.ask(arrive).await);
            }
            Status::Arrived => {
                let is_wrong = self.dice.below(3) == 0;
                let code = assignment.start_code.filter(|_| !is_wrong).or(Some("wrong".to_owned()));
                let started = self.order(gateway, id, by, Command::Start { mechanic_id, code }).await;
                // Another request may have entered the right code.
                let has_begun = self.journal().status(id) != Some(Status::Arrived);
                if is_wrong && started.is_ok() && !has_begun {
                    self.wrong.borrow_mut().push(format!("a wrong code started job {id}: {started:?}"));
                }
                self.counted("start", &started);
            }
            _ => {
                let completed = self.order(gateway, id, by, complete(mechanic_id)).await;
                self.counted("complete", &completed);
            }
        }
    }

    async fn cancel(&self, gateway: &EngineHandle) {
        let Some(job) = self.one_of(self.journal().unsettled_ids()) else { return };
        let cancel = Cancel {
            command: self.command(),
            logged_under: None,
            job,
            by: By::Customer(UserId(uuid::Uuid::from_u128(1))),
            reason_code: "changed_mind".to_owned(),
            reason: None,
            accepted_fee: AcceptedFee::Any,
            free_cancellations: None,
        };
        let cancelled = gateway.ask(cancel).await;
        self.answered("cancel", Trace::Cancelled(job), cancelled);
    }

    async fn order(
        &self,
        gateway: &EngineHandle,
        job: JobId,
        by: By,
        command: Command,
    ) -> Result<Committed, Refusal> {
        gateway.ask(Order { id: self.command(), logged_under: None, job, by, command }).await
    }

    async fn greet(&self, mechanic: MechanicId) -> Result<(), Refusal> {
        let gateway = self.gateway();
        gateway.ask(self.ping(mechanic)).await?;
        gateway.ask(SetAvailability { mechanic, is_available: true }).await
    }

    fn spawn_ping(self: &std::rc::Rc<Self>, mechanic: MechanicId) {
        let (gateway, locate) = (self.gateway(), self.ping(mechanic));
        actix_rt::spawn(async move { drop(gateway.ask(locate).await) });
    }

    fn ping(&self, mechanic: MechanicId) -> Locate {
        let mut seqs = self.seqs.borrow_mut();
        let seq = seqs.entry(mechanic).or_insert(0);
        *seq += 1;
        let place = self.mechanics.iter().position(|id| *id == mechanic).unwrap_or_default();
        let (point, recorded_at) = (north(300.0 + 200.0 * place as f64), self.now());
        let (accuracy_m, speed_mps, heading) = (Some(10.0), None, None);
        let ping = Ping { seq: *seq, point, accuracy_m, speed_mps, heading, recorded_at, is_mock: false };
        Locate { mechanic, pings: vec![ping], source: PositionSource::App, received_ago: TimeDelta::zero() }
    }

    /// Ends all failures, and checks that a server leads, commands get through, and memory matches the journal.
    async fn calm_down(self: &std::rc::Rc<Self>) -> Result<(), String> {
        self.journal().clear_faults();
        self.ground.bus.set_weather(CALM);
        self.ground.bus.mend();
        tokio::time::sleep(SETTLING).await;
        if self.under_way.get() > 0 {
            return Err(format!("{} people still wait for an answer", self.under_way.get()));
        }
        for mechanic in self.mechanics.clone() {
            let greeted = tokio::time::timeout(CALM_WITHIN, self.greet(mechanic)).await;
            greeted.map_err(|_| "a mechanic does not get through")?.map_err(|refusal| refusal.to_string())?;
        }
        for gateway in &self.gateways {
            let asked =
                tokio::time::timeout(CALM_WITHIN, gateway.ask(LastFix { mechanic: self.mechanics[0] }));
            let fix = asked.await.map_err(|_| "a gateway does not get through")?;
            fix.map_err(|refusal| refusal.to_string())?.ok_or("the position of a mechanic is not known")?;
        }
        self.all_is_shown().await?;
        let leader = self.leader.borrow().clone();
        let mut difference = String::new();
        for _ in 0..IN_LINE_WITHIN {
            match invariants::difference(leader.engine(), leader.journal()).await {
                Ok(()) => return Ok(()),
                Err(why) => difference = why,
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        Err(format!("memory and journal differ: {difference}"))
    }

    /// Checks that sockets show what is committed, at once or within a moment: a search may end just now.
    async fn all_is_shown(&self) -> Result<(), String> {
        let shown = || {
            let mut watchers = self.watchers.iter();
            watchers.try_for_each(|watcher| watcher.difference(&self.journal(), &self.mechanics))
        };
        for _ in 0..SHOWN_WITHIN_S {
            if shown().is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        shown()
    }

    /// Checks what must hold after every step.
    fn look(&self) -> Result<(), String> {
        let wrong = self.wrong.borrow_mut().pop();
        self.journal().broken().or(wrong).map_or(Ok(()), Err)
    }

    /// Compares the answers with what was committed.
    fn judge(&self) -> Result<(), String> {
        self.look()?;
        let journal = self.journal();
        let jobs = self.jobs.borrow().clone();
        let logs: Vec<_> =
            jobs.into_iter().filter_map(|id| Some((journal.job(id)?, journal.events(id)))).collect();
        for (job, log) in &logs {
            check::log(job, log, OFFER_GRACE)?;
            let mut commands: Vec<CommandId> = log.iter().map(|committed| committed.command_id).collect();
            commands.sort();
            commands.dedup();
            if commands.len() != log.len() {
                return Err(format!("a command of job {} is in its log twice", job.id));
            }
            let versions = log.iter().map(|committed| committed.version);
            if !versions.eq(1..=log.len() as i64) {
                return Err(format!("versions of job {} are not counted one by one", job.id));
            }
        }
        check::answers(&self.answers.borrow(), &logs)
    }

    pub fn add_to(&self, tally: &mut Tally) {
        *tally.0.entry("gap").or_default() += self.watchers.iter().map(Watcher::gaps).sum::<u64>();
        self.seen.borrow().iter().for_each(|(what, count)| *tally.0.entry(what).or_default() += count);
    }

    pub fn report(&self) -> String {
        let mut lines = self.steps.borrow().clone();
        for id in self.jobs.borrow().iter() {
            for committed in self.journal().events(*id) {
                lines.push(format!(
                    "{} job {id} v{} {}",
                    committed.at.format("%M:%S%.3f"),
                    committed.version,
                    committed.event.kind()
                ));
            }
        }
        lines.join("\n  ")
    }

    pub async fn end(&self) {
        self.leader.borrow().crash();
        self.former.borrow().iter().for_each(Node::crash);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    fn answered(&self, name: &'static str, trace: Trace, result: Result<Committed, Refusal>) {
        self.note(|| format!("{trace:?}: {result:?}"));
        let answer = self.counted(name, &result);
        self.answers.borrow_mut().push((trace, answer));
    }

    fn counted(&self, name: &'static str, result: &Result<Committed, Refusal>) -> Answer {
        let answer = match result {
            Ok(committed) if committed.is_new => Answer::Done,
            Ok(_) => Answer::AlreadyDone,
            Err(Refusal::OutcomeUnknown(_)) => Answer::Unknown,
            Err(_) => Answer::Refused,
        };
        self.saw(name_of(name, answer));
        answer
    }

    fn saw(&self, what: &'static str) {
        *self.seen.borrow_mut().entry(what).or_default() += 1;
        self.note(|| what.to_owned());
    }

    fn note(&self, step: impl FnOnce() -> String) {
        self.steps.borrow_mut().push(format!("{} {}", self.now().format("%M:%S%.3f"), step()));
    }

    fn journal(&self) -> Arc<MemoryJournal> {
        self.leader.borrow().journal().clone()
    }

    fn gateway(&self) -> EngineHandle {
        self.gateways[self.dice.below(GATEWAYS as u32) as usize].clone()
    }

    fn one_of<T>(&self, mut of: Vec<T>) -> Option<T> {
        let number = u32::try_from(of.len()).unwrap_or(u32::MAX);
        (number > 0).then(|| of.swap_remove(self.dice.below(number) as usize))
    }

    fn command(&self) -> CommandId {
        CommandId(self.id())
    }

    fn id(&self) -> uuid::Uuid {
        self.ground.random.id(self.now())
    }

    fn now(&self) -> DateTime<Utc> {
        self.ground.clock.now()
    }
}

fn name_of(name: &'static str, answer: Answer) -> &'static str {
    match (name, answer) {
        ("accept", Answer::Done) => "accept: done",
        ("accept", Answer::AlreadyDone) => "accept: done before",
        ("accept", Answer::Refused) => "accept: refused",
        ("accept", Answer::Unknown) => "accept: unknown",
        ("open", Answer::Done) => "open: done",
        ("open", Answer::AlreadyDone) => "open: done before",
        ("cancel", Answer::Done) => "cancel: done",
        ("complete", Answer::Done) => "complete: done",
        ("decline", Answer::Done) => "decline: done",
        ("en route", Answer::Done) => "en route: done",
        _ => "another answer",
    }
}
