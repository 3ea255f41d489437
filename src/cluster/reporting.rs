//! A server's reports to the others, and the comparison of its clock with the database's.

use std::{
    sync::atomic::{AtomicI64, AtomicU32, Ordering},
    time::Duration,
};

use chrono::TimeDelta;
use roadcall_actors::clock::Clock;
use tokio::time::timeout;

use super::{context::ClusterContext, nodes::Nodes, subject};
use crate::{
    platform::{db, worker::repeat},
    thresholds::{self, Level},
};

const EVERY: Duration = Duration::from_secs(1);
/// The number of reports for which one look at the clocks serves.
const CLOCK_EVERY: u32 = 10;
/// How long a look may delay a report.
const LOOK_LIMIT: Duration = Duration::from_secs(1);

/// Reports this server to the others each second. Runs until it is aborted.
pub async fn report(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    let (beats, looked_at_ms) = (AtomicU32::new(0), AtomicI64::new(0));
    repeat(EVERY, async || {
        let is_due = beats.fetch_add(1, Ordering::Relaxed).is_multiple_of(CLOCK_EVERY);
        // This notices at once if the machine was suspended, or its time was set.
        let has_jumped = has_jumped(looked_at_ms.load(Ordering::Relaxed), machine_ahead_ms(&context.clock));
        if (is_due || has_jumped) && look_at_clock(&context, &peers.nodes).await {
            looked_at_ms.store(machine_ahead_ms(&context.clock), Ordering::Relaxed);
        }
        metrics::gauge!("roadcall_cluster_nodes").set(peers.nodes.others().len() as f64 + 1.0);
        peers.link.bus().publish(subject::NODES, &context.own_report());
    })
    .await;
}

/// Returns how far the machine's clock is ahead of this server's, which moves on only as time passes.
fn machine_ahead_ms(clock: &Clock) -> i64 {
    (clock.machine_now() - clock.now()).num_milliseconds()
}

/// Returns whether the machine's clock, which was `before_ms` ahead, has moved further than any correction moves it.
fn has_jumped(before_ms: i64, now_ms: i64) -> bool {
    is_suspicious(TimeDelta::milliseconds(now_ms - before_ms))
}

/// Returns whether a difference of clocks is worth another look and a warning.
fn is_suspicious(difference: TimeDelta) -> bool {
    thresholds::CLOCK.level_of(difference.abs()) > Level::Fine
}

/// Compares the clocks. Returns whether the database has answered.
async fn look_at_clock(context: &ClusterContext, nodes: &Nodes) -> bool {
    let db = context.db.uncounted();
    let Ok(Ok(ahead)) = timeout(LOOK_LIMIT, db::follow_clock(&db, &context.clock)).await else {
        return false;
    };
    let was = nodes.clock_ahead().unwrap_or_default();
    if is_suspicious(ahead) && !is_suspicious(was) {
        let ahead_ms = ahead.num_milliseconds();
        tracing::warn!(ahead_ms, "this machine's clock and the database's differ; set both by NTP");
    }
    nodes.set_clock_ahead(ahead);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_corrected_slowly_has_not_jumped_but_a_suspended_one_has() {
        // The clock runs a tenth slower until the next look.
        assert!(!has_jumped(-30_000, -29_000));
        assert!(!has_jumped(250, 250));
        assert!(has_jumped(0, 60_000), "the machine was suspended");
        assert!(has_jumped(0, -60_000), "its time was set back");
    }
}
