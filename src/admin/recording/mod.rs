//! Writes a stretch of the service's log to a file that the simulator plays (`roadcall simulate --replay`), without its people.
//!
//! `queries.rs` reads tables of other areas, in pages and in one snapshot of the database; `collect.rs` makes the file.
//! `presence.rs` derives when mechanics were online, and where.

mod collect;
mod dto;
mod error;
mod limits;
mod presence;
mod queries;
mod stretch;

pub use collect::record;
pub use dto::Recording;
pub use error::RecordingError;
pub use stretch::Stretch;
