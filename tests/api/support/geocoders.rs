//! Servers that speak as the documentations of Photon (docs/api-v1.md of komoot/photon) and of Nominatim
//! (nominatim.org/release-docs/latest/api) say, each on a port of its own.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use futures_util::stream;
use roadcall::service::settings::{PlaceProvider, PlaceSettings};
use serde_json::{Value, json};
use tokio::sync::watch;

/// The server's way of answering from now on.
#[derive(Debug, Clone)]
pub enum Speech {
    Photon,
    Nominatim,
    /// It answers with this status, content type and body.
    Says(u16, &'static str, String),
    /// It redirects there.
    Elsewhere(String),
    /// It takes the request and does not respond.
    Silent,
    /// It ends the connection within the body.
    Cut,
}

/// A request: its path, its parameters, and its headers in lower case.
#[derive(Debug, Clone, Default)]
pub struct AskedPlaces {
    pub path: String,
    pub parameters: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
}

/// The server. It ends with the test.
pub struct GeocoderPeer {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
}

struct State {
    speech: Mutex<Speech>,
    asked: watch::Sender<Vec<AskedPlaces>>,
}

impl GeocoderPeer {
    pub async fn start(speech: Speech) -> Self {
        let state = Arc::new(State { speech: Mutex::new(speech), asked: watch::Sender::default() });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(answer))
        });
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle }
    }

    /// Changes settings to ask this peer.
    pub fn set(&self, settings: &mut PlaceSettings, provider: PlaceProvider) {
        settings.provider = provider;
        settings.url = self.url();
        settings.timeout_ms = 10_000;
        settings.requests_per_second = 1_000.0;
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn answer_as(&self, speech: Speech) {
        *self.state.speech.lock().unwrap() = speech;
    }

    pub fn asked(&self) -> Vec<AskedPlaces> {
        self.state.asked.borrow().clone()
    }
}

impl Drop for GeocoderPeer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn answer(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let parameters = url::form_urlencoded::parse(request.query_string().as_bytes()).into_owned().collect();
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("").to_owned()));
    let asked = AskedPlaces { path: request.path().to_owned(), parameters, headers: headers.collect() };
    state.asked.send_modify(|all| all.push(asked.clone()));
    let speech = state.speech.lock().unwrap().clone();
    match speech {
        Speech::Photon => photon(&asked),
        Speech::Nominatim => nominatim(&asked),
        Speech::Says(status, kind, body) => {
            HttpResponse::build(StatusCode::from_u16(status).unwrap()).content_type(kind).body(body)
        }
        Speech::Elsewhere(url) => HttpResponse::Found().insert_header(("location", url)).finish(),
        Speech::Silent => std::future::pending().await,
        Speech::Cut => {
            let pieces =
                [Ok(Bytes::from_static(b"{\"features\":[{\"geo")), Err(std::io::Error::other("cut"))];
            HttpResponse::Ok().content_type("application/json").streaming(stream::iter(pieces))
        }
    }
}

fn photon(asked: &AskedPlaces) -> HttpResponse {
    let is_known = |name: &String| ["q", "lat", "lon", "limit"].contains(&name.as_str());
    let refused = |why: &str| HttpResponse::BadRequest().json(json!({"message": why}));
    if !asked.parameters.keys().all(is_known) {
        return refused("unknown query parameter");
    }
    let features = match asked.path.as_str() {
        "/api" if asked.parameters.contains_key("q") => vec![pub_of_photon(), street_of_photon()],
        "/reverse" if asked.parameters.contains_key("lat") && asked.parameters.contains_key("lon") => {
            // Nothing is known at sea.
            if asked.parameters["lat"].starts_with('0') { Vec::new() } else { vec![house_of_photon()] }
        }
        _ => return refused("missing parameter"),
    };
    let most = asked.parameters.get("limit").map_or(1, |limit| limit.parse().unwrap());
    let features: Vec<Value> = features.into_iter().take(most).collect();
    HttpResponse::Ok()
        .content_type("application/json;charset=utf-8")
        .body(json!({"type": "FeatureCollection", "features": features}).to_string())
}

