//! The leader's messages to this server: which of them count, and how far the leader has come.
//!
//! A message may claim anything about its sender, so a new leader counts only once Postgres knows it (`confirming.rs`).

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use roadcall_actors::broadcast::{Broadcast, BroadcastReceiver, Continuity};

use super::{directions::Directions, subject::Leader};

/// If this many heartbeats in a row report less than before, they are the leader's, and the earlier report was not.
const BEHIND: u32 = 3;
/// A leader that was not heard, or has answered nothing, for this long may no longer lead. Heartbeats come each second.
const SILENCE: Duration = Duration::from_secs(2);

/// A server whose engine has been out of reach for this long is not ready. A take-over is over by then.
pub(super) const OUT_OF_REACH: Duration = Duration::from_secs(10);

/// The messages heard so far, shared by all listeners.
#[derive(Debug, Default)]
pub(super) struct Heard {
    directions: Directions,
    receiver: BroadcastReceiver,
    last: Mutex<LastHeard>,
}

#[derive(Debug, Default)]
struct LastHeard {
    /// The newest term of a leader that was heard; 0 if none was, or if a leader counts whose term is not newer.
    term: u64,
    /// When a leader was last heard.
    at: Option<Instant>,
    /// How many heartbeats since then reported less than before.
    behind: u32,
    /// Since when looks at the engine have had no answer; `None` after an answer.
    unanswered_since: Option<Instant>,
    /// Since when requests have had no answer; `None` after an answer, and after Postgres was asked who leads.
    in_vain_since: Option<Instant>,
}

impl Heard {
    pub(super) fn new(directions: Directions) -> Self {
        Self { directions, ..Self::default() }
    }

    /// Returns the leader that counts.
    pub(super) fn leader(&self) -> Option<Leader> {
        self.directions.leader()
    }

    /// Notes the leader that Postgres names, or this server if it leads. Its term may be lower than the last leader's.
    pub(super) fn know(&self, leader: Option<Leader>) {
        let mut last = self.last();
        last.in_vain_since = None;
        if self.directions.lead_to(leader) {
            last.behind = 0;
            self.receiver.forget();
            // If a term repeats, it belongs to another leader, whom nobody has heard.
            if leader.is_some_and(|leader| leader.term <= last.term) {
                last.term = 0;
            }
        }
    }

    /// Returns whether the leader has been silent, or has answered nothing, for so long that another one may lead.
    pub(super) fn is_in_doubt(&self, now: Instant) -> bool {
        let last = self.last();
        let long =
            |since: Option<Instant>| since.is_some_and(|at| now.saturating_duration_since(at) > SILENCE);
        last.at.is_none() || long(last.at) || long(last.in_vain_since)
    }

    /// Returns the newest term of a leader that was heard; 0 if none was, or if a leader counts whose term is not newer.
    pub(super) fn heard_term(&self) -> u64 {
        self.last().term
    }

