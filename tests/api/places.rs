//! Places by name and the address at a point, as apps request them.

use std::time::Duration;

use reqwest::Method;
use roadcall::service::settings::PlaceProvider;
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, geocoders::GeocoderPeer, limits_of_production, peer::says, spawn_app, spawn_app_with,
    spawn_with_admin, spawn_with_customer,
};

const CREDIT: &str = "© OpenStreetMap contributors";

async fn in_language(client: &Client, path: &str, language: &str) -> Answer {
    client.send_as(Method::GET, path, |request| request.header("accept-language", language)).await
}

#[actix_web::test]
async fn the_demo_citys_places_are_found_without_a_network_in_each_language() {
    let app = spawn_app().await;
    let config = app.anonymous().get("/config").await.expect(200);
    let sketch = json!({"as_you_type": true, "attribution": null, "attribution_url": null});
    assert_eq!(config["places"], sketch);
    let customer = app.customer().await;
    let found = customer.get("/places?q=trinity%20circ").await.expect(200);
    assert_eq!(found["attribution"], Value::Null);
    let place = &found["data"][0];
    assert_eq!((&place["name"], &place["kind"]), (&json!("Trinity Circle"), &json!("landmark")));
    assert_eq!((&place["lat"], &place["lng"]), (&json!(12.973), &json!(77.617)));
    let address = place["address"].as_str().unwrap();
    assert!(address.starts_with("Trinity Circle, ") && address.ends_with(", Bengaluru"), "{address}");
    let found = in_language(&customer, "/places?q=trinity", "kn-IN, en;q=0.5").await.expect(200);
    assert_eq!(found["data"][0]["name"], "ಟ್ರಿನಿಟಿ ವೃತ್ತ");

    let there = customer.get("/places/reverse?lat=12.97305&lng=77.61695").await.expect(200);
    assert_eq!(there["place"]["address"], address);
    let nowhere = customer.get("/places/reverse?lat=-41.3&lng=174.8").await.expect(200);
    assert_eq!(nowhere, json!({"place": null, "attribution": null}));
}

#[actix_web::test]
async fn places_near_a_point_come_first_up_to_the_limit() {
    let (_app, admin) = spawn_with_admin().await;
    let nearest = async |near: &str| {
        let found = admin.get(&format!("/places?q=lake&limit=1&{near}")).await.expect(200);
        assert_eq!(found["data"].as_array().map(Vec::len), Some(1));
        found["data"][0]["name"].clone()
    };
    assert_eq!(nearest("near_lat=12.9830&near_lng=77.6200").await, "Ulsoor Lake");
    assert_eq!(nearest("near_lat=13.0450&near_lng=77.5870").await, "Hebbal Lake");
    let usual = admin.get("/places?q=lake").await.expect(200);
    assert_eq!(usual["data"].as_array().map(Vec::len), Some(5));
}

#[actix_web::test]
async fn a_bad_search_names_its_field() {
    let (_app, customer) = spawn_with_customer().await;
    let long = "x".repeat(1_001);
    for (query, field) in [
        (String::new(), "q"),
        ("q=%20a%20".to_owned(), "q"),
        (format!("q={long}"), "q"),
        ("q=mg%00road".to_owned(), "q"),
        ("q=mg&limit=0".to_owned(), "limit"),
        ("q=mg&limit=11".to_owned(), "limit"),
        ("q=mg&limit=some".to_owned(), "limit"),
        ("q=mg&near_lat=12.9".to_owned(), "near_lng"),
        ("q=mg&near_lng=77.6".to_owned(), "near_lat"),
        ("q=mg&near_lat=91&near_lng=77.6".to_owned(), "near_lat"),
        ("q=mg&near_lat=12.9&near_lng=NaN".to_owned(), "near_lng"),
        ("q=mg&radius=3".to_owned(), "radius"),
    ] {
        customer.get(&format!("/places?{query}")).await.refused_field(field);
    }
    for (query, field) in [
        ("lat=12.9", "lng"),
        ("lng=77.6", "lat"),
        ("lat=-90.1&lng=77.6", "lat"),
        ("lat=12.9&lng=181", "lng"),
        ("lat=inf&lng=77.6", "lat"),
        ("lat=12.9&lng=77.6&zoom=18", "zoom"),
    ] {
        customer.get(&format!("/places/reverse?{query}")).await.refused_field(field);
    }
}

