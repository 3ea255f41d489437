//! Announcements to other processes, numbered so that a receiver who misses one notices.
//!
//! Nothing that matters rests on an announcement alone. A receiver who has missed some reads its data anew: the
//! journal is always ahead of the announcements.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ids::JobId, outbound::Announcement};

/// A message from an engine to all listeners. Without announcements it only says how far they have come: such a
/// heartbeat each second shows that nothing was missed since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Broadcast {
    /// The term of the engine. Each engine on a database has a higher term than those before it.
    pub term: u64,
    /// The id under which the engine's server leads, which may differ from the id under which it sends. `None` if
    /// they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<Uuid>,
    /// The number of the last announcement so far, including these; numbers begin at 1.
    pub last: u64,
    pub announcements: Vec<Announcement>,
    /// The `traceparent` of the last change of each job in the announcements, if traces are made and the change is
    /// recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<(JobId, Option<String>)>,
}

/// Numbers the announcements of one engine.
#[derive(Debug)]
pub struct Numbering {
    term: u64,
    last: AtomicU64,
}

impl Numbering {
    pub fn new(term: u64) -> Self {
        Self { term, last: AtomicU64::new(0) }
    }

    /// Numbers the next announcements. Call it in the order in which they are sent.
    pub fn next(&self, announcements: Vec<Announcement>) -> Broadcast {
        let count = announcements.len() as u64;
        let last = self.last.fetch_add(count, Ordering::AcqRel) + count;
        Broadcast { term: self.term, leader: None, last, announcements, traces: Vec::new() }
    }

    /// Counts an announcement that is not sent.
    pub fn skip(&self) {
        self.last.fetch_add(1, Ordering::AcqRel);
    }

    pub fn heartbeat(&self) -> Broadcast {
        self.next(Vec::new())
    }
}

/// The relation of a broadcast to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuity {
    /// Nothing was missed: pass the announcements on.
    InOrder,
    /// Announcements were missed, or the engine is another one: read everything anew, then pass these on.
    AfterGap,
    /// It came before, or comes from an engine that no longer leads: drop it.
    Stale,
}

/// Tracks how far one listener has come.
#[derive(Debug, Default)]
pub struct BroadcastReceiver(Mutex<(u64, u64)>);

impl BroadcastReceiver {
    /// Forgets all broadcasts so far, so that the next one counts as coming after a gap.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (0, 0);
    }

    pub fn receive(&self, broadcast: &Broadcast) -> Continuity {
        let Broadcast { term, last, announcements, .. } = broadcast;
        let before = last.saturating_sub(announcements.len() as u64);
        let mut received = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known_term, known_last) = *received;
        if *term < known_term || (*term == known_term && *last < known_last) {
            return Continuity::Stale;
        }
        if *term == known_term && *last == known_last {
            // The broadcast is a heartbeat or a copy.
            return if announcements.is_empty() { Continuity::InOrder } else { Continuity::Stale };
        }
        *received = (*term, *last);
        match *term == known_term && before == known_last {
            true => Continuity::InOrder,
            false => Continuity::AfterGap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::JobId;

    fn one(seq: i64) -> Vec<Announcement> {
        vec![Announcement::JobChanged { job: JobId(uuid::Uuid::nil()), seq }]
    }

    #[test]
    fn a_receiver_who_missed_something_notices_with_the_next_broadcast() {
        let (engine, receiver) = (Numbering::new(1), BroadcastReceiver::default());
        let (first, second, third) = (engine.next(one(1)), engine.next(one(2)), engine.next(one(3)));
        assert_eq!(receiver.receive(&first), Continuity::AfterGap, "it knows nothing of the time before");
        assert_eq!(receiver.receive(&second), Continuity::InOrder);
        assert_eq!(receiver.receive(&second), Continuity::Stale, "a copy");
        assert_eq!(receiver.receive(&engine.heartbeat()), Continuity::AfterGap, "the third is missing");
        assert_eq!(receiver.receive(&third), Continuity::Stale, "what was read since has it");
        assert_eq!(receiver.receive(&engine.heartbeat()), Continuity::InOrder);
        assert_eq!(receiver.receive(&engine.next([one(4), one(5)].concat())), Continuity::InOrder);
        receiver.forget();
        assert_eq!(receiver.receive(&engine.heartbeat()), Continuity::AfterGap);
    }

    #[test]
    fn another_engine_is_a_gap_and_its_predecessor_is_no_longer_heard() {
        let (former, next, receiver) = (Numbering::new(1), Numbering::new(2), BroadcastReceiver::default());
        receiver.receive(&former.next(one(1)));
        assert_eq!(receiver.receive(&next.heartbeat()), Continuity::AfterGap);
        assert_eq!(receiver.receive(&next.next(one(2))), Continuity::InOrder);
        assert_eq!(receiver.receive(&former.next(one(2))), Continuity::Stale);
        assert_eq!(receiver.receive(&former.heartbeat()), Continuity::Stale);
    }
}
