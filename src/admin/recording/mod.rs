//! A stretch of the service's log as a file that the simulator plays (`roadcall simulate --replay`), without its people.
//!
//! `queries.rs` reads what other areas own, in pages and in one snapshot of the database; `collect.rs` makes the file of it.
//! `presence.rs` derives when mechanics were online, and where.

mod collect;
mod dto;
mod presence;
mod queries;
mod stretch;

pub use collect::record;
pub use dto::Recording;
pub use stretch::Stretch;

/// Bounds of what the simulator takes.
pub const MAX_JOBS: usize = 100_000;
pub const MAX_MECHANICS: usize = 5_000;
const MAX_ANSWERS: usize = 1_000_000;
const MAX_CATEGORIES: usize = 1_000;

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("--to must be after --from")]
    Empty,
    #[error("--to must be at most {} days after --from", stretch::MAX_DAYS)]
    TooLong,
    #[error("there are more than {most} {what} between --from and --to: choose a shorter stretch")]
    TooMany { most: usize, what: &'static str },
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}
