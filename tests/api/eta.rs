//! The sources of ETAs, and how ETAs name them.

use roadcall::service::settings::{EtaProvider, RouterUrl, Settings};
use roadcall_actors::{eta::EtaSource, geo::Point, ids::JobId, ports::Eta};
use serde_json::{Value, json};

use crate::support::{
    Client, OnRoad, Stranded, TestApp, bodies::FLAT_TYRE, midday, osrm::OsrmPeer, roadside::PICKUP,
    spawn_app, spawn_app_at, spawn_app_with, within,
};

/// Places about 110 m and 2 km north of the pickup.
const NEAR: (f64, f64) = (PICKUP.0 + 0.001, PICKUP.1);
const FAR: (f64, f64) = (PICKUP.0 + 0.018, PICKUP.1);

pub fn by_router(url: String) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.eta.provider = EtaProvider::Osrm;
        settings.eta.router_url = RouterUrl(url);
        settings.eta.router_timeout_ms = 5000;
        settings.ws.location_interval_ms = 20;
    }
}

fn point((lat, lng): (f64, f64)) -> Point {
    Point::new(lat, lng)
}

/// Returns the nearest mechanic's ETA and its source, which is the same on the map and in the estimate of a job.
async fn told(stranded: &Stranded) -> (Value, Value) {
    let body = json!({"vehicle_id": stranded.vehicle_id, "service_category_id": FLAT_TYRE,
        "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1});
    let estimate = stranded.client.post("/jobs/estimate", body).await.expect(200);
    let query = format!(
        "/mechanics/nearby?lat={}&lng={}&vehicle_type=two_wheeler&service_category_id={FLAT_TYRE}",
        PICKUP.0, PICKUP.1
    );
    let nearby = stranded.client.get(&query).await.expect(200);
    assert_eq!(estimate["eta_source"], nearby["eta_source"]);
    (nearby["nearest_eta_s"].clone(), nearby["eta_source"].clone())
}

#[actix_web::test]
async fn without_a_router_every_eta_says_that_it_is_a_straight_line() {
    let app = spawn_app().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    assert_eq!(told(&stranded).await, (Value::Null, Value::Null), "nobody is there");
    let mut mechanic = app.on_road_at(&admin, FAR).await;
    assert_eq!(
        told(&stranded).await,
        (json!(420), json!("straight_line")),
        "1924 m, from the middle of the cell, x 1.35 at 24 km/h"
    );
    stranded.call().await;
    let offer = mechanic.offer().await;
    assert_eq!((&offer["eta_s"], &offer["eta_source"]), (&json!(420), &json!("straight_line")), "405 s");
    assert_eq!(offer["distance_m"], 2100, "2002 m");
    let listed = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    assert_eq!(listed["data"][0]["eta_source"], "straight_line");
}

#[actix_web::test]
async fn a_rush_hour_has_its_own_detour() {
    let app = spawn_app_with(|settings| settings.eta.detour_by_hour = vec![2.7; 24]).await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    app.on_road_at(&admin, FAR).await;
    assert_eq!(
        told(&stranded).await,
        (json!(780), json!("straight_line")),
        "779 s from the middle of the cell"
    );
}

#[actix_web::test]
async fn the_router_knows_that_the_farther_mechanic_is_quicker() {
    let peer = OsrmPeer::with_roads(vec![(NEAR, Some(1_500.0)), (FAR, Some(200.0))]).await;
    let app = spawn_app_with(by_router(peer.url())).await;
    let now = app.service.clock.now();
    let pickup = point(PICKUP);
    let ways = vec![(point(NEAR), pickup), (point(FAR), pickup)];
    let table = app.service.etas.table(ways, now).expect("there is a router to ask");
    let told = within("a table", table).await;
    let told: Vec<_> = told.iter().map(|told| (told.eta_s, told.distance_m, told.source)).collect();
    assert_eq!(told, [(1_500, 111, EtaSource::Osrm), (200, 2_002, EtaSource::Osrm)]);
    assert_eq!(peer.asked().len(), 1, "one request");
}

#[actix_web::test]
async fn the_offer_goes_to_the_quicker_mechanic_and_without_the_router_to_the_nearer_one() {
    let peer = OsrmPeer::with_roads(vec![(NEAR, Some(1_500.0)), (FAR, Some(200.0))]).await;
    let app = spawn_app_with(by_router(peer.url())).await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let (mut near, mut far) = (app.on_road_at(&admin, NEAR).await, app.on_road_at(&admin, FAR).await);
    let job = stranded.call().await;
    let offer = far.offer().await;
    assert_eq!(offer["job_id"], job["id"]);
    assert_eq!(offer["eta_s"], 240);
    assert_eq!(offer["eta_source"], "osrm");
    peer.die().await;
    // The router was never asked about this pickup.
    let elsewhere = app.breakdown_at((PICKUP.0 - 0.004, PICKUP.1)).await;
    let second = elsewhere.call().await;
    let offer = near.offer().await;
    assert_eq!((&offer["job_id"], &offer["eta_source"]), (&second["id"], &json!("straight_line")));
}

#[actix_web::test]
async fn only_a_way_that_the_router_does_not_know_falls_back() {
    let peer = OsrmPeer::with_roads(vec![(NEAR, Some(300.0)), (FAR, None)]).await;
    let app = spawn_app_with(by_router(peer.url())).await;
    let ways = vec![(point(FAR), point(PICKUP)), (point(NEAR), point(PICKUP))];
    let table = app.service.etas.table(ways, app.service.clock.now()).expect("there is a router to ask");
    let told = within("a table", table).await;
    assert_eq!((told[0].eta_s, told[0].source), (405, EtaSource::StraightLine));
    assert_eq!((told[1].eta_s, told[1].source), (300, EtaSource::Osrm));
}

#[actix_web::test]
async fn watchers_see_the_routers_eta_and_without_it_the_straight_line() {
    let peer = OsrmPeer::start().await;
    let app = spawn_app_with(by_router(peer.url())).await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let mut mechanic = app.on_road_at(&admin, FAR).await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let mut socket = app.socket(&stranded.client).await;
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("subscribed");
    // The router is asked for the first position's ETA whatever its source; the next one has the router's answer.
    let mut told = Value::Null;
    while told["data"]["source"] != "osrm" {
        mechanic.ping(FAR).await;
        told = socket.expect("eta.updated").await;
    }
    assert_eq!((&told["data"]["eta_s"], &told["data"]["distance_m"]), (&json!(600), &json!(2002)));
    let over_http = stranded.client.get(&format!("/jobs/{job}/location")).await.expect(200);
    assert_eq!(over_http["eta"], told["data"]);
    peer.die().await;
    let elsewhere = (PICKUP.0 + 0.013, PICKUP.1);
    mechanic.ping(elsewhere).await;
    let told = socket.find("the way from elsewhere", |frame| frame["data"]["distance_m"] == 1446).await;
    assert_eq!((&told["data"]["source"], &told["data"]["eta_s"]), (&json!("straight_line"), &json!(293)));
    let metrics = app.anonymous().get("/metrics").await.text;
    for name in [
        "roadcall_eta_estimates_total{source=\"osrm\"}",
        "roadcall_eta_router_up",
        "roadcall_eta_router_requests_total{outcome=\"ok\"}",
        "roadcall_eta_router_duration_seconds_count",
        "roadcall_eta_learned_factor{source=\"straight_line\"}",
    ] {
        assert!(metrics.contains(name), "{name} is missing in {metrics}");
    }
}

/// Plays a trip of 20 minutes from 2 km away, which ends as `arrival` says.
async fn trip(app: &TestApp, admin: &Client, arrival: Value) -> (Stranded, OnRoad) {
    let stranded = app.breakdown().await;
    let mut mechanic = app.on_road_at(admin, FAR).await;
    let job = app.taken(&stranded, &mut mechanic).await;
    mechanic.tell(&job, "en-route", json!({})).await;
    let earlier =
        "update job_states set en_route_at = en_route_at - interval '20 minutes' where id = $1::uuid";
    app.change(earlier, &[&job]).await;
    app.engine().refresh(JobId(job.parse().unwrap()), None).await.unwrap();
    // The first position is too fast to prove an arrival.
    mechanic.ping(PICKUP).await;
    mechanic.ping(PICKUP).await;
    mechanic.tell(&job, "arrive", arrival).await;
    (stranded, mechanic)
}

/// Makes the service learn from the first trip. At [`midday`], the trip's start 20 minutes ago and the next estimate are in one
/// hour.
fn learns_at_once(settings: &mut Settings) {
    settings.eta.learn_min_trips = 1;
    settings.operator.time_zone = "UTC".parse().unwrap();
}

#[actix_web::test]
async fn a_slow_trip_makes_the_next_estimate_longer_and_the_lesson_survives_a_restart() {
    let mut app = spawn_app_at(midday(), learns_at_once).await;
    let admin = app.admin().await;
    let (stranded, _busy) = trip(&app, &admin, json!({})).await;
    let mut next = app.on_road_at(&admin, FAR).await;
    assert_eq!(told(&stranded).await, (json!(420), json!("straight_line")), "nothing is learned yet");
    app.service.etas.learn(&app.database.db, app.service.clock.now()).await.unwrap();
    let (eta_s, source) = told(&stranded).await;
    // The factor is ln(1200/405) x 1/21, and once more by the hour: x 1.1.
    assert_eq!((&eta_s, &source), (&json!(480), &json!("straight_line_learned")), "390 s and 431 s");

    app.breakdown().await.call().await;
    let offer = next.offer().await;
    assert_eq!((&offer["eta_s"], &offer["eta_source"]), (&eta_s, &source));
    let kept: (i32, i32) =
        app.row("select eta_s, eta_base_s from offers where status = 'pending'", &[]).await;
    assert_eq!(
        kept,
        (448, 405),
        "to the second; what is learned from is what was said before the correction"
    );

    app.restart_with(learns_at_once).await;
    let learned = app.service.etas.learned().borrow().clone();
    assert_eq!(learned.straight_line.map(|correction| correction.trips), Some(1));
    assert_eq!(learned.router, None);
}

#[actix_web::test]
async fn lessons_about_the_router_correct_only_the_router() {
    let peer = OsrmPeer::start().await;
    let app = spawn_app_at(midday(), |settings| {
        learns_at_once(settings);
        by_router(peer.url())(settings);
    })
    .await;
    trip(&app, &*app.admin().await, json!({})).await;
    // The trip looks as if the offer had used the router's answer.
    app.change("update trips set eta_source = 'osrm', eta_base_s = 600", &[]).await;
    app.service.etas.learn(&app.database.db, app.service.clock.now()).await.unwrap();
    let (from, to, now) = (point(FAR), point(PICKUP), app.service.clock.now());
    if let Some(table) = app.service.etas.table(vec![(from, to)], now) {
        within("a table", table).await;
    }
    let told = app.service.etas.estimate(from, to, now);
    // The factor is ln(1200/600) x 1/21, and once more by the hour: x 1.067.
    assert_eq!((told.source, told.eta_s, told.base_s), (EtaSource::OsrmLearned, 640, 600));
    let unasked = app.service.etas.estimate(point((PICKUP.0 + 0.05, PICKUP.1)), to, now);
    assert_eq!(unasked.source, EtaSource::StraightLine);
}

#[actix_web::test]
async fn only_a_proven_arrival_is_a_trip() {
    let app = spawn_app_at(midday(), learns_at_once).await;
    let admin = app.admin().await;
    let stranded = app.breakdown().await;
    let mut mechanic = app.on_road_at(&admin, FAR).await;
    let job = app.taken(&stranded, &mut mechanic).await;
    mechanic.tell(&job, "en-route", json!({})).await;
    mechanic.tell(&job, "arrive", json!({"override_reason": "the receiver is off"})).await;
    let count = async || -> i64 { app.value("select count(*) from trips", &[]).await };
    assert_eq!(count().await, 0);
    trip(&app, &admin, json!({})).await;
    assert_eq!(count().await, 1);
}

#[actix_web::test]
async fn trips_are_learned_from_repeatedly() {
    let app = spawn_app_at(midday(), |settings| {
        learns_at_once(settings);
        settings.eta.learn_every_s = 1;
    })
    .await;
    let mut learned = app.service.etas.learned();
    let admin = app.admin().await;
    trip(&app, &admin, json!({})).await;
    let lesson = within("a lesson", learned.wait_for(|learned| learned.straight_line.is_some())).await;
    assert_eq!(lesson.expect("the service lives").straight_line.as_ref().map(|lesson| lesson.trips), Some(1));
}
