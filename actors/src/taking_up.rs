//! Actors for jobs and mechanics that are loaded while the engine runs, although they were committed before.

use crate::{
    engine::Engine,
    ids::{JobId, MechanicId},
    mechanic::state::Mechanic,
};

impl Engine {
    /// Returns those of these mechanics that have no actor.
    pub fn without_actor(&self, mut ids: Vec<MechanicId>) -> Vec<MechanicId> {
        let running = &self.context().mechanics;
        ids.retain(|id| !running.is_running(*id));
        ids
    }

    /// Starts an actor for each of these mechanics that has none. An actor that runs knows more than was loaded: whatever changes a
    /// mechanic asks their actor, or has it load them again.
    pub fn take_up(&self, mechanics: Vec<Mechanic>) {
        if !self.has_stopped() {
            mechanics.into_iter().for_each(|mechanic| self.context().adopt_mechanic(mechanic));
        }
    }

    /// Matches jobs, after a start whose snapshot said that more mechanics follow, once those that were taken up have reported.
    pub fn begin_matching(&self) {
        let context = self.context().clone();
        self.spawn_beside_mechanics(async move {
            // Their actors were started before this, and report as soon as they run.
            tokio::task::yield_now().await;
            context.loading.expect_more(false);
        });
    }

    /// Starts an actor for each of these open jobs that has none. A creation may have been committed after its process
    /// died and after this one loaded its snapshot.
    pub fn ensure_running(&self, jobs: impl IntoIterator<Item = JobId>) {
        if !self.has_stopped() {
            jobs.into_iter().for_each(|id| drop(self.context().job(id)));
        }
    }
}
