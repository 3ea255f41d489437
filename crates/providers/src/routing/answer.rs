//! Asks a router, and reads an answer in OSRM's form (github.com/Project-OSRM/osrm-backend, docs/http.md), leaving out whatever
//! can't be true. Valhalla can give its routes in the same form.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, header::CONTENT_TYPE, redirect};
use roadcall_base::geo::Point;
use roadcall_platform::https;
use serde::{Deserialize, de::DeserializeOwned};

use super::{Durations, Reach, Road, RoutingError};
use crate::sending;

/// A larger answer is refused: 250 x 250 durations and 500 waypoints take less, and so does a route of 100 km.
const MAX_BYTES: usize = 1024 * 1024;
/// A router moves a coordinate off its map to the nearest road, however far that is. Routes from or to a coordinate that was
/// moved farther than this are not believed.
const MAX_SNAP_M: f64 = 1_000.0;
/// A longer route is not a route to a pickup.
const MAX_SECONDS: f64 = 86_400.0;
/// No vehicle drives faster than this between two cells of the globe.
const MAX_SPEED_MPS: f64 = 70.0;
/// A route with more points is not drawn.
const MAX_POINTS: usize = 5_000;

#[derive(Deserialize)]
pub(super) struct Answer {
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
    /// Present if it was asked for.
    geometry: Option<Geometry>,
}

/// A LineString of GeoJSON.
#[derive(Deserialize)]
struct Geometry {
    coordinates: Vec<(f64, f64)>,
}

/// The place to which a coordinate was moved: longitude, latitude.
#[derive(Deserialize)]
struct Waypoint {
    location: (f64, f64),
}

/// Makes the client. `timeout` bounds a try; a connection that is unused for `idle` is closed. Redirects are not
/// followed and no proxy of the environment is used: requests go only where the settings say.
pub(super) fn client(timeout: Duration, idle: Duration) -> reqwest::Result<Client> {
    let client = https::client().timeout(timeout).redirect(redirect::Policy::none()).no_proxy();
    client.pool_idle_timeout(idle).build()
}

/// Asks, a second time if the connection is cut, and reads the answer as `T` and its status: a refusal has status 400 and a code.
pub(super) async fn ask<T: DeserializeOwned>(request: RequestBuilder) -> Result<(u16, T), RoutingError> {
    let again = request.try_clone();
    let mut sent = sending::send(request, "router").await.map_err(|error| no_answer(&error));
    // OSRM closes a connection after 512 requests, and does not announce it. A question changes nothing, so it is asked again.
    if let (Err(RoutingError::Cut), Some(again)) = (&sent, again) {
        sent = sending::send(again, "router").await.map_err(|error| no_answer(&error));
    }
    let response = sent?;
    let status = response.status().as_u16();
    if status != 200 && status != 400 {
        return Err(RoutingError::Status(status));
    }
    let body = read(response).await?;
    let answer = serde_json::from_slice(&body).map_err(|_| RoutingError::Garbage("no JSON of its kind"))?;
    Ok((status, answer))
}

/// Asks, and returns an answer in OSRM's form whose code is Ok.
pub(super) async fn ask_as_osrm(request: RequestBuilder) -> Result<Answer, RoutingError> {
    let (status, answer): (_, Answer) = ask(request).await?;
    if answer.code != "Ok" {
        return Err(RoutingError::Refused(shown(&answer.code)));
    }
    if status != 200 {
        return Err(RoutingError::Garbage("Ok with an error's status"));
    }
    Ok(answer)
}

