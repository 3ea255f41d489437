//! Several servers on one database: every one of them serves people, and the one that leads runs the engine
//! ([ADR 89](../../docs/adr/0089-every-server-serves.md)). They reach each other over the bus (`platform/bus`).
//!
//! | subject | who sends | what |
//! | --- | --- | --- |
//! | `engine.<term>.<leader>.calls` | servers that don't lead | requests to the engine (`link.rs`), answered by the leader (`serving.rs`), and looks at whether it answers (`unheard.rs`) |
//! | `engine.<term>.<leader>.pings` | the same | positions in batches (`pings.rs`) |
//! | `engine.<term>.<leader>.notices` | the same | messages that need no answer |
//! | `receipts.<server>` | the leader | the results of positions that were not known at once |
//! | `announcements` | the leader | what the engine tells apps and watchers, numbered, and a heartbeat each second (`listening.rs`) |
//! | `news` | every server | events of people and their sockets (`messages.rs`, `sockets.rs`) |
//! | `devices` | every server | a search for a device, answered only by the server that has it |
//! | `nodes` | every server | its report, each second (`reporting.rs`) |
//! | `wake.<worker>` | every server | there is work (`platform/worker.rs`) |
//!
//! An acknowledged change never depends on a message: a server that misses an announcement reads the log.

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
