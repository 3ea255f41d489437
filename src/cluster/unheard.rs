//! A leader whom nobody hears lets another server lead.
//!
//! One that was cut off from NATS keeps its lock in Postgres, while nobody can ask it anything. So a server that reaches NATS and hears
//! the leader no more complains in Postgres, and a leader that hears nobody looks there. If NATS is away for all, nobody reaches it,
//! nobody complains, and the lead stays where it is.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::sync::watch;

use super::context::{ClusterContext, Peers};
use crate::platform::{db, worker::repeat};

/// Heartbeats and reports come each second.
const SILENCE: Duration = Duration::from_millis(2_000);
const EVERY: Duration = Duration::from_millis(250);
/// A server that was paused has heard nobody, but catches up within a moment: silence counts from the third look.
const SILENT_LOOKS_IGNORED: u32 = 2;

/// Whether this server is to let another one lead: it was told that nobody hears it, or it is not ready. A cheap clone.
#[derive(Debug, Clone, Default)]
pub struct UnheardLeader(watch::Sender<bool>);

/// What one server hears of the others.
#[derive(Debug, Clone, Copy)]
struct Hears {
    is_leading: bool,
    /// How long it has been connected to NATS; `None` if it is not.
    connected_for: Option<Duration>,
    /// Since it last heard a leader; `None` if it never has. In a part of NATS where there is none, it does not complain.
    leader_silent_for: Option<Duration>,
    /// Since it last heard any other server.
    all_silent_for: Duration,
}

/// What to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Say that no leader is heard.
    Complain,
    /// Look whether others complain.
    LookForComplaints,
    Nothing,
}

impl UnheardLeader {
    /// Has this server, which leads, let another one lead. Returns whether it was not to do that before.
    pub(super) fn step_down(&self) -> bool {
        !self.0.send_replace(true)
    }

    /// Resolves once this server, which leads, is to let another one lead.
    pub async fn noticed(&self) {
        // The sender is here, so there is no other end.
        self.0.subscribe().wait_for(|is_unheard| *is_unheard).await.ok();
    }
}

impl Hears {
    fn step(self) -> Step {
        let is_long_connected = self.connected_for.is_some_and(|connected_for| connected_for > SILENCE);
        match self.is_leading {
            true if self.all_silent_for > SILENCE => Step::LookForComplaints,
            false
                if is_long_connected
                    && self.leader_silent_for.is_some_and(|silent_for| silent_for > SILENCE) =>
            {
                Step::Complain
            }
            _ => Step::Nothing,
        }
    }
}

/// Looks again and again, until it is aborted.
pub async fn look_for_silence(context: ClusterContext) {
    let Some(peers) = context.peers.clone() else { return };
    let silent_looks = AtomicU32::new(0);
    repeat(EVERY, async || {
        let step = hears(&context, &peers).step();
        let before = match step {
            Step::Nothing => silent_looks.swap(0, Ordering::Relaxed),
            Step::Complain | Step::LookForComplaints => silent_looks.fetch_add(1, Ordering::Relaxed),
        };
        if before >= SILENT_LOOKS_IGNORED {
            carry_out(step, &context, &peers).await;
        }
    })
    .await;
}

fn hears(context: &ClusterContext, peers: &Peers) -> Hears {
    Hears {
        is_leading: context.lease.is_leading(),
        connected_for: peers.link.bus().connected_for(),
        leader_silent_for: peers.link.silent_for(),
        all_silent_for: peers.nodes.silent_for(),
    }
}

async fn carry_out(step: Step, context: &ClusterContext, peers: &Peers) {
    let uncounted = context.db.uncounted();
    let done = match step {
        Step::Nothing => return,
        // Its own link may be the one that is cut, which it notices a second too late.
        Step::Complain if !peers.link.bus().reaches_nats().await => return,
        Step::Complain => db::say_unheard(&uncounted, &context.lease).await,
        Step::LookForComplaints => db::is_unheard(&uncounted).await.map(|is_unheard| {
            if is_unheard && peers.unheard.step_down() {
                tracing::warn!("other servers don't hear this one, which leads: it lets another one lead");
            }
        }),
    };
    if let Err(error) = done {
        tracing::debug!(%error, "whether the leader is heard could not be told by Postgres");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_is_connected_complains_and_only_who_hears_nobody_listens() {
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(10));
        let step = |is_leading, connected_for, leader_silent_for: Duration, all_silent_for| {
            let leader_silent_for = Some(leader_silent_for);
            Hears { is_leading, connected_for, leader_silent_for, all_silent_for }.step()
        };
        assert_eq!(step(false, Some(long), long, short), Step::Complain);
        assert_eq!(step(false, Some(long), short, long), Step::Nothing);
        // NATS is away, or has just come back.
        assert_eq!(step(false, None, long, long), Step::Nothing);
        assert_eq!(step(false, Some(short), long, long), Step::Nothing);
        assert_eq!(step(true, None, long, long), Step::LookForComplaints);
        assert_eq!(step(true, Some(long), long, long), Step::LookForComplaints);
        // NATS is away for a moment.
        assert_eq!(step(true, None, long, short), Step::Nothing);
        let never_heard = Hears {
            is_leading: false,
            connected_for: Some(long),
            leader_silent_for: None,
            all_silent_for: long,
        };
        assert_eq!(never_heard.step(), Step::Nothing);
        // Somebody else is cut off.
        assert_eq!(step(true, Some(long), long, short), Step::Nothing);
    }
}
