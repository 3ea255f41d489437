//! Watches over a mechanic on its way to a pickup: is it heard, does it move, does it come nearer, will it be in time?
//! Pure.
//!
//! ```text
//!             holds for debounce            for tell_after           for reassign_after, and may be
//! suspected ─────────────────────▶ standing ──────────────▶ told ───────────────────────────▶ dispatched again
//!     ▲ │ not any more              │ ▲ the mechanic is nudged, again every nudge_every
//!     └─┘                           └─┴ over for debounce ─▶ recovered, where the customer was told
//! ```
//!
//! Evidence comes with every position, steps are asked for from time to time. Nothing from before `from` counts: the
//! assignment, the start of the process, or the last moment at which the journal was away, when the silence may have
//! been the service's own.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};

use super::state::Fix;
use crate::{
    concern::{Concern, Delay, Duty, Finding},
    eta::Estimate,
    geo::Point,
    ids::JobId,
    settings::{PresencePolicy, WatchPolicy},
};

/// Sightings kept of the window in which a mechanic may have gone away: one per 1/32 of it, and the newest.
const SAMPLES: usize = 33;

/// A position that is believed: fresh, exact and plausible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// When it came in.
    pub at: DateTime<Utc>,
    pub point: Point,
    pub accuracy_m: f64,
    /// To the pickup.
    pub way: Estimate,
}

impl Seen {
    /// `None` where the position proves nothing: inexact, implausible, or old when it came.
    pub fn of(fix: &Fix, way: Estimate, policy: &PresencePolicy) -> Option<Self> {
        let is_fresh = fix.received_at - fix.recorded_at <= policy.fresh_position;
        let is_believed = is_fresh && fix.is_exact(policy) && !fix.is_implausible;
        let accuracy_m = fix.accuracy_m.unwrap_or(0.0);
        is_believed.then_some(Self { at: fix.received_at, point: fix.point, accuracy_m, way })
    }
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The mechanic's app shall show it.
    Nudge(Delay),
    /// The job shall hear of it.
    Report(Finding),
}

/// Whether there is reason for a concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Raised,
    /// Neither: within the hysteresis, or nothing is known.
    Unclear,
    Over,
}

/// How long a concern's signal has been what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Track {
    raised_at: Option<DateTime<Utc>>,
    over_at: Option<DateTime<Utc>>,
    /// When it had held for the debounce.
    stood_at: Option<DateTime<Utc>>,
    /// Since when there is reason for it.
    since: Option<DateTime<Utc>>,
}

/// The watch over one assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    job_id: JobId,
    duty: Duty,
    from: DateTime<Utc>,
    heard_at: Option<DateTime<Utc>>,
    last: Option<Seen>,
    /// Where it was when it last moved by more than noise, since when, and whether it was seen to come there.
    stand: Option<(DateTime<Utc>, Point)>,
    has_moved: bool,
    approach: VecDeque<Seen>,
    /// The farthest from the pickup since it was suspected to move away.
    farthest_m: Option<f64>,
    tracks: [Track; 4],
    nudged_at: Option<DateTime<Utc>>,
    told_at: Option<DateTime<Utc>>,
}

impl Watch {
    pub fn new(job_id: JobId, duty: Duty, now: DateTime<Utc>) -> Self {
        Self {
            job_id,
            duty,
            from: now,
            heard_at: None,
            last: None,
            stand: None,
            has_moved: false,
            approach: VecDeque::new(),
            farthest_m: None,
            tracks: [Track::default(); 4],
            nudged_at: None,
            told_at: duty.told.map(|_| now),
        }
    }

    pub fn job(&self) -> JobId {
        self.job_id
    }

    pub fn attempt(&self) -> u32 {
        self.duty.attempt
    }

    /// Whether it is the same assignment.
    pub fn is_of(&self, job_id: JobId, duty: &Duty) -> bool {
        self.job_id == job_id && self.duty.attempt == duty.attempt
    }

    /// What the job committed.
    pub fn learn(&mut self, duty: Duty, now: DateTime<Utc>) {
        if duty.told != self.duty.told {
            self.told_at = duty.told.map(|_| now);
        }
        self.duty = duty;
    }

