//! The events of cases: how actions of partners append them (`actions.rs`), and how the logs of jobs become events (`feed.rs`).
//! Each has a snapshot, so a receiver that missed an event goes on with the next.

mod actions;
mod dto;
mod feed;
pub(super) mod handlers;
mod queries;

pub use actions::{NewPartnerEvent, append, snapshot};
pub use dto::{CaseSnapshot, CaseStatus, JobSnapshot, NearFigures, PartnerEvent, PartnerEventContent};
pub use feed::{catch_up, feed};
pub use queries::{CaseJobRow, job_of_case};
pub(super) use queries::{case, jobs, stop_feeding, sweep};
