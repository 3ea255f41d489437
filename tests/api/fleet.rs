//! The map of admins: over HTTP, and kept up to date on a socket.

use serde_json::{Value, json};

use crate::support::{
    Socket, TestApp,
    bodies::{FLAT_TYRE, id_of},
    roadside::PICKUP,
    spawn_app_with, spawn_with_admin, until_so,
};

/// A box around the pickup of all jobs.
const BOX: &str = "77.5,12.9,77.7,13.1";

fn path(bbox: &str, zoom: i64) -> String {
    format!("/admin/fleet?bbox={bbox}&zoom={zoom}")
}

/// Returns the entry with this id.
fn entry<'a>(list: &'a Value, field: &str, id: &str) -> Option<&'a Value> {
    list.as_array().unwrap().iter().find(|entry| entry[field] == id)
}

fn mechanic<'a>(data: &'a Value, id: &str) -> Option<&'a Value> {
    entry(&data["mechanics"], "mechanic_profile_id", id)
}

fn job<'a>(data: &'a Value, id: &str) -> Option<&'a Value> {
    entry(&data["jobs"], "id", id)
}

fn is_gone(data: &Value, kind: &str, id: &str) -> bool {
    data["gone"][kind].as_array().unwrap().iter().any(|gone| gone == id)
}

/// Waits for the next `fleet.changed` that fits, and returns its data.
async fn changed(socket: &mut Socket, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let fits = |frame: &Value| frame["type"] == "fleet.changed" && fits(&frame["data"]);
    socket.find(what, fits).await["data"].clone()
}

/// Subscribes, and returns the snapshot.
async fn follow(socket: &mut Socket, bbox: &str, zoom: i64) -> Value {
    let acked = socket.ask("fleet.subscribe", json!({"bbox": bbox, "zoom": zoom})).await;
    assert_eq!(acked, Ok(json!({})));
    socket.expect("fleet.snapshot").await["data"].clone()
}

/// Starts an app that accepts the many requests of these tests.
async fn spawn_patient_app() -> TestApp {
    spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await
}

