use std::{ops::Deref, sync::Arc};

use super::{fleet_seats::FleetSeats, hub::Hub, openings::Openings, settings::WsSettings};
use crate::{
    dispatch::fleet_view::FleetFeed,
    fleet::mechanics::MechanicsContext,
    jobs::JobsContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    platform::tasks::Tasks,
    tracking::SharedLogs,
};

/// The dependencies of sockets and streams and of their commands.
#[derive(Debug, Clone)]
pub struct WsContext {
    pub ws_settings: Arc<WsSettings>,
    pub mechanics: MechanicsContext,
    pub jobs: JobsContext,
    pub chat: ChatContext,
    pub calls: CallsContext,
    pub hub: Hub,
    pub logs: SharedLogs,
    /// The open jobs on maps.
    pub fleet: FleetFeed,
    /// The seats of the maps that sockets follow.
    pub fleet_seats: FleetSeats,
    /// Admits sockets that are being opened.
    pub openings: Openings,
    /// Turns true when the service begins to stop: sockets then announce it and close with 1001.
    pub drain: tokio::sync::watch::Receiver<bool>,
    pub tasks: Tasks,
}

impl WsContext {
    /// Returns whether the service has begun to stop.
    pub(super) fn is_draining(&self) -> bool {
        *self.drain.borrow()
    }
}

impl Deref for WsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}
