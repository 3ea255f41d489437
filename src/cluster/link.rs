//! The connection to the engine, wherever it runs now: in this process if this server leads, otherwise over the bus.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use futures_util::future::{BoxFuture, FutureExt};
use roadcall_actors::{
    Engine,
    broadcast::{Broadcast, Continuity},
    job::state::Refusal,
    protocol::{Answer, Notice, Request},
    remote::{Link, Unanswered},
    server::EngineServer,
    settings::Tuning,
};
use serde::de::IgnoredAny;

use super::{
    directions::Directions,
    heard::{Heard, OUT_OF_REACH},
    nodes::Nodes,
    pings::PingSender,
    subject::{Leader, ToLeader},
};
use crate::platform::{
    bus::{Bus, Unheard},
    db::{Lease, RememberedRows},
    settings::ClusterSettings,
    traces::Traces,
};

/// The connection to the engine, which is cheap to clone.
#[derive(Debug, Clone)]
pub struct EngineLink(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bus: Bus,
    within: Duration,
    directions: Directions,
    pings: PingSender,
    /// The engine, while it runs in this process.
    local: RwLock<Option<LocalEngine>>,
    heard: Heard,
}

/// The engine in this process.
#[derive(Debug, Clone)]
pub(super) struct LocalEngine {
    pub engine: Engine,
    pub server: Arc<EngineServer>,
    pub lease: Lease,
    pub traces: Traces,
    /// The rows that this server need not read again.
    pub remembered: RememberedRows,
}

impl EngineLink {
    pub(super) fn new(bus: Bus, settings: &ClusterSettings, nodes: &Nodes) -> Self {
        let within = Duration::from_millis(settings.answer_timeout_ms);
        let directions = Directions::new(nodes);
        let pings = PingSender::start(&bus, directions.clone(), within);
        let (local, heard) = (RwLock::default(), Heard::new(directions.clone()));
        Self(Arc::new(Inner { bus, within, directions, pings, local, heard }))
    }

    pub fn bus(&self) -> &Bus {
        &self.0.bus
    }

    /// Returns whether this leader differs from the one that Postgres last named.
    pub(super) fn is_unconfirmed(&self, leader: Leader) -> bool {
        !self.is_local() && self.0.heard.leader() != Some(leader)
    }

    /// Notes the leader that Postgres names.
    pub(super) fn confirm(&self, leader: Option<Leader>) {
        if !self.is_local() {
            self.0.heard.know(leader);
        }
    }

    /// Returns whether the known leader has been silent for so long that another one may lead.
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.is_local() && self.0.heard.is_in_doubt(Instant::now())
    }

    /// Notes whether the engine answered just now, wherever it runs. Returns how long it has been out of reach.
    pub(super) fn unreached_for(&self, is_answered: bool) -> Duration {
        self.0.heard.note_look(is_answered, Instant::now())
    }

    /// Notes whether the engine answered just now. Returns whether its silence makes this server unready.
    pub fn is_out_of_reach(&self, is_answered: bool) -> bool {
        self.unreached_for(is_answered) >= OUT_OF_REACH
    }

    /// Returns the leader that Postgres last named; `None` if none is known.
    pub(super) fn leader(&self) -> Option<Leader> {
        self.0.heard.leader()
    }

    /// Returns the newest term of a leader that this server has heard; 0 if it has heard none that counts.
    pub(super) fn heard_term(&self) -> u64 {
        self.0.heard.heard_term()
    }

    /// Returns how long one answer of the engine may take.
    pub(super) fn answer_limit(&self) -> Duration {
        self.0.within
    }

    /// Asks whether this leader answers in time. The message is not a request: any leader, even of an earlier release,
    /// answers at once that it can't read the message.
    pub(super) async fn look(&self, leader: Leader) -> Result<(), Unheard> {
        let calls = self.0.directions.subject_of(leader, ToLeader::Calls);
        self.0.bus.request::<IgnoredAny>(&calls, &(), self.0.within).await.map(|IgnoredAny| ())
    }

    /// Returns whether the engine runs in this process.
    pub fn is_local(&self) -> bool {
        self.local().is_some()
    }

    /// Notes that the engine now runs in this process, or no longer does.
    pub(super) fn set(&self, local: Option<LocalEngine>) {
        if let Some(LocalEngine { lease, .. }) = &local {
            self.0.heard.know(Some(lease.into()));
        }
        // Requests until now went to another engine.
        self.0.heard.note_answer();
        *self.0.local.write().unwrap_or_else(PoisonError::into_inner) = local;
    }

    pub(super) fn pings(&self) -> &PingSender {
        &self.0.pings
    }

    /// Returns how a broadcast continues the last one, and whether it counts.
    pub(super) fn receive(&self, sender: Leader, broadcast: &Broadcast) -> Continuity {
        if self.is_local() { Continuity::Stale } else { self.0.heard.receive(sender, broadcast) }
    }

    fn local(&self) -> Option<LocalEngine> {
        self.0.local.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn carry(
        &self,
        request: Request,
        asked_ago: Duration,
    ) -> Result<Result<Answer, Refusal>, Unanswered> {
        if let Some(LocalEngine { server, lease, .. }) = self.local() {
            // The engine's knowledge is worthless once another server may lead.
            if !lease.is_held() {
                return Err(Unanswered::NobodyServes);
            }
            let outcome = server.answer(request).await;
            // A refusal by an engine that was being stopped is not final.
            let was_stopped =
                matches!(outcome, Err(Refusal::Unavailable(_))) && !(self.is_local() && lease.is_held());
            return if was_stopped { Err(Unanswered::Lost) } else { Ok(outcome) };
        }
        let answered = match request {
            Request::Locate(locate) => {
                self.0.pings.send(locate).await.map(|receipt| receipt.map(Answer::Locate))
            }
            request => self.ask_leader(&request, asked_ago).await,
        };
        match &answered {
            Ok(_) => self.0.heard.note_answer(),
            Err(_) => self.0.heard.note_no_answer(Instant::now()),
        }
        answered
    }

    async fn ask_leader(
        &self,
        request: &Request,
        asked_ago: Duration,
    ) -> Result<Result<Answer, Refusal>, Unanswered> {
        let subject = self.0.directions.subject(ToLeader::Calls).ok_or(Unanswered::NobodyServes)?;
        let answered = self.0.bus.request_again(&subject, request, self.0.within, asked_ago).await;
        answered.map_err(|unheard| match unheard {
            Unheard::Nobody => Unanswered::NobodyServes,
            Unheard::Lost => Unanswered::Lost,
        })
    }
}

impl Link for EngineLink {
    fn send(
        &self,
        request: Request,
        asked_ago: Duration,
    ) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>> {
        self.carry(request, asked_ago).boxed()
    }

    fn tell(&self, notice: Notice) {
        match self.local() {
            Some(local) => local.take(notice),
            None => {
                if let Some(subject) = self.0.directions.subject(ToLeader::Notices) {
                    self.0.bus.publish(&subject, &notice);
                }
            }
        }
    }

    fn tune(&self, tuning: Tuning) {
        // The leader reads the settings itself.
        if let Some(local) = self.local() {
            local.engine.tune(tuning);
        }
    }

    fn here(&self) -> Option<Engine> {
        self.local().filter(|local| local.lease.is_held()).map(|local| local.engine)
    }
}

impl LocalEngine {
    pub(super) fn take(&self, notice: Notice) {
        match notice {
            Notice::Watched(jobs) => self.engine.watch(jobs),
        }
    }
}
