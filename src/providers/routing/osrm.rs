//! OSRM over HTTP: the table and the route service (github.com/Project-OSRM/osrm-backend, docs/http.md).
//!
//! The time of one way is a table of one cell, so that there is one shape to read. Durations alone are asked for: distances of
//! estimates are straight lines, whatever the source. The route service draws a way on a map.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use reqwest::{Client, Response, Url, header::CONTENT_TYPE};
use roadcall_actors::geo::Point;
use serde::Deserialize;

use super::{Durations, Road, Router, RoutingError};

/// A larger answer is refused: 250 x 250 durations and 500 waypoints take less, and so does a way of 100 km.
const MAX_BYTES: usize = 1024 * 1024;
/// A coordinate off the map is moved to the nearest road of it, however far that is. Ways of one that was moved
/// farther than this are not believed.
const MAX_SNAP_M: f64 = 1_000.0;
/// A longer way is no way to a pickup.
const MAX_SECONDS: f64 = 86_400.0;
/// Faster than this between two cells of the globe is no driving.
const MAX_SPEED_MPS: f64 = 70.0;
/// A way with more points is not drawn.
const MAX_POINTS: usize = 5_000;
/// `osrm-routed` closes a connection that nobody used for 5 s (`--keepalive-timeout`). Ours must not be in use at that moment.
const IDLE: Duration = Duration::from_secs(3);

/// An `osrm-routed`, or what speaks like it.
#[derive(Clone)]
pub struct Osrm {
    client: Client,
    /// May hold a password.
    base: Url,
    profile: String,
}

impl std::fmt::Debug for Osrm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Osrm").field("profile", &self.profile).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Answer {
    code: String,
    durations: Option<Vec<Vec<Option<f64>>>>,
    sources: Option<Vec<Waypoint>>,
    destinations: Option<Vec<Waypoint>>,
    routes: Option<Vec<Route>>,
    waypoints: Option<Vec<Waypoint>>,
}

#[derive(Deserialize)]
struct Route {
    duration: f64,
    distance: f64,
    geometry: Geometry,
}

/// A LineString of GeoJSON.
#[derive(Deserialize)]
struct Geometry {
    coordinates: Vec<(f64, f64)>,
}

/// Where a coordinate was moved to: longitude, latitude.
#[derive(Deserialize)]
struct Waypoint {
    location: (f64, f64),
}

impl Osrm {
    /// `timeout` bounds a whole request. Redirects are not followed and no proxy of the environment is used: requests
    /// go where the settings say.
    pub fn new(base: Url, profile: String, timeout: Duration) -> reqwest::Result<Self> {
        let redirects = reqwest::redirect::Policy::none();
        let client = Client::builder().timeout(timeout).redirect(redirects).no_proxy();
        let client = client.pool_idle_timeout(IDLE).build()?;
        Ok(Self { client, base, profile })
    }

    fn url(&self, service: &str, coordinates: &[String], query: &str) -> Url {
        let mut url = self.base.clone();
        let path = self.base.path().trim_end_matches('/');
        url.set_path(&format!("{path}/{service}/v1/{}/{}", self.profile, coordinates.join(";")));
        url.set_query(Some(query));
        url
    }

    async fn table(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
        let coordinates: Vec<String> = origins.iter().chain(destinations).map(coordinate).collect();
        let split = origins.len();
        let (sources, targets) = (indices(0..split), indices(split..coordinates.len()));
        let what = "annotations=duration&generate_hints=false";
        let query = format!("sources={sources}&destinations={targets}&{what}");
        let answer = self.ask(self.url("table", &coordinates, &query)).await?;
        believed(answer, origins, destinations)
    }

    async fn route(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
        let query = "overview=full&geometries=geojson&generate_hints=false";
        match self.ask(self.url("route", &[coordinate(&from), coordinate(&to)], query)).await {
            Ok(answer) => drawn(answer, from, to),
            Err(RoutingError::Refused(code)) if code == "NoRoute" => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// An answer whose code is Ok.
    async fn ask(&self, url: Url) -> Result<Answer, RoutingError> {
        let request = self.client.get(url);
        let response = request.send().await.map_err(|error| no_answer(&error))?;
        let status = response.status().as_u16();
        // Its refusals come with 400, and with their code.
        if status != 200 && status != 400 {
            return Err(RoutingError::Status(status));
        }
        let body = read(response).await?;
        let answer: Answer =
            serde_json::from_slice(&body).map_err(|_| RoutingError::Garbage("no JSON of its kind"))?;
        if answer.code != "Ok" {
            return Err(RoutingError::Refused(shown(&answer.code)));
        }
        if status != 200 {
            return Err(RoutingError::Garbage("Ok with an error's status"));
        }
        Ok(answer)
    }
}

impl Router for Osrm {
    fn durations<'a>(
        &'a self,
        origins: &'a [Point],
        destinations: &'a [Point],
    ) -> BoxFuture<'a, Result<Durations, RoutingError>> {
        self.table(origins, destinations).boxed()
    }

