//! Watches over a mechanic on the way to a pickup: whether positions come in, whether they move and come nearer,
//! and whether they will be on time. Pure.
//!
//! ```text
//!             holds for debounce            for tell_after           for reassign_after, and may be
//! suspected ─────────────────────▶ confirmed ─────────────▶ reported ───────────────────────▶ dispatched again
//!     ▲ │ no longer                 │ ▲ the mechanic is nudged, again every nudge_every
//!     └─┘                           └─┴ over for debounce ─▶ recovered, if it was reported to the customer
//! ```
//!
//! Evidence comes with every position; steps are computed at intervals. Nothing from before `from` counts: that is
//! the time of the assignment, of the start of the process, or of the last moment at which the journal was away,
//! when the service itself may have caused the silence.
//!
//! A mechanic who lets another app show them the way is rightly silent, since the browser stops their positions.
//! Their silence is expected until they should have arrived.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};

use super::state::Fix;
use crate::{
    concern::{Concern, Delay, Duty, Finding},
    eta::TripEstimate,
    geo::Point,
    ids::JobId,
    position::PositionSource,
    settings::{PresencePolicy, WatchPolicy},
};

/// The number of positions kept of the window in which a mechanic may have moved away: one per 1/32 of it, and the
/// newest.
const SAMPLES: usize = 33;

/// A position that counts as evidence: fresh, accurate and plausible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrustedPosition {
    /// When it came in.
    pub at: DateTime<Utc>,
    pub point: Point,
    pub accuracy_m: f64,
    /// The trip to the pickup.
    pub way: TripEstimate,
}

impl TrustedPosition {
    /// Returns `None` if the position proves nothing: it is inaccurate, implausible, or was old when it came.
    pub fn of(fix: &Fix, way: TripEstimate, policy: &PresencePolicy) -> Option<Self> {
        let is_fresh = fix.received_at - fix.recorded_at <= policy.fresh_position;
        let is_trusted = is_fresh && fix.is_accurate(policy) && !fix.is_implausible;
        let accuracy_m = fix.accuracy_m.unwrap_or(0.0);
        is_trusted.then_some(Self { at: fix.received_at, point: fix.point, accuracy_m, way })
    }
}

/// A step that follows from the watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Has the mechanic's app ask about it.
    Nudge(Delay),
    /// Reports it to the job.
    Report(Finding),
}

/// The state of a concern, as the evidence shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Raised,
    /// The evidence is within the hysteresis, or nothing is known.
    Unclear,
    Over,
}

/// When the signal of a concern took its current value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Track {
    raised_at: Option<DateTime<Utc>>,
    over_at: Option<DateTime<Utc>>,
    /// When the signal had been raised for the debounce.
    confirmed_at: Option<DateTime<Utc>>,
    /// When the cause of the concern began.
    since: Option<DateTime<Utc>>,
}

/// The watch over one assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct AssignmentWatch {
    job_id: JobId,
    pickup: Point,
    duty: Duty,
    from: DateTime<Utc>,
    last_contact_at: Option<DateTime<Utc>>,
    /// When something last came from an app that goes on with the screen off.
    tracker_contact_at: Option<DateTime<Utc>>,
    last: Option<TrustedPosition>,
    /// The place where the mechanic has stayed, apart from noise, and since when.
    anchor: Option<(DateTime<Utc>, Point)>,
    has_moved: bool,
    approach: VecDeque<TrustedPosition>,
    /// Their greatest distance from the pickup since they were suspected of moving away.
    farthest_m: Option<f64>,
    tracks: [Track; 4],
    nudged_at: Option<DateTime<Utc>>,
    reported_at: Option<DateTime<Utc>>,
}

impl AssignmentWatch {
    pub fn new(job_id: JobId, pickup: Point, duty: Duty, now: DateTime<Utc>) -> Self {
        Self {
            job_id,
            pickup,
            duty,
            from: now,
            last_contact_at: None,
            tracker_contact_at: None,
            last: None,
            anchor: None,
            has_moved: false,
            approach: VecDeque::new(),
            farthest_m: None,
            tracks: [Track::default(); 4],
            nudged_at: None,
            reported_at: duty.reported.map(|_| now),
        }
    }

