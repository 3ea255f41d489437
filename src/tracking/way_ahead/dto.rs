//! GeoJSON of a route (RFC 7946).

use roadcall_actors::geo::Point;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    providers::routing::{Road, length_m, without_end},
    tracking::route::Line,
};

/// A route along roads: a Feature of RFC 7946, whose line begins beside the mechanic's last position.
#[derive(Debug, Serialize, ToSchema)]
pub struct WayAhead {
    /// Always Feature.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Null if no route is known, and if the service has no router: then show no line.
    pub geometry: Option<Line>,
    pub properties: WayAheadProperties,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WayAheadProperties {
    /// The line's length, in metres; null without a line.
    #[schema(example = 1240)]
    pub distance_m: Option<u32>,
}

impl WayAhead {
    pub fn of(road: Option<Road>) -> Self {
        Self::along(&road.unwrap_or_default().points)
    }

    /// Returns the route without this much of its end, so that it does not reveal where it ends.
    pub fn without_end(road: Option<Road>, metres: f64) -> Self {
        Self::along(&without_end(&road.unwrap_or_default().points, metres))
    }

    fn along(points: &[Point]) -> Self {
        let geometry = Line::of(points.iter().map(|point| [place(point.lng), place(point.lat)]).collect());
        let distance_m = geometry.is_some().then(|| length_m(points).round() as u32);
        Self { kind: "Feature", geometry, properties: WayAheadProperties { distance_m } }
    }
}

/// Rounds to five decimal places, which are 1.1 m.
fn place(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}
