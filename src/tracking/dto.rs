use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_actors::{
    geo::Point as Place,
    mechanic::state::{Fix, Located, Ping, PointFault},
    ports::TripEstimate,
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};
use uuid::Uuid;

use super::queries::{LastPosition, PointRow};
use crate::{
    http::{
        Invalid, Items, Latitude, Longitude, Param, Timestamp, ValidationErrors, Whole, closed_list,
        text_enum,
    },
    jobs::{EtaSource, Job, LineItem},
    messaging::{calls::Call, chat::ChatMessage},
    money::payments::Payment,
};

/// The maximum number of points in a message.
pub const MAX_POINTS: usize = 100;

/// The reason of a point that newer ones overtook on its socket.
pub const SUPERSEDED: &str = "superseded";

/// The value that browsers and both phone systems give for an unknown figure.
const UNKNOWN: f64 = -1.0;

/// A finite number within bounds, named after what it measures; below 0 it is unknown.
// The bounds are `tt`: a `literal` would reach the derive for the document as a group, which it overlooks.
macro_rules! measure {
    ($($(#[$doc:meta])* $name:ident to $high:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Deserr, Deserialize, ToSchema)]
        #[deserr(try_from(f64) = $name::new -> Invalid)]
        #[serde(try_from = "f64")]
        #[schema(value_type = f64, minimum = -1, maximum = $high)]
        pub struct $name(pub f64);

        impl $name {
            fn new(value: f64) -> Result<Self, Invalid> {
                let holds = (UNKNOWN..=f64::from($high)).contains(&value);
                if holds { Ok(Self(value)) } else { Err(format!("must be 0 to {}, or -1 if unknown", $high).into()) }
            }

            fn known(self) -> Option<f64> {
                (self.0 >= 0.0).then_some(self.0)
            }
        }

        impl TryFrom<f64> for $name {
            type Error = Invalid;
            fn try_from(value: f64) -> Result<Self, Invalid> {
                Self::new(value)
            }
        }
    )*};
}

measure! {
    /// The radius of the circle in which the phone believes to be, in metres; -1 if unknown.
    AccuracyM to 100_000;
    /// The speed over ground in metres a second; -1 if unknown.
    SpeedMps to 1_000;
    /// The direction in degrees clockwise from north; -1 if unknown.
    Heading to 360;
}

/// A position as the phone recorded it.
#[derive(Debug, Clone, PartialEq, Deserr, Deserialize, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
#[serde(deny_unknown_fields)]
pub struct TrackPoint {
    /// The phone's own count, 64-bit; together with `recorded_at` it distinguishes a resent point from a new one.
    pub seq: i64,
    pub lat: Latitude,
    pub lng: Longitude,
    #[deserr(default)]
    #[serde(default)]
    pub accuracy_m: Option<AccuracyM>,
    #[deserr(default)]
    #[serde(default)]
    pub speed_mps: Option<SpeedMps>,
    #[deserr(default)]
    #[serde(default)]
    pub heading: Option<Heading>,
    /// The time by the phone's clock, which may be wrong: the service corrects its skew.
    #[schema(value_type = Timestamp)]
    pub recorded_at: Timestamp,
    /// Whether the phone says that the position is simulated.
    #[deserr(default)]
    #[serde(default)]
    pub is_mock: Option<bool>,
}

/// A message of 1 to 100 points, in any order.
#[derive(Debug, Clone, PartialEq, Deserr, Deserialize, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
#[serde(deny_unknown_fields)]
pub struct Points {
    #[schema(value_type = Vec<TrackPoint>, min_items = 1, max_items = 100)]
    pub points: Items<TrackPoint, 1, MAX_POINTS>,
}

impl Points {
    /// Converts the points to the engine's type.
    pub fn pings(self) -> Vec<Ping> {
        self.points.0.into_iter().map(Ping::from).collect()
    }

    /// Returns the number of points.
    pub fn count(&self) -> usize {
        self.points.0.len()
    }

    /// Returns the phone's own numbers of the points.
    pub fn seqs(&self) -> impl Iterator<Item = i64> {
        self.points.0.iter().map(|point| point.seq)
    }
}

impl From<TrackPoint> for Ping {
    fn from(point: TrackPoint) -> Self {
        Self {
            seq: point.seq,
            point: Place::new(point.lat.0, point.lng.0),
            accuracy_m: point.accuracy_m.and_then(AccuracyM::known),
            speed_mps: point.speed_mps.and_then(SpeedMps::known),
            heading: point.heading.and_then(Heading::known),
            recorded_at: point.recorded_at.0,
            is_mock: point.is_mock.unwrap_or_default(),
        }
    }
}

/// The outcome for the points of a message. `accepted` and `duplicates` are stored, `rejected` are not.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LocationReceipt {
    /// The number of new points.
    pub accepted: u32,
    /// The number of points that had arrived before.
    pub duplicates: u32,
    /// The points that were not taken, and why.
    pub rejected: Vec<RejectedPoint>,
    /// The highest `seq` stored so far.
    pub last_seq: Option<i64>,
    /// How often to send from now on, in seconds.
    pub next_interval_s: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RejectedPoint {
    pub seq: i64,
    #[schema(schema_with = rejection)]
    pub reason: &'static str,
}

fn rejection() -> RefOr<Schema> {
    closed_list(
        PointFault::ALL.into_iter().map(PointFault::as_str).chain([SUPERSEDED]),
        "Why the point was not stored. Over a socket also `superseded`: newer points came faster than they could be processed, so send it again.",
    )
}

impl From<Located> for LocationReceipt {
    fn from(located: Located) -> Self {
        let rejected =
            located.rejected.into_iter().map(|(seq, fault)| RejectedPoint { seq, reason: fault.as_str() });
        Self {
            accepted: located.accepted,
            duplicates: located.duplicates,
            rejected: rejected.collect(),
            last_seq: located.last_seq,
            next_interval_s: located.next_interval_s,
        }
    }
}

/// The assigned mechanic's position, and its age.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Location {
    pub mechanic_profile_id: Uuid,
    pub lat: f64,
    pub lng: f64,
    pub heading: Option<f64>,
    pub speed_mps: Option<f64>,
    pub accuracy_m: Option<f64>,
    /// The time of the position, corrected for the phone's clock.
    pub recorded_at: Timestamp,
    /// The position's age when this was sent, in milliseconds.
    pub age_ms: i64,
    /// Whether the position is older than `dispatch.fresh_position_s`: do not show it as current.
    pub stale: bool,
}

