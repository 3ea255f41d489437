//! The way ahead of a job's mechanic, as people see it on maps.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::{
    eta::by_router,
    support::{
        Client, TestApp,
        osrm::OsrmPeer,
        roadside::{PICKUP, Scene},
        spawn_accepted, spawn_app_with,
    },
};

/// A place about 2 km north and 1.1 km west of the pickup: a route leads east first, then south.
const AWAY: (f64, f64) = (12.9896, 77.5846);
const CORNER: (f64, f64) = (12.9896, 77.5946);

/// Returns the place so many degrees north and east of the pickup, as a line shows it.
fn at(north: f64, east: f64) -> (f64, f64) {
    let rounded = |degrees: f64| (degrees * 1e5).round() / 1e5;
    (rounded(PICKUP.0 + north), rounded(PICKUP.1 + east))
}

/// Makes the router be asked whenever the mechanic leaves the line.
fn always(url: String) -> impl FnOnce(&mut Settings) {
    move |settings| {
        by_router(url)(settings);
        settings.eta.router_way_ahead_every_s = 0;
    }
}

async fn started(alter: impl FnOnce(String) -> Box<dyn FnOnce(&mut Settings)>) -> (OsrmPeer, TestApp, Scene) {
    let peer = OsrmPeer::start().await;
    let app = spawn_app_with(alter(peer.url())).await;
    let mut scene = app.accepted().await;
    scene.mechanic.ping(AWAY).await;
    (peer, app, scene)
}

async fn seen(client: &Client, scene: &Scene) -> Value {
    client.get(&scene.path("/way-ahead")).await.expect(200)
}

fn line(way: &Value) -> Vec<(f64, f64)> {
    let coordinates: Vec<(f64, f64)> =
        serde_json::from_value(way["geometry"]["coordinates"].clone()).unwrap_or_default();
    coordinates.into_iter().map(|(lng, lat)| (lat, lng)).collect()
}