fn feature(lng: f64, lat: f64, properties: Value) -> Value {
    json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [lng, lat]}, "properties": properties})
}

fn pub_of_photon() -> Value {
    let properties = json!({"osm_type": "N", "osm_id": 2_612_460_134_u64, "osm_key": "amenity", "osm_value": "pub",
        "type": "house", "countrycode": "IN", "name": "Toit", "housenumber": "298", "street": "100 Feet Road",
        "postcode": "560038", "locality": "Stage 2", "district": "Indiranagar", "city": "Bengaluru",
        "county": "Bangalore East", "state": "Karnataka", "country": "India"});
    feature(77.640_701_2, 12.979_150_4, properties)
}

fn street_of_photon() -> Value {
    let properties = json!({"osm_type": "W", "osm_id": 22_946_577, "osm_key": "highway", "osm_value": "secondary",
        "type": "street", "countrycode": "IN", "name": "Toit Lane", "city": "Bengaluru", "state": "Karnataka",
        "country": "India", "extent": [77.64, 12.98, 77.65, 12.97]});
    feature(77.645_55, 12.975, properties)
}

fn house_of_photon() -> Value {
    let properties = json!({"osm_type": "W", "osm_id": 4_711, "osm_key": "building", "osm_value": "yes", "type": "house",
        "countrycode": "IN", "housenumber": "12", "street": "MG Road", "district": "Ashok Nagar",
        "city": "Bengaluru", "postcode": "560001", "state": "Karnataka", "country": "India"});
    feature(77.616_98, 12.973_02, properties)
}

fn nominatim(asked: &AskedPlaces) -> HttpResponse {
    let of = |name: &str| asked.parameters.get(name).map(String::as_str).unwrap_or_default();
    // A client that does not identify itself is refused.
    if !asked.headers.get("user-agent").is_some_and(|agent| agent.starts_with("roadcall/")) {
        return HttpResponse::Forbidden().finish();
    }
    if of("format") != "jsonv2" {
        return HttpResponse::Ok().content_type("text/html; charset=utf-8").body("<html></html>");
    }
    let place = |name: Value, category: &str, kind: &str, addresstype: &str, lat: &str, address: Value| {
        json!({"place_id": 218_354_711, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
            "osm_type": "way", "osm_id": 22_946_577, "lat": lat, "lon": "77.6169811", "category": category,
            "type": kind, "place_rank": 26, "importance": 0.1, "addresstype": addresstype, "name": name,
            "display_name": "Trinity Circle, MG Road, Ashok Nagar, Bengaluru, Karnataka, 560001, India",
            "address": address, "boundingbox": ["12.97", "12.98", "77.61", "77.62"]})
    };
    let address = json!({"road": "MG Road", "suburb": "Ashok Nagar", "city": "Bengaluru", "county": "Bangalore North",
        "state": "Karnataka", "ISO3166-2-lvl4": "IN-KA", "postcode": "560001", "country": "India", "country_code": "in"});
    let answer = match asked.path.as_str() {
        "/search" if !of("q").is_empty() => json!([
            place(json!("Trinity Circle"), "junction", "yes", "junction", "12.9730112", address),
            place(
                json!("Trinity"),
                "place",
                "suburb",
                "suburb",
                "12.9730112",
                json!({"suburb": "Trinity",
                "city": "Bengaluru", "country": "India"})
            ),
        ]),
        "/reverse" if of("lat").starts_with('0') => json!({"error": "Unable to geocode"}),
        "/reverse" if !of("lat").is_empty() && !of("lon").is_empty() => {
            place(json!("MG Road"), "highway", "primary", "road", "12.97297", address)
        }
        _ => {
            let error = json!({"error": {"code": 400, "message": "Parameter missing"}});
            return HttpResponse::BadRequest().content_type("application/json").body(error.to_string());
        }
    };
    HttpResponse::Ok().content_type("application/json; charset=utf-8").body(answer.to_string())
}
