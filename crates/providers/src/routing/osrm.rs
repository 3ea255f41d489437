//! OSRM over HTTP: the table and the route service (github.com/Project-OSRM/osrm-backend, docs/http.md).
//!
//! The time of one route is a table of one cell, so that there is one shape to read. Only durations are asked for: distances of
//! estimates are straight lines, whatever the source. The route service draws a route on a map.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Url};
use roadcall_base::geo::Point;

use super::{
    Durations, Reach, Road, Router, RoutingError,
    answer::{ask_as_osrm, believed, client, reach, road},
};

/// `osrm-routed` closes a connection that is unused for 5 s (`--keepalive-timeout`). We must not use one at that moment.
const IDLE: Duration = Duration::from_secs(3);

/// An `osrm-routed`, or a server with the same interface.
#[derive(derive_more::Debug, Clone)]
#[debug("Osrm {{ profile: {profile:?}, .. }}")]
pub struct Osrm {
    client: Client,
    /// May contain a password.
    base: Url,
    profile: String,
}

impl Osrm {
    /// Makes the client. `timeout` bounds a try.
    pub fn new(base: Url, profile: String, timeout: Duration) -> reqwest::Result<Self> {
        Ok(Self { client: client(timeout, IDLE)?, base, profile })
    }

    fn url(&self, service: &str, coordinates: &[String], query: &str) -> Url {
        let mut url = self.base.clone();
        let path = self.base.path().trim_end_matches('/');
        url.set_path(&format!("{path}/{service}/v1/{}/{}", self.profile, coordinates.join(";")));
        url.set_query(Some(query));
        url
    }
}

#[async_trait]
impl Router for Osrm {
    async fn durations(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
        let coordinates: Vec<String> = origins.iter().chain(destinations).map(coordinate).collect();
        let split = origins.len();
        let (sources, targets) = (indices(0..split), indices(split..coordinates.len()));
        let what = "annotations=duration&generate_hints=false";
        let query = format!("sources={sources}&destinations={targets}&{what}");
        let answer = ask_as_osrm(self.client.get(self.url("table", &coordinates, &query))).await?;
        believed(answer, origins, destinations)
    }

    async fn road(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
        let query = "overview=full&geometries=geojson&generate_hints=false";
        let url = self.url("route", &[coordinate(&from), coordinate(&to)], query);
        road(ask_as_osrm(self.client.get(url)).await, from, to)
    }

    async fn reach(&self, from: Point, to: Point) -> Result<Reach, RoutingError> {
        let query = "overview=false&generate_hints=false";
        let url = self.url("route", &[coordinate(&from), coordinate(&to)], query);
        reach(ask_as_osrm(self.client.get(url)).await, from, to)
    }
}

/// Writes a coordinate with the longitude first; five decimal places are 1.1 m.
fn coordinate(point: &Point) -> String {
    format!("{:.5},{:.5}", point.lng, point.lat)
}

fn indices(range: std::ops::Range<usize>) -> String {
    range.map(|index| index.to_string()).collect::<Vec<_>>().join(";")
}
