use std::ops::Deref;

use chrono::{DateTime, Utc};
use roadcall_actors::EngineHandle;
use tokio::sync::watch;

use super::{link::EngineLink, messages::NodeReport, nodes::Nodes, unheard::UnheardLeader};
use crate::{
    platform::{
        bus::Bus,
        core::Core,
        db::{EngineDb, RELEASE},
        settings::ClusterSettings,
    },
    ws::Hub,
};

/// The context for showing the servers of the database.
#[derive(Debug, Clone)]
pub struct ClusterContext {
    pub core: Core,
    /// The connection to the other servers; `None` if this server is alone.
    pub peers: Option<Peers>,
    pub engine: EngineHandle,
    pub hub: Hub,
    /// The engine's database, whose lease tells whether this server leads.
    pub engine_db: EngineDb,
    pub drain: watch::Receiver<bool>,
    pub since: DateTime<Utc>,
}

/// The connection to the other servers.
#[derive(Debug, Clone)]
pub struct Peers {
    pub link: EngineLink,
    pub nodes: Nodes,
    pub unheard: UnheardLeader,
}

impl Peers {
    pub fn new(bus: Bus, settings: &ClusterSettings) -> Self {
        let (nodes, unheard) = (Nodes::default(), UnheardLeader::default());
        Self { link: EngineLink::new(bus, settings, &nodes), nodes, unheard }
    }
}

impl Deref for ClusterContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl ClusterContext {
    /// Returns this server's report to the others.
    pub fn own_report(&self) -> NodeReport {
        let nodes = self.peers.as_ref().map(|peers| &peers.nodes);
        NodeReport {
            id: self.server_id(),
            release: RELEASE.to_owned(),
            since: self.since,
            is_leading: self.engine_db.lease().is_leading(),
            is_draining: *self.drain.borrow(),
            sockets: self.hub.sockets() as u64,
            clock_ahead_ms: nodes.and_then(Nodes::clock_ahead).map(|ahead| ahead.num_milliseconds()),
            is_known_by_id: true,
        }
    }
}
