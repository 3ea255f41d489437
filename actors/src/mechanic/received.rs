//! Remembers which points have come from a mechanic's phone. Pure.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::skew::Skews;
use crate::{
    geo::Point,
    named::named_enum,
    position::{Fix, Ping, PositionSource, TrailPoint},
    settings::PresencePolicy,
};

/// The number of points remembered, so that repeated points are recognised.
const REMEMBERED_POINTS: usize = 256;
/// The shortest move that is no noise of the receiver.
const MOVED_M: f64 = 50.0;

named_enum! {
    /// The reason why a point is not stored.
    PointFault {
        RecordedInTheFuture = "recorded_in_the_future",
        TooOld = "too_old",
        NoFix = "no_fix",
    }
}

/// The outcome of the points of one message.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Located {
    pub accepted: u32,
    pub duplicates: u32,
    /// The number of each rejected point, with the reason.
    pub rejected: Vec<(i64, PointFault)>,
    /// The highest number that is stored.
    pub last_seq: Option<i64>,
    pub next_interval_s: u32,
    /// Whether the current position has changed. This and the next are for the mechanic's actor alone.
    #[serde(skip)]
    pub(crate) moved: bool,
    /// Points to be stored before the phone gets its answer; then `Mechanic::confirm_trail`, or
    /// `Mechanic::discard_trail`.
    #[serde(skip)]
    pub(crate) trail: Vec<TrailPoint>,
}

/// The state of the phone's points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReceivedPoints {
    /// The points that are stored, or need not be.
    seen: VecDeque<Fingerprint>,
    /// Points being stored, once for each message that waits for them. The recorder's capacity bounds them.
    pub(super) being_stored: Vec<TrailPoint>,
    pub(super) skews: Skews,
    /// The highest number among the points that were ever seen.
    pub(super) last_seq: Option<i64>,
    pub(super) last_contact_at: Option<DateTime<Utc>>,
    /// A position too far from the last one to count alone. Boxed, because few phones have one.
    pub(super) doubted: Option<Box<Fix>>,
    pub(super) last_moved_at: Option<(DateTime<Utc>, Point)>,
    /// The trip with the loaded vehicle, once a position came.
    pub(super) haul: Option<Haul>,
}

/// Stands for a point's number and its time to the microsecond, as the database keeps it, in half the memory. Two of the points
/// that are remembered of a phone have the same one in one of 10^14 phones at most.
type Fingerprint = u64;

fn fingerprint(ping: &Ping) -> Fingerprint {
    let mut hasher = DefaultHasher::new();
    (ping.seq, ping.recorded_at.timestamp_micros()).hash(&mut hasher);
    hasher.finish()
}

/// The distance over which a vehicle was taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Haul {
    at: Point,
    pub(super) driven_m: f64,
}

impl ReceivedPoints {
    /// Discards the progress so far.
    pub(super) fn restart_progress(&mut self) {
        (self.last_moved_at, self.haul) = (None, None);
    }

    pub(super) fn has_seen(&self, ping: &Ping) -> bool {
        // A phone counts up, so its next point is seldom looked for.
        Some(ping.seq) <= self.last_seq && self.seen.contains(&fingerprint(ping))
    }

    /// Returns the same point from another message, while it is being stored.
    pub(super) fn find_being_stored(&self, ping: &Ping) -> Option<TrailPoint> {
        let key = (ping.seq, ping.recorded_at);
        self.being_stored.iter().find(|point| (point.ping.seq, point.ping.recorded_at) == key).copied()
    }

    /// Notes that one message no longer waits for this point.
    pub(super) fn stop_storing(&mut self, point: &TrailPoint) {
        if let Some(index) = self.being_stored.iter().position(|other| other == point) {
            self.being_stored.swap_remove(index);
        }
    }

    pub(super) fn remember(&mut self, ping: &Ping) {
        if self.seen.len() == REMEMBERED_POINTS {
            self.seen.pop_front();
        }
        self.seen.push_back(fingerprint(ping));
        self.last_seq = self.last_seq.max(Some(ping.seq));
    }

    /// Keeps a position until a second one of its source agrees. A tracker's position does not replace one from the
    /// app, which the mechanic has in front of them.
    pub(super) fn doubt(&mut self, fix: Fix, policy: &PresencePolicy) {
        if !self.doubts_app_beside(&fix, policy) {
            self.doubted = Some(Box::new(fix));
        }
    }

    /// Forgets the doubted position, since this position counts. A tracker's position does not refute one from the
    /// app: the two may take turns.
    pub(super) fn end_doubt(&mut self, fix: &Fix, policy: &PresencePolicy) {
        if !self.doubts_app_beside(fix, policy) {
            self.doubted = None;
        }
    }

    /// Returns whether this position is a tracker's, and a fresh one from the app is doubted.
    fn doubts_app_beside(&self, fix: &Fix, policy: &PresencePolicy) -> bool {
        let is_apps = |doubted: &Fix| {
            doubted.source == PositionSource::App
                && fix.received_at - doubted.received_at <= policy.fresh_position
        };
        fix.source != PositionSource::App && self.doubted.as_deref().is_some_and(is_apps)
    }

    /// Adds the distance to this position, in a straight line. The first leg begins at the pickup, so that a trip
    /// whose beginning was forgotten, as after a restart, is not shorter than the straight line.
    pub(super) fn note_haul(&mut self, pickup: Point, fix: &Fix) {
        let haul = self.haul.get_or_insert(Haul { at: pickup, driven_m: 0.0 });
        let step_m = haul.at.distance_m(fix.point);
        if step_m >= MOVED_M {
            *haul = Haul { at: fix.point, driven_m: haul.driven_m + step_m };
        }
    }

    pub(super) fn note_move(&mut self, fix: &Fix) {
        let far = self.last_moved_at.is_none_or(|(_, from)| from.distance_m(fix.point) >= MOVED_M);
        if far {
            self.last_moved_at = Some((fix.received_at, fix.point));
        }
    }
}
