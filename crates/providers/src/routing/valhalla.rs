//! Valhalla over HTTP: its matrix (valhalla.github.io/valhalla, api/matrix), and its route in OSRM's form (api/turn-by-turn).
//!
//! Valhalla moves a place to a road that leads away from it, however far off. Only the matrix's own form says how far.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, RequestBuilder, Url};
use roadcall_base::geo::Point;
use serde::{Deserialize, Serialize};

use super::{
    Durations, Reach, Road, Router, RoutingError,
    answer::{ask, ask_as_osrm, can_be_true, client, is_near, reach, road},
};

/// `valhalla_service` keeps idle connections open, but a proxy between may close them.
const IDLE: Duration = Duration::from_secs(30);

/// A `valhalla_service`, or a server with the same interface.
#[derive(derive_more::Debug, Clone)]
#[debug("Valhalla {{ costing: {costing:?}, .. }}")]
pub struct Valhalla {
    client: Client,
    /// May contain a password.
    base: Url,
    costing: String,
}

#[derive(Serialize)]
struct Location {
    lat: f64,
    lon: f64,
}

#[derive(Serialize)]
struct MatrixQuestion<'a> {
    sources: Vec<Location>,
    targets: Vec<Location>,
    costing: &'a str,
    verbose: bool,
}

#[derive(Deserialize)]
struct Matrix {
    sources_to_targets: Option<Vec<Vec<Way>>>,
    error_code: Option<u32>,
}

#[derive(Deserialize)]
struct Way {
    /// The duration in seconds.
    time: Option<f64>,
    begin_lat: Option<f64>,
    begin_lon: Option<f64>,
    end_lat: Option<f64>,
    end_lon: Option<f64>,
}

#[derive(Serialize)]
struct RouteQuestion<'a> {
    locations: [Location; 2],
    costing: &'a str,
    format: &'static str,
    shape_format: &'static str,
    directions_type: &'static str,
}

impl Valhalla {
    /// Makes the client. `costing` is the kind of vehicle: `auto`, `motor_scooter`, `truck`. `timeout` bounds a try.
    pub fn new(base: Url, costing: String, timeout: Duration) -> reqwest::Result<Self> {
        Ok(Self { client: client(timeout, IDLE)?, base, costing })
    }

    fn question(&self, service: &str, body: &impl Serialize) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{service}", self.base.path().trim_end_matches('/')));
        self.client.post(url).json(body)
    }

    /// Asks for a route, with its line in this form.
    fn route(&self, from: Point, to: Point, shape_format: &'static str) -> RequestBuilder {
        let question = RouteQuestion {
            locations: [location(&from), location(&to)],
            costing: &self.costing,
            format: "osrm",
            shape_format,
            directions_type: "none",
        };
        self.question("route", &question)
    }
}

impl Way {
    /// Returns the seconds it takes; `None` if they can't be true, or are for other places.
    fn believed(&self, origin: Point, destination: Point) -> Option<f64> {
        let (begin, end) =
            (Point::new(self.begin_lat?, self.begin_lon?), Point::new(self.end_lat?, self.end_lon?));
        let is_there = is_near(origin, begin) && is_near(destination, end);
        self.time.filter(|seconds| is_there && can_be_true(*seconds, origin.distance_m(destination)))
    }
}

#[async_trait]
impl Router for Valhalla {
    async fn durations(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
        let (sources, targets) = (locations(origins), locations(destinations));
        let question = MatrixQuestion { sources, targets, costing: &self.costing, verbose: true };
        let (_, answer): (_, Matrix) = ask(self.question("sources_to_targets", &question)).await?;
        if let Some(code) = answer.error_code {
            return Err(RoutingError::Refused(code.to_string()));
        }
        let rows = answer.sources_to_targets.filter(|rows| rows.len() == origins.len());
        let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == destinations.len()));
        let rows = rows.ok_or(RoutingError::Garbage("not the matrix that was asked for"))?;
        let believed = |origin: &Point, row: Vec<Way>| {
            destinations
                .iter()
                .zip(row)
                .map(|(destination, way)| way.believed(*origin, *destination))
                .collect()
        };
        Ok(origins.iter().zip(rows).map(|(origin, row)| believed(origin, row)).collect())
    }

    async fn road(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
        road(ask_as_osrm(self.route(from, to, "geojson")).await, from, to)
    }

    async fn reach(&self, from: Point, to: Point) -> Result<Reach, RoutingError> {
        reach(ask_as_osrm(self.route(from, to, "no_shape")).await, from, to)
    }
}

fn locations(points: &[Point]) -> Vec<Location> {
    points.iter().map(location).collect()
}

/// Rounds a point to five decimal places, which are 1.1 m.
fn location(point: &Point) -> Location {
    let rounded = |degrees: f64| (degrees * 1e5).round() / 1e5;
    Location { lat: rounded(point.lat), lon: rounded(point.lng) }
}