/// Reads the route of an answer, or that no route exists.
pub(super) fn road(
    answer: Result<Answer, RoutingError>,
    from: Point,
    to: Point,
) -> Result<Option<Road>, RoutingError> {
    match answer {
        Ok(answer) => drawn(answer, from, to),
        Err(RoutingError::Refused(code)) if code == "NoRoute" => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads how far the destination is by road.
pub(super) fn reach(
    answer: Result<Answer, RoutingError>,
    from: Point,
    to: Point,
) -> Result<Reach, RoutingError> {
    match answer {
        Ok(answer) => reached(answer, from, to),
        Err(RoutingError::Refused(code)) if code == "NoRoute" => Ok(Reach::NoWay),
        Err(error) => Err(error),
    }
}

/// Makes an error of a failed request. The URL is left out: it contains coordinates.
fn no_answer(error: &reqwest::Error) -> RoutingError {
    if error.is_timeout() {
        RoutingError::Timeout
    } else if error.is_connect() {
        RoutingError::Unreachable
    } else {
        RoutingError::Cut
    }
}

async fn read(response: Response) -> Result<Vec<u8>, RoutingError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.to_ascii_lowercase().starts_with("application/json") {
        return Err(RoutingError::Garbage("no JSON by its content type"));
    }
    let body = sending::read(response, MAX_BYTES).await.map_err(|error| no_answer(&error))?;
    body.ok_or(RoutingError::TooLarge(MAX_BYTES))
}

/// Returns a code in a form that is safe for a log.
fn shown(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).take(32).collect()
}

/// Returns the plausible durations, if the answer has the shape that was asked for.
pub(super) fn believed(
    answer: Answer,
    origins: &[Point],
    destinations: &[Point],
) -> Result<Durations, RoutingError> {
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

/// Returns the route, if it is plausible and the answer has the shape that was asked for.
fn drawn(answer: Answer, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
    let odd = RoutingError::Garbage("not the way that was asked for");
    let (Some(routes), Some(waypoints)) = (answer.routes, answer.waypoints) else { return Err(odd) };
    let Some(Route { duration, distance, geometry: Some(geometry) }) = routes.into_iter().next() else {
        return Err(odd);
    };
    let on_earth =
        |&(lng, lat): &(f64, f64)| (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    if waypoints.len() != 2 || geometry.coordinates.len() < 2 || !geometry.coordinates.iter().all(on_earth) {
        return Err(odd);
    }
    let points: Vec<Point> = geometry.coordinates.iter().map(|&(lng, lat)| Point::new(lat, lng)).collect();
    let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or(from));
    let is_there = on_the_map(&[from, to], &waypoints).into_iter().all(|is_known| is_known)
        && ends.iter().zip([from, to]).all(|(end, asked)| is_near(asked, *end));
    let is_true = can_be_true(duration, from.distance_m(to)) && distance >= 0.0;
    let road = Road { points, length_m: distance, seconds: duration };
    Ok(Some(road).filter(|road| is_there && is_true && road.points.len() <= MAX_POINTS))
}

/// Returns the length of the route, if it is plausible and the answer has the shape that was asked for.
fn reached(answer: Answer, from: Point, to: Point) -> Result<Reach, RoutingError> {
    let odd = RoutingError::Garbage("not the way that was asked for");
    let (Some(routes), Some(waypoints)) = (answer.routes, answer.waypoints) else { return Err(odd) };
    let Some(Route { duration, distance, .. }) = routes.into_iter().next() else { return Err(odd) };
    if waypoints.len() != 2 {
        return Err(odd);
    }
    let is_there = on_the_map(&[from, to], &waypoints).into_iter().all(|is_known| is_known);
    // A road is not shorter than the straight line, apart from how far its ends were moved.
    let least_m = (from.distance_m(to) - 2.0 * MAX_SNAP_M).max(0.0);
    let is_true = can_be_true(duration, from.distance_m(to)) && distance >= least_m;
    Ok(if is_there && is_true { Reach::By { length_m: distance, seconds: duration } } else { Reach::Unknown })
}

fn on_the_map(points: &[Point], waypoints: &[Waypoint]) -> Vec<bool> {
    let moved_to = waypoints.iter().map(|waypoint| Point::new(waypoint.location.1, waypoint.location.0));
    points.iter().zip(moved_to).map(|(point, moved_to)| is_near(*point, moved_to)).collect()
}

/// Returns whether the road is near enough for its route to count for the place.
pub(super) fn is_near(place: Point, moved_to: Point) -> bool {
    place.distance_m(moved_to) <= MAX_SNAP_M
}

pub(super) fn can_be_true(seconds: f64, length_m: f64) -> bool {
    let least_m = (length_m - 2.0 * MAX_SNAP_M).max(0.0);
    (0.0..=MAX_SECONDS).contains(&seconds) && least_m <= seconds * MAX_SPEED_MPS
}
