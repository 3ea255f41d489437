//! In-memory ports with planned failures, and worlds to try the engine in. For tests and simulations alone.
//!
//! [`journal`] keeps what Postgres keeps and refuses what its schema refuses; [`outbound`] remembers who was told
//! what; [`world`] is an engine on both, under a clock that tests may pause; [`invariants`] says what must always
//! hold.

pub mod invariants;
pub mod journal;
pub mod outbound;
pub mod world;

pub use journal::{Fault, MemoryJournal};
pub use outbound::{Recorder, Told};
pub use world::World;