#[actix_web::test]
async fn a_map_shows_online_mechanics_and_open_jobs() {
    let app = spawn_patient_app().await;
    let admin = app.admin().await;
    let mut one = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let free = admin.get_until(&path(BOX, 13), |map| map["counts"]["free"] == 1).await;
    assert_eq!(free["is_aggregated"], false);
    assert_eq!(free["jobs"], json!([]));
    assert_eq!(free["cells"], json!([]));
    let shown = mechanic(&free, &one.profile_id).unwrap();
    assert_eq!((&shown["state"], &shown["job_id"]), (&json!("free"), &Value::Null));
    assert_eq!((&shown["lat"], &shown["lng"]), (&json!(PICKUP.0 + 0.001), &json!(PICKUP.1)));

    let id = id_of(&stranded.call().await);
    let offer = id_of(&one.offer().await);
    let offered = admin
        .get_until(&path(BOX, 13), |map| {
            job(map, &id).is_some()
                && mechanic(map, &one.profile_id).is_some_and(|shown| shown["state"] == "offered")
        })
        .await;
    let waiting = job(&offered, &id).unwrap();
    assert_eq!((&waiting["lat"], &waiting["service_category_id"]), (&json!(PICKUP.0), &json!(FLAT_TYRE)));
    assert_eq!((&waiting["urgency"], &waiting["mechanic_profile_id"]), (&json!("normal"), &Value::Null));
    assert_eq!(offered["counts"], json!({"free": 0, "busy": 1, "waiting_jobs": 1, "active_jobs": 0}));

    one.client.post(&format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    let busy = admin.get_until(&path(BOX, 13), |map| map["counts"]["active_jobs"] == 1).await;
    let shown = mechanic(&busy, &one.profile_id).unwrap();
    assert_eq!((&shown["state"], &shown["job_id"]), (&json!("busy"), &json!(id)));
    assert_eq!(job(&busy, &id).unwrap()["mechanic_profile_id"], json!(one.profile_id));

    // On a smaller scale, the same is shown in cells.
    let cells = admin.get(&path("70,0,90,30", 5)).await.expect(200);
    assert_eq!(cells["is_aggregated"], true);
    assert_eq!(cells["mechanics"], json!([]));
    assert_eq!(cells["jobs"], json!([]));
    assert_eq!(cells["counts"], busy["counts"]);
    let cell = &cells["cells"][0];
    assert_eq!(cell["busy"], 1);
    assert_eq!(cell["active_jobs"], 1);
    assert_eq!(cell["size_degrees"], 2.8125);
    assert!((cell["lat"].as_f64().unwrap() - PICKUP.0).abs() < 2.0, "{cell}");

    let elsewhere = admin.get(&path("10,50,11,51", 13)).await.expect(200);
    assert_eq!(elsewhere["counts"], json!({"free": 0, "busy": 0, "waiting_jobs": 0, "active_jobs": 0}));
}

#[actix_web::test]
async fn a_box_may_cross_the_date_line() {
    let app = spawn_patient_app().await;
    let admin = app.admin().await;
    let east = app.on_road_at(&admin, (-17.0, 179.99)).await;
    let west = app.on_road_at(&admin, (-17.0, -179.99)).await;
    let both = admin.get_until(&path("179.9,-17.1,-179.9,-16.9", 12), |map| map["counts"]["free"] == 2).await;
    assert!(mechanic(&both, &east.profile_id).is_some() && mechanic(&both, &west.profile_id).is_some());
    let others = admin.get(&path("-179.9,-17.1,179.9,-16.9", 12)).await.expect(200);
    assert_eq!(others["counts"]["free"], 0, "the other way round the globe");
    let cells = admin.get(&path("179,-18,-179,-16", 9)).await.expect(200);
    assert_eq!(cells["cells"].as_array().unwrap().len(), 2, "{cells}");
}

#[actix_web::test]
async fn a_bad_box_or_zoom_is_named() {
    let (app, admin) = spawn_with_admin().await;
    for (query, fields) in [
        ("", vec!["bbox", "zoom"]),
        ("bbox=1,2,3&zoom=13", vec!["bbox"]),
        ("bbox=a,b,c,d&zoom=23", vec!["bbox", "zoom"]),
        ("bbox=0,10,1,5&zoom=3", vec!["bbox"]),
        ("bbox=0,0,181,5&zoom=-1", vec!["bbox", "zoom"]),
        ("bbox=0,0,1,1&zoom=2.5", vec!["zoom"]),
        ("bbox=0,0,1,1&zoom=3&tilt=1", vec!["tilt"]),
    ] {
        let refused = admin.get(&format!("/admin/fleet?{query}")).await.refused(422, "VALIDATION_FAILED");
        let named: Vec<&String> = refused["error"]["errors"].as_object().unwrap().keys().collect();
        assert_eq!(named, fields, "{query}");
    }
    let mut socket = app.socket(&admin).await;
    for (data, fields) in [
        (json!({}), vec!["bbox", "zoom"]),
        (json!({"bbox": "0,10,1,5", "zoom": 23}), vec!["bbox", "zoom"]),
        (json!({"bbox": [0, 0, 1, 1], "zoom": "3"}), vec!["bbox", "zoom"]),
    ] {
        let error = socket.ask("fleet.subscribe", data.clone()).await.expect_err("a refusal");
        let named: Vec<&String> = error["errors"].as_object().unwrap().keys().collect();
        assert_eq!(named, fields, "{data}");
    }
}

#[actix_web::test]
async fn a_map_is_only_shown_to_admins() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let customer = app.customer().await;
    customer.get(&path(BOX, 13)).await.refused(403, "FORBIDDEN");
    mechanic.client.get(&path(BOX, 13)).await.refused(403, "FORBIDDEN");
    let mut socket = app.socket(&customer).await;
    for socket in [&mut socket, &mut mechanic.socket] {
        let error =
            socket.ask("fleet.subscribe", json!({"bbox": BOX, "zoom": 13})).await.expect_err("a refusal");
        assert_eq!(error["code"], "FORBIDDEN");
    }
}

#[actix_web::test]
async fn a_socket_gets_only_changes() {
    let (app, admin) = spawn_with_admin().await;
    let mut one = app.on_road(&admin).await;
    let profile = one.profile_id.clone();
    let mut socket = app.socket(&admin).await;
    let first = follow(&mut socket, BOX, 13).await;
    assert_eq!(mechanic(&first, &profile).unwrap()["state"], "free");

    let moved = (PICKUP.0 + 0.002, PICKUP.1);
    one.ping(moved).await;
    let seen = changed(&mut socket, "the move", |data| {
        mechanic(data, &profile).is_some_and(|shown| shown["lat"] == moved.0)
    })
    .await;
    assert_eq!(seen["gone"], json!({"mechanics": [], "jobs": []}));

    let stranded = app.breakdown().await;
    let id = id_of(&stranded.call().await);
    let seen = changed(&mut socket, "the job", |data| job(data, &id).is_some()).await;
    assert_eq!(job(&seen, &id).unwrap()["mechanic_profile_id"], Value::Null);
    one.accept().await;
    let seen = changed(&mut socket, "the acceptance", |data| {
        job(data, &id).is_some_and(|shown| shown["status"] == "accepted")
    })
    .await;
    assert_eq!(job(&seen, &id).unwrap()["mechanic_profile_id"], json!(profile));
    assert_eq!(seen["counts"], json!({"free": 0, "busy": 1, "waiting_jobs": 0, "active_jobs": 1}));
    let shown = mechanic(&seen, &profile).unwrap();
    assert_eq!((&shown["state"], &shown["job_id"]), (&json!("busy"), &json!(id)));

    let why = json!({"reason_code": "changed_mind", "accept_fee": true});
    stranded.client.post(&format!("/jobs/{id}/cancel"), why).await.expect(200);
    changed(&mut socket, "the end of the job", |data| is_gone(data, "jobs", &id)).await;
    one.client.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    let seen = changed(&mut socket, "the leaving", |data| is_gone(data, "mechanics", &profile)).await;
    assert_eq!(seen["counts"], json!({"free": 0, "busy": 0, "waiting_jobs": 0, "active_jobs": 0}));
}

