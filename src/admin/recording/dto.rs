//! The file that `roadcall simulate --replay` reads. It holds no id, name, phone number, plate, address or text of a person.

use serde::Serialize;

/// The first two fields of a file; the simulator refuses others.
pub const FORMAT: &str = "roadcall-recording";
pub const VERSION: u32 = 1;

/// A stretch of the service's log. Times are seconds since its beginning; times after its end belong to jobs that began in it.
#[derive(Debug, Serialize)]
pub struct Recording {
    pub format: &'static str,
    pub version: u32,
    /// The day on which the stretch begins; only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    pub weekday: &'static str,
    /// The hour of the day at which the stretch begins, by the local clock of the place.
    pub start_hour: f64,
    pub hours: f64,
    pub categories: Vec<RecordedCategory>,
    /// The mechanics, in the order in which they came online.
    pub mechanics: Vec<RecordedMechanic>,
    /// The jobs, in the order in which their searches began.
    pub jobs: Vec<RecordedJob>,
    pub answers: Vec<RecordedAnswer>,
}

#[derive(Debug, Serialize)]
pub struct RecordedCategory {
    pub slug: String,
    /// The median of the minutes of work on site.
    pub minutes: f64,
}

/// A mechanic; other parts of the file name them by their place in the list.
#[derive(Debug, Serialize)]
pub struct RecordedMechanic {
    pub radius_km: i32,
    pub vehicle_types: Vec<String>,
    pub categories: Vec<usize>,
    pub online: Vec<RecordedSpan>,
    /// The mechanic's last place before the stretch ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<RecordedPlace>,
}

/// A time during which a mechanic was online, as far as the data shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedSpan {
    pub from_s: i64,
    pub to_s: i64,
    /// The mechanic's place at the beginning of the span.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<RecordedPlace>,
    /// The distance from that place in metres, in an unknown direction; 0 where the place is their own.
    pub off_m: u32,
}

/// A place in degrees, at the centre of a cell of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RecordedPlace {
    pub lat: f64,
    pub lng: f64,
}

#[derive(Debug, Serialize)]
pub struct RecordedJob {
    /// When the search for a mechanic began.
    pub at_s: i64,
    pub pickup: RecordedPlace,
    pub category: usize,
    pub vehicle_type: String,
    pub urgency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mechanic: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_s: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub en_route_s: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived_s: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_s: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_s: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_s: Option<i64>,
    /// customer, mechanic, admin or system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<String>,
    /// Seconds from the start of the work to its completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_s: Option<i64>,
    /// The mechanic's last place on this job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<RecordedPlace>,
}

/// A mechanic's reaction to an offer.
#[derive(Debug, Serialize)]
pub struct RecordedAnswer {
    pub mechanic: usize,
    pub job: usize,
    /// Counts the job's offers to this mechanic from 0.
    pub nth: u32,
    /// The straight line, to the nearest 100 m.
    pub distance_m: u32,
    /// accepted, declined or expired.
    pub answer: String,
    /// Seconds until the answer; null if the offer expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaction_s: Option<f64>,
}
