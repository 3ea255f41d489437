//! A running engine, with a mechanic's actor for every point of a city.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use roadcall_actors::{
    Engine, Placement, Snapshot,
    clock::Clock,
    eta::StraightLine,
    geo::Point,
    ids::{MechanicId, UserId},
    mechanic::state::{Fix, Mechanic, PositionSource},
    ports::Ports,
    random::Random,
    simulation::{MemoryJournal, Recorder, world},
};

use super::city::City;
use crate::Failure;

/// Positions stay fresh for the whole run.
const FRESH_MIN: i64 = 60;
/// How long the dispatcher may take until it has every position.
const START_LIMIT: Duration = Duration::from_secs(120);

/// An engine with an actor for each point of the city.
#[derive(Debug)]
pub struct Running {
    pub engine: Engine,
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
        settings.matching.pricing = Some(world::pricing());
        let ports = Ports {
            journal: journal.clone(),
            outbound: Arc::new(Recorder::default()),
            eta: Arc::new(StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 }),
        };
        let mechanics =
            (0..).zip(&city.points).map(|(number, point)| mechanic(city.id(number), *point, &clock));
        let snapshot = Snapshot { mechanics: mechanics.collect(), ..Snapshot::default() };
        let placement = Placement::OwnThreads;
        let engine = Engine::start(settings, ports, clock.clone(), Random::seeded(1), placement, snapshot);
        Self { engine, journal, clock }
    }
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
        source: PositionSource::App,
    });
    mechanic
}
