//! The engine's ports, on Postgres and sockets.

mod decisions;
pub mod engine;
pub mod journal;
mod load;
mod outbound;
pub mod outside;
mod queries;
pub mod recovery;
mod trail;

pub use decisions::Decisions;
pub use journal::PgJournal;
pub use trail::Trail;

use crate::{messaging::calls, notifications::Bells};

/// What is written, and told, behind the engine.
#[derive(Debug, Clone)]
pub struct Recorders {
    pub trail: Trail,
    pub decisions: Decisions,
    /// Rung when a commit may have told somebody something.
    pub notes: Bells,
    /// Rung when a job has moved so that a call about it is over.
    pub calls: calls::Bell,
}