#[actix_web::test]
async fn cells_change_too_and_another_box_replaces_the_first() {
    let (app, admin) = spawn_with_admin().await;
    let one = app.on_road(&admin).await;
    let mut socket = app.socket(&admin).await;
    let far = follow(&mut socket, "70,0,90,30", 5).await;
    assert_eq!((&far["is_aggregated"], &far["cells"][0]["free"]), (&json!(true), &json!(1)));
    let stranded = app.breakdown().await;
    stranded.call().await;
    let seen = changed(&mut socket, "the job", |data| data["counts"]["waiting_jobs"] == 1).await;
    assert_eq!((&seen["cells"][0]["waiting_jobs"], &seen["jobs"]), (&json!(1), &json!([])));

    let near = follow(&mut socket, BOX, 13).await;
    assert_eq!(near["is_aggregated"], false);
    assert!(mechanic(&near, &one.profile_id).is_some());
    assert_eq!(socket.ask("fleet.unsubscribe", json!({})).await, Ok(json!({})));
    let again = follow(&mut socket, "10,50,11,51", 13).await;
    assert_eq!(again["mechanics"], json!([]));
}

#[actix_web::test]
async fn live_maps_are_limited_in_number() {
    let app = spawn_app_with(|settings| {
        settings.ws.fleet_subscriptions = 1;
        settings.limits.per_user_per_minute = 100_000;
    })
    .await;
    let admin = app.admin().await;
    let (mut one, mut other) = (app.socket(&admin).await, app.socket(&admin).await);
    follow(&mut one, BOX, 13).await;
    follow(&mut one, BOX, 14).await;
    let ask = json!({"bbox": BOX, "zoom": 13});
    let error = other.ask("fleet.subscribe", ask.clone()).await.expect_err("a refusal");
    assert_eq!(error["code"], "CONFLICT");
    assert!(error["message"].as_str().unwrap().contains("at most 1 maps"), "{error}");
    // A map that ends makes room, and so does a socket that closes.
    one.ask("fleet.unsubscribe", json!({})).await.expect("an ack");
    follow(&mut other, BOX, 13).await;
    drop(other);
    until_so("room", async || one.ask("fleet.subscribe", ask.clone()).await.is_ok()).await;
}

#[actix_web::test]
async fn one_admin_cannot_take_the_maps_of_the_others() {
    let app = spawn_app_with(|settings| settings.ws.fleet_subscriptions_per_admin = 2).await;
    let (admin, colleague) = (app.admin().await, app.admin().await);
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut socket = app.socket(&admin).await;
        follow(&mut socket, BOX, 13).await;
        held.push(socket);
    }
    let mut third = app.socket(&admin).await;
    let error = third.ask("fleet.subscribe", json!({"bbox": BOX, "zoom": 13})).await.expect_err("a refusal");
    assert_eq!(error["code"], "CONFLICT");
    assert!(error["message"].as_str().unwrap().contains("at most 2 of your maps"), "{error}");
    follow(&mut app.socket(&colleague).await, BOX, 13).await;
    held[0].ask("fleet.unsubscribe", json!({})).await.expect("an ack");
    follow(&mut third, BOX, 13).await;
}

#[actix_web::test]
async fn jobs_are_read_once_a_second_for_all_maps_and_never_without_one() {
    let (app, admin) = spawn_with_admin().await;
    let feed = &app.service.ws.fleet;
    assert_eq!(feed.reads().await, 0);
    let mut sockets = Vec::new();
    for _ in 0..4 {
        sockets.push(app.socket(&admin).await);
    }
    let began = app.now();
    for socket in &mut sockets {
        follow(socket, BOX, 13).await;
    }
    let stranded = app.breakdown().await;
    let id = id_of(&stranded.call().await);
    for socket in &mut sockets {
        changed(socket, "the job", |data| job(data, &id).is_some()).await;
    }
    let seconds = (app.now() - began).num_seconds() as u64 + 2;
    assert!((2..=seconds).contains(&feed.reads().await), "{} reads in {seconds} s", feed.reads().await);
}

