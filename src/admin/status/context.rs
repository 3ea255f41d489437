use std::{ops::Deref, sync::Arc};

use tokio::sync::Mutex;

use super::{counters::RecentCounts, dto::Status, free_space::FreeSpace};
use crate::{
    admin::FiguresContext, catalogue::job_stops::CurrentJobStop, cluster::ClusterContext, fleet::eta::Etas,
    platform::overload::Overload,
};

/// The sources of the status.
#[derive(Debug, Clone)]
pub struct StatusContext {
    pub figures: FiguresContext,
    pub cluster: ClusterContext,
    pub etas: Etas,
    pub overload: Overload,
    pub stop: CurrentJobStop,
    pub counts: RecentCounts,
    pub free_space: FreeSpace,
    /// The last answer. One request checks the state at a time; the others wait for its result.
    pub last: LastLook,
}

/// The last state that was found.
#[derive(Debug, Clone, Default)]
pub struct LastLook(pub(super) Arc<Mutex<Option<Status>>>);

impl Deref for StatusContext {
    type Target = FiguresContext;

    fn deref(&self) -> &FiguresContext {
        &self.figures
    }
}
