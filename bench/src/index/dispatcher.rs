//! The same questions through the mailbox of a running engine's dispatcher, with a mechanic's actor for every point.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_actors::{
    EngineHandle, Placement, Snapshot,
    clock::Clock,
    eta::StraightLine,
    geo::Point,
    ids::{MechanicId, UserId},
    mechanic::state::{Fix, Mechanic},
    ports::Ports,
    random::Random,
    simulation::{MemoryJournal, Recorder, world},
    vehicle::VehicleType,
};

use super::{
    K, Measured, WITHIN_M,
    city::{Answers, City},
};
use crate::Failure;

/// Positions stay fresh for the whole run.
const FRESH_MIN: i64 = 60;
const QUESTIONS: usize = 10_000;
const AT_ONCE: usize = 64;
/// How long the dispatcher may take until it has every position.
const START_LIMIT: Duration = Duration::from_secs(120);

pub(super) fn run(city: &City, expected: &Answers, runs: usize) -> Result<Vec<Measured>, Failure> {
    std::thread::scope(|scope| {
        let in_system = || actix_rt::System::new().block_on(measure(city, expected, runs));
        scope.spawn(in_system).join().unwrap_or_else(|_| Err("the engine's thread panicked".into()))
    })
}

/// An engine with an actor for each point of the city.
#[derive(Debug)]
pub struct Running {
    pub engine: EngineHandle,
    pub journal: Arc<MemoryJournal>,
    pub clock: Clock,
}

impl Running {
    /// Returns when the dispatcher has every position.
    pub async fn start(city: &City) -> Result<Self, Failure> {
        let running = Self::new(city);
        let (start, limit) = (Instant::now(), Duration::from_secs(1));
        loop {
            let counts = running.engine.counts(limit).await;
            if counts.is_some_and(|counts| counts.dispatcher.free_mechanics == city.points.len()) {
                return Ok(running);
            }
            if start.elapsed() > START_LIMIT {
                return Err(format!("the dispatcher did not get every position: {counts:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn new(city: &City) -> Self {
        let (clock, journal) = (Clock::system(), Arc::<MemoryJournal>::default());
        let mut settings = world::settings();
        settings.presence.fresh_position = chrono::TimeDelta::minutes(FRESH_MIN);
        let ports = Ports {
            journal: journal.clone(),
            outbound: Arc::new(Recorder::default()),
            eta: Arc::new(StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 }),
        };
        let mechanics =
            (0..).zip(&city.points).map(|(number, point)| mechanic(city.id(number), *point, &clock));
        let snapshot = Snapshot { mechanics: mechanics.collect(), ..Snapshot::default() };
        let placement = Placement::OwnThreads;
        let engine =
            EngineHandle::start(settings, ports, clock.clone(), Random::seeded(1), placement, snapshot);
        Self { engine, journal, clock }
    }
}

async fn measure(city: &City, expected: &Answers, runs: usize) -> Result<Vec<Measured>, Failure> {
    let start = Instant::now();
    let Running { engine, .. } = Running::start(city).await?;
    let ready = start.elapsed();
    let questions = &city.questions[..QUESTIONS.min(city.questions.len())];
    let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
    let mut answers = Answers::new();
    for _ in 0..runs {
        let start = Instant::now();
        answers.clear();
        for from in questions {
            answers.push(ask(&engine, *from).await?);
        }
        one_by_one.push(start.elapsed());
        let start = Instant::now();
        let many = stream::iter(questions).map(|from| ask(&engine, *from)).buffer_unordered(AT_ONCE);
        many.try_for_each(|_| async { Ok(()) }).await?;
        at_once.push(start.elapsed());
    }
    engine.end();
    let note = city.compare(expected, &answers, 0.0)?;
    let note_ready = format!("ready after {:.1} s", ready.as_secs_f64());
    Ok(vec![
        Measured::new("dispatcher: nearest 10, one question after the other", questions.len(), one_by_one)
            .noted(note),
        Measured::new(
            &format!("dispatcher: nearest 10, {AT_ONCE} questions under way"),
            questions.len(),
            at_once,
        )
        .noted(note_ready),
    ])
}

async fn ask(engine: &EngineHandle, from: Point) -> Result<Vec<u32>, Failure> {
    let found = engine.nearest(from, VehicleType::FourWheeler, world::category(), WITHIN_M, K).await?;
    Ok(found.into_iter().map(|(id, _)| City::number(id)).collect())
}

fn mechanic(id: MechanicId, point: Point, clock: &Clock) -> Mechanic {
    let now = clock.now();
    let mut mechanic = Mechanic::new(id, world::profile(UserId(id.0)), true, now);
    mechanic.last = Some(Fix {
        point,
        seq: 1,
        accuracy_m: Some(5.0),
        speed_mps: None,
        heading: None,
        recorded_at: now,
        received_at: now,
        is_implausible: false,
    });
    mechanic
}
