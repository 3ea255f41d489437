//! The service's access to the engine, wherever it runs.

use std::{fmt, sync::Arc};

use chrono::TimeDelta;
use futures_util::future::BoxFuture;

use crate::{
    engine::{Engine, SocketLink},
    ids::JobId,
    job::state::Job,
    mechanic::state::Located,
    position::{Ping, PositionSource},
    protocol::{Answer, Call, JobChanged, Locate, Notice, Request},
    refusal::Refusal,
    settings::Tuning,
};

/// The transport to an engine that runs in another process.
///
/// A request that was surely not begun is refused as [`Refusal::Unavailable`], a request whose answer is missing as
/// [`Refusal::OutcomeUnknown`].
pub trait Transport: fmt::Debug + Send + Sync {
    fn ask(&self, request: Request) -> BoxFuture<'_, Result<Answer, Refusal>>;

    /// Sends a notice. Must not block, and may lose the notice.
    fn tell(&self, notice: Notice);

    /// Passes on changed dispatch settings. Must not block; the engine's own server reads them again anyway.
    fn tune(&self, tuning: Tuning);

    /// Returns the engine, if it runs in this process now.
    fn here(&self) -> Option<Engine> {
        None
    }
}

/// The engine as the service sees it. A cheap clone.
#[derive(Debug, Clone)]
pub struct EngineHandle(Way);

#[derive(Debug, Clone)]
enum Way {
    /// The engine runs in this process: calls are method calls.
    Here(Engine),
    Elsewhere(Arc<dyn Transport>),
}

impl EngineHandle {
    pub fn here(engine: Engine) -> Self {
        Self(Way::Here(engine))
    }

    pub fn elsewhere(transport: Arc<dyn Transport>) -> Self {
        Self(Way::Elsewhere(transport))
    }

    /// Asks the engine.
    pub async fn ask<C: Call>(&self, call: C) -> Result<C::Answer, Refusal> {
        match &self.0 {
            Way::Here(engine) => engine.ask(call).await,
            Way::Elsewhere(transport) => {
                let answer = transport.ask(call.into_request()).await?;
                C::read(answer)
                    .ok_or_else(|| Refusal::OutcomeUnknown("the answer is to another call".to_owned()))
            }
        }
    }

    /// Returns the job as its actor knows it, if the engine runs in this process. Another writer may have changed its row since.
    pub async fn known_job(&self, id: JobId) -> Option<Job> {
        let engine = match &self.0 {
            Way::Here(engine) => engine.clone(),
            Way::Elsewhere(transport) => transport.here()?,
        };
        engine.job(id).await.ok()
    }

    /// Notes that someone other than the mechanic sees where the mechanics on these jobs are. Repeat this within
    /// [`WATCHED_FOR`](crate::audience::WATCHED_FOR) while it lasts.
    pub fn watch(&self, jobs: impl IntoIterator<Item = JobId>) {
        match &self.0 {
            Way::Here(engine) => engine.watch(jobs),
            Way::Elsewhere(transport) => transport.tell(Notice::Watched(jobs.into_iter().collect())),
        }
    }

    /// Changes how jobs are dispatched.
    pub fn tune(&self, tuning: Tuning) {
        match &self.0 {
            Way::Here(engine) => engine.tune(tuning),
            Way::Elsewhere(transport) => transport.tune(tuning),
        }
    }

    /// Hands over a job whose row another writer changed: its actor takes it over and informs the watchers. An
    /// engine in another process loads the job itself.
    pub async fn adopt(&self, job: Job) -> Result<(), Refusal> {
        match &self.0 {
            Way::Here(engine) => engine.adopt(job).await,
            Way::Elsewhere(_) => self.ask(JobChanged { job: job.id, version: Some(job.version) }).await,
        }
    }

    /// Hands over points that came over the link's socket just now. In this process the mechanic's actor moves to
    /// the socket's thread.
    pub async fn locate_over(&self, link: &mut SocketLink, pings: Vec<Ping>) -> Result<Located, Refusal> {
        match &self.0 {
            Way::Here(engine) => engine.locate_over(link, pings, engine.ago(TimeDelta::zero())).await,
            Way::Elsewhere(_) => {
                let mechanic = link.mechanic();
                let source = PositionSource::App;
                self.ask(Locate { mechanic, pings, source, received_ago: TimeDelta::zero() }).await
            }
        }
    }
}
