//! Servers that speak as the documentations of Photon (docs/api-v1.md of komoot/photon) and of Nominatim
//! (nominatim.org/release-docs/latest/api) say.

use actix_web::HttpResponse;
use roadcall::service::settings::{PlaceProvider, PlaceSettings};
use serde_json::{Value, json};

use super::peer::{Peer, PeerRequest, Provider};

#[derive(Default)]
pub enum Geocoder {
    #[default]
    Photon,
    Nominatim,
}

pub type GeocoderPeer = Peer<Geocoder>;

impl Provider for Geocoder {
    fn answer(&mut self, request: &PeerRequest) -> HttpResponse {
        match self {
            Self::Photon => photon(request),
            Self::Nominatim => nominatim(request),
        }
    }
}

impl GeocoderPeer {
    pub async fn photon() -> Self {
        Self::start().await
    }

    pub async fn nominatim() -> Self {
        let peer = Self::start().await;
        *peer.provider() = Geocoder::Nominatim;
        peer
    }

    /// Changes settings to ask this peer.
    pub fn set(&self, settings: &mut PlaceSettings, provider: PlaceProvider) {
        settings.provider = provider;
        settings.url = self.url();
        settings.timeout_ms = 10_000;
        settings.requests_per_second = 1_000.0;
    }
}

fn photon(asked: &PeerRequest) -> HttpResponse {
    let parameters = asked.parameters();
    let is_known = |name: &String| ["q", "lat", "lon", "limit"].contains(&name.as_str());
    let refused = |why: &str| HttpResponse::BadRequest().json(json!({"message": why}));
    if !parameters.keys().all(is_known) {
        return refused("unknown query parameter");
    }
    let features = match asked.path.as_str() {
        "/api" if parameters.contains_key("q") => vec![pub_of_photon(), street_of_photon()],
        "/reverse" if parameters.contains_key("lat") && parameters.contains_key("lon") => {
            // Nothing is known at sea.
            if parameters["lat"].starts_with('0') { Vec::new() } else { vec![house_of_photon()] }
        }
        _ => return refused("missing parameter"),
    };
    let most = parameters.get("limit").map_or(1, |limit| limit.parse().unwrap());
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

fn nominatim(asked: &PeerRequest) -> HttpResponse {
    let parameters = asked.parameters();
    let of = |name: &str| parameters.get(name).map(String::as_str).unwrap_or_default();
    // A client that does not identify itself is refused.
    if !asked.header("user-agent").is_some_and(|agent| agent.starts_with("roadcall/")) {
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
