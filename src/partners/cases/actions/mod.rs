//! Use cases of partners with their cases and jobs, and what happens to them by the clock.

mod approvals;
mod checking;
mod creating;
mod jobs;
mod naming;
mod offering;
mod ordering;
mod promises;

pub use approvals::{decide_due, decide_item};
pub use creating::{case_of_job, create, create_job};
pub use jobs::{cancel, search_again};
pub use offering::offer;
pub use promises::{accept, extend, note_missed, refuse};
