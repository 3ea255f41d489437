//! Estimates how far a phone's clock is off, from the lateness of its messages. Pure.
//!
//! Messages seem to be recorded a while ago if the clock lags, but also if the phone was offline. A lagging clock
//! runs as fast as ours and was never right before. A phone that catches up sends its past faster than time passes.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{ids::TrackerId, position::PositionSource};

/// The variation in lateness of one phone's messages.
const JITTER: TimeDelta = TimeDelta::seconds(5);
/// The number of messages in a row, late by about the same, that prove that the clock lags.
const MESSAGES: u32 = 3;
/// Messages that come within this time may have waited together: they prove nothing.
const SPAN: TimeDelta = TimeDelta::milliseconds(500);
/// The lateness in a run may vary by the duration of the run divided by this.
const DRIFT_PART: i32 = 5;
/// The number of trackers of one mechanic whose clocks are known. A further one takes the place of the tracker that
/// has been silent for longest.
const MAX_TRACKERS: usize = 5;

/// The clocks of everything that sends one mechanic's positions.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Skews {
    app: Skew,
    /// The tracker that was heard last comes last.
    trackers: Vec<(TrackerId, Skew)>,
}

impl Skews {
    /// Returns what is known of the clock of this source.
    pub(super) fn of(&mut self, source: PositionSource) -> &mut Skew {
        let PositionSource::Tracker(tracker) = source else { return &mut self.app };
        let known = self.trackers.iter().position(|(id, _)| *id == tracker);
        let skew = match known {
            Some(index) => self.trackers.remove(index).1,
            None => {
                if self.trackers.len() == MAX_TRACKERS {
                    self.trackers.remove(0);
                }
                Skew::default()
            }
        };
        self.trackers.push((tracker, skew));
        let last = self.trackers.len() - 1;
        &mut self.trackers[last].1
    }

    #[cfg(test)]
    pub(super) fn trackers(&self) -> usize {
        self.trackers.len()
    }

    /// Begins a session of work: the clocks may have been set since the last one.
    pub(super) fn begin_session(&mut self) {
        self.app.begin_session();
        self.trackers.iter_mut().for_each(|(_, skew)| skew.begin_session());
    }
}

/// The state of one phone's clock, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Skew {
    /// Received minus recorded for a message that takes no time; added to the phone's times.
    offset: TimeDelta,
    /// The assumed lag, as first estimated.
    lag: Option<TimeDelta>,
    /// The least lateness of the session.
    least: Option<TimeDelta>,
    /// The last messages in a row that were later than assumed, by about the same.
    run: Option<Run>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    since: DateTime<Utc>,
    messages: u32,
    least: TimeDelta,
    most: TimeDelta,
}

impl Skew {
    /// Returns what is added to the phone's times.
    pub(super) fn offset(&self) -> TimeDelta {
        self.offset
    }

    fn begin_session(&mut self) {
        (self.least, self.run) = (None, None);
    }

    /// Takes in a message that came at `received_at`, `late` after its newest point was recorded by the phone's clock.
    pub(super) fn observe(&mut self, late: TimeDelta, received_at: DateTime<Utc>) {
        let least = self.least.map_or(late, |least| least.min(late));
        self.least = Some(least);
        if late < self.offset {
            self.lower(late);
        }
        if late - self.offset <= JITTER {
            self.run = None;
            return;
        }
        let run = self.run.and_then(|run| run.with(late)).unwrap_or(Run::of(late, received_at));
        self.run = Some(run);
        if run.is_a_clock(received_at) {
            // If the session had a message with less lateness, the clock lags by no more than that. A clock that ran
            // ahead may have been corrected.
            self.offset = run.least.min(least.max(TimeDelta::zero()));
            self.lag = Some(self.offset).filter(|offset| *offset > TimeDelta::zero());
            self.run = None;
        }
    }

    /// Lowers the offset: no message arrives before it is sent, so the clock lags by no more than this. If an
    /// assumed lag shrinks, it was not a lag: the phone catches up, or its clock was corrected.
    fn lower(&mut self, late: TimeDelta) {
        let is_disproved = self.lag.is_some_and(|lag| lag - late > JITTER);
        self.offset = if is_disproved { late.min(TimeDelta::zero()) } else { late };
        if is_disproved {
            self.lag = None;
        }
    }
}

impl Run {
    fn of(late: TimeDelta, since: DateTime<Utc>) -> Self {
        Self { since, messages: 1, least: late, most: late }
    }

    /// Returns the run with one more message, or `None` if that varies the lateness of the whole run too much.
    fn with(self, late: TimeDelta) -> Option<Self> {
        let (least, most) = (self.least.min(late), self.most.max(late));
        (most - least <= JITTER).then_some(Self { messages: self.messages + 1, least, most, ..self })
    }

    /// Returns whether the phone's clock has run as fast as ours for a while.
    fn is_a_clock(&self, received_at: DateTime<Utc>) -> bool {
        let span = received_at - self.since;
        self.messages >= MESSAGES && span >= SPAN && self.most - self.least <= span / DRIFT_PART
    }
}

#[cfg(test)]
mod tests;
