//! Takes in the positions that a mechanic's phone sends. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    received::{Located, PointFault},
    state::{Engagement, Mechanic},
};
use crate::{
    geo::Point,
    position::{Fix, Ping, PositionSource, TrailPoint},
    settings::PresencePolicy,
};

/// The largest lead of a point's clock; points from further ahead are rejected.
const MAX_AHEAD: TimeDelta = TimeDelta::hours(24);
/// The largest age of a point; older points are rejected.
const MAX_AGE: TimeDelta = TimeDelta::hours(24);
/// The distance from 0,0 in degrees within which a position is no real place.
const NOWHERE_DEGREES: f64 = 0.01;

impl Mechanic {
    /// Takes in the points of one message, in the order in which they were recorded.
    pub fn locate(
        &mut self,
        mut pings: Vec<Ping>,
        source: PositionSource,
        policy: &PresencePolicy,
        received_at: DateTime<Utc>,
    ) -> Located {
        pings.sort_by_key(|ping| (ping.recorded_at, ping.seq));
        let mut located = Located::default();
        // A point that was stamped on arrival says nothing about the phone's clock.
        let is_informative =
            |ping: &&Ping| !ping.is_stamped_on_arrival() && ping.recorded_at - received_at <= MAX_AHEAD;
        let newest = pings.iter().filter(is_informative).map(|ping| ping.recorded_at).max();
        if let Some(newest) = newest {
            self.received.skews.of(source).observe(received_at - newest, received_at);
        }
        for ping in pings {
            self.take(ping, source, policy, received_at, &mut located);
        }
        located.last_seq = self.received.last_seq;
        located.next_interval_s = self.interval_s(policy);
        located
    }

    fn take(
        &mut self,
        ping: Ping,
        source: PositionSource,
        policy: &PresencePolicy,
        received_at: DateTime<Utc>,
        located: &mut Located,
    ) {
        if self.received.has_seen(&ping) {
            located.duplicates += 1;
            return;
        }
        if let Some(point) = self.received.find_being_stored(&ping) {
            // It is not known yet whether the point will be stored: this message has it stored once more, which is
            // harmless.
            located.duplicates += 1;
            if !located.trail.contains(&point) {
                self.received.being_stored.push(point);
                located.trail.push(point);
            }
            return;
        }
        if is_nowhere(ping.point) {
            return located.rejected.push((ping.seq, PointFault::NoFix));
        }
        if ping.recorded_at - received_at > MAX_AHEAD {
            return located.rejected.push((ping.seq, PointFault::RecordedInTheFuture));
        }
        let recorded_at = match ping.is_stamped_on_arrival() {
            // A phone may use the number, too, and must not be fresh for longer by it.
            true => ping.recorded_at.min(received_at),
            false => ping.recorded_at + self.received.skews.of(source).offset(),
        };
        if received_at - recorded_at > MAX_AGE {
            return located.rejected.push((ping.seq, PointFault::TooOld));
        }
        self.received.last_contact_at = self.received.last_contact_at.max(Some(received_at));
        located.accepted += 1;
        let Ping { seq, point, accuracy_m, speed_mps, heading, .. } = ping;
        let moment = Moment { seq, point, accuracy_m, recorded_at, received_at };
        let is_believed = self.believes(moment, source, policy);
        let is_implausible = ping.is_mock || !is_believed;
        if let Engagement::Busy { job_id, .. } = self.engagement {
            let mechanic_id = self.id;
            let point = TrailPoint { job_id, mechanic_id, ping, recorded_at, received_at, is_implausible };
            self.received.being_stored.push(point);
            located.trail.push(point);
        } else {
            self.received.remember(&ping);
        }
        let is_newer = self.last.is_none_or(|last| (recorded_at, ping.seq) > (last.recorded_at, last.seq));
        let fix = Fix {
            point,
            seq,
            accuracy_m,
            speed_mps,
            heading,
            recorded_at,
            received_at,
            is_implausible,
            source,
        };
        // An inaccurate position does not replace an accurate one that is still fresh.
        let is_accurate_and_fresh =
            |last: &Fix| last.is_accurate(policy) && received_at - last.recorded_at <= policy.fresh_position;
        let is_better = fix.is_accurate(policy) || !self.last.as_ref().is_some_and(is_accurate_and_fresh);
        if is_newer && !is_believed {
            self.received.doubt(fix, policy);
        }
        if is_newer && is_believed && is_better {
            self.received.end_doubt(&fix, policy);
            self.received.note_move(&fix);
            if let Engagement::Busy { pickup, delivers_to: Some(_), .. } = &self.engagement
                && !fix.is_implausible
                && fix.is_accurate(policy)
            {
                self.received.note_haul(*pickup, &fix);
            }
            self.last = Some(fix);
            located.moved = true;
        }
    }

