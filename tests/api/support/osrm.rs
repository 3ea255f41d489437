//! A router that speaks as OSRM's documentation says (docs/http.md of osrm-backend), on a port of its own.

use std::sync::{Arc, Mutex};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::within;

/// Latitude and longitude.
type Place = (f64, f64);

/// The way in which the router responds from now on.
#[derive(Debug, Clone)]
pub enum Manner {
    /// From an origin near one of these places, it takes this many seconds to anywhere; `None` if there is no route. From
    /// any other origin, it takes ten minutes. A route leads straight east or west, then straight north or south.
    Roads(Vec<(Place, Option<f64>)>),
    /// It responds as with `Roads`, but moves every coordinate this many degrees north to the nearest road.
    Moved(f64),
    /// It answers with this status, content type and body.
    Says(u16, &'static str, String),
    /// It redirects there.
    Elsewhere(String),
    /// It takes the request and does not respond.
    Silent,
    /// It ends the connection within the body.
    Cut,
}

/// The router. It ends with the test.
pub struct OsrmPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

struct State {
    manner: Mutex<Manner>,
    /// Path and query, and the Authorization header.
    requests: Mutex<Vec<(String, Option<String>)>>,
}

impl OsrmPeer {
    pub async fn start(manner: Manner) -> Self {
        let state = Arc::new(State { manner: Mutex::new(manner), requests: Mutex::default() });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(answer))
        });
        // A connection that outlives its request would outlive the peer's death.
        let server = server.keep_alive(KeepAlive::Disabled);
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn answer_as(&self, manner: Manner) {
        *self.state.manner.lock().unwrap() = manner;
    }

    /// Returns path and query of all requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.state.requests.lock().unwrap().iter().map(|(line, _)| line.clone()).collect()
    }

    /// Returns how many of them were for a route.
    pub fn routes_asked(&self) -> usize {
        self.asked().iter().filter(|line| line.contains("/route/v1/")).count()
    }

    /// Returns the Authorization header of the last request.
    pub fn credentials(&self) -> Option<String> {
        self.state.requests.lock().unwrap().last().and_then(|(_, credentials)| credentials.clone())
    }

    /// Makes its port refuse connections from now on.
    pub async fn die(&self) {
        self.server.stop(false).await;
        let closed = async {
            // Nothing signals that a port was closed.
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        within("the port closes", closed).await;
    }
}

impl Drop for OsrmPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn answer(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let line = format!("{}?{}", request.path(), request.query_string());
    let credentials = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let credentials = credentials.map(str::to_owned);
    state.requests.lock().unwrap().push((line.clone(), credentials));
    let manner = state.manner.lock().unwrap().clone();
    match manner {
        Manner::Roads(roads) => by_roads(&line, &roads, 0.0),
        Manner::Moved(degrees) => by_roads(&line, &[], degrees),
        Manner::Says(status, kind, body) => {
            HttpResponse::build(StatusCode::from_u16(status).unwrap()).content_type(kind).body(body)
        }
        Manner::Elsewhere(url) => HttpResponse::Found().insert_header(("location", url)).finish(),
        Manner::Silent => std::future::pending().await,
        Manner::Cut => {
            let pieces =
                [Ok(Bytes::from_static(b"{\"code\":\"Ok\",\"dur")), Err(std::io::Error::other("cut"))];
            HttpResponse::Ok().content_type("application/json").streaming(stream::iter(pieces))
        }
    }
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
