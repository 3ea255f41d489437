//! Figures about the engine for operators and tests.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    dispatcher::{
        messages::{Count, Survey},
        pricing::Market,
    },
    engine::Engine,
    ids::{JobId, MechanicId},
};

pub use crate::dispatcher::queries::{AdviceCounts, DispatcherCounts};

/// The figures of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EngineCounts {
    /// Actors that own a job, or are about to end.
    pub job_actors: usize,
    pub mechanic_actors: usize,
    pub dispatcher: DispatcherCounts,
}

impl Engine {
    /// Returns the figures of all actors, or `None` if the dispatcher does not answer in time.
    pub async fn counts(&self, within: Duration) -> Option<EngineCounts> {
        let dispatcher = self.context().dispatcher().send(Count).timeout(within).await.ok()?;
        Some(self.with_actors(dispatcher))
    }

    /// Returns the same figures with the prices of [`Engine::prices`], from one question.
    pub async fn survey(&self, within: Duration) -> Option<(EngineCounts, Vec<Market>)> {
        let (dispatcher, markets) = self.context().dispatcher().send(Survey).timeout(within).await.ok()?;
        Some((self.with_actors(dispatcher), markets))
    }

    fn with_actors(&self, dispatcher: DispatcherCounts) -> EngineCounts {
        let context = self.context();
        let (job_actors, mechanic_actors) = (context.jobs.count(), context.mechanics.count());
        EngineCounts { job_actors, mechanic_actors, dispatcher }
    }

    /// Returns the jobs whose actors run.
    pub fn running_jobs(&self) -> Vec<JobId> {
        self.context().jobs.ids()
    }

    /// Returns the mechanics whose actors run.
    pub fn running_mechanics(&self) -> Vec<MechanicId> {
        self.context().mechanics.ids()
    }
}
