//! What this server hears of the leader: whose word counts, and how far it has come.
//!
//! A message says what its sender likes, so a term that is new counts once Postgres knows it (`listening.rs`).

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use roadcall_actors::broadcast::{Broadcast, BroadcastReceiver, Continuity};

/// So many heartbeats in a row that say less than was said before are the leader's, and what was said before was not.
const BEHIND: u32 = 3;

/// One for all who listen.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// The newest term that is known; 0 if none is.
    term: Arc<AtomicU64>,
    receiver: BroadcastReceiver,
    last: Mutex<LastHeard>,
}

#[derive(Debug, Default)]
struct LastHeard {
    /// The newest term of a leader that was heard; 0 if none was.
    term: u64,
    /// Heartbeats since then that said less than was said before.
    behind: u32,
    /// Since when looks whether the engine answers have been in vain; `None` after an answer.
    unanswered_since: Option<Instant>,
}

impl Heard {
    /// The newest term, as it will be known, too.
    pub(super) fn shared_term(&self) -> Arc<AtomicU64> {
        self.term.clone()
    }

    pub(super) fn term(&self) -> u64 {
        self.term.load(Ordering::Acquire)
    }

    /// A leader of this term exists, or did: Postgres says so, or this server is the one.
    pub(super) fn know(&self, term: u64) {
        self.term.fetch_max(term, Ordering::AcqRel);
    }

    /// The newest term of a leader that was heard; 0 if none was.
    pub(super) fn heard_term(&self) -> u64 {
        self.last().term
    }

    /// What to make of a broadcast. Only the term that is known counts.
    pub(super) fn receive(&self, broadcast: &Broadcast) -> Continuity {
        if broadcast.term != self.term() {
            return Continuity::Stale;
        }
        let mut last = self.last();
        last.term = broadcast.term;
        let continuity = self.receiver.receive(broadcast);
        // Heartbeats come in the order in which they were sent.
        match (continuity, broadcast.announcements.is_empty()) {
            (Continuity::Stale, true) => last.behind += 1,
            (Continuity::Stale, false) => {}
            (Continuity::InOrder | Continuity::AfterGap, _) => last.behind = 0,
        }
        if last.behind < BEHIND {
            return continuity;
        }
        last.behind = 0;
        self.receiver.forget();
        self.receiver.receive(broadcast)
    }

    /// The engine has answered.
    pub(super) fn note_answer(&self) {
        self.last().unanswered_since = None;
    }

    /// Notes whether a look at the engine was answered. Returns for how long neither a look nor anything else was.
    pub(super) fn note_look(&self, is_answered: bool, now: Instant) -> Duration {
        let mut last = self.last();
        if is_answered {
            last.unanswered_since = None;
            return Duration::ZERO;
        }
        now.saturating_duration_since(*last.unanswered_since.get_or_insert(now))
    }

    fn last(&self) -> MutexGuard<'_, LastHeard> {
        // Nothing panics while it is held.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::broadcast::Numbering;

    use super::*;

    fn heard(term: u64) -> Heard {
        let heard = Heard::default();
        heard.know(term);
        heard
    }

    #[test]
    fn a_term_that_nobody_has_confirmed_changes_nothing() {
        let (heard, leader) = (heard(7), Numbering::new(7));
        assert_eq!(heard.receive(&leader.heartbeat()), Continuity::AfterGap);
        assert_eq!(heard.receive(&Numbering::new(u64::MAX).heartbeat()), Continuity::Stale);
        assert_eq!(heard.heard_term(), 7);
        assert_eq!((heard.term(), heard.receive(&leader.heartbeat())), (7, Continuity::InOrder));
        heard.know(8);
        assert_eq!(heard.receive(&Numbering::new(8).heartbeat()), Continuity::AfterGap);
        assert_eq!(heard.receive(&leader.heartbeat()), Continuity::Stale);
        heard.know(7);
        assert_eq!(heard.term(), 8, "a term that was known stays");
    }

    #[test]
    fn a_forged_count_of_announcements_is_forgotten_after_some_heartbeats() {
        let (heard, leader) = (heard(7), Numbering::new(7));
        heard.receive(&leader.heartbeat());
        let forged = Broadcast { last: u64::MAX, ..leader.heartbeat() };
        assert_eq!(heard.receive(&forged), Continuity::AfterGap);
        for _ in 1..BEHIND {
            assert_eq!(heard.receive(&leader.heartbeat()), Continuity::Stale);
        }
        assert_eq!(heard.receive(&leader.heartbeat()), Continuity::AfterGap, "it is believed again");
        assert_eq!(heard.receive(&leader.heartbeat()), Continuity::InOrder);
    }

    #[test]
    fn a_leader_is_out_of_reach_as_long_as_no_look_is_answered() {
        let (heard, begin) = (heard(7), Instant::now());
        let at = |seconds| begin + Duration::from_secs(seconds);
        let seconds = Duration::from_secs;
        assert_eq!(heard.note_look(false, at(0)), seconds(0), "it may be answered a moment later");
        assert_eq!(heard.note_look(false, at(9)), seconds(9));
        assert_eq!(heard.note_look(true, at(10)), seconds(0));
        assert_eq!(heard.note_look(false, at(20)), seconds(0));
        heard.note_answer();
        assert_eq!(heard.note_look(false, at(30)), seconds(0), "somebody else was answered");
    }
}
