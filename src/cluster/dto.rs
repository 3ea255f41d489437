//! The cluster on the wire.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{messages::NodeReport, queries::TakeOverRow};
use crate::http::Timestamp;

/// The servers of this database, as the one that answers knows them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterState {
    pub at: Timestamp,
    /// Null of a server that serves alone.
    pub bus: Option<ClusterBus>,
    pub engine: ClusterEngine,
    /// The server that answers first.
    pub nodes: Vec<ClusterNode>,
    /// The newest 20, newest first.
    pub take_overs: Vec<TakeOver>,
}

/// The answering server's connection to NATS.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterBus {
    /// Whether this server is connected to it.
    pub is_connected: bool,
    /// Messages that this server could not send, or take in time, since its start.
    #[schema(minimum = 0)]
    pub lost_messages: u64,
}

/// Who runs the engine.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterEngine {
    /// The server that leads, or did last.
    pub server: Option<Uuid>,
    pub is_answering: bool,
}

/// One server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterNode {
    pub id: Uuid,
    pub release: String,
    pub since: Timestamp,
    /// Whether it runs the engine.
    pub is_leading: bool,
    /// Whether it is about to stop.
    pub is_draining: bool,
    /// Open WebSockets.
    #[schema(minimum = 0)]
    pub sockets: u64,
    /// How far its clock is ahead of the database's; null if that is not known.
    pub clock_ahead_ms: Option<i64>,
    /// How long ago it said so.
    #[schema(minimum = 0)]
    pub heard_ms_ago: u64,
}

/// A server became the one that leads.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakeOver {
    /// Counts the take-overs of this database.
    #[schema(minimum = 1)]
    pub term: i64,
    /// The server that began to lead.
    pub server: Uuid,
    pub release: String,
    /// When the server began to lead.
    pub led_at: Timestamp,
    /// When it had loaded what was committed before; null if it has not, or did not live to.
    pub ready_at: Option<Timestamp>,
}

impl ClusterNode {
    pub fn of(report: NodeReport, heard_ago: std::time::Duration) -> Self {
        let NodeReport { id, release, since, is_leading, is_draining, sockets, clock_ahead_ms, .. } = report;
        let heard_ms_ago = heard_ago.as_millis() as u64;
        let since = since.into();
        Self { id, release, since, is_leading, is_draining, sockets, clock_ahead_ms, heard_ms_ago }
    }
}

impl From<TakeOverRow> for TakeOver {
    fn from(row: TakeOverRow) -> Self {
        let TakeOverRow { term, server, release, led_at, ready_at } = row;
        Self { term, server, release, led_at: led_at.into(), ready_at: ready_at.map(Into::into) }
    }
}
