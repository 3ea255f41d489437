//! Locations of one socket that wait to be processed: as few as possible, since a newer one makes an older one useless.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};

use super::protocol::Reference;
use crate::tracking::{LocationReceipt, Points, RejectedPoint, SUPERSEDED};

/// The number of points of one socket that may wait; beyond it the oldest frames are refused as superseded.
const WAITING_POINTS: usize = 100;
/// The longest wait of a frame before it gives way to the newest: the service is behind, and only the mechanic's
/// present position matters.
const BEHIND_AFTER: TimeDelta = TimeDelta::milliseconds(250);

/// Frames with locations, processed one at a time and no faster than the frame rate.
#[derive(Debug, Default)]
pub(super) struct LocationQueue {
    /// The oldest frame. Usually no other one waits, and the queue behind it stays empty.
    next: Option<WaitingFrame>,
    waiting: VecDeque<WaitingFrame>,
    points: usize,
    /// Whether a frame is being processed, or a timer waits for the next frame's turn.
    pub(super) is_busy: bool,
    pub(super) started_at: Option<DateTime<Utc>>,
    pub(super) last_seq: Option<i64>,
    pub(super) interval_s: u32,
}

#[derive(Debug)]
pub(super) struct WaitingFrame {
    pub(super) reference: Option<Reference>,
    pub(super) points: Points,
    arrived_at: DateTime<Utc>,
}

impl LocationQueue {
    /// Returns an empty queue. `interval_s` is the interval until the first receipt sets another.
    pub(super) fn new(interval_s: u32) -> Self {
        Self { interval_s, ..Self::default() }
    }

    /// Sets how often the app has to send.
    pub(super) fn set_interval(&mut self, interval_s: u32) {
        self.interval_s = interval_s;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.next.is_none()
    }

    /// Adds a frame and returns those that it displaced.
    pub(super) fn push(
        &mut self,
        reference: Option<Reference>,
        points: Points,
        arrived_at: DateTime<Utc>,
    ) -> Vec<WaitingFrame> {
        self.points += points.count();
        let frame = WaitingFrame { reference, points, arrived_at };
        match &self.next {
            None => self.next = Some(frame),
            Some(_) => self.waiting.push_back(frame),
        }
        self.displace(arrived_at)
    }

    /// Removes the frames that give way to newer ones: all but the newest when the service is behind.
    pub(super) fn displace(&mut self, now: DateTime<Utc>) -> Vec<WaitingFrame> {
        let is_behind = self.next.as_ref().is_some_and(|oldest| now - oldest.arrived_at > BEHIND_AFTER);
        let mut displaced = Vec::new();
        while !self.waiting.is_empty() && (is_behind || self.points > WAITING_POINTS) {
            displaced.extend(self.pop());
        }
        displaced
    }

    pub(super) fn pop(&mut self) -> Option<WaitingFrame> {
        let next = std::mem::replace(&mut self.next, self.waiting.pop_front())?;
        self.points -= next.points.count();
        Some(next)
    }

    /// Returns the receipt of a frame of which nothing was stored.
    pub(super) fn superseded(&self, points: &Points) -> LocationReceipt {
        let rejected = points.seqs().map(|seq| RejectedPoint { seq, reason: SUPERSEDED });
        LocationReceipt {
            accepted: 0,
            duplicates: 0,
            rejected: rejected.collect(),
            last_seq: self.last_seq,
            next_interval_s: self.interval_s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::ValidationErrors;
    use serde_json::json;

    fn points(seqs: std::ops::Range<i64>) -> Points {
        let point = |seq| json!({"seq": seq, "lat": 1, "lng": 1, "recorded_at": "2026-01-01T00:00:00Z"});
        let body = json!({"points": seqs.map(point).collect::<Vec<_>>()});
        deserr::deserialize::<_, _, ValidationErrors>(body).expect("points")
    }

    #[test]
    fn the_latest_points_are_kept_and_the_displaced_ones_are_named() {
        let (mut queue, now) = (LocationQueue::default(), DateTime::UNIX_EPOCH);
        assert!(queue.push(None, points(0..60), now).is_empty());
        assert!(queue.push(None, points(60..100), now).is_empty());
        let displaced = queue.push(None, points(100..101), now);
        assert_eq!(displaced.len(), 1);
        let receipt = queue.superseded(&displaced[0].points);
        assert_eq!((receipt.accepted, receipt.rejected.len()), (0, 60));
        assert_eq!(queue.points, 41);
        let displaced = queue.push(None, points(101..201), now);
        assert_eq!(displaced.len(), 2);
        assert_eq!(queue.points, 100, "a whole frame always fits");
    }

    #[test]
    fn only_the_newest_frame_waits_while_the_service_is_behind() {
        let (mut queue, start) = (LocationQueue::default(), DateTime::UNIX_EPOCH);
        for (seq, at_ms) in [(1, 0), (2, 100), (3, 250)] {
            let at = start + TimeDelta::milliseconds(at_ms);
            assert!(queue.push(None, points(seq..seq + 1), at).is_empty(), "nothing has waited long");
        }
        let late = start + TimeDelta::milliseconds(251);
        assert_eq!(queue.push(None, points(4..5), late).len(), 3);
        assert!(queue.push(None, points(5..6), late).is_empty(), "the newest has only just come");
        let later = late + BEHIND_AFTER + TimeDelta::milliseconds(1);
        assert_eq!(queue.displace(later).len(), 1, "its turn came late");
        let next = queue.pop().expect("the newest");
        assert_eq!(next.points.seqs().collect::<Vec<_>>(), [5]);
        assert_eq!(queue.points, 0);
    }
}
