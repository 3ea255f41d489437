//! The engine's ports, on Postgres and sockets.

pub mod engine;
pub mod hooks;
pub mod journal;
mod load;
mod outbound;
mod queries;
pub mod recovery;
mod trail;

pub use journal::PgJournal;
pub use trail::Trail;

use crate::{dispatch::Decisions, notifications::Wakeups, platform::worker::Wakeup};

/// What is written, and told, behind the engine.
#[derive(Debug, Clone)]
pub struct Recorders {
    pub trail: Trail,
    pub decisions: Decisions,
    /// Rung when a commit may have told somebody something.
    pub wakeups: Wakeups,
    /// Rung when a job has moved so that a call about it is over.
    pub calls: Wakeup,
}
