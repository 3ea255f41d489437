//! GeoJSON of a trail (RFC 7946).

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::TrailRow;
use crate::http::Timestamp;

/// A trail: a Feature of RFC 7946 with a line of at least two points, or without a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trail {
    /// Always Feature.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Null if fewer than two points are known, since a line needs two.
    pub geometry: Option<Line>,
    pub properties: TrailProperties,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Line {
    /// Always LineString.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The points' longitude and latitude, in this order (RFC 7946, 3.1.1), in the order of the trail.
    pub coordinates: Vec<[f64; 2]>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TrailProperties {
    pub job_id: Uuid,
    /// The mechanic of the trail; null while the job has no mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    /// When the mechanic was at each of the coordinates, corrected for the phone's clock.
    pub times: Vec<Timestamp>,
    /// The number of all stored points, shown or not.
    pub points_recorded: i64,
    /// The maximum number of points that are shown.
    pub points_limit: i64,
    /// Whether points in between were left out, evenly, to stay within the limit. The first and the last are always shown.
    pub is_thinned: bool,
}

impl Line {
    /// Returns `None` for fewer than two points.
    pub fn of(coordinates: Vec<[f64; 2]>) -> Option<Self> {
        (coordinates.len() >= 2).then_some(Self { kind: "LineString", coordinates })
    }
}

impl Trail {
    pub fn of(job_id: Uuid, mechanic_profile_id: Option<Uuid>, points: &[TrailRow], limit: i64) -> Self {
        let recorded = points.first().map_or(0, |point| point.recorded);
        Self {
            kind: "Feature",
            geometry: Line::of(points.iter().map(|point| [point.lng, point.lat]).collect()),
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
