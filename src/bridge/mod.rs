//! The engine's ports, on Postgres and sockets.

pub mod engine;
pub mod journal;
mod load;
mod outbound;
mod queries;
pub mod recovery;
mod trail;

pub use journal::PgJournal;
pub use trail::Trail;
