//! Several servers on one database: every one of them serves people, and the one that leads runs the engine
//! ([ADR 89](../../docs/adr/0089-every-server-serves.md)). They reach each other over the bus (`platform/bus`).
//!
//! | subject | who sends | what |
//! | --- | --- | --- |
//! | `engine.<term>.<leader>.calls` | servers that don't lead | requests to the engine (`link.rs`), which it answers (`serving.rs`), and looks whether it answers (`unheard.rs`) |
//! | `engine.<term>.<leader>.pings` | the same | positions in batches (`pings.rs`) |
//! | `engine.<term>.<leader>.notices` | the same | what needs no answer |
//! | `receipts.<server>` | the leader | what became of positions, where that was not known at once |
//! | `announcements` | the leader | what the engine tells apps and watchers, numbered, and a heartbeat each second (`listening.rs`) |
//! | `news` | every server | what has happened to people and their sockets (`messages.rs`, `sockets.rs`) |
//! | `devices` | every server | looks for a device on another server, who answers only if it has it |
//! | `nodes` | every server | what it is, each second (`reporting.rs`) |
//! | `wake.<worker>` | every server | there is work (`platform/worker.rs`) |
//!
//! No message is needed for anything that was acknowledged: whoever misses an announcement reads the log.

mod confirming;
mod context;
mod directions;
mod dto;
mod handlers;
mod heard;
mod link;
mod listening;
mod messages;
mod nodes;
mod pings;
mod queries;
mod reporting;
mod serving;
mod sockets;
mod subject;
mod unheard;
mod unready;

pub use confirming::look_for_leader;
pub use context::{ClusterContext, Peers};
pub use link::EngineLink;
pub use listening::{heal, listen};
pub use nodes::Nodes;
pub use reporting::report;
pub use serving::{AnnouncementQueue, Announcements, Lead};
pub use sockets::{AllSockets, Speaking};
pub use unheard::look_for_silence;
pub use unready::look_at_readiness;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::get_cluster);
}
