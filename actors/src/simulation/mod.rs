//! In-memory ports with planned failures, and worlds to try the engine in, for tests and simulations only.
//!
//! [`journal`] keeps what Postgres keeps and refuses what its schema refuses (its rows and guards are in `tables`,
//! its failures in `faults`); [`outbound`] records the reports to apps and watchers; [`world`] is an engine on
//! both, under a clock that tests may pause, and `crashes` breaks it; [`invariants`] checks what must always hold
//! (`row_invariants` checks the rows).

mod crashes;
mod faults;
pub mod invariants;
pub mod journal;
pub mod outbound;
mod row_invariants;
mod tables;
#[cfg(test)]
mod tests;
pub mod world;

pub use journal::{Fault, MemoryJournal};
pub use outbound::Recorder;
pub use world::World;