#[actix_web::test]
async fn a_jobs_people_see_the_way_to_the_pickup_with_one_request_to_the_router() {
    let (peer, app, scene) = started(|url| Box::new(always(url))).await;
    let answer = scene.customer.get(&scene.path("/way-ahead")).await;
    assert_eq!(answer.header("content-type"), Some("application/geo+json"));
    let way = answer.expect(200);
    assert_eq!((&way["type"], &way["geometry"]["type"]), (&json!("Feature"), &json!("LineString")));
    assert_eq!(line(&way), [AWAY, CORNER, PICKUP]);
    assert_eq!(way["properties"], json!({"distance_m": 3085}));
    let admin = app.admin().await;
    for person in [&*scene.mechanic.client, &*admin] {
        assert_eq!(seen(person, &scene).await, way);
    }
    assert_eq!(peer.routes_asked(), 1);
    app.customer().await.get(&scene.path("/way-ahead")).await.refused(404, "NOT_FOUND");
    app.anonymous().get(&scene.path("/way-ahead")).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn the_line_shrinks_along_the_way_and_is_requested_again_when_the_mechanic_leaves_it() {
    let (peer, _app, mut scene) = started(|url| Box::new(always(url))).await;
    seen(&scene.customer, &scene).await;
    // This point is 30 m off the line.
    scene.mechanic.ping(at(0.0177, -0.005)).await;
    let way = seen(&scene.customer, &scene).await;
    assert_eq!(line(&way), [at(0.018, -0.005), CORNER, PICKUP]);
    scene.mechanic.ping(at(0.01, 0.0)).await;
    let way = seen(&scene.customer, &scene).await;
    assert_eq!((line(&way), &way["properties"]["distance_m"]), (vec![at(0.01, 0.0), PICKUP], &json!(1112)));
    assert_eq!(peer.routes_asked(), 1);
    let off = at(0.01, 0.004);
    scene.mechanic.ping(off).await;
    assert_eq!(line(&seen(&scene.customer, &scene).await), [off, (off.0, PICKUP.1), PICKUP]);
    assert_eq!(peer.routes_asked(), 2);
}

#[actix_web::test]
async fn the_line_is_shown_from_acceptance_to_arrival() {
    let peer = OsrmPeer::start().await;
    let app = spawn_app_with(always(peer.url())).await;
    let stranded = app.breakdown().await;
    let job = stranded.call().await;
    let nothing = json!({"type": "Feature", "geometry": null, "properties": {"distance_m": null}});
    let path = format!("/jobs/{}/way-ahead", job["id"].as_str().unwrap());
    assert_eq!(stranded.client.get(&path).await.expect(200), nothing, "nobody is on it");
    let admin = app.admin().await;
    let mut mechanic = app.on_road_at(&admin, CORNER).await;
    mechanic.accept().await;
    let scene = Scene { customer: stranded.client, mechanic, job: job["id"].as_str().unwrap().to_owned() };
    assert_eq!(line(&seen(&scene.customer, &scene).await).len(), 2);
    scene.step("en-route", json!({})).await;
    assert_eq!(line(&seen(&scene.customer, &scene).await).len(), 2);
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    assert_eq!(seen(&scene.customer, &scene).await, nothing);
    assert_eq!(seen(&scene.mechanic.client, &scene).await, nothing);
}

#[actix_web::test]
async fn a_released_mechanic_leaves_no_line_behind() {
    let (peer, _app, scene) = started(|url| Box::new(always(url))).await;
    assert_eq!(line(&seen(&scene.customer, &scene).await).len(), 3);
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    assert_eq!(seen(&scene.customer, &scene).await["geometry"], Value::Null);
    scene.mechanic.client.get(&scene.path("/way-ahead")).await.refused(404, "NOT_FOUND");
    assert_eq!(peer.routes_asked(), 1);
}

#[actix_web::test]
async fn followers_by_a_link_see_the_line_without_its_last_200_metres() {
    let (peer, app, mut scene) = started(|url| Box::new(always(url))).await;
    let link = scene.customer.post(&scene.path("/shares"), json!({})).await.expect(201);
    let path = format!("/shares/{}/way-ahead", link["token"].as_str().unwrap());
    let anybody = app.anonymous();
    let way = anybody.get(&path).await.expect(200);
    assert_eq!(line(&way), [AWAY, CORNER, at(0.0018, 0.0)]);
    assert_eq!(way["properties"], json!({"distance_m": 2885}), "and no id");
    seen(&scene.customer, &scene).await;
    assert_eq!(peer.routes_asked(), 1, "the same line");
    scene.mechanic.ping(at(0.0015, 0.0)).await;
    assert_eq!(anybody.get(&path).await.expect(200)["geometry"], Value::Null, "170 m away");
    let id = link["id"].as_str().unwrap();
    scene.customer.delete(&scene.path(&format!("/shares/{id}"))).await.expect(204);
    anybody.get(&path).await.refused(410, "LINK_EXPIRED");
    anybody.get("/shares/nothing/way-ahead").await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn there_is_no_line_without_a_router_or_without_allowed_requests() {
    let (_app, scene) = spawn_accepted().await;
    assert_eq!(seen(&scene.customer, &scene).await["geometry"], Value::Null);
    let off = |url| -> Box<dyn FnOnce(&mut Settings)> {
        Box::new(move |settings: &mut Settings| {
            by_router(url)(settings);
            settings.eta.router_max_ways_ahead = 0;
        })
    };
    let (peer, _app, scene) = started(off).await;
    assert_eq!(seen(&scene.customer, &scene).await["geometry"], Value::Null);
    assert_eq!(peer.routes_asked(), 0);
}

#[actix_web::test]
async fn there_is_no_line_to_unreachable_places() {
    let (peer, _app, scene) = started(|url| Box::new(always(url))).await;
    peer.set_roads(vec![(AWAY, None)]);
    assert_eq!(seen(&scene.customer, &scene).await["geometry"], Value::Null);
    assert_eq!(peer.routes_asked(), 1);
}

#[actix_web::test]
async fn the_line_outlives_the_router_while_the_mechanic_is_on_it() {
    let (peer, app, mut scene) = started(|url| Box::new(always(url))).await;
    assert_eq!(line(&seen(&scene.customer, &scene).await).len(), 3);
    peer.die().await;
    scene.mechanic.ping(CORNER).await;
    assert_eq!(line(&seen(&scene.customer, &scene).await), [CORNER, PICKUP]);
    scene.mechanic.ping(at(0.018, 0.01)).await;
    for _ in 0..8 {
        assert_eq!(seen(&scene.customer, &scene).await["geometry"], Value::Null);
    }
    let metrics = app.anonymous().get("/metrics").await.text;
    let count = |outcome: &str| {
        let name = format!("roadcall_way_ahead_requests_total{{outcome=\"{outcome}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&name)).map(|count| count.parse::<u64>().unwrap())
    };
    assert!(count("unreachable") >= Some(5) && count("open") >= Some(3), "{metrics}");
}
