//! The socket: `GET /ws`. docs/REALTIME.md describes it to clients.
//!
//! `handlers.rs` admits a client once `openings.rs` gives it a turn. `frame_guard.rs` sits in front of the codec.
//! `session.rs` is the actor of one socket, with `commands.rs` (the client's commands), `location_queue.rs`
//! (locations that wait), `listener.rs` and `subscriptions.rs` (the jobs that it follows), `mechanic_feed.rs` (offers
//! and the mechanic's own job), `fleet_map.rs` (the map of an admin), `attempts.rs` (which of several attempts to
//! subscribe counts) and `chores.rs` (heartbeats and checks). `stream.rs` sends one job as server-sent events;
//! `guest_stream.rs` sends the holder of a link what they need at once. `protocol/` has all the JSON, `frame_schemas.rs`
//! its machine-readable description. Through `hub/` and `watch.rs` the engine reaches sockets without ever waiting for
//! them. `catch_up.rs` wakes watchers that missed an event. `actions.rs` has the sockets' own writes; their commands call
//! the actions of other areas.

mod actions;
mod attempts;
mod call_frames;
mod catch_up;
mod chores;
mod commands;
mod context;
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
mod settings;
mod stream;
mod subscriptions;
mod watch;

use crate::http::Routes;

pub use actions::sweep;
pub use catch_up::{catch_up_watchers, renew_audience};
pub use context::WsContext;
pub use fleet_seats::FleetSeats;
pub use frame_schemas::{About, Audience, ClientShape, ServerShape, Shape, client_shapes, server_shapes};
pub use handlers::{LeavesHttp, SocketBody};
pub use hub::{Hub, OtherServers};
pub use openings::Openings;
#[cfg(any(test, fuzzing))]
pub(crate) use protocol::{ClientFrame, are_read_alike};
pub use settings::WsSettings;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::open_socket)
        .service(handlers::issue_ticket)
        .service(handlers::stream_job)
        .service(handlers::stream_as_guest);
}
