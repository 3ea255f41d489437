//! The one way to change a job.
//!
//! A change is a row, an event and hooks: `append.rs` writes all of them in one transaction. The job's actor decides in
//! memory and appends through the engine's journal. Code that has to change a job within its own transaction (a
//! payment, a dispute, a call) decides and appends with [`command`], and calls [`notify_committed`] after the commit.

mod append;
mod change;
mod columns;
mod load;
mod queries;
mod recent;

pub use append::{append, refused};
pub use change::{adopt_committed, command, command_on, details_changed, lock, notify_committed};
pub use load::{find_command, load_job, load_jobs};
pub use queries::{composed_statements, open_job_ids};
pub use recent::RecentEntries;
