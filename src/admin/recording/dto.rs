//! The file: what `roadcall simulate --replay` reads. It holds no id, name, phone number, plate, address or text of a person.

use serde::Serialize;

/// The first two fields of a file; the simulator refuses others.
pub const FORMAT: &str = "roadcall-recording";
pub const VERSION: u32 = 1;

/// A stretch of the service's log. Times are seconds since its beginning; those after it belong to jobs that began in it.
#[derive(Debug, Serialize)]
pub struct Recording {
    pub format: &'static str,
    pub version: u32,
    /// The day on which it begins; only if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    pub weekday: &'static str,
    /// The hour of the day at which it begins, by the clock of the place.
    pub start_hour: f64,
    pub hours: f64,
    pub categories: Vec<RecordedCategory>,
    /// In the order in which they came online.
    pub mechanics: Vec<RecordedMechanic>,
    /// In the order in which their searches began.
    pub jobs: Vec<RecordedJob>,
    pub answers: Vec<RecordedAnswer>,
}

#[derive(Debug, Serialize)]
pub struct RecordedCategory {
    pub slug: String,
    /// Median of the work on site.
    pub minutes: f64,
}

/// A mechanic; other parts of the file name them by their place in the list.
#[derive(Debug, Serialize)]
pub struct RecordedMechanic {
    pub radius_km: i32,
    pub vehicle_types: Vec<String>,
    pub categories: Vec<usize>,
    pub online: Vec<RecordedSpan>,
    /// Where they were last, before the stretch ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<RecordedPlace>,
}

/// A time during which a mechanic was online, as far as the data shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedSpan {
    pub from_s: i64,
    pub to_s: i64,
    /// Where they were at its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<RecordedPlace>,
    /// How far from there in metres, in a direction that is unknown; 0 where the place is their own.
    pub off_m: u32,
}

/// Degrees, at the centre of a cell of the grid.
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
    /// From the start to the completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_s: Option<i64>,
    /// Where the mechanic was last on this job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<RecordedPlace>,
}

/// What a mechanic did with an offer.
#[derive(Debug, Serialize)]
pub struct RecordedAnswer {
    pub mechanic: usize,
    pub job: usize,
    /// Counts the job's offers to this mechanic from 0.
    pub nth: u32,
    /// Straight line, to the nearest 100 m.
    pub distance_m: u32,
    /// accepted, declined or expired.
    pub answer: String,
    /// Unless the offer expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaction_s: Option<f64>,
}
