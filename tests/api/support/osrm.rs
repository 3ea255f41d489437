//! A router that speaks as OSRM's documentation says (docs/http.md of osrm-backend).

use actix_web::HttpResponse;
use serde_json::{Value, json};

use super::peer::{Peer, PeerRequest, Provider};

/// Latitude and longitude.
type Place = (f64, f64);
/// From an origin near one of these places, it takes this many seconds to anywhere; `None` if there is no route. From any other
/// origin, it takes ten minutes. A route leads straight east or west, then straight north or south.
type Roads = Vec<(Place, Option<f64>)>;

#[derive(Default)]
pub struct Osrm {
    roads: Roads,
    /// How far north of each coordinate the nearest road is, in degrees.
    moved: f64,
}

pub type OsrmPeer = Peer<Osrm>;

impl Provider for Osrm {
    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        by_roads(&target(request), &self.roads, self.moved)
    }
}

impl OsrmPeer {
    pub async fn with_roads(roads: Roads) -> Self {
        let peer = Self::start().await;
        peer.set_roads(roads);
        peer
    }

    pub fn set_roads(&self, roads: Roads) {
        *self.provider() = Osrm { roads, moved: 0.0 };
    }

    /// Moves the nearest road this many degrees north of every coordinate; each way takes ten minutes then.
    pub fn move_roads(&self, degrees: f64) {
        *self.provider() = Osrm { roads: Vec::new(), moved: degrees };
    }

    /// Returns path and query of all requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.requests().iter().map(target).collect()
    }

    /// Returns how many of them were for a route.
    pub fn routes_asked(&self) -> usize {
        self.asked().iter().filter(|line| line.contains("/route/v1/")).count()
    }
}

fn target(request: &PeerRequest) -> String {
    format!("{}?{}", request.path, request.query)
}

/// Returns the answer of the requested OSRM service, or its refusal.
fn by_roads(line: &str, roads: &[(Place, Option<f64>)], moved: f64) -> HttpResponse {
    let seconds = |from: Place| {
        let near = roads.iter().find(|(place, _)| (place.0 - from.0).hypot(place.1 - from.1) < 0.0005);
        near.map_or(Some(600.0), |(_, seconds)| *seconds)
    };
    let waypoint =
        |place: &Place| json!({"name": "a road", "location": [place.1, place.0 + moved], "distance": 4.2});
    if let Some((from, to)) = asked_route(line) {
        let Some(seconds) = seconds(from) else {
            let refusal = json!({"code": "NoRoute", "message": "Impossible route between points"});
            return HttpResponse::BadRequest().json(refusal);
        };
        let points = [from, (from.0, to.1), to].map(|(lat, lng)| [lng, lat + moved]);
        let metres = 111_195.0 * ((to.0 - from.0).abs() + (to.1 - from.1).abs() * to.0.to_radians().cos());
        let route = json!({"duration": seconds, "distance": metres, "weight": seconds, "weight_name": "routability",
            "legs": [], "geometry": {"type": "LineString", "coordinates": points}});
        let waypoints = [from, to].map(|place| waypoint(&place));
        return HttpResponse::Ok().json(json!({"code": "Ok", "routes": [route], "waypoints": waypoints}));
    }
    let Some(asked) = Asked::read(line) else {
        let refusal = json!({"code": "InvalidQuery", "message": "Query string malformed"});
        return HttpResponse::BadRequest().json(refusal);
    };
    let row = |from: &Place| vec![json!(seconds(*from)); asked.destinations.len()];
    HttpResponse::Ok().json(json!({
        "code": "Ok",
        "durations": asked.sources.iter().map(row).collect::<Vec<Vec<Value>>>(),
        "sources": asked.sources.iter().map(waypoint).collect::<Vec<_>>(),
        "destinations": asked.destinations.iter().map(waypoint).collect::<Vec<_>>(),
    }))
}

/// Returns the two places of a request for a route, with its whole line or without one.
fn asked_route(line: &str) -> Option<(Place, Place)> {
    let (path, query) = line.split_once('?')?;
    let has = |wanted: &str| query.split('&').any(|pair| pair == wanted);
    let is_known = has("overview=full") && has("geometries=geojson") || has("overview=false");
    let (from, to) = path.split_once("/route/v1/driving/")?.1.split_once(';')?;
    Some((place(from)?, place(to)?)).filter(|_| is_known)
}

/// Reads a longitude and a latitude.
fn place(text: &str) -> Option<Place> {
    let (lng, lat) = text.split_once(',')?;
    Some((lat.parse().ok()?, lng.parse().ok()?))
}

struct Asked {
    sources: Vec<Place>,
    destinations: Vec<Place>,
}

impl Asked {
    fn read(line: &str) -> Option<Self> {
        let (path, query) = line.split_once('?')?;
        let coordinates = path.split_once("/table/v1/driving/")?.1.split(';');
        let places: Vec<Place> = coordinates.map(place).collect::<Option<_>>()?;
        let of = |name: &str| -> Option<Vec<Place>> {
            let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
            value.split(';').map(|index| places.get(index.parse::<usize>().ok()?).copied()).collect()
        };
        Some(Self { sources: of("sources")?, destinations: of("destinations")? })
    }
}