#[actix_web::test]
async fn a_third_party_service_is_asked_in_the_callers_language_and_credited() {
    let peer = GeocoderPeer::photon().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.places, PlaceProvider::Photon)).await;
    let config = app.anonymous().get("/config").await.expect(200);
    let link = "https://www.openstreetmap.org/copyright";
    let asked = json!({"as_you_type": true, "attribution": CREDIT, "attribution_url": link});
    assert_eq!(config["places"], asked);
    let customer = app.customer().await;
    let found = in_language(&customer, "/places?q=Toit", "hi").await.expect(200);
    let toit = json!({"name": "Toit", "address": "Toit, 298, 100 Feet Road, Stage 2, Bengaluru 560038",
        "lat": 12.97915, "lng": 77.6407, "kind": "landmark"});
    assert_eq!((&found["data"][0], &found["attribution"]), (&toit, &json!(CREDIT)));
    let request = peer.requests().remove(0);
    assert_eq!(request.headers["accept-language"], "hi, en;q=0.5");
    assert_eq!(request.parameters()["lat"], "12.97", "where maps begin, if the caller says nothing");
    let admin = app.admin().await;
    in_language(&admin, "/places?q=toit&limit=1", "hi").await.expect(200);
    assert_eq!(peer.count(), 1, "what one has found another needs not ask for");

    let peer = GeocoderPeer::nominatim().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.places, PlaceProvider::Nominatim)).await;
    let config = app.anonymous().get("/config").await.expect(200);
    assert_eq!(config["places"]["as_you_type"], false, "it finds whole names alone");
    let there = app.customer().await.get("/places/reverse?lat=12.97297&lng=77.61701").await.expect(200);
    assert_eq!(there["place"]["address"], "MG Road, Ashok Nagar, Bengaluru 560001");
    assert_eq!(there["attribution"], CREDIT);
}

#[actix_web::test]
async fn a_typed_coordinate_is_found_without_asking_a_service() {
    let peer = GeocoderPeer::photon().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.places, PlaceProvider::Photon)).await;
    let customer = app.customer().await;
    let find = async |text: &str| {
        let path: String =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
        customer.get(&format!("/places?{path}")).await.expect(200)["data"].clone()
    };
    let point = |lat: f64, lng: f64| {
        let name = format!("{lat:.5}, {lng:.5}");
        json!([{"name": name, "address": name, "lat": lat, "lng": lng, "kind": "landmark"}])
    };
    let long = format!("https://www.google.com/maps/place/{}/data=!3d12.9716!4d77.5946", "x".repeat(500));
    for text in [
        "12.9716, 77.5946",
        "12.9716° N, 77.5946° E",
        "geo:12.9716,77.5946?z=17",
        "I am here: https://maps.google.com/?q=12.9716,77.5946",
        long.as_str(),
    ] {
        assert_eq!(find(text).await, point(12.9716, 77.5946), "{text}");
    }
    assert_eq!(find("7J4VXHCV+JR Bengaluru").await, point(12.97156, 77.59456));
    for text in ["https://maps.app.goo.gl/AbCdEf123", "x".repeat(101).as_str()] {
        assert_eq!(find(text).await, json!([]), "{text}");
    }
    assert_eq!(peer.count(), 0);
    find("Toit").await;
    assert_eq!(peer.count(), 1);
}

#[actix_web::test]
async fn a_failing_service_is_reported_and_left_alone() {
    let peer = GeocoderPeer::photon().await;
    peer.answer_as(says(200, "<html>an error page</html>").with("content-type", "text/html"));
    let app = spawn_app_with(|settings| peer.set(&mut settings.places, PlaceProvider::Photon)).await;
    let customer = app.customer().await;
    app.service.clock.stop();
    for number in 0..5 {
        customer.get(&format!("/places?q=place{number}")).await.refused(502, "PROVIDER_ERROR");
    }
    let answer = customer.get("/places?q=another").await;
    assert_eq!(answer.header("retry-after"), Some("5"));
    answer.refused(503, "UNAVAILABLE");
    assert_eq!(peer.count(), 5);
    app.service.clock.advance(Duration::from_secs(5));
    customer.get("/places?q=another").await.refused(502, "PROVIDER_ERROR");
}

#[actix_web::test]
async fn searches_of_a_person_are_limited() {
    let alter = |settings: &mut roadcall::service::settings::Settings| {
        limits_of_production(settings);
        settings.limits.places_per_minute = 3;
    };
    let app = spawn_app_with(alter).await;
    let (customer, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    customer.get("/places?q=lake").await.expect(200);
    customer.get("/api/v1/places?q=lake").await.expect(200);
    customer.get("/places/reverse?lat=12.9&lng=77.6").await.expect(200);
    customer.get("/places?q=lake").await.refused(429, "RATE_LIMITED");
    customer.get("/users/me").await.expect(200);
    other.get("/places?q=lake").await.expect(200);
}

#[actix_web::test]
async fn one_person_cannot_use_up_the_place_search() {
    let peer = GeocoderPeer::photon().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.places, PlaceProvider::Photon)).await;
    let (customer, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    for number in 0..6 {
        customer.get(&format!("/places?q=place{number}")).await.expect(200);
    }
    let refused = customer.get("/places?q=another").await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    refused.refused(429, "RATE_LIMITED");
    customer.get("/places?q=place0").await.expect(200);
    other.get("/places?q=another").await.expect(200);
    assert_eq!(peer.count(), 7);
}

#[actix_web::test]
async fn apps_learn_that_there_is_no_place_search() {
    let app = spawn_app_with(|settings| settings.places.provider = PlaceProvider::None).await;
    assert_eq!(app.anonymous().get("/config").await.expect(200)["places"], Value::Null);
    let customer = app.customer().await;
    customer.get("/places?q=lake").await.refused(404, "NOT_FOUND");
    customer.get("/places/reverse?lat=12.9&lng=77.6").await.refused(404, "NOT_FOUND");
}
