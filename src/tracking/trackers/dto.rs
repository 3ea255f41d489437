//! Trackers on the wire.

use deserr::Deserr;
use roadcall_actors::mechanic::state::{Fix, PositionSource};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    protocols::{TrackerFault, owntracks_setup_url, traccar_setup_url},
    queries::TrackerRow,
};
use crate::http::{Name, Timestamp, ValidationErrors, text_enum};

text_enum! {
    /// An app that sends positions with the screen off.
    TrackerApp {
        OwnTracks = "owntracks",
        /// Traccar Client, and every other app with OsmAnd's protocol.
        Traccar = "traccar",
    }
}

/// Why the newest message of a tracker could not be used.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TrackerProblem {
    pub fault: TrackerFault,
    /// The details, in English.
    #[schema(example = "lat: must be -90 to 90")]
    pub detail: String,
    /// When such a message last arrived, to within half a minute.
    pub at: Timestamp,
}

/// The outcome of a tracker's message. An app repeats a refused message, so an unusable one is taken, too, and shown to the
/// mechanic.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct TrackerReceipt {
    /// The number of positions that are stored now.
    pub accepted: u32,
    /// The number of positions that were stored before.
    pub duplicates: u32,
    /// Why the message could not be used; null if it could, or had no position.
    pub fault: Option<TrackerFault>,
}

/// A tracker to be connected.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewTracker {
    /// The name by which the mechanic recognises the tracker.
    pub name: Name<40>,
    pub app: TrackerApp,
}

/// A new tracker. Its token is shown only here: it can send this mechanic's positions, and do nothing else.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrackerToken {
    pub id: Uuid,
    pub name: String,
    pub app: TrackerApp,
    pub token: String,
    /// The address to which the app sends positions.
    pub endpoint: String,
    /// A link that sets the app up when it is opened on the phone, or read by the app as a QR code. It contains the token.
    pub setup_url: String,
}

/// An app that sends the mechanic's positions with the screen off.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tracker {
    pub id: Uuid,
    pub name: String,
    pub app: TrackerApp,
    pub created_at: Timestamp,
    /// When the tracker last sent a message, to within half a minute; null if it never has.
    pub last_seen_at: Option<Timestamp>,
    /// Why the newest message could not be used; null once a message can be used.
    pub problem: Option<TrackerProblem>,
}

/// The caller's trackers, in the order in which they were connected, and the origin of the position that counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trackers {
    pub data: Vec<Tracker>,
    /// The origin of the position that counts; null if no position is known.
    pub last_position: Option<PositionOrigin>,
}

text_enum! {
    /// The sender of a position.
    PositionSender {
        App = "app",
        Tracker = "tracker",
        /// No device sent the position: it is the place where the mechanic waits.
        Parked = "parked",
    }
}

/// The sender of the position that counts now, and its time.
#[derive(Debug, Serialize, ToSchema)]
pub struct PositionOrigin {
    pub sent_by: PositionSender,
    /// The tracker, which may have been removed since; null for any other sender.
    pub tracker_id: Option<Uuid>,
    pub received_at: Timestamp,
}

impl PositionOrigin {
    pub fn of(fix: &Fix) -> Self {
        let (sent_by, tracker_id) = match fix.source {
            PositionSource::App => (PositionSender::App, None),
            PositionSource::Parked => (PositionSender::Parked, None),
            PositionSource::Tracker(tracker) => (PositionSender::Tracker, Some(tracker.0)),
        };
        Self { sent_by, tracker_id, received_at: fix.received_at.into() }
    }
}

impl TrackerRow {
    fn problem(&self) -> Option<TrackerProblem> {
        let at = self.problem_at?.into();
        Some(TrackerProblem { fault: self.problem?, detail: self.problem_detail.clone()?, at })
    }
}

impl From<TrackerRow> for Tracker {
    fn from(row: TrackerRow) -> Self {
        let problem = row.problem();
        let TrackerRow { id, name, app, created_at, last_seen_at, .. } = row;
        let last_seen_at = last_seen_at.map(Into::into);
        Self { id, name, app, created_at: created_at.into(), last_seen_at, problem }
    }
}

impl TrackerToken {
    pub fn of(row: TrackerRow, token: String, public_url: &str) -> Self {
        let base = public_url.trim_end_matches('/');
        let (endpoint, setup_url) = match row.app {
            TrackerApp::OwnTracks => {
                let endpoint = format!("{base}/api/v1/trackers/owntracks");
                let setup_url = owntracks_setup_url(&endpoint, &token);
                (endpoint, setup_url)
            }
            TrackerApp::Traccar => {
                let endpoint = format!("{base}/api/v1/trackers/osmand");
                let setup_url = traccar_setup_url(&endpoint, &token);
                (endpoint, setup_url)
            }
        };
        Self { id: row.id, name: row.name, app: row.app, token, endpoint, setup_url }
    }
}