impl Location {
    pub fn of(mechanic_profile_id: Uuid, fix: &Fix, fresh: TimeDelta, now: DateTime<Utc>) -> Self {
        let age = (now - fix.recorded_at).max(TimeDelta::zero());
        Self {
            mechanic_profile_id,
            lat: fix.point.lat,
            lng: fix.point.lng,
            heading: fix.heading,
            speed_mps: fix.speed_mps,
            accuracy_m: fix.accuracy_m,
            recorded_at: fix.recorded_at.into(),
            age_ms: age.num_milliseconds(),
            stale: age > fresh,
        }
    }
}

/// How long and how far the mechanic still has to go: to the pickup, and to the destination once the vehicle is loaded.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Eta {
    pub eta_s: u32,
    /// The straight-line distance, in metres.
    pub distance_m: u32,
    pub source: EtaSource,
}

impl From<TripEstimate> for Eta {
    fn from(estimate: TripEstimate) -> Self {
        let TripEstimate { eta_s, distance_m, source, base_s: _ } = estimate;
        Self { eta_s, distance_m, source: source.into() }
    }
}

/// The last known position of a job's mechanic. Both fields are null before acceptance and from completion on.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobLocation {
    #[schema(example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01")]
    pub job_id: Uuid,
    pub location: Option<Location>,
    /// The time to the pickup, and to the destination once the vehicle is loaded; null while the mechanic is at the vehicle.
    pub eta: Option<Eta>,
}

/// `?since_seq=&limit=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct EventsAfter {
    #[deserr(default)]
    pub since_seq: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

text_enum! {
    /// The type of an event's frame: the subject of the event.
    JobEventType {
        Job = "job.updated",
        LineItem = "line_item.updated",
        Payment = "payment.updated",
        Message = "chat.message",
        Call = "call.updated",
    }
}

/// One event of a job, as the socket shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobEventView {
    /// The event's number; they count from 1 without gaps.
    #[schema(example = 3)]
    pub seq: i64,
    #[serde(rename = "type")]
    pub kind: JobEventType,
    pub at: Timestamp,
    pub data: EventData,
}

/// The subject of an event, as it was after the event; a payment, a message or a call as it is now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum EventData {
    Job(Box<Job>),
    LineItem(LineItem),
    Payment(Box<Payment>),
    Message(Box<ChatMessage>),
    Call(Box<Call>),
}

