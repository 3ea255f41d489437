//! The cluster on the wire.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{messages::NodeReport, queries::TakeOverRow};
use crate::http::Timestamp;

/// The servers of this database, as known to the answering server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterState {
    pub at: Timestamp,
    /// The connection to NATS; null if the server is alone.
    pub bus: Option<ClusterBus>,
    pub engine: ClusterEngine,
    /// The servers, of which the answering one is the first.
    pub nodes: Vec<ClusterNode>,
    /// The latest 20 take-overs, newest first.
    pub take_overs: Vec<TakeOver>,
}

/// The answering server's connection to NATS.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterBus {
    /// Whether this server is connected to NATS.
    pub is_connected: bool,
    /// How many messages this server could not send, or take in time, since its start.
    #[schema(minimum = 0)]
    pub lost_messages: u64,
}

/// The engine, and the server that runs it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterEngine {
    /// The present or last leader.
    pub server: Option<Uuid>,
    pub is_answering: bool,
}

/// A server of the cluster.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterNode {
    pub id: Uuid,
    pub release: String,
    pub since: Timestamp,
    /// Whether the server runs the engine.
    pub is_leading: bool,
    /// Whether the server is about to stop.
    pub is_draining: bool,
    /// The number of open WebSockets.
    #[schema(minimum = 0)]
    pub sockets: u64,
    /// How far the server's clock is ahead of the database's, in milliseconds; null if that is not known.
    pub clock_ahead_ms: Option<i64>,
    /// The age of the server's report in milliseconds.
    #[schema(minimum = 0)]
    pub heard_ms_ago: u64,
}

/// A change of the leading server.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakeOver {
    /// The number of the take-over on this database.
    #[schema(minimum = 1)]
    pub term: i64,
    /// The server that began to lead.
    pub server: Uuid,
    pub release: String,
    /// When the server began to lead.
    pub led_at: Timestamp,
    /// When the server had loaded everything committed before; null if it has not, or ended before that.
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
