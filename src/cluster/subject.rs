//! The subjects of the bus (`mod.rs`).

use uuid::Uuid;

pub(super) const ANNOUNCEMENTS: &str = "announcements";
pub(super) const NEWS: &str = "news";
pub(super) const DEVICES: &str = "devices";
pub(super) const NODES: &str = "nodes";

pub(super) fn calls(term: u64) -> String {
    format!("engine.{term}.calls")
}

/// Positions, in batches.
pub(super) fn pings(term: u64) -> String {
    format!("engine.{term}.pings")
}

/// To one server.
pub(super) fn receipts(server: Uuid) -> String {
    format!("receipts.{server}")
}

pub(super) fn notices(term: u64) -> String {
    format!("engine.{term}.notices")
}
