//! Positions of mechanics, as phones send them and as the engine uses them. Pure data.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    geo::Point,
    ids::{JobId, MechanicId, TrackerId},
    settings::PresencePolicy,
};

/// The source of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PositionSource {
    /// The mechanic's own app in the foreground: browsers stop the positions of a page in the background.
    App,
    /// An app that goes on with the screen off.
    Tracker(TrackerId),
    /// The mechanic said that they wait at this place; no device sends it.
    Parked,
}

/// A position as the phone sent it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ping {
    pub seq: i64,
    pub point: Point,
    pub accuracy_m: Option<f64>,
    pub speed_mps: Option<f64>,
    pub heading: Option<f64>,
    pub recorded_at: DateTime<Utc>,
    pub is_mock: bool,
}

impl Ping {
    /// The number of a position that came without a number and without a time. Phones count from 0.
    pub const UNNUMBERED: i64 = -1;

    /// Returns the number of a tracker's position, which comes without one: it follows from its time, and is below
    /// all numbers of phones.
    pub fn number_of(recorded_at: DateTime<Utc>) -> i64 {
        recorded_at.timestamp_millis().saturating_neg().min(Self::UNNUMBERED - 1)
    }

    /// Returns whether the service, not the phone, stamped the position, on arrival.
    pub(crate) fn is_stamped_on_arrival(&self) -> bool {
        self.seq == Self::UNNUMBERED
    }
}

/// A position as the engine uses it: `recorded_at` is corrected for the phone's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub point: Point,
    pub seq: i64,
    pub accuracy_m: Option<f64>,
    pub speed_mps: Option<f64>,
    pub heading: Option<f64>,
    pub recorded_at: DateTime<Utc>,
    pub received_at: DateTime<Utc>,
    /// Whether the position is marked as a mock: it is shown, but proves no arrival.
    pub is_implausible: bool,
    pub source: PositionSource,
}

impl Fix {
    /// Returns whether the position is accurate enough to match by, and to prove anything.
    pub fn is_accurate(&self, policy: &PresencePolicy) -> bool {
        policy.is_accurate(self.accuracy_m)
    }
}

/// A point of the trail of a job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrailPoint {
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    /// The position as it was sent: its number and the phone's own time identify it.
    pub ping: Ping,
    /// The time, corrected for the phone's clock.
    pub recorded_at: DateTime<Utc>,
    pub received_at: DateTime<Utc>,
    pub is_implausible: bool,
}
