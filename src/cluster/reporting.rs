//! What a server tells the others of itself, and when it compares its clock with the database's.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use chrono::TimeDelta;

use super::{context::ClusterContext, nodes::Nodes, subject};
use crate::platform::{db, worker::repeat};

const EVERY: Duration = Duration::from_secs(1);
/// How many reports a look at the clocks serves.
const CLOCK_EVERY: u32 = 10;
/// A clock that is so far from the database's is worth a warning.
const SUSPICIOUS: TimeDelta = TimeDelta::seconds(1);

/// Tells the others each second what this server is. Runs until it is aborted.
pub async fn report(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    let beats = AtomicU32::new(0);
    repeat(EVERY, async || {
        if beats.fetch_add(1, Ordering::Relaxed).is_multiple_of(CLOCK_EVERY) {
            look_at_clock(&context, &peers.nodes).await;
        }
        metrics::gauge!("roadcall_cluster_nodes").set(peers.nodes.others().len() as f64 + 1.0);
        peers.link.bus().publish(subject::NODES, &context.own_report());
    })
    .await;
}

async fn look_at_clock(context: &ClusterContext, nodes: &Nodes) {
    let Ok(ahead) = db::follow_clock(&context.db.uncounted(), &context.clock).await else { return };
    let was = nodes.clock_ahead().unwrap_or_default();
    if ahead.abs() > SUSPICIOUS && was.abs() <= SUSPICIOUS {
        let ahead_ms = ahead.num_milliseconds();
        tracing::warn!(ahead_ms, "this machine's clock and the database's differ; set both by NTP");
    }
    nodes.set_clock_ahead(ahead);
}
