//! The way to the engine, wherever it runs now: in this process if this server leads, otherwise over the bus.

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

use super::{heard::Heard, pings::PingSender, subject};
use crate::platform::{
    bus::{Bus, Unheard},
    db::Lease,
    settings::ClusterSettings,
    traces::Traces,
};

/// A cheap clone.
#[derive(Debug, Clone)]
pub struct EngineLink(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bus: Bus,
    within: Duration,
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
}

impl EngineLink {
    pub fn new(bus: Bus, settings: &ClusterSettings) -> Self {
        let within = Duration::from_millis(settings.answer_timeout_ms);
        let (local, heard) = (RwLock::default(), Heard::default());
        let pings = PingSender::start(&bus, heard.shared_term(), within);
        Self(Arc::new(Inner { bus, within, pings, local, heard }))
    }

    pub fn bus(&self) -> &Bus {
        &self.0.bus
    }

    /// The newest term that this server knows of; 0 if it knows of none yet.
    pub fn term(&self) -> u64 {
        self.0.heard.term()
    }

    /// Whether nobody has confirmed yet that a leader of this term exists.
    pub(super) fn is_unconfirmed(&self, term: u64) -> bool {
        !self.is_local() && term > self.term()
    }

    /// Takes in the newest term, as Postgres says.
    pub(super) fn confirm(&self, term: u64) {
        self.0.heard.know(term);
    }

    /// Takes in whether the engine answered just now. Returns for how long it can't be reached; that it is here is always zero.
    pub fn unreached_for(&self, is_answered: bool) -> Duration {
        self.0.heard.note_look(is_answered || self.is_local(), Instant::now())
    }

    /// The newest term of a leader that this server has heard; 0 if it has heard none.
    pub(super) fn heard_term(&self) -> u64 {
        self.0.heard.heard_term()
    }

    /// How long one answer of the engine may take.
    pub(super) fn answer_limit(&self) -> Duration {
        self.0.within
    }

    /// Whether the leader of this term answers in time. It is no request of the engine: any leader, of an earlier release too, says at
    /// once that it can't be read.
    pub(super) async fn look(&self, term: u64) -> Result<(), Unheard> {
        let answered = self.0.bus.request::<IgnoredAny>(&subject::calls(term), &(), self.0.within).await;
        answered.map(|IgnoredAny| ())
    }

    /// Whether the engine runs in this process.
    pub fn is_local(&self) -> bool {
        self.local().is_some()
    }

    /// The engine runs in this process from now on, or no more.
    pub(super) fn set(&self, local: Option<LocalEngine>, term: u64) {
        self.0.heard.know(term);
        *self.0.local.write().unwrap_or_else(PoisonError::into_inner) = local;
    }

    pub(super) fn pings(&self) -> &PingSender {
        &self.0.pings
    }

    /// What to make of a broadcast.
    pub(super) fn receive(&self, broadcast: &Broadcast) -> Continuity {
        if self.is_local() { Continuity::Stale } else { self.0.heard.receive(broadcast) }
    }

    fn local(&self) -> Option<LocalEngine> {
        self.0.local.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn carry(&self, request: Request) -> Result<Result<Answer, Refusal>, Unanswered> {
        if let Some(LocalEngine { server, lease, .. }) = self.local() {
            // What it knows is worth nothing once another may lead.
            if !lease.is_held() {
                return Err(Unanswered::NobodyServes);
            }
            let outcome = server.answer(request).await;
            // A refusal by an engine that was being stopped is not the last word.
            let was_stopped =
                matches!(outcome, Err(Refusal::Unavailable(_))) && !(self.is_local() && lease.is_held());
            return if was_stopped { Err(Unanswered::Lost) } else { Ok(outcome) };
        }
        if let Request::Locate(locate) = request {
            let receipt = self.0.pings.send(locate).await?;
            return Ok(receipt.map(Answer::Locate));
        }
        let calls = match self.term() {
            0 => return Err(Unanswered::NobodyServes),
            term => subject::calls(term),
        };
        let answered = self.0.bus.request(&calls, &request, self.0.within).await;
        if answered.is_ok() {
            self.0.heard.note_answer();
        }
        answered.map_err(|unheard| match unheard {
            Unheard::Nobody => Unanswered::NobodyServes,
            Unheard::Lost => Unanswered::Lost,
        })
    }
}

impl Link for EngineLink {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>> {
        self.carry(request).boxed()
    }

    fn tell(&self, notice: Notice) {
        match self.local() {
            Some(local) => local.take(notice),
            None => self.0.bus.publish(&subject::notices(self.term()), &notice),
        }
    }

    fn tune(&self, tuning: Tuning) {
        // The leader reads the settings itself.
        if let Some(local) = self.local() {
            local.engine.tune(tuning);
        }
    }
}

impl LocalEngine {
    pub(super) fn take(&self, notice: Notice) {
        match notice {
            Notice::Watched(jobs) => self.engine.watch(jobs),
        }
    }
}
