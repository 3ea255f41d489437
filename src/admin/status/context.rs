use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::sync::Mutex;

use super::{counters::RecentCounts, dto::Status, free_space::FreeSpace};
use crate::{
    admin::FiguresContext, catalogue::job_stops::CurrentJobStop, cluster::ClusterContext, fleet::eta::Etas,
    platform::overload::Overload,
};

/// The sources of the status.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct StatusContext {
    #[deref]
    pub figures: FiguresContext,
    pub expected: Arc<ExpectedStatus>,
    pub cluster: ClusterContext,
    pub etas: Etas,
    pub overload: Overload,
    pub stop: CurrentJobStop,
    pub counts: RecentCounts,
    pub free_space: FreeSpace,
    /// The last answer. One request checks the state at a time; the others wait for its result.
    pub last: LastLook,
}

/// The settings that the state of the service is compared with.
#[derive(Debug, Clone)]
pub struct ExpectedStatus {
    pub has_places: bool,
    pub has_mail: bool,
    /// Whether admins pay withdrawals by hand.
    pub pays_by_hand: bool,
    /// The interval of backups; `None` if the server makes none.
    pub backs_up_every: Option<Duration>,
    pub backup_folder: PathBuf,
    /// The maximum number of points that wait to be written.
    pub trail_queue: usize,
    /// The maximum number of decisions that wait to be written.
    pub decision_queue: usize,
}

/// The last state that was found.
#[derive(Debug, Clone, Default)]
pub struct LastLook(pub(super) Arc<Mutex<Option<Status>>>);