    /// Returns whether a position counts. A position that no vehicle reaches in that time counts once a second
    /// position of its source agrees: a receiver that is jammed, or hears reflections, leaps and comes back. A
    /// tracker that contradicts the app, which the mechanic has in front of them, was left at home.
    fn believes(&self, moment: Moment, source: PositionSource, policy: &PresencePolicy) -> bool {
        // The place where they said that they wait is not one where they were seen.
        let Some(last) = self.last.filter(|last| last.source != PositionSource::Parked) else { return true };
        // An inaccurate position does not speak against an accurate one.
        if policy.is_accurate(moment.accuracy_m) && !last.is_accurate(policy) {
            return true;
        }
        if !moment.is_too_fast_from(&last, policy) {
            return true;
        }
        let is_contradicted = source != PositionSource::App
            && last.source == PositionSource::App
            && moment.received_at - last.received_at <= policy.fresh_position;
        // A position that could not be stored comes again, and does not agree with itself.
        let is_another = |doubted: &Fix| doubted.seq != moment.seq || moment.seq == Ping::UNNUMBERED;
        let doubted = self.received.doubted.as_deref();
        let doubted = doubted.filter(|doubted| doubted.source == source && is_another(doubted));
        !is_contradicted && doubted.is_some_and(|doubted| !moment.is_too_fast_from(doubted, policy))
    }

    /// Notes that these points of one message are stored. Returns the highest stored number.
    pub(crate) fn confirm_trail(&mut self, points: &[TrailPoint]) -> Option<i64> {
        for point in points {
            self.received.stop_storing(point);
            if !self.received.has_seen(&point.ping) {
                self.received.remember(&point.ping);
            }
        }
        self.received.last_seq
    }

    /// Notes that these points were not stored: if they come again, they are not duplicates.
    pub(crate) fn discard_trail(&mut self, points: &[TrailPoint]) {
        points.iter().for_each(|point| self.received.stop_storing(point));
    }

    /// Forgets which points are being stored, because the actor that waited for them has ended.
    pub(super) fn forget_unstored(&mut self) {
        self.received.being_stored.clear();
    }

    /// Begins a session of work.
    pub(crate) fn begin_session(&mut self) {
        self.received.skews.begin_session();
    }

    /// Returns when the last position came, of any quality.
    pub fn last_contact_at(&self) -> Option<DateTime<Utc>> {
        self.received.last_contact_at.max(self.last.map(|fix| fix.received_at))
    }

    /// Returns when they last moved by more than the receiver's noise.
    pub fn last_moved_at(&self) -> Option<DateTime<Utc>> {
        self.received.last_moved_at.map(|(at, _)| at)
    }
}

/// A place that a receiver reports, with its time.
#[derive(Debug, Clone, Copy)]
struct Moment {
    seq: i64,
    point: Point,
    accuracy_m: Option<f64>,
    recorded_at: DateTime<Utc>,
    received_at: DateTime<Utc>,
}

impl Moment {
    /// Returns whether no vehicle gets here from there in that time.
    fn is_too_fast_from(&self, from: &Fix, policy: &PresencePolicy) -> bool {
        // Within a second, the receiver's noise alone looks like speed.
        let milliseconds = (self.recorded_at - from.recorded_at).num_milliseconds().abs();
        let seconds = (milliseconds as f64 / 1000.0).max(1.0);
        let noise = from.accuracy_m.unwrap_or(0.0).min(100.0) + self.accuracy_m.unwrap_or(0.0).min(100.0);
        from.point.distance_m(self.point) - noise > seconds * policy.max_speed_mps
    }
}

/// Returns whether a point lies at 0,0, in the sea off Africa, which receivers report while they have no fix.
fn is_nowhere(point: Point) -> bool {
    point.lat.abs() < NOWHERE_DEGREES && point.lng.abs() < NOWHERE_DEGREES
}
