//! Use cases of partners with their cases and jobs, and what happens to them by the clock.

mod approvals;
mod creating;
mod jobs;
mod promises;

pub use approvals::{approve, decide_due, reject};
pub use creating::{case_of_job, close, create, create_job, offer};
pub use jobs::{cancel, search_again};
pub use promises::{accept, extend, note_missed, refuse};