    /// A position came: any counts as heard, `seen` is what it proves.
    pub fn hear(&mut self, seen: Option<Seen>, policy: &WatchPolicy, now: DateTime<Utc>) {
        self.heard_at = Some(now);
        let Some(seen) = seen else { return };
        match self.stand {
            Some((_, from)) if from.distance_m(seen.point) - seen.accuracy_m < policy.stalled_radius_m => {}
            stand => {
                self.has_moved |= stand.is_some();
                self.stand = Some((seen.at, seen.point));
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

    /// The silence may have been the service's own: everything has to show anew.
    pub fn interrupt(&mut self, now: DateTime<Utc>) {
        let nudged_at = self.nudged_at;
        *self = Self { nudged_at, ..Self::new(self.job_id, self.duty, now) };
    }

    /// Whether there may be a step to take, now or soon.
    pub fn is_concerned(&self) -> bool {
        self.duty.told.is_some() || self.tracks.iter().any(Track::is_suspected)
    }

    /// Weighs what is known at `now`.
    pub fn weigh(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) {
        while self.approach.front().is_some_and(|oldest| now - oldest.at > policy.away_window) {
            self.approach.pop_front();
        }
        for concern in Concern::ALL {
            let (signal, since) = self.signal(concern, policy, now);
            self.tracks[concern as usize].note(signal, since, policy.debounce, now);
        }
        let is_suspected = self.tracks[Concern::MovingAway as usize].is_suspected();
        let is_away = is_suspected || self.duty.told == Some(Concern::MovingAway);
        match (is_away, self.farthest_m) {
            (true, None) => self.farthest_m = self.last.map(|last| f64::from(last.way.distance_m)),
            (true, Some(_)) | (false, None) => {}
            (false, Some(_)) => {
                // It came back: what lay before would raise the same again.
                self.farthest_m = None;
                self.approach.clear();
            }
        }
    }

    /// What is to be done at `now`, after [`Self::weigh`]. A nudge counts as sent; a report is made again until the
    /// job has committed what it leads to.
    pub fn steps(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) -> Vec<Step> {
        let nudge = self.nudge(policy, now).map(Step::Nudge);
        let finding = self.lost(policy, now).or_else(|| self.news(policy, now)).map(Step::Report);
        nudge.into_iter().chain(finding).collect()
    }

    fn nudge(&mut self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Delay> {
        let is_due = self.nudged_at.is_none_or(|at| now - at >= policy.nudge_every);
        let delay = self.standing().next().filter(|_| is_due)?;
        self.nudged_at = Some(now);
        Some(delay)
    }

    /// What the customer is told, that it is over included.
    fn news(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Finding> {
        let is_due = |delay: &Delay| {
            let stood_at = self.tracks[delay.concern as usize].stood_at;
            // Who stands about beside the pickup looks for the customer, or for a place to stop.
            let is_plain =
                matches!(delay.concern, Concern::Dark | Concern::Slipping) || self.is_far(policy, now);
            is_plain && stood_at.is_some_and(|at| now - at >= policy.tell_after)
        };
        let due = self.standing().find(is_due);
        let Some(told) = self.duty.told else { return due.map(Finding::Delayed) };
        let track = &self.tracks[told as usize];
        let is_over = track.stood_at.is_none() && track.over_for(policy.debounce, now);
        match due {
            Some(delay) if delay.concern < told || (is_over && delay.concern != told) => {
                Some(Finding::Delayed(delay))
            }
            _ => is_over.then_some(Finding::Recovered(told)),
        }
    }

    fn lost(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> Option<Finding> {
        let (told, told_at) = (self.duty.told?, self.told_at?);
        let track = &self.tracks[told as usize];
        let stood_at = track.stood_at.filter(|_| track.over_at.is_none())?;
        let may = policy.may_reassign.contains(&told) && (told == Concern::Dark || self.is_far(policy, now));
        let is_due = now - told_at.max(stood_at) >= policy.reassign_after;
        (may && is_due).then_some(Finding::Lost(told))
    }

    /// Concerns that stand and are not ending, the most serious first.
    fn standing(&self) -> impl Iterator<Item = Delay> + '_ {
        Concern::ALL.into_iter().filter_map(|concern| {
            let track = &self.tracks[concern as usize];
            let stood_at = track.stood_at.filter(|_| track.over_at.is_none())?;
            Some(Delay { concern, since: track.since.unwrap_or(stood_at) })
        })
    }

    /// Seen of late, and far from the pickup.
    fn is_far(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> bool {
        let is_far = |last: Seen| f64::from(last.way.distance_m) > policy.near_m;
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
        let silent_since = self.heard_at.unwrap_or(self.from);
        let is_silent = now - silent_since >= policy.dark_after;
        match concern {
            Concern::Dark if is_silent => (Signal::Raised, Some(silent_since)),
            Concern::Dark if self.heard_at.is_some() => (Signal::Over, None),
            // Who is not seen may move or not.
            Concern::Stalled | Concern::MovingAway if self.is_unseen(policy, now) => (Signal::Unclear, None),
            Concern::Stalled => self.stalls(policy),
            Concern::MovingAway => self.goes_away(policy),
            Concern::Slipping => self.slips(policy, now),
            Concern::Dark => (Signal::Unclear, None),
        }
    }

    /// Seen at one place for too long: time without a sighting is no evidence.
    fn stalls(&self, policy: &WatchPolicy) -> (Signal, Option<DateTime<Utc>>) {
        let (Some(last), Some((since, _))) = (self.last, self.stand) else { return (Signal::Unclear, None) };
        if last.at - since >= policy.stalled_after {
            (Signal::Raised, Some(since))
        } else if self.has_moved || self.duty.told != Some(Concern::Stalled) {
            (Signal::Over, None)
        } else {
            (Signal::Unclear, None)
        }
    }

    /// Farther than the nearest of late, and the way is longer too: a detour that saves time is none.
    fn goes_away(&self, policy: &WatchPolicy) -> (Signal, Option<DateTime<Utc>>) {
        let Some(last) = self.last else { return (Signal::Unclear, None) };
        let metres = |seen: &Seen| f64::from(seen.way.distance_m);
        let nearest = self.approach.iter().min_by(|a, b| metres(a).total_cmp(&metres(b)));
        let is_away = |nearest: &&Seen| {
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

    /// Expected too late, by the last sighting and by what time it is.
    fn slips(&self, policy: &WatchPolicy, now: DateTime<Utc>) -> (Signal, Option<DateTime<Utc>>) {
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
        self.raised_at.is_some() || self.stood_at.is_some()
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
                if self.stood_at.is_none() {
                    self.since = Some(since.unwrap_or(raised_at));
                    self.stood_at = (now - raised_at >= debounce).then_some(now);
                }
            }
            Signal::Unclear => (self.raised_at, self.over_at) = (None, None),
            Signal::Over => {
                self.raised_at = None;
                self.over_at.get_or_insert(now);
                if self.over_for(debounce, now) {
                    self.stood_at = None;
                }
            }
        }
    }
}