    pub fn job(&self) -> JobId {
        self.job_id
    }

    pub fn attempt(&self) -> u32 {
        self.duty.attempt
    }

    /// Returns whether this watch is for the same assignment, at the same place.
    pub fn is_of(&self, job_id: JobId, pickup: Point, duty: &Duty) -> bool {
        self.job_id == job_id && self.pickup == pickup && self.duty.attempt == duty.attempt
    }

    /// Takes over a change of the duty that the job committed.
    pub fn update_duty(&mut self, duty: Duty, now: DateTime<Utc>) {
        if duty.reported != self.duty.reported {
            self.reported_at = duty.reported.map(|_| now);
        }
        self.duty = duty;
    }

    /// Takes in a position of any quality; `seen` is the evidence that it gives.
    pub fn observe(
        &mut self,
        seen: Option<TrustedPosition>,
        source: PositionSource,
        policy: &WatchPolicy,
        now: DateTime<Utc>,
    ) {
        self.last_contact_at = Some(now);
        if source != PositionSource::App {
            self.tracker_contact_at = Some(now);
        }
        let Some(seen) = seen else { return };
        match self.anchor {
            Some((_, from)) if from.distance_m(seen.point) - seen.accuracy_m < policy.stalled_radius_m => {}
            stand => {
                self.has_moved |= stand.is_some();
                self.anchor = Some((seen.at, seen.point));
            }
        }
        let spacing = policy.away_window / 32;
        if self.approach.back().is_none_or(|newest| seen.at - newest.at >= spacing) {
            if self.approach.len() >= SAMPLES {
                self.approach.pop_front();
            }
            self.approach.push_back(seen);
        }
        self.last = Some(seen);
        self.farthest_m = self.farthest_m.map(|farthest| farthest.max(f64::from(seen.way.distance_m)));
    }

    /// Discards the evidence so far, because the service itself may have caused the silence.
    pub fn interrupt(&mut self, now: DateTime<Utc>) {
        let nudged_at = self.nudged_at;
        *self = Self { nudged_at, ..Self::new(self.job_id, self.pickup, self.duty, now) };
    }

    /// Returns whether there may be something to do, now or soon.
    pub fn has_concern(&self) -> bool {
        self.duty.reported.is_some() || self.tracks.iter().any(Track::is_suspected)
    }

    /// Brings every concern up to date at `now`.
    pub fn evaluate(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) {
        while self.approach.front().is_some_and(|oldest| now - oldest.at > policy.away_window) {
            self.approach.pop_front();
        }
        for concern in Concern::ALL {
            let (signal, since) = self.signal(concern, policy, now);
            self.tracks[concern as usize].note(signal, since, policy.debounce, now);
        }
        let is_suspected = self.tracks[Concern::MovingAway as usize].is_suspected();
        let is_away = is_suspected || self.duty.reported == Some(Concern::MovingAway);
        match (is_away, self.farthest_m) {
            (true, None) => self.farthest_m = self.last.map(|last| f64::from(last.way.distance_m)),
            (true, Some(_)) | (false, None) => {}
            (false, Some(_)) => {
                // They came back: older positions would raise the same concern again.
                self.farthest_m = None;
                self.approach.clear();
            }
        }
    }

    /// Returns the steps at `now`, after [`Self::evaluate`]. A nudge counts as sent; a report is repeated until the
    /// job has committed its result.
    pub fn steps(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) -> Vec<Step> {
        let nudge = self.nudge(policy, now).map(Step::Nudge);
        let finding = self
            .finding_to_reassign(policy, now)
            .or_else(|| self.finding_for_customer(policy, now))
            .map(Step::Report);
        nudge.into_iter().chain(finding).collect()
    }