    fn road(&self, from: Point, to: Point) -> BoxFuture<'_, Result<Option<Road>, RoutingError>> {
        self.route(from, to).boxed()
    }
}

/// Longitude first; five places are 1.1 m.
fn coordinate(point: &Point) -> String {
    format!("{:.5},{:.5}", point.lng, point.lat)
}

fn indices(range: std::ops::Range<usize>) -> String {
    range.map(|index| index.to_string()).collect::<Vec<_>>().join(";")
}

/// The URL is left out of the message: it holds coordinates.
fn no_answer(error: &reqwest::Error) -> RoutingError {
    if error.is_timeout() {
        RoutingError::Timeout
    } else if error.is_connect() {
        RoutingError::Unreachable
    } else {
        RoutingError::Cut
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, RoutingError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.to_ascii_lowercase().starts_with("application/json") {
        return Err(RoutingError::Garbage("no JSON by its content type"));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(&error))? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(RoutingError::TooLarge(MAX_BYTES));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A code in a form that is safe for a log.
fn shown(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).take(32).collect()
}

/// The durations that can be true, if the answer has the shape that was asked for.
fn believed(answer: Answer, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
    let odd = RoutingError::Garbage("not the table that was asked for");
    let (Some(mut rows), Some(sources), Some(targets)) =
        (answer.durations, answer.sources, answer.destinations)
    else {
        return Err(odd);
    };
    let is_whole = rows.len() == origins.len() && rows.iter().all(|row| row.len() == destinations.len());
    if !is_whole || sources.len() != origins.len() || targets.len() != destinations.len() {
        return Err(odd);
    }
    let (starts, ends) = (on_the_map(origins, &sources), on_the_map(destinations, &targets));
    for (row, seconds) in rows.iter_mut().enumerate() {
        for (column, seconds) in seconds.iter_mut().enumerate() {
            let is_known = starts[row] && ends[column];
            let length_m = origins[row].distance_m(destinations[column]);
            *seconds = seconds.filter(|seconds| is_known && can_be_true(*seconds, length_m));
        }
    }
    Ok(rows)
}

/// The way, if it can be true and the answer has the shape that was asked for.
fn drawn(answer: Answer, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
    let odd = RoutingError::Garbage("not the way that was asked for");
    let (Some(routes), Some(waypoints)) = (answer.routes, answer.waypoints) else { return Err(odd) };
    let Some(Route { duration, distance, geometry }) = routes.into_iter().next() else { return Err(odd) };
    let on_earth =
        |&(lng, lat): &(f64, f64)| (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    if waypoints.len() != 2 || geometry.coordinates.len() < 2 || !geometry.coordinates.iter().all(on_earth) {
        return Err(odd);
    }
    let points: Vec<Point> = geometry.coordinates.iter().map(|&(lng, lat)| Point::new(lat, lng)).collect();
    let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or(from));
    let is_there = on_the_map(&[from, to], &waypoints).into_iter().all(|is_known| is_known)
        && ends.iter().zip([from, to]).all(|(end, asked)| end.distance_m(asked) <= MAX_SNAP_M);
    let is_true = can_be_true(duration, from.distance_m(to)) && distance >= 0.0;
    let road = Road { points, length_m: distance, seconds: duration };
    Ok(Some(road).filter(|road| is_there && is_true && road.points.len() <= MAX_POINTS))
}

fn on_the_map(points: &[Point], waypoints: &[Waypoint]) -> Vec<bool> {
    let moved = points.iter().zip(waypoints).map(|(point, waypoint)| {
        let (lng, lat) = waypoint.location;
        point.distance_m(Point::new(lat, lng))
    });
    moved.map(|metres| metres <= MAX_SNAP_M).collect()
}

fn can_be_true(seconds: f64, length_m: f64) -> bool {
    let least_m = (length_m - 2.0 * MAX_SNAP_M).max(0.0);
    (0.0..=MAX_SECONDS).contains(&seconds) && least_m <= seconds * MAX_SPEED_MPS
}
