//! The subjects of the bus (`mod.rs`).

pub(super) const ANNOUNCEMENTS: &str = "announcements";
pub(super) const NEWS: &str = "news";
pub(super) const DEVICES: &str = "devices";
pub(super) const NODES: &str = "nodes";

pub(super) fn calls(term: u64) -> String {
    format!("engine.{term}.calls")
}

pub(super) fn notices(term: u64) -> String {
    format!("engine.{term}.notices")
}
