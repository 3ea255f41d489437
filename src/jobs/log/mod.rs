//! The one way to change a job.
//!
//! A change is a row, an event and hooks: `append.rs` writes all of them in one transaction, `together/` those of several jobs in one
//! statement, `creating/` those of several new jobs, and `replay.rs` reads the events. The job's actor decides in memory and appends
//! through the engine's journal. Code that has to change a job within its own transaction (a payment, a dispute, a call) decides and
//! appends with [`command`], and calls [`notify_committed`] after the commit. Steps that need no transaction are written by one
//! statement with the rows of their area (`steps.rs`).

mod append;
mod change;
mod columns;
mod composed;
mod creating;
mod hooks;
mod load;
mod notes;
mod offers;
mod prepared;
mod queries;
mod recent;
mod replay;
mod steps;
mod together;

pub use append::{append, append_prepared, refused, stopped};
pub use change::{
    adopt_committed, adopt_steps, command, command_on, details_changed, lock, notify_committed,
};
pub use composed::composed_statements;
pub use hooks::{CommitPath, Hook, HookError, Hooks};
pub use load::{find_command, load_job, load_jobs};
pub use offers::{OfferChanges, assigned};
pub use prepared::PreparedChange;
pub use queries::open_job_ids;
pub use recent::RecentEntries;
pub use replay::{entries_since, row_at};
pub use steps::{JobSteps, StepColumns, rows_of_arrays, statement_of_steps};
pub use together::{FurtherSql, NotTogether, append_together, create_together};
