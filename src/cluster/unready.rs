//! A leader that is not ready lets another server lead, if one is ready.
//!
//! A fault of something that all servers share, such as the database, is no reason, since the lead would go round in
//! circles. Reasons are a clock that is too far off the database's, and an engine that has not answered for a while.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use roadcall_actors::protocol::CountQuery;

use super::{
    context::{ClusterContext, Peers},
    heard::OUT_OF_REACH,
};
use crate::platform::worker::repeat;

const EVERY: Duration = Duration::from_secs(1);
/// An engine that answers within this time is only slow: another server's would not be faster.
const ENGINE_LIMIT: Duration = Duration::from_secs(5);
/// How many looks in a row must fail. One is not enough, since a process that was paused has heard nothing meanwhile.
const LOOKS: u32 = 2;
/// During this many looks, every server compares its clock with the database's again. If the database's clock was
/// set, no server's is right, and the lead stays.
const LOOKS_AT_CLOCK: u32 = 12;

/// The state of the leader, and whether another server could lead.
#[derive(Debug, Clone, Copy)]
struct Readiness {
    is_clock_right: bool,
    /// How long its engine has not answered.
    unanswered_for: Duration,
    is_another_ready: bool,
}

impl Readiness {
    /// Returns why another server should lead, and how many looks in a row must find it; `None` if this server may continue.
    fn complaint(self) -> Option<(&'static str, u32)> {
        match self {
            Self { is_another_ready: false, .. } => None,
            Self { unanswered_for, .. } if unanswered_for >= OUT_OF_REACH => {
                Some(("its engine has not answered for more than 10 s", LOOKS))
            }
            Self { is_clock_right: false, .. } => {
                Some(("its clock is more than 5 s off the database's", LOOKS_AT_CLOCK))
            }
            _ => None,
        }
    }
}

/// Looks at the leader's readiness regularly, until it is aborted.
pub async fn look_at_readiness(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    let complaints = AtomicU32::new(0);
    repeat(EVERY, async || {
        let lease = context.engine_db.lease();
        let complaint = match lease.is_leading() && peers.link.is_local() {
            true => readiness(&context, &peers).await.complaint(),
            false => None,
        };
        let Some((why, most)) = complaint else {
            return complaints.store(0, Ordering::Relaxed);
        };
        let looks = complaints.fetch_add(1, Ordering::Relaxed) + 1;
        // The lead may have been lost while the engine was asked.
        if looks >= most && lease.is_leading() && peers.unheard.step_down() {
            tracing::warn!(why, "this server leads and is not ready: it lets another one lead");
        }
    })
    .await;
}

async fn readiness(context: &ClusterContext, peers: &Peers) -> Readiness {
    let answered = context.engine.ask(CountQuery { within: ENGINE_LIMIT }).await;
    Readiness {
        is_clock_right: peers.nodes.is_clock_right(),
        unanswered_for: peers.link.unreached_for(answered.is_ok()),
        is_another_ready: peers.nodes.is_another_ready(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unready_leader_lets_another_server_lead_only_if_that_one_is_ready() {
        let ready =
            Readiness { is_clock_right: true, unanswered_for: Duration::ZERO, is_another_ready: true };
        let wrong = Readiness { is_clock_right: false, ..ready };
        let slow = Readiness { unanswered_for: Duration::from_secs(9), ..ready };
        let stuck = Readiness { unanswered_for: OUT_OF_REACH, ..ready };
        let complains = [ready, wrong, slow, stuck].map(|it| it.complaint().is_some());
        assert_eq!(complains, [false, true, false, true]);
        for alone in [ready, wrong, slow, stuck].map(|it| Readiness { is_another_ready: false, ..it }) {
            assert_eq!(alone.complaint(), None, "{alone:?}");
        }
    }
}
