//! The socket: `GET /ws`. docs/REALTIME.md describes it to clients.
//!
//! `handlers.rs` admits a client, when `openings.rs` says that it is its turn. `frame_guard.rs` is in front of the
//! codec. `session.rs` is the actor of one socket, with `commands.rs` (what its client asks), `location_queue.rs`
//! (locations that wait), `listener.rs` and `subscriptions.rs` (the jobs that it follows), `mechanic_feed.rs` (offers
//! and the mechanic's own job), `fleet_map.rs` (the map of an admin) and `attempts.rs` (which of several attempts to subscribe counts). `stream.rs` sends one
//! job as server-sent events; `guest_stream.rs` sends the holder of a link what they need at once. `protocol/` has all
//! the JSON, `frame_schemas.rs` its machine-readable description. Through `hub.rs` and `watch.rs` the engine reaches
//! sockets without ever waiting for one. `catch_up.rs` wakes watchers that missed an event.

mod attempts;
mod call_frames;
mod catch_up;
mod commands;
mod dto;
mod fleet_map;
mod fleet_seats;
mod frame_guard;
mod frame_rate;
mod frame_schemas;
mod guest_stream;
mod handlers;
mod hub;
mod listener;
mod location_queue;
mod mechanic_feed;
mod openings;
mod origin;
mod protocol;
mod queries;
mod session;
mod stream;
mod subscriptions;
mod watch;

use chrono::{DateTime, Utc};
use std::ops::Deref;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{
    dispatch::fleet_view::FleetFeed,
    fleet::mechanics::MechanicsContext,
    jobs::JobsContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    platform::{db::Db, tasks::Tasks},
    tracking::SharedLogs,
};

pub use catch_up::catch_up_watchers;
pub use fleet_seats::FleetSeats;
pub use frame_schemas::{About, Audience, ClientShape, ServerShape, Shape, client_shapes, server_shapes};
pub use hub::Hub;
pub use openings::Openings;

/// What sockets and streams need, for their commands and for themselves.
#[derive(Debug, Clone)]
pub struct WsContext {
    pub mechanics: MechanicsContext,
    pub jobs: JobsContext,
    pub chat: ChatContext,
    pub calls: CallsContext,
    pub hub: Hub,
    pub logs: SharedLogs,
    /// The open jobs on maps.
    pub fleet: FleetFeed,
    /// One for each map that a socket may follow.
    pub fleet_seats: FleetSeats,
    /// Admits sockets that are being opened.
    pub openings: Openings,
    /// Turns true when the service begins to stop: sockets then say so and close with 1001.
    pub drain: tokio::sync::watch::Receiver<bool>,
    pub tasks: Tasks,
}

impl Deref for WsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::open_socket)
        .service(handlers::issue_ticket)
        .service(handlers::stream_job)
        .service(handlers::stream_as_guest);
}

/// Deletes tickets that can no longer be used; returns how many.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now, limit).await
}
