//! What a server tells the others of itself, and how it compares its clock with the database's.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{context::ClusterContext, nodes::Nodes, queries, subject};
use crate::platform::worker::repeat;

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
    let before = context.clock.now();
    let Ok(theirs) = queries::clock(&context.db.uncounted()).await else { return };
    let ahead = ahead(before, theirs, context.clock.now());
    let was = nodes.clock_ahead().unwrap_or_default();
    if ahead.abs() > SUSPICIOUS && was.abs() <= SUSPICIOUS {
        let ahead_ms = ahead.num_milliseconds();
        tracing::warn!(ahead_ms, "this machine's clock and the database's differ; set both by NTP");
    }
    nodes.set_clock_ahead(ahead);
}

/// How far a clock is at least ahead of another that showed `theirs` at some moment between `before` and `after`.
fn ahead(before: DateTime<Utc>, theirs: DateTime<Utc>, after: DateTime<Utc>) -> TimeDelta {
    if theirs < before {
        before - theirs
    } else if theirs > after {
        after - theirs
    } else {
        TimeDelta::zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_answer_is_no_difference_of_clocks() {
        let at = |ms| DateTime::UNIX_EPOCH + TimeDelta::milliseconds(ms);
        let ahead = |before, theirs, after| ahead(at(before), at(theirs), at(after)).num_milliseconds();
        assert_eq!(ahead(0, 900, 2_000), 0);
        assert_eq!(ahead(10_000, 4_000, 10_005), 6_000);
        assert_eq!(ahead(10_000, 40_000, 10_005), -29_995);
    }
}
