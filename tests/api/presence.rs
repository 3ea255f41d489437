use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};

use crate::support::{
    Client, TestApp,
    bodies::{FLAT_TYRE, TOWING, with, without},
    spawn_app, spawn_with_admin, until_so,
};

const HERE: (f64, f64) = (12.9716, 77.5946);

fn nearby(query: &str) -> String {
    format!("/mechanics/nearby?lat={}&lng={}&{query}", HERE.0, HERE.1)
}

async fn count_nearby(customer: &Client, category: &str) -> Value {
    let path = nearby(&format!("vehicle_type=four_wheeler&service_category_id={category}"));
    customer.get(&path).await.expect(200)["count"].clone()
}

fn at(app: &TestApp, seconds: i64) -> String {
    let at: DateTime<Utc> = app.service.clock.now() + TimeDelta::seconds(seconds);
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn point(app: &TestApp, seq: i64, seconds: i64) -> Value {
    json!({"seq": seq, "lat": HERE.0, "lng": HERE.1, "accuracy_m": 8, "recorded_at": at(app, seconds)})
}

#[actix_web::test]
async fn a_verified_mechanic_turns_availability_on_and_off() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    for is_available in [true, true, false, false] {
        let body = json!({"is_available": is_available});
        let shown = mechanic.put("/mechanics/me/availability", body).await.expect(200);
        assert_eq!(shown["is_available"], is_available);
        let own = mechanic.get("/mechanics/me").await.expect(200);
        for (field, value) in shown.as_object().expect("an object") {
            assert_eq!(own[field], *value, "{field}");
        }
    }
}

#[actix_web::test]
async fn only_a_verified_mechanic_can_be_available() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.registered_mechanic().await;
    let wish = json!({"is_available": true});
    let ask = || mechanic.client.put("/mechanics/me/availability", wish.clone());
    ask().await.refused(403, "NOT_VERIFIED");
    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    admin.post(&format!("{path}/verify"), json!({})).await.expect(200);
    ask().await.expect(200);
    admin.post(&format!("{path}/suspend"), json!({"reason": "Complaints."})).await.expect(200);
    ask().await.refused(403, "NOT_VERIFIED");
    app.customer().await.put("/mechanics/me/availability", json!({"odd": 1})).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn an_available_mechanic_with_a_position_is_online_and_changes_apply_at_once() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mechanic = app.verified_mechanic(&admin).await;
    assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 0);
    mechanic.client.put("/mechanics/me/availability", json!({"is_available": true})).await.expect(200);
    assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 0, "nobody knows where they are");
    let wish = json!({"is_available": true, "lat": HERE.0, "lng": HERE.1});
    mechanic.client.put("/mechanics/me/availability", wish).await.expect(200);
    assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 1);
    assert_eq!(count_nearby(&customer, TOWING).await, 0);
    app.serve(&admin, &mechanic.client, json!({"service_category_ids": [TOWING]})).await;
    assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 0);
    assert_eq!(count_nearby(&customer, TOWING).await, 1);
    let path = format!("/admin/mechanics/{}/suspend", mechanic.profile_id);
    admin.post(&path, json!({"reason": "Complaints."})).await.expect(200);
    assert_eq!(count_nearby(&customer, TOWING).await, 0);
}

#[actix_web::test]
async fn nearby_shows_numbers_and_times_but_no_people_and_no_exact_places() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mechanic = app.verified_mechanic(&admin).await.client;
    let (lat, lng) = (HERE.0 + 0.01, HERE.1);
    let body = json!({"is_available": true, "lat": lat, "lng": lng});
    mechanic.put("/mechanics/me/availability", body).await.expect(200);
    let path = nearby(&format!("vehicle_type=two_wheeler&service_category_id={FLAT_TYRE}"));
    let shown = customer.get(&path).await.expect(200);
    assert_eq!(shown["count"], 1);
    assert!(shown["nearest_eta_s"].as_u64().expect("an ETA") > 60, "{shown}");
    let position = &shown["positions"][0];
    let off = (position["lat"].as_f64().expect("a latitude") - lat).abs();
    assert!(off > 0.0 && off < 0.0019, "{position} is not the centre of its cell of 200 m");
    for (query, named) in [
        ("service_category_id=x&vehicle_type=two_wheeler", "service_category_id"),
        (
            "service_category_id=018f0000-0000-7000-8000-00000000dead&vehicle_type=two_wheeler",
            "service_category_id",
        ),
        (&format!("service_category_id={FLAT_TYRE}&vehicle_type=boat"), "vehicle_type"),
        (&format!("service_category_id={FLAT_TYRE}"), "vehicle_type"),
        (&format!("service_category_id={FLAT_TYRE}&vehicle_type=two_wheeler&lat=91"), "lat"),
    ] {
        customer.get(&nearby(query)).await.refused_field(named);
    }
    admin.get(&path).await.refused(403, "FORBIDDEN");
}

