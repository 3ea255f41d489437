//! Valhalla over HTTP: its matrix and its route (valhalla.github.io/valhalla, api/matrix and api/turn-by-turn), answered in OSRM's form.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use reqwest::{Client, RequestBuilder, Url};
use roadcall_actors::geo::Point;
use serde::Serialize;

use super::{
    Durations, Road, Router, RoutingError,
    answer::{ask, believed, client, road},
};

/// `valhalla_service` keeps idle connections open. What lies between may not.
const IDLE: Duration = Duration::from_secs(30);

/// A `valhalla_service`, or what speaks like it.
#[derive(Clone)]
pub struct Valhalla {
    client: Client,
    /// May hold a password.
    base: Url,
    costing: String,
}

impl std::fmt::Debug for Valhalla {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Valhalla").field("costing", &self.costing).finish_non_exhaustive()
    }
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
    format: &'static str,
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
    /// `costing` is who drives: `auto`, `motor_scooter`, `truck`. `timeout` bounds a whole request.
    pub fn new(base: Url, costing: String, timeout: Duration) -> reqwest::Result<Self> {
        Ok(Self { client: client(timeout, IDLE)?, base, costing })
    }

    fn question(&self, service: &str, body: &impl Serialize) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{service}", self.base.path().trim_end_matches('/')));
        self.client.post(url).json(body)
    }

    async fn matrix(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
        let (sources, targets) = (locations(origins), locations(destinations));
        let question = MatrixQuestion { sources, targets, costing: &self.costing, format: "osrm" };
        believed(ask(self.question("sources_to_targets", &question)).await?, origins, destinations)
    }

    async fn route(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
        let question = RouteQuestion {
            locations: [location(&from), location(&to)],
            costing: &self.costing,
            format: "osrm",
            shape_format: "geojson",
            directions_type: "none",
        };
        road(ask(self.question("route", &question)).await, from, to)
    }
}

impl Router for Valhalla {
    fn durations<'a>(
        &'a self,
        origins: &'a [Point],
        destinations: &'a [Point],
    ) -> BoxFuture<'a, Result<Durations, RoutingError>> {
        self.matrix(origins, destinations).boxed()
    }

    fn road(&self, from: Point, to: Point) -> BoxFuture<'_, Result<Option<Road>, RoutingError>> {
        self.route(from, to).boxed()
    }
}

fn locations(points: &[Point]) -> Vec<Location> {
    points.iter().map(location).collect()
}

/// Five places are 1.1 m.
fn location(point: &Point) -> Location {
    let rounded = |degrees: f64| (degrees * 1e5).round() / 1e5;
    Location { lat: rounded(point.lat), lon: rounded(point.lng) }
}
