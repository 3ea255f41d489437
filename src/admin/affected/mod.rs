//! Lists the people whose data an admin's account read or changed in a period, after it was misused
//! (`roadcall privacy affected`).
//!
//! `queries.rs` resolves the entries of the audit log to people, in one snapshot of the database; `collect.rs` puts them together
//! with the gaps of the log; `report.rs` writes the report.

mod audited;
mod collect;
mod error;
mod queries;
mod report;

pub use collect::{Affected, AffectedSearch, affected};
pub use error::AffectedError;