/// Returns the details of a job or a mechanic in a frame, if it has them.
fn details<'a>(data: &'a Value, kind: &str, field: &str, id: &str) -> Option<&'a Value> {
    let list = data["details"].get(kind)?;
    entry(list, field, id)
}

/// Subscribes with details, and returns the snapshot.
async fn follow_in_detail(socket: &mut Socket, bbox: &str, zoom: i64) -> Value {
    let acked = socket.ask("fleet.subscribe", json!({"bbox": bbox, "zoom": zoom, "details": true})).await;
    assert_eq!(acked, Ok(json!({})));
    socket.expect("fleet.snapshot").await["data"].clone()
}

#[actix_web::test]
async fn details_come_once_and_again_when_they_change() {
    let (app, admin) = spawn_with_admin().await;
    let mut one = app.on_road(&admin).await;
    let profile = one.profile_id.clone();
    let stranded = app.breakdown().await;
    let id = id_of(&stranded.call().await);
    let mut socket = app.socket(&admin).await;

    // A job outside the box is included, too, and so is one on a map of cells.
    let far = follow_in_detail(&mut socket, "10,50,11,51", 13).await;
    assert!(job(&far, &id).is_some(), "{far}");
    let shown = details(&far, "jobs", "job_id", &id).unwrap();
    assert!(shown["customer_phone"].as_str().unwrap().starts_with('+'), "{shown}");
    assert_eq!((&shown["concern"], &shown["has_open_callback"]), (&Value::Null, &json!(false)));
    assert_eq!(far["details"]["omitted_jobs"], 0);
    assert_eq!(details(&far, "mechanics", "mechanic_profile_id", &profile), None);
    let cells = follow_in_detail(&mut socket, "70,0,90,30", 5).await;
    assert!(cells["is_aggregated"] == true && job(&cells, &id).is_some(), "{cells}");

    // Details that this socket has are not sent again; those of a mechanic new to it are.
    let near = follow_in_detail(&mut socket, BOX, 13).await;
    assert!(job(&near, &id).is_some() && details(&near, "jobs", "job_id", &id).is_none(), "{near}");
    let shown = details(&near, "mechanics", "mechanic_profile_id", &profile).unwrap();
    assert!(!shown["vehicle_types"].as_array().unwrap().is_empty(), "{shown}");
    let moved = (PICKUP.0 + 0.002, PICKUP.1);
    one.ping(moved).await;
    let seen = changed(&mut socket, "the move", |data| {
        mechanic(data, &profile).is_some_and(|shown| shown["lat"] == moved.0)
    })
    .await;
    assert_eq!(details(&seen, "mechanics", "mechanic_profile_id", &profile), None);

    stranded.client.post(&format!("/jobs/{id}/callback"), json!({})).await.expect(200);
    changed(&mut socket, "the request to be called", |data| {
        details(data, "jobs", "job_id", &id).is_some_and(|shown| shown["has_open_callback"] == true)
    })
    .await;
    one.accept().await;
    changed(&mut socket, "the acceptance", |data| {
        details(data, "jobs", "job_id", &id)
            .is_some_and(|shown| shown["has_open_callback"] == false && shown["promised_at"].is_string())
    })
    .await;
}

#[actix_web::test]
async fn details_are_read_once_for_all_maps_and_only_on_request() {
    let app = spawn_patient_app().await;
    let admin = app.admin().await;
    let mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let id = id_of(&stranded.call().await);
    let feed = &app.service.ws.fleet;
    let plain = admin.get_until(&path(BOX, 13), |map| job(map, &id).is_some()).await;
    assert!(plain["details"].is_null(), "{plain}");
    let mut one = app.socket(&admin).await;
    let bare = follow(&mut one, BOX, 13).await;
    assert!(bare["details"].is_null(), "{bare}");
    assert_eq!(feed.rows_of_details().await, 0);

    let detailed = format!("{}&details=true", path(BOX, 13));
    for _ in 0..3 {
        let map = admin.get(&detailed).await.expect(200);
        assert!(details(&map, "jobs", "job_id", &id).is_some(), "{map}");
        assert!(details(&map, "mechanics", "mechanic_profile_id", &mechanic.profile_id).is_some(), "{map}");
    }
    let mut sockets = [one, app.socket(&admin).await];
    for socket in &mut sockets {
        let map = follow_in_detail(socket, BOX, 13).await;
        assert!(details(&map, "jobs", "job_id", &id).is_some(), "{map}");
    }
    assert_eq!(feed.rows_of_details().await, 2, "one job and one mechanic");
    let entries = admin.get("/admin/audit-log?action=list.read").await.expect(200);
    let entries = entries["data"].as_array().unwrap();
    let reads = entries.iter().filter(|entry| entry.to_string().contains("fleet")).count();
    assert_eq!(reads, 1, "{entries:?}");
}