    /// Notes a broadcast of this sender, and returns how it continues the last one. Only the known leader counts.
    pub(super) fn receive(&self, sender: Leader, broadcast: &Broadcast) -> Continuity {
        if self.leader() != Some(sender) {
            return Continuity::Stale;
        }
        let mut last = self.last();
        (last.term, last.at) = (broadcast.term, Some(Instant::now()));
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

    /// Notes that the engine has answered.
    pub(super) fn note_answer(&self) {
        let mut last = self.last();
        (last.unanswered_since, last.in_vain_since) = (None, None);
    }

    /// Notes that a request has had no answer.
    pub(super) fn note_no_answer(&self, now: Instant) {
        self.last().in_vain_since.get_or_insert(now);
    }

    /// Notes whether a look at the engine was answered. Returns how long the engine has answered neither looks nor anything else.
    pub(super) fn note_look(&self, is_answered: bool, now: Instant) -> Duration {
        let mut last = self.last();
        if is_answered {
            last.unanswered_since = None;
            return Duration::ZERO;
        }
        now.saturating_duration_since(*last.unanswered_since.get_or_insert(now))
    }

    fn last(&self) -> MutexGuard<'_, LastHeard> {
        // No code panics while it holds this lock.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::broadcast::Numbering;
    use uuid::Uuid;

    use super::*;

    const SERVER: Uuid = Uuid::from_u128(1);

    fn leader(term: u64) -> Leader {
        Leader { term, server: SERVER }
    }

    fn heard(term: u64) -> Heard {
        let heard = Heard::default();
        heard.know(Some(leader(term)));
        heard
    }

    #[test]
    fn an_unconfirmed_leader_changes_nothing() {
        let (heard, seventh) = (heard(7), Numbering::new(7));
        assert_eq!(heard.receive(leader(7), &seventh.heartbeat()), Continuity::AfterGap);
        let forged = Numbering::new(u64::MAX).heartbeat();
        assert_eq!(heard.receive(leader(u64::MAX), &forged), Continuity::Stale);
        let copy = Leader { server: Uuid::nil(), ..leader(7) };
        assert_eq!(heard.receive(copy, &seventh.heartbeat()), Continuity::Stale, "a copy has the same term");
        assert_eq!((heard.leader(), heard.heard_term()), (Some(leader(7)), 7));
        assert_eq!(heard.receive(leader(7), &seventh.heartbeat()), Continuity::InOrder);
    }

    #[test]
    fn a_term_that_fell_counts_if_postgres_says_so() {
        let (heard, seventh, third) = (heard(7), Numbering::new(7), Numbering::new(3));
        heard.receive(leader(7), &seventh.heartbeat());
        heard.know(Some(leader(3)));
        assert_eq!(heard.receive(leader(7), &seventh.heartbeat()), Continuity::Stale);
        assert_eq!(heard.heard_term(), 0, "nobody has heard this leader");
        assert_eq!(heard.receive(leader(3), &third.heartbeat()), Continuity::AfterGap);
        heard.know(Some(leader(3)));
        assert_eq!(heard.receive(leader(3), &third.heartbeat()), Continuity::InOrder);
    }

    #[test]
    fn a_leader_is_doubted_after_two_seconds_without_a_message_or_an_answer() {
        let (heard, begin) = (heard(7), Instant::now());
        let at = |ms| begin + Duration::from_millis(ms);
        assert!(heard.is_in_doubt(at(0)), "none was heard yet");
        heard.last().at = Some(at(0));
        assert_eq!((heard.is_in_doubt(at(2_000)), heard.is_in_doubt(at(2_001))), (false, true));
        heard.note_no_answer(at(0));
        heard.note_no_answer(at(1_900));
        heard.last().at = Some(at(2_001));
        assert!(heard.is_in_doubt(at(2_001)), "it is heard, and answers nothing");
        heard.know(Some(leader(7)));
        assert!(!heard.is_in_doubt(at(2_001)), "Postgres was asked");
        heard.note_no_answer(at(2_001));
        heard.note_answer();
        assert!(!heard.is_in_doubt(at(4_001)));
    }

    #[test]
    fn a_forged_count_of_announcements_is_forgotten_after_some_heartbeats() {
        let (heard, seventh) = (heard(7), Numbering::new(7));
        let receive = |broadcast: &Broadcast| heard.receive(leader(7), broadcast);
        receive(&seventh.heartbeat());
        let forged = Broadcast { last: u64::MAX, ..seventh.heartbeat() };
        assert_eq!(receive(&forged), Continuity::AfterGap);
        for _ in 1..BEHIND {
            assert_eq!(receive(&seventh.heartbeat()), Continuity::Stale);
        }
        assert_eq!(receive(&seventh.heartbeat()), Continuity::AfterGap, "it is believed again");
        assert_eq!(receive(&seventh.heartbeat()), Continuity::InOrder);
    }

    #[test]
    fn a_leader_is_out_of_reach_while_no_look_is_answered() {
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
