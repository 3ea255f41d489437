//! The service of one run: the engine on a journal in memory, under virtual time.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    EngineHandle, Placement,
    clock::Clock,
    eta::StraightLine,
    ports::Ports,
    random::Random,
    settings::{Settings as EngineSettings, SharedSearchPolicy},
    simulation::MemoryJournal,
};

use super::{
    policy::ServiceSettings, recording_outbound::RecordingOutbound, scenario::Scenario, travel::Millis,
};

/// Midnight (UTC) of the day on which every run takes place.
const MIDNIGHT_S: i64 = 1_767_571_200;

/// One process of the service; [`Service::crash`] replaces it.
#[derive(Debug)]
pub struct Service {
    pub engine: EngineHandle,
    pub journal: Arc<MemoryJournal>,
    pub outbound: Arc<RecordingOutbound>,
    pub random: Random,
    pub search: SharedSearchPolicy,
    clock: Clock,
    settings: EngineSettings,
    eta: StraightLine,
    begins: DateTime<Utc>,
}

impl Service {
    /// Must be called within an actix system whose clock is paused.
    pub fn start(scenario: &Scenario, settings: ServiceSettings, seed: u64) -> Self {
        let ServiceSettings { engine: settings, search } = settings;
        let begins = begin(scenario);
        let (journal, outbound) =
            (Arc::new(MemoryJournal::default()), Arc::new(RecordingOutbound::default()));
        let (clock, random) = (Clock::virtual_from(begins), Random::seeded(seed));
        let eta = StraightLine {
            detour_factor: scenario.traffic.detour,
            speed_mps: scenario.traffic.speed_kmh / 3.6,
        };
        let engine = engine(&settings, &journal, &outbound, &clock, &random, eta);
        Self { engine, journal, outbound, random, search: Arc::new(search), clock, settings, eta, begins }
    }

    /// The process ends at once, and another one goes on from what was committed.
    pub async fn crash(&mut self) {
        let next = Arc::new(self.journal.after_crash());
        self.engine.crash();
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.journal = next;
        self.engine =
            engine(&self.settings, &self.journal, &self.outbound, &self.clock, &self.random, self.eta);
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Since the run began.
    pub fn elapsed(&self) -> Millis {
        self.millis(self.now())
    }

    pub fn millis(&self, at: DateTime<Utc>) -> Millis {
        u64::try_from((at - self.begins).num_milliseconds()).unwrap_or_default()
    }
}

fn begin(scenario: &Scenario) -> DateTime<Utc> {
    let midnight = DateTime::from_timestamp(MIDNIGHT_S, 0).unwrap_or_default();
    midnight + TimeDelta::milliseconds((scenario.start_hour * 3_600_000.0) as i64)
}

fn engine(
    settings: &EngineSettings,
    journal: &Arc<MemoryJournal>,
    outbound: &Arc<RecordingOutbound>,
    clock: &Clock,
    random: &Random,
    eta: StraightLine,
) -> EngineHandle {
    let ports = Ports { journal: journal.clone(), outbound: outbound.clone(), eta: Arc::new(eta) };
    let (clock, random, snapshot) = (clock.clone(), random.clone(), journal.snapshot());
    EngineHandle::start(settings.clone(), ports, clock, random, Placement::Here, snapshot)
}
