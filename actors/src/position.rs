//! Positions of mechanics, as phones send them and as the engine uses them. Pure data.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    geo::Point,
    ids::{JobId, MechanicId, TrackerId},
    settings::PresencePolicy,
};

/// What sent a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PositionSource {
    /// The mechanic's own app, which they have in front of them: browsers stop positions of a page that is not.
    App,
    /// An app that goes on with the screen off.
    Tracker(TrackerId),
    /// None: it is where they said that they wait.
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
    /// The number of a position that came without one, and without a time. Phones count from 0.
    pub const UNNUMBERED: i64 = -1;

    /// The number of a tracker's position, which comes with none: by its time, and below all that phones count.
    pub fn number_of(recorded_at: DateTime<Utc>) -> i64 {
        recorded_at.timestamp_millis().saturating_neg().min(Self::UNNUMBERED - 1)
    }

    /// Whether the service, not the phone, says when it was taken: on arrival.
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
    /// Marked as a mock: shown, but no proof of an arrival.
    pub is_implausible: bool,
    pub source: PositionSource,
}

impl Fix {
    /// Whether it is accurate enough to match by, and to prove anything.
    pub fn is_accurate(&self, policy: &PresencePolicy) -> bool {
        policy.is_accurate(self.accuracy_m)
    }
}

/// A point of the trail of a job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrailPoint {
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    /// As it was sent: its number and the phone's own time identify it.
    pub ping: Ping,
    /// Corrected for the phone's clock.
    pub recorded_at: DateTime<Utc>,
    pub received_at: DateTime<Utc>,
    pub is_implausible: bool,
}