/// Returns everything that a customer can find out about the mechanics around a place, before a job is created.
async fn shown_around(customer: &Client, vehicle_id: &Value, (lat, lng): (f64, f64)) -> (Value, Value) {
    let query = format!("lat={lat}&lng={lng}&vehicle_type=two_wheeler&service_category_id={FLAT_TYRE}");
    let body = json!({"vehicle_id": vehicle_id, "service_category_id": FLAT_TYRE, "pickup_lat": lat, "pickup_lng": lng});
    let nearby = customer.get(&format!("/mechanics/nearby?{query}")).await.expect(200);
    (nearby, customer.post("/jobs/estimate", body).await.expect(200))
}

#[actix_web::test]
async fn requests_from_many_places_reveal_only_the_cell_of_a_mechanic() {
    let app = spawn_app().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let cell = Point::new(HERE.0, HERE.1).snapped(200.0);
    // The places are closely around the cell, where minutes and started kilometres change, and around the outermost ring
    // (20 km).
    let ring = |metres: f64| (cell.lat + metres / 111_195.0, cell.lng);
    let mut places: Vec<_> = (0..8).map(|n| (HERE.0 + 0.0013 * f64::from(n - 4), HERE.1 + 0.002)).collect();
    places.extend([5_020.0, 5_980.0, 6_030.0, 19_930.0, 19_980.0, 20_020.0, 20_070.0].map(ring));
    let mut seen = Vec::new();
    // They are nearly 240 m apart, in opposite corners.
    for side in [-1.0, 1.0] {
        let mechanic = app.verified_mechanic(&admin).await;
        let (lat, lng) = (cell.lat + side * 0.00085, cell.lng + side * 0.00085);
        assert_eq!(Point::new(lat, lng).snapped(200.0), cell);
        let wish = json!({"is_available": true, "lat": lat, "lng": lng});
        mechanic.client.patch("/mechanics/me", json!({"service_radius_km": 40})).await.expect(200);
        mechanic.client.put("/mechanics/me/availability", wish).await.expect(200);
        let stored = "select last_lat is not null from mechanic_profiles where id = $1::uuid";
        let is_stored = async || app.value::<bool>(stored, &[&mechanic.profile_id]).await;
        until_so("the position is stored", is_stored).await;
        let mut shown = Vec::new();
        for place in &places {
            shown.push(shown_around(&stranded.client, &json!(stranded.vehicle_id), *place).await);
        }
        mechanic.client.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
        seen.push(shown);
    }
    assert_eq!(seen[0], seen[1]);
    let counts: Vec<_> = seen[0].iter().map(|(nearby, _)| nearby["count"].clone()).collect();
    assert_eq!(counts[13..], [json!(0), json!(0)], "beyond the ring");
    assert!(counts[..13].iter().all(|count| *count == 1), "{counts:?}");
    for (nearby, estimate) in &seen[0][..13] {
        assert_eq!(nearby["nearest_eta_s"].as_u64().map(|eta_s| eta_s % 60), Some(0), "{nearby}");
        assert_eq!(estimate["available_mechanics"], 1);
    }
}

#[actix_web::test]
async fn a_bad_availability_setting_names_its_field() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    for (body, named) in [
        (json!({}), "is_available"),
        (json!({"is_available": "yes"}), "is_available"),
        (json!({"is_available": true, "lat": 1}), "lng"),
        (json!({"is_available": true, "lng": 1}), "lat"),
        (json!({"is_available": true, "lat": 91, "lng": 1}), "lat"),
    ] {
        mechanic.put("/mechanics/me/availability", body).await.refused_field(named);
    }
}

