//! A server that leads, or believes that it does: its engine, its access to the journal, and its service.

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use roadcall_actors::{
    Engine, Placement,
    broadcast::Numbering,
    clock::Clock,
    eta::StraightLine,
    ports::{Announcement, Outbound, Ports},
    protocol::Request,
    random::Random,
    server::EngineServer,
    settings::Settings,
    simulation::MemoryJournal,
};
use tokio::sync::{mpsc, watch};

use crate::bus::{Bus, Letter};

const HEARTBEAT: Duration = Duration::from_secs(1);

/// Passes on the engine's announcements.
#[derive(Debug)]
struct Announcer(mpsc::UnboundedSender<Announcement>);

impl Outbound for Announcer {
    fn announce(&self, announcement: Announcement) {
        self.0.send(announcement).ok();
    }
}

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Runs,
    /// The node is frozen: nothing that it does has an effect.
    Frozen,
    Dead,
}

/// A node. Cheap to clone.
#[derive(Clone)]
pub struct Node(Rc<Inner>);

struct Inner {
    term: u64,
    engine: Engine,
    server: EngineServer,
    journal: Arc<MemoryJournal>,
    state: watch::Sender<State>,
    /// Whether the node believes that it leads. A former leader may believe it for a while.
    believes: RefCell<bool>,
}

/// The parts that all nodes of a world share.
pub struct Ground {
    pub settings: Settings,
    pub clock: Clock,
    pub random: Random,
    pub bus: Bus,
}

impl Node {
    /// Starts an engine on what is committed, and serves.
    pub fn lead(ground: &Ground, term: u64, journal: Arc<MemoryJournal>) -> Self {
        let (announced, to_send) = mpsc::unbounded_channel();
        let outbound = Arc::new(Announcer(announced));
        let eta = Arc::new(StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 });
        let ports = Ports { journal: journal.clone(), outbound, eta };
        let (settings, snapshot) = (ground.settings.clone(), journal.snapshot());
        let (clock, random) = (ground.clock.clone(), ground.random.clone());
        let engine = Engine::start(settings, ports, clock, random, Placement::Here, snapshot);
        let node = Self(Rc::new(Inner {
            term,
            server: EngineServer::new(engine.clone()),
            engine,
            journal,
            state: watch::Sender::new(State::Runs),
            believes: RefCell::new(true),
        }));
        let letters = ground.bus.subscribe(term);
        actix_rt::spawn(node.clone().serve(letters));
        actix_rt::spawn(node.clone().broadcast(ground.bus.clone(), to_send));
        node
    }

    pub fn term(&self) -> u64 {
        self.0.term
    }

    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub fn journal(&self) -> &Arc<MemoryJournal> {
        &self.0.journal
    }

    pub fn is(&self, state: State) -> bool {
        *self.0.state.borrow() == state
    }

    pub fn crash(&self) {
        self.0.state.send_replace(State::Dead);
        self.0.engine.crash();
    }

    pub fn freeze(&self, is_frozen: bool) {
        if !self.is(State::Dead) {
            self.0.state.send_replace(if is_frozen { State::Frozen } else { State::Runs });
            self.0.journal.freeze(is_frozen);
        }
    }

    /// Stops the node from serving, because it has noticed that another leads.
    pub fn step_down(&self) {
        *self.0.believes.borrow_mut() = false;
    }

    async fn serve(self, mut letters: mpsc::UnboundedReceiver<Letter>) {
        while let Some(letter) = letters.recv().await {
            actix_rt::spawn(self.clone().answer(letter));
        }
    }

    /// Sends the engine's announcements, and a heartbeat a second.
    async fn broadcast(self, bus: Bus, mut to_send: mpsc::UnboundedReceiver<Announcement>) {
        let numbering = Numbering::new(self.0.term);
        let mut heartbeats = tokio::time::interval(HEARTBEAT);
        loop {
            let announced = tokio::select! {
                announced = to_send.recv() => announced,
                _ = heartbeats.tick() => None,
            };
            if !self.goes_on().await {
                return;
            }
            bus.broadcast(&numbering.next(announced.into_iter().collect()));
        }
    }

    /// Waits while the node is frozen. Returns `false` if it died.
    async fn goes_on(&self) -> bool {
        let mut state = self.0.state.subscribe();
        let went_on = state.wait_for(|state| *state != State::Frozen).await;
        went_on.is_ok_and(|state| *state == State::Runs)
    }

    async fn answer(self, Letter { request, reply }: Letter) {
        if !self.goes_on().await {
            return;
        }
        // This is checked on receipt: requests that waited for a frozen node are refused when it goes on.
        if !*self.0.believes.borrow() {
            return reply.nobody_serves();
        }
        let request: Request = serde_json::from_str(&request).expect("a request that can be read again");
        let answer = self.0.server.answer(request).await;
        if self.goes_on().await {
            reply.answer(&answer);
        }
    }
}
