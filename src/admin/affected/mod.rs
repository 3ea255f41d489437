//! Whose data an admin's account read or changed in a stretch of time, after it was misused (`roadcall privacy affected`).
//!
//! `queries.rs` resolves the entries of the audit log to people, in one snapshot of the database; `collect.rs` puts them together,
//! and says what the log can't know; `report.rs` writes it down.

mod audited;
mod collect;
mod error;
mod queries;
mod report;

pub use collect::{Affected, AffectedSearch, affected};
pub use error::AffectedError;