#[actix_web::test]
async fn a_simultaneous_change_of_the_profile_does_not_undo_the_availability_setting() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mechanic = app.verified_mechanic(&admin).await.client;
    mechanic.put("/mechanics/me/availability", at_here(false)).await.expect(200);
    for round in 0..10 {
        let wanted = round % 2 == 0;
        let wish = mechanic.put("/mechanics/me/availability", at_here(wanted));
        let change = mechanic.patch("/mechanics/me", json!({"service_radius_km": 10 + round}));
        let (wish, change) = futures_util::future::join(wish, change).await;
        wish.expect(200);
        change.expect(200);
        assert_eq!(mechanic.get("/mechanics/me").await.expect(200)["is_available"], wanted);
        assert_eq!(count_nearby(&customer, FLAT_TYRE).await, i32::from(wanted), "round {round}");
    }
}

fn at_here(is_available: bool) -> Value {
    json!({"is_available": is_available, "lat": HERE.0, "lng": HERE.1})
}

#[actix_web::test]
async fn points_are_stored_once_and_the_answer_has_the_result_of_each() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await.client;
    let points = [point(&app, 7, -20), point(&app, 8, -10), point(&app, 9, 0)];
    let first = mechanic.post("/mechanics/me/location", json!({"points": points[..2]})).await.expect(200);
    assert_eq!(first["accepted"], 2);
    assert_eq!(first["duplicates"], 0);
    assert_eq!(first["last_seq"], 8);
    assert!(first["next_interval_s"].as_u64().expect("seconds") <= 20);
    let resent = mechanic.post("/mechanics/me/location", json!({"points": points})).await.expect(200);
    assert_eq!(resent["accepted"], 1);
    assert_eq!(resent["duplicates"], 2);
    assert_eq!(resent["last_seq"], 9);
    let odd = [point(&app, 10, 100 * 3600), point(&app, 11, -100 * 3600)];
    let odd = mechanic.post("/mechanics/me/location", json!({"points": odd})).await.expect(200);
    assert_eq!(odd["accepted"], 0);
    let expected = json!([{"seq": 11, "reason": "too_old"}, {"seq": 10, "reason": "recorded_in_the_future"}]);
    assert_eq!(odd["rejected"], expected);
}

#[actix_web::test]
async fn a_backlog_sent_point_by_point_is_not_a_current_position() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mechanic = app.verified_mechanic(&admin).await.client;
    mechanic.put("/mechanics/me/availability", json!({"is_available": true})).await.expect(200);
    for seq in 0..8 {
        let points = [point(&app, seq, seq * 3 - 1_800)];
        let receipt = mechanic.post("/mechanics/me/location", json!({"points": points})).await.expect(200);
        assert_eq!(receipt["accepted"], 1);
        assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 0, "after {seq}");
    }
    let points = [point(&app, 9, 0)];
    mechanic.post("/mechanics/me/location", json!({"points": points})).await.expect(200);
    assert_eq!(count_nearby(&customer, FLAT_TYRE).await, 1);
}

#[actix_web::test]
async fn a_bad_point_names_its_field() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    let good = point(&app, 1, 0);
    let send = |points: Value| mechanic.post("/mechanics/me/location", json!({ "points": points }));
    for field in ["seq", "lat", "lng", "recorded_at"] {
        send(json!([good, without(&good, field)])).await.refused_field(&format!("points[1].{field}"));
    }
    let bad = [
        ("seq", json!("1")),
        ("seq", json!(1e30)),
        ("lat", json!(91)),
        ("lng", json!(-180.5)),
        ("lat", Value::Null),
        ("accuracy_m", json!(-2)),
        ("speed_mps", json!(1001)),
        ("heading", json!(361)),
        ("recorded_at", json!("yesterday")),
        ("recorded_at", json!(1_700_000_000)),
        ("is_mock", json!("no")),
        ("altitude", json!(900)),
    ];
    for (field, value) in bad {
        let spoilt = with(&good, &format!("/{field}"), value);
        send(json!([spoilt])).await.refused_field(&format!("points[0].{field}"));
    }
    send(json!([])).await.refused_field("points");
    send(json!(vec![good; 101])).await.refused_field("points");
    mechanic.post("/mechanics/me/location", json!({})).await.refused_field("points");
    app.customer().await.post("/mechanics/me/location", json!({"odd": 1})).await.refused(404, "NOT_FOUND");
}