    fn nudge(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Delay> {
        let is_due = self.nudged_at.is_none_or(|at| now - at >= policy.nudge_every);
        let delay = self.confirmed().next().filter(|_| is_due)?;
        self.nudged_at = Some(now);
        Some(delay)
    }

    /// Returns what the customer has to know, including that a concern is over.
    fn finding_for_customer(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Finding> {
        let is_due = |delay: &Delay| {
            let confirmed_at = self.tracks[delay.concern as usize].confirmed_at;
            // A mechanic close to the pickup may be looking for the customer, or for a place to stop.
            let is_certain =
                matches!(delay.concern, Concern::Dark | Concern::Slipping) || self.is_far(policy, now);
            is_certain && confirmed_at.is_some_and(|at| now - at >= policy.tell_after)
        };
        let due = self.confirmed().find(is_due);
        let Some(reported) = self.duty.reported else { return due.map(Finding::Delayed) };
        let track = &self.tracks[reported as usize];
        let is_over = track.confirmed_at.is_none() && track.over_for(policy.debounce, now);
        match due {
            Some(delay) if delay.concern < reported || (is_over && delay.concern != reported) => {
                Some(Finding::Delayed(delay))
            }
            _ => is_over.then_some(Finding::Recovered(reported)),
        }
    }

    fn finding_to_reassign(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Finding> {
        let (reported, reported_at) = (self.duty.reported?, self.reported_at?);
        let track = &self.tracks[reported as usize];
        let confirmed_at = track.confirmed_at.filter(|_| track.over_at.is_none())?;
        let may = policy.may_reassign.contains(&reported)
            && (reported == Concern::Dark || self.is_far(policy, now));
        let is_due = now - reported_at.max(confirmed_at) >= policy.reassign_after;
        (may && is_due).then_some(Finding::Lost(reported))
    }

    /// Returns the concerns that are confirmed and not ending, the most serious first.
    fn confirmed(&self) -> impl Iterator<Item = Delay> + '_ {
        Concern::ALL.into_iter().filter_map(|concern| {
            let track = &self.tracks[concern as usize];
            let confirmed_at = track.confirmed_at.filter(|_| track.over_at.is_none())?;
            Some(Delay { concern, since: track.since.unwrap_or(confirmed_at) })
        })
    }

    /// Returns whether the mechanic was seen recently, and far from the pickup.
    fn is_far(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> bool {
        let is_far = |last: TrustedPosition| f64::from(last.way.distance_m) > policy.near_m;
        self.last.is_some_and(|last| is_far(last) && !self.is_unseen(policy, now))
    }

    fn is_unseen(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> bool {
        self.last.is_none_or(|last| now - last.at >= policy.dark_after)
    }

    fn signal(
        &self,
        concern: Concern,
        policy: &WatchPolicy,
        now: DateTime<Utc>,
    ) -> (Signal, Option<DateTime<Utc>>) {
        let silent_since = self.silent_since();
        let is_silent = now >= self.silence_is_expected_until(policy);
        let is_navigating = self.duty.navigating_since.is_some();
        match concern {
            Concern::Dark if is_silent => (Signal::Raised, Some(silent_since)),
            Concern::Dark if self.last_contact_at.is_some() || is_navigating => (Signal::Over, None),
            // Without positions it is unknown whether they move.
            Concern::Stalled | Concern::MovingAway if self.is_unseen(policy, now) => (Signal::Unclear, None),
            Concern::Stalled => self.stalled(policy),
            Concern::MovingAway => self.moving_away(policy),
            Concern::Slipping => self.slipping(policy, now),
            Concern::Dark => (Signal::Unclear, None),
        }
    }

    /// Returns when something was last received from their phone. Handing over to another app is a sign of life
    /// too.
    fn silent_since(&self) -> DateTime<Utc> {
        let heard_at = self.last_contact_at.unwrap_or(self.from);
        self.duty.navigating_since.map_or(heard_at, |since| heard_at.max(since))
    }

    /// Returns from when silence is a concern. While another app shows the way, that is some time after they should
    /// have arrived, by their last position or else by the promise; but not if a tracker was heard until then,
    /// since a tracker goes on meanwhile.
    fn silence_is_expected_until(&self, policy: &WatchPolicy) -> DateTime<Utc> {
        let silent_since = self.silent_since();
        let at_least = silent_since + policy.dark_after;
        let goes_on = self.tracker_contact_at.is_some_and(|at| silent_since - at < policy.dark_after);
        if self.duty.navigating_since.is_none() || goes_on {
            return at_least;
        }
        let seen = self.last.map(|last| last.at + TimeDelta::seconds(i64::from(last.way.eta_s)));
        let arrives_at = seen.or(self.duty.promised_at).unwrap_or(silent_since);
        let at_most = (silent_since + policy.navigation_max).max(at_least);
        (arrives_at + policy.navigation_grace).clamp(at_least, at_most)
    }

    /// Detects that they were seen at one place for too long. Time without a position is no evidence.
    fn stalled(&self, policy: &WatchPolicy) -> (Signal, Option<DateTime<Utc>>) {
        let (Some(last), Some((since, _))) = (self.last, self.anchor) else { return (Signal::Unclear, None) };
        if last.at - since >= policy.stalled_after {
            (Signal::Raised, Some(since))
        } else if self.has_moved || self.duty.reported != Some(Concern::Stalled) {
            (Signal::Over, None)
        } else {
            (Signal::Unclear, None)
        }
    }

    /// Detects that they are farther away than at their nearest point recently, with a longer ETA too: a detour
    /// that saves time is no concern.
    fn moving_away(&self, policy: &WatchPolicy) -> (Signal, Option<DateTime<Utc>>) {
        let Some(last) = self.last else { return (Signal::Unclear, None) };
        let metres = |seen: &TrustedPosition| f64::from(seen.way.distance_m);
        let nearest = self.approach.iter().min_by(|a, b| metres(a).total_cmp(&metres(b)));
        let is_away = |nearest: &&TrustedPosition| {
            metres(&last) - metres(nearest) >= policy.away_m && last.way.eta_s >= nearest.way.eta_s
        };
        let is_back = |farthest| metres(&last) <= farthest - policy.away_m / 2.0;
        match (nearest.filter(is_away), self.farthest_m) {
            (_, Some(farthest)) if is_back(farthest) => (Signal::Over, None),
            (Some(nearest), _) => (Signal::Raised, Some(nearest.at)),
            (None, Some(_)) => (Signal::Unclear, None),
            (None, None) => (Signal::Over, None),
        }
    }

    /// Detects that they will be too late, judging by the last position and the time.
    fn slipping(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> (Signal, Option<DateTime<Utc>>) {
        let Some(promised_at) = self.duty.promised_at else { return (Signal::Over, None) };
        let seen = self.last.map(|last| last.at + TimeDelta::seconds(i64::from(last.way.eta_s)));
        let late = seen.map_or(now, |expected| expected.max(now)) - promised_at;
        if late > policy.slip_after {
            (Signal::Raised, None)
        } else if late <= policy.slip_after / 2 && seen.is_some() {
            (Signal::Over, None)
        } else {
            (Signal::Unclear, None)
        }
    }
}

impl Track {
    fn is_suspected(&self) -> bool {
        self.raised_at.is_some() || self.confirmed_at.is_some()
    }

    fn over_for(&self, time: TimeDelta, now: DateTime<Utc>) -> bool {
        self.over_at.is_some_and(|at| now - at >= time)
    }

    fn note(
        &mut self,
        signal: Signal,
        since: Option<DateTime<Utc>>,
        debounce: TimeDelta,
        now: DateTime<Utc>,
    ) {
        match signal {
            Signal::Raised => {
                let raised_at = *self.raised_at.get_or_insert(now);
                self.over_at = None;
                if self.confirmed_at.is_none() {
                    self.since = Some(since.unwrap_or(raised_at));
                    self.confirmed_at = (now - raised_at >= debounce).then_some(now);
                }
            }
            Signal::Unclear => (self.raised_at, self.over_at) = (None, None),
            Signal::Over => {
                self.raised_at = None;
                self.over_at.get_or_insert(now);
                if self.over_for(debounce, now) {
                    self.confirmed_at = None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
