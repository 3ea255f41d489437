//! The subjects of the bus (`mod.rs`).

use uuid::Uuid;

use crate::platform::db::Lease;

pub(super) const ANNOUNCEMENTS: &str = "announcements";
pub(super) const NEWS: &str = "news";
pub(super) const DEVICES: &str = "devices";
pub(super) const NODES: &str = "nodes";

/// A leading server and its term. A term alone may repeat, after a restore of an older database or on a copy of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leader {
    pub term: u64,
    pub server: Uuid,
}

impl From<&Lease> for Leader {
    fn from(lease: &Lease) -> Self {
        Self { term: lease.term().unsigned_abs(), server: lease.server() }
    }
}

/// The kind of a message to the leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToLeader {
    Calls,
    /// Positions, in batches.
    Pings,
    Notices,
}

impl ToLeader {
    pub(super) fn subject(self, Leader { term, server }: Leader) -> String {
        format!("engine.{term}.{server}.{}", self.name())
    }

    /// Returns the subject of release 0.1, whose servers know each other by the term alone.
    pub(super) fn subject_of_term(self, term: u64) -> String {
        format!("engine.{term}.{}", self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Pings => "pings",
            Self::Notices => "notices",
        }
    }
}

/// Returns the subject of receipts for one server.
pub(super) fn receipts(server: Uuid) -> String {
    format!("receipts.{server}")
}
