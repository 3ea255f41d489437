//! Reports whether all is well: what is slow, full, old or failing, and what to do next.
//!
//! | file | what |
//! | --- | --- |
//! | `actions.rs` | looks, at most once in a few seconds for all who ask |
//! | `found.rs` | what was found, as plain numbers |
//! | `counters.rs` | what the process has counted in the last quarter of an hour |
//! | `free_space.rs` | how long the disk lasts |
//! | `verdicts/` | what the numbers mean, and what to do: pure |
//!
//! The alerts have the same thresholds (`crates/groundwork/src/thresholds.rs`), so that this page and an alert say the same;
//! `docs/RUNBOOK.md` says more.

mod actions;
mod context;
mod counters;
mod dto;
mod found;
mod free_space;
mod handlers;
mod queries;
mod verdicts;

pub use context::{ExpectedStatus, LastLook, StatusContext};
pub use counters::RecentCounts;
pub use free_space::FreeSpace;

use crate::http::Routes;

pub(super) fn routes(config: &mut Routes) {
    config.service(handlers::get_status);
}
