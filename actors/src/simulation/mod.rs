//! In-memory ports with planned failures, and worlds to try the engine in. Only for tests and simulations.
//!
//! [`journal`] keeps what Postgres keeps and refuses what its schema refuses (its rows and guards are in `tables`,
//! the ways in which it fails in `faults`); [`outbound`] records what was reported to whom; [`world`] is an engine on both,
//! under a clock that tests may pause, which `crashes` breaks; [`invariants`] says what must always hold (of the rows: `row_invariants`).

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
