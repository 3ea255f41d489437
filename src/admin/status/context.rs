use std::{ops::Deref, sync::Arc};

use tokio::sync::Mutex;

use super::{counters::RecentCounts, dto::Status, free_space::FreeSpace};
use crate::{
    admin::FiguresContext, catalogue::job_stops::CurrentJobStop, cluster::ClusterContext, fleet::eta::Etas,
    platform::overload::Overload,
};

/// What the page is made of.
#[derive(Debug, Clone)]
pub struct StatusContext {
    pub figures: FiguresContext,
    pub cluster: ClusterContext,
    pub etas: Etas,
    pub overload: Overload,
    pub stop: CurrentJobStop,
    pub counts: RecentCounts,
    pub free_space: FreeSpace,
    /// The last answer. One request looks at a time; others wait for what it finds.
    pub last: LastLook,
}

/// What was found a moment ago.
#[derive(Debug, Clone, Default)]
pub struct LastLook(pub(super) Arc<Mutex<Option<Status>>>);

impl Deref for StatusContext {
    type Target = FiguresContext;

    fn deref(&self) -> &FiguresContext {
        &self.figures
    }
}
