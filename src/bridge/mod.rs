//! The engine's ports, on Postgres and sockets.

pub mod engine;
pub mod hooks;
pub mod journal;
mod load;
mod outbound;
mod queries;
pub mod recovery;
mod settings;
mod trail;
mod writes;

pub use engine::EngineParts;
pub use journal::PgJournal;
pub use outbound::Reports;
pub use settings::{EngineSettings, WatchSettings};
pub use trail::TrailRecorder;

use crate::{
    dispatch::Decisions,
    jobs::log::RecentEntries,
    notifications::Wakeups,
    platform::{
        core::Core,
        db::{EngineDb, RememberedRows},
        traces::Traces,
        worker::Wakeup,
    },
};

/// The parts that record and announce, behind the engine, what the engine did.
#[derive(Debug, Clone)]
pub struct Recorders {
    pub trail: TrailRecorder,
    pub decisions: Decisions,
    /// Woken when a commit may have made notifications.
    pub wakeups: Wakeups,
    /// Woken when a change of a job has ended a call about it.
    pub calls: Wakeup,
    pub recent: RecentEntries,
    pub remembered: RememberedRows,
    pub traces: Traces,
}

impl Recorders {
    /// Starts the recorders. `db` is the database that only the leader uses.
    pub fn start(core: &Core, db: &EngineDb, settings: &EngineSettings, wakeups: Wakeups) -> Self {
        Self {
            trail: TrailRecorder::start(db.clone(), settings.trail_queue),
            decisions: Decisions::start(db.clone(), settings.decision_queue),
            wakeups,
            calls: Wakeup::default(),
            recent: RecentEntries::default(),
            remembered: core.remembered.clone(),
            traces: core.traces.clone(),
        }
    }
}
