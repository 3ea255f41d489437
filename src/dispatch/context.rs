use std::ops::Deref;

use super::{fleet_view::FleetFeed, recorder::Decisions};
use crate::{jobs::JobsContext, platform::worker::Wakeup};

/// The shared parts that explanations of dispatch use.
#[derive(Debug, Clone)]
pub struct DispatchContext {
    pub jobs: JobsContext,
    pub decisions: Decisions,
    /// The open jobs on maps, shared with sockets.
    pub fleet: FleetFeed,
    /// Makes every server read the dispatch settings again.
    pub settings_changed: Wakeup,
}

impl Deref for DispatchContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}