/// Events of a job, in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobEvents {
    pub data: Vec<JobEventView>,
    /// The last event of the job; greater than the last of `data` if another page follows.
    #[schema(example = 3)]
    pub last_seq: i64,
}

/// A stored point of a mechanic, in the mechanic's own export of their data.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptPoint {
    /// The job; null for the last known position, which is also stored while the mechanic has no job.
    pub job_id: Option<Uuid>,
    pub lat: f64,
    pub lng: f64,
    pub accuracy_m: Option<f64>,
    pub speed_mps: Option<f64>,
    pub heading: Option<f64>,
    /// The time of the point, corrected for the phone's clock.
    pub recorded_at: Timestamp,
}

impl KeptPoint {
    pub fn last(row: LastPosition) -> Option<Self> {
        Some(Self {
            job_id: None,
            lat: row.last_lat?,
            lng: row.last_lng?,
            accuracy_m: row.last_accuracy_m,
            speed_mps: None,
            heading: None,
            recorded_at: row.last_recorded_at?.into(),
        })
    }
}

impl From<PointRow> for KeptPoint {
    fn from(row: PointRow) -> Self {
        let PointRow { job_id, lat, lng, accuracy_m, speed_mps, heading, corrected_at } = row;
        let recorded_at = corrected_at.into();
        Self { job_id: Some(job_id), lat, lng, accuracy_m, speed_mps, heading, recorded_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roadcall_actors::mechanic::state::PositionSource;
    use serde_json::{Value, json};

    fn fields_of(body: Value) -> Vec<String> {
        let read = deserr::deserialize::<Points, _, ValidationErrors>(body);
        read.err().map(|faults| faults.0.into_keys().collect()).unwrap_or_default()
    }

    fn point(alter: Value) -> Value {
        let mut point = json!({"seq": 1, "lat": 12.9, "lng": 77.6, "recorded_at": "2026-01-01T00:00:00Z"});
        for (field, value) in alter.as_object().into_iter().flatten() {
            point[field] = value.clone();
        }
        point
    }

    #[test]
    fn each_fault_of_a_point_is_named_by_its_index() {
        let cases = [
            (json!({"lat": 91}), "points[1].lat"),
            (json!({"lat": null}), "points[1].lat"),
            (json!({"lng": -180.1}), "points[1].lng"),
            (json!({"lng": "77"}), "points[1].lng"),
            (json!({"seq": 1.5}), "points[1].seq"),
            (json!({"seq": 18446744073709551615u64}), "points[1].seq"),
            (json!({"accuracy_m": -2}), "points[1].accuracy_m"),
            (json!({"speed_mps": 1001}), "points[1].speed_mps"),
            (json!({"heading": 361}), "points[1].heading"),
            (json!({"recorded_at": "yesterday"}), "points[1].recorded_at"),
            (json!({"is_mock": 1}), "points[1].is_mock"),
            (json!({"altitude": 1}), "points[1].altitude"),
        ];
        for (alter, field) in cases {
            let body = json!({"points": [point(json!({})), point(alter.clone())]});
            assert_eq!(fields_of(body), [field], "{alter}");
        }
    }

    #[test]
    fn a_message_has_1_to_100_points() {
        assert_eq!(fields_of(json!({"points": []})), ["points"]);
        assert_eq!(fields_of(json!({"points": vec![point(json!({})); 101]})), ["points"]);
        assert_eq!(fields_of(json!({"points": vec![point(json!({})); 100]})), Vec::<String>::new());
        assert_eq!(fields_of(json!({})), ["points"]);
        assert_eq!(fields_of(json!({"points": {}, "more": 1})), ["more", "points"]);
    }

    #[test]
    fn a_position_that_is_too_old_to_count_as_online_is_stale() {
        let recorded_at = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let fix = Fix {
            point: Place::new(12.9, 77.6),
            seq: 1,
            accuracy_m: None,
            speed_mps: None,
            heading: None,
            recorded_at,
            received_at: recorded_at,
            is_implausible: false,
            source: PositionSource::App,
        };
        let fresh = TimeDelta::seconds(60);
        for (age_s, age_ms, stale) in [(-5, 0, false), (60, 60_000, false), (61, 61_000, true)] {
            let shown = Location::of(Uuid::nil(), &fix, fresh, recorded_at + TimeDelta::seconds(age_s));
            assert_eq!((shown.age_ms, shown.stale), (age_ms, stale), "{age_s}");
        }
    }
}
