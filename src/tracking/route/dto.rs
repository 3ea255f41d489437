//! GeoJSON of a trail (RFC 7946).

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::TrailRow;
use crate::http::Timestamp;

/// A trail: a Feature of RFC 7946 with a line of at least two points, or without one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "type": "Feature",
    "geometry": {"type": "LineString", "coordinates": [[77.6301, 12.9802], [77.6243, 12.9761], [77.6171, 12.9729]]},
    "properties": {
        "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
        "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
        "times": ["2026-03-14T08:31:04.000Z", "2026-03-14T08:33:10.250Z", "2026-03-14T08:36:31.000Z"],
        "points_recorded": 3,
        "points_limit": 1000,
        "is_thinned": false,
    },
}))]
pub struct Trail {
    /// Feature
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Null where fewer than two points are known, since a line has two.
    pub geometry: Option<Line>,
    pub properties: TrailProperties,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Line {
    /// LineString
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Longitude before latitude (RFC 7946, 3.1.1), in the order of their times.
    pub coordinates: Vec<[f64; 2]>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TrailProperties {
    pub job_id: Uuid,
    /// Whose trail it is; null while nobody is on the job.
    pub mechanic_profile_id: Option<Uuid>,
    /// When the mechanic was at each of the coordinates; corrected for the phone's clock.
    pub times: Vec<Timestamp>,
    /// All that are kept, shown or not.
    pub points_recorded: i64,
    /// So many are shown at most.
    pub points_limit: i64,
    /// Whether points between were left out, evenly, to stay within the limit. The first and the last are always shown.
    pub is_thinned: bool,
}

impl Trail {
    pub fn of(job_id: Uuid, mechanic_profile_id: Option<Uuid>, points: &[TrailRow], limit: i64) -> Self {
        let recorded = points.first().map_or(0, |point| point.recorded);
        let line = Line {
            kind: "LineString",
            coordinates: points.iter().map(|point| [point.lng, point.lat]).collect(),
        };
        Self {
            kind: "Feature",
            geometry: (points.len() >= 2).then_some(line),
            properties: TrailProperties {
                job_id,
                mechanic_profile_id,
                times: points.iter().map(|point| point.corrected_at.into()).collect(),
                points_recorded: recorded,
                points_limit: limit,
                is_thinned: recorded > limit,
            },
        }
    }
}
