//! Tests of the threads on which the actors of mechanics run.

use std::{
    sync::Arc,
    thread::{self, ThreadId},
};

use uuid::Uuid;

use actix::prelude::*;

use crate::{
    clock::Clock,
    engine::{Engine, Placement, Snapshot, SocketLink},
    eta::StraightLine,
    ids::{JobId, MechanicId, OfferId},
    mechanic::{
        actor::MechanicActor,
        messages::Reserve,
        state::{Ping, PositionSource},
    },
    ports::Ports,
    random::Random,
    simulation::{
        MemoryJournal, Recorder,
        world::{north, profile, settings, user_of},
    },
};

#[derive(Debug, Clone, Message)]
#[rtype(result = "ThreadId")]
struct WhichThread;

impl Handler<WhichThread> for MechanicActor {
    type Result = MessageResult<WhichThread>;

    fn handle(&mut self, _: WhichThread, _: &mut Self::Context) -> Self::Result {
        MessageResult(thread::current().id())
    }
}

struct Scene {
    engine: Engine,
    clock: Clock,
    id: MechanicId,
}

impl Scene {
    fn new() -> Self {
        let journal = Arc::new(MemoryJournal::default());
        let eta = Arc::new(StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 });
        let (clock, random) = (Clock::system(), Random::seeded(1));
        let id = MechanicId(random.id(clock.now()));
        journal.add_mechanic(id, profile(user_of(id)), clock.now());
        let ports = Ports { journal, outbound: Arc::new(Recorder::default()), eta };
        let (own, none) = (Placement::OwnThreads, Snapshot::default());
        let engine = Engine::start(settings(), ports, clock.clone(), random, own, none);
        Self { engine, clock, id }
    }

    fn ping(&self, seq: i64) -> Vec<Ping> {
        let (point, recorded_at) = (north(500.0), self.clock.now());
        let (accuracy_m, speed_mps, heading) = (None, None, None);
        vec![Ping { seq, point, accuracy_m, speed_mps, heading, recorded_at, is_mock: false }]
    }

    async fn thread(&self) -> ThreadId {
        self.engine.context().ask_mechanic(self.id, WhichThread).await.expect("an actor")
    }
}

#[actix::test]
async fn an_actor_moves_to_the_thread_of_its_socket_and_keeps_what_it_knows() {
    let scene = Scene::new();
    let mut link = SocketLink::new(scene.id);
    scene
        .engine
        .locate(scene.id, scene.ping(1), PositionSource::App, scene.clock.now())
        .await
        .expect("stored");
    scene.engine.set_availability(scene.id, true).await.expect("available");
    assert_ne!(scene.thread().await, thread::current().id());
    let second = scene.ping(2);
    scene.engine.locate_over(&mut link, second.clone(), scene.clock.now()).await.expect("stored");
    assert_eq!(scene.thread().await, thread::current().id());
    let again = scene.engine.locate_over(&mut link, second, scene.clock.now()).await.expect("an answer");
    assert_eq!((again.accepted, again.duplicates, again.last_seq), (0, 1, Some(2)));
    let mechanic = scene.engine.mechanic(scene.id).await.expect("a mechanic");
    assert!(mechanic.available && mechanic.last.is_some_and(|fix| fix.seq == 2));
    scene.engine.end();
}

#[actix::test]
async fn an_actor_of_an_engaged_mechanic_stays_where_it_is() {
    let scene = Scene::new();
    let mut link = SocketLink::new(scene.id);
    scene
        .engine
        .locate(scene.id, scene.ping(1), PositionSource::App, scene.clock.now())
        .await
        .expect("stored");
    scene.engine.set_availability(scene.id, true).await.expect("available");
    let reserve = Reserve { offer_id: OfferId(Uuid::from_u128(1)), job_id: JobId(Uuid::from_u128(2)) };
    assert!(scene.engine.context().ask_mechanic(scene.id, reserve).await.expect("an actor"));
    scene.engine.locate_over(&mut link, scene.ping(2), scene.clock.now()).await.expect("stored");
    assert_ne!(scene.thread().await, thread::current().id());
    scene.engine.end();
}
