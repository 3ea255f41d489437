//! Towing is a trip from the pickup to a destination, with its price, its photos and the person who receives the vehicle. A
//! tow that no position shows at its destination is reviewed before its mechanic is paid.

use roadcall::platform::db::MIGRATOR;
use serde_json::{Value, json};

use crate::{
    eta::by_router,
    jobs::{remembering::is_shown_alike, replaying::replayed},
    no_shows::clear,
    payments::until_payment,
    support::{
        Client, OnRoad, Person, Scene, Stranded, TestApp,
        bodies::{FLAT_TYRE, TOWING, id_of, set, without},
        osrm::OsrmPeer,
        roadside::{PICKUP, point},
        spawn_accepted, spawn_app, spawn_app_with, spawn_with_admin, within,
    },
};

/// A place 6.7 km north of the pickup, of which two begun kilometres are not free.
const WORKSHOP: (f64, f64) = (PICKUP.0 + 0.06, PICKUP.1);
const ADDRESS: &str = "12 Hosur Road, Bengaluru";
const PHOTO: &str = "https://files.example/truck.jpg";

async fn workshop(admin: &Client) -> String {
    let body = json!({"name": "Lakshmi Motors", "address": ADDRESS, "lat": WORKSHOP.0, "lng": WORKSHOP.1,
        "phone": "+919812300002"});
    id_of(&admin.post("/admin/workshops", body).await.expect(201))
}

fn place((lat, lng): (f64, f64)) -> Value {
    json!({"address": ADDRESS, "lat": lat, "lng": lng})
}

/// Returns the body of a call for a tow truck.
fn tow(stranded: &Stranded, destination: Value) -> Value {
    set(&set(&stranded.call_body(), "service_category_id", json!(TOWING)), "destination", destination)
}

/// Puts a mechanic on the road who tows as well.
async fn tow_truck(app: &TestApp, admin: &Client) -> OnRoad {
    let mechanic = app.on_road(admin).await;
    app.serve(admin, &mechanic.client, json!({"service_category_ids": [FLAT_TYRE, TOWING]})).await;
    mechanic
}

/// Returns a tow to this destination that a mechanic has accepted.
async fn accepted(app: &TestApp, destination: Value) -> Scene {
    let admin = app.admin().await;
    let mut mechanic = tow_truck(app, &admin).await;
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.client.post("/jobs", tow(&stranded, destination)).await.expect(201));
    mechanic.accept().await;
    Scene { customer: stranded.client, mechanic, job }
}

/// Returns such a tow with the vehicle on the truck.
async fn loaded(app: &TestApp, destination: Value) -> Scene {
    let scene = accepted(app, destination).await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    scene.step("load", json!({"photo_urls": [PHOTO]})).await;
    scene
}

/// Returns a tow to the workshop that ended by the mechanic's word alone.
async fn undriven(app: &TestApp) -> Scene {
    let scene = loaded(app, place(WORKSHOP)).await;
    let complete = scene.path("/complete");
    scene.mechanic.client.post(&complete, handed_over()).await.refused_field("override_reason");
    let done = scene.step("complete", set(&handed_over(), "override_reason", json!("no network"))).await;
    assert_eq!([&done["final_price"], &done["destination"]["driven_m"]], [&json!(1059.0), &Value::Null]);
    scene
}

/// Clears all held earnings. Returns the held and available amounts, in paise.
async fn cleared(app: &TestApp, scene: &Scene) -> (i64, i64) {
    clear(app).await;
    let balances = app.balances(&scene.mechanic.profile_id).await;
    (balances.held_paise, balances.available_paise)
}

fn decision(pay: bool) -> Value {
    json!({"pay": pay, "note": "The workshop was asked"})
}

fn handed_over() -> Value {
    json!({"outcome": "towed", "photo_urls": [PHOTO], "received_by": "Lakshmi"})
}

/// Returns a job about a flat tyre whose mechanic, who tows as well, is at the vehicle.
async fn flat_tyre(app: &TestApp) -> (Scene, Person) {
    let admin = app.admin().await;
    let mut mechanic = tow_truck(app, &admin).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let scene = Scene { customer: stranded.client, mechanic, job };
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    (scene, admin)
}

async fn seen(by: &Client, scene: &Scene, rest: &str) -> Value {
    by.get(&scene.path(rest)).await.expect(200)
}

#[actix_web::test]
async fn a_tow_is_shown_from_memory_as_the_database_has_it() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let scene = loaded(&app, place(WORKSHOP)).await;
    let readers: [&Client; 2] = [&scene.customer, &scene.mechanic.client];
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.step("complete", set(&handed_over(), "override_reason", json!("no network"))).await;
    is_shown_alike(&app, &readers, &scene.job).await;
}

#[actix_web::test]
async fn a_tow_is_priced_followed_and_handed_over() {
    let (app, admin) = spawn_with_admin().await;
    let workshop = workshop(&admin).await;
    let stranded = app.breakdown().await;
    let near = format!("/workshops?lat={}&lng={}", PICKUP.0, PICKUP.1);
    let near = stranded.client.get(&near).await.expect(200)["data"][0].clone();
    assert_eq!((&near["id"], &near["distance_m"]), (&json!(workshop), &json!(6672)));
    let mut mechanic = tow_truck(&app, &admin).await;

    let destination = json!({"workshop_id": workshop});
    let asked = tow(&stranded, destination.clone());
    let asked = without(&asked, "pickup_address");
    let estimate = stranded.client.post("/jobs/estimate", asked).await.expect(200);
    assert_eq!(estimate["destination"]["distance_m"], 6672);
    assert_eq!(estimate["destination"]["source"], "straight_line");
    assert_eq!(estimate["breakdown"][2], json!({"name": "destination_price", "amount": 60.0}));
    assert_eq!([&estimate["destination_price"], &estimate["estimated_price"]], [60.0, 1059.0]);

    let named = set(&destination, "receiver_name", json!("Lakshmi"));
    let named = set(&named, "receiver_phone", json!("98123 00002"));
    let job = stranded.client.post("/jobs", tow(&stranded, named)).await.expect(201);
    assert_eq!([&job["destination_price"], &job["estimated_price"]], [60.0, 1059.0]);
    let shown = &job["destination"];
    assert_eq!(shown["workshop_id"], json!(workshop));
    assert_eq!(shown["workshop_name"], "Lakshmi Motors");
    assert_eq!([&shown["address"], &shown["receiver_name"]], [ADDRESS, "Lakshmi"]);
    assert_eq!(shown["receiver_phone"], "+919812300002");

    let offer = mechanic.offer().await;
    let offered = &offer["destination"];
    assert_eq!([&offered["distance_m"], &offered["workshop_name"]], [&json!(6700), &json!("Lakshmi Motors")]);
    assert_eq!(offered["duration_s"].as_u64().unwrap() % 60, 0);
    let lat = offered["lat"].as_f64().unwrap();
    assert!(lat != WORKSHOP.0 && (lat - WORKSHOP.0).abs() < 0.001, "{lat}");
    let listed = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    assert_eq!(listed["data"][0]["destination"], *offered);
    let taken =
        mechanic.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    assert_eq!(taken["destination"], *shown, "the mechanic sees who receives the vehicle");

    let mut scene = Scene { customer: stranded.client, mechanic, job: id_of(&job) };
    let mut socket = app.following(&scene).await;
    let load = json!({"photo_urls": [PHOTO]});
    let path = scene.path("/load");
    scene.mechanic.client.post(&path, load.clone()).await.refused(409, "INVALID_TRANSITION");
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    assert_eq!(seen(&scene.customer, &scene, "/location").await["eta"], Value::Null, "at the vehicle");
    scene.mechanic.client.post(&path, json!({"photo_urls": []})).await.refused_field("photo_urls");
    let loaded = scene.step("load", load.clone()).await;
    assert_eq!(loaded["status"], "in_progress");
    assert_eq!(scene.step("load", load).await["loaded_at"], loaded["loaded_at"], "once");
    let frame = socket.find("the loaded vehicle", |frame| frame["data"]["loaded_at"].is_string()).await;
    assert_eq!(frame["type"], "job.updated");
    let timeline = seen(&scene.customer, &scene, "/timeline").await;
    assert_eq!(timeline["data"].as_array().unwrap().last().unwrap()["event"], "loaded");
    let photos = seen(&scene.customer, &scene, "/photos").await;
    assert_eq!([&photos["data"][0]["stage"], &photos["data"][0]["file_url"]], ["before", PHOTO]);
    let listed = scene.customer.get("/notifications?type=job_loaded").await.expect(200);
    assert_eq!(listed["data"][0]["data"]["job_id"], json!(scene.job));

    scene.mechanic.ping((PICKUP.0 + 0.03, PICKUP.1)).await;
    let half_way = seen(&scene.customer, &scene, "/location").await;
    assert_eq!(half_way["eta"]["distance_m"], 3336, "to the destination");
    let is_ahead = |frame: &Value| frame["type"] == "eta.updated" && frame["data"]["distance_m"] == 3336;
    socket.find("the way ahead", is_ahead).await;
    let complete = scene.path("/complete");
    let by = &scene.mechanic.client;
    by.post(&complete, json!({"outcome": "fixed"})).await.refused_field("outcome");
    let refused = by.post(&complete, json!({"outcome": "towed"})).await.refused(422, "VALIDATION_FAILED");
    let faults: Vec<&String> = refused["error"]["errors"].as_object().unwrap().keys().collect();
    assert_eq!(faults, ["photo_urls", "received_by"]);
    let left = by.post(&scene.path("/release"), json!({"reason_code": "personal"})).await;
    let left = left.refused(409, "INVALID_TRANSITION");
    assert!(left["error"]["message"].as_str().unwrap().contains("loaded"), "{left}");
    by.post(&scene.path("/no-show"), json!({})).await.refused(409, "INVALID_TRANSITION");
    by.post(&complete, handed_over()).await.refused_field("override_reason");

    scene.mechanic.ping(WORKSHOP).await;
    let done = scene.step("complete", handed_over()).await;
    assert_eq!([&done["status"], &done["outcome"], &done["received_by"]], ["completed", "towed", "Lakshmi"]);
    assert_eq!(done["final_price"], 1059.0);
    let driven_m = done["destination"]["driven_m"].as_i64().expect("a way");
    assert!((6_660..=6_680).contains(&driven_m), "{driven_m}");
    assert_eq!(admin.get("/admin/tow-reviews").await.expect(200)["total"], 0, "a position shows it");
    assert_eq!(done["destination"]["receiver_phone"], Value::Null, "the job is over for the mechanic");
    let kept = seen(&scene.customer, &scene, "").await;
    assert_eq!(kept["destination"]["receiver_phone"], "+919812300002");
    let photos = seen(&scene.customer, &scene, "/photos").await;
    assert_eq!(photos["data"][1]["stage"], "after");
    assert_eq!(seen(&scene.customer, &scene, "/location").await["location"], Value::Null);
}

#[actix_web::test]
async fn a_refused_delivery_states_the_last_known_distance_of_the_mechanic() {
    let app = spawn_app().await;
    let mut scene = loaded(&app, place(WORKSHOP)).await;
    scene.mechanic.ping((PICKUP.0 + 0.03, PICKUP.1)).await;
    let by = &scene.mechanic.client;
    let complete = scene.path("/complete");
    let refused =
        async || by.post(&complete, handed_over()).await.refused_field("override_reason")["error"].take();
    let far = refused().await;
    assert_eq!(far["distance_m"], 3336, "as a number too, so that apps say it in their language: {far}");
    let words = far["errors"]["override_reason"][0].as_str().unwrap();
    assert!(words.contains("3336 m from the destination"), "{far}");

    let mut faked = point(900, WORKSHOP, app.service.clock.now());
    faked["is_mock"] = json!(true);
    by.post("/mechanics/me/location", json!({"points": [faked]})).await.expect(200);
    let unknown = refused().await;
    assert_eq!(unknown.get("distance_m"), None, "{unknown}");
    let words = unknown["errors"]["override_reason"][0].as_str().unwrap();
    assert!(words.contains("has not sent a recent, plausible position"), "{unknown}");
}

#[actix_web::test]
async fn photos_of_a_vehicle_that_is_loaded_again_are_not_silently_lost() {
    let app = spawn_app().await;
    let scene = loaded(&app, place(WORKSHOP)).await;
    let (by, path) = (&scene.mechanic.client, scene.path("/load"));
    let first = by.post(&path, json!({"photo_urls": [PHOTO]})).await.expect(200);
    let other = "https://files.example/scratch.jpg";
    let both = json!({"photo_urls": [PHOTO, other]});
    by.post(&path, both.clone()).await.refused(409, "CONFLICT");
    assert_eq!(seen(&scene.customer, &scene, "/photos").await["data"].as_array().map(Vec::len), Some(1));
    let photo = json!({"stage": "before", "file_url": other});
    by.post(&scene.path("/photos"), photo).await.expect(201);
    assert_eq!(by.post(&path, both).await.expect(200)["loaded_at"], first["loaded_at"], "once");
}

#[actix_web::test]
async fn a_job_becomes_a_tow_once_its_customer_agrees() {
    let app = spawn_app().await;
    let (mut scene, admin) = flat_tyre(&app).await;
    let workshop = workshop(&admin).await;
    let by = &scene.mechanic.client;
    by.post(&scene.path("/load"), json!({"photo_urls": [PHOTO]})).await.refused(409, "INVALID_TRANSITION");
    let proposal = json!({"destination": {"workshop_id": workshop}});
    let item = by.post(&scene.path("/tow"), proposal.clone()).await.expect(201);
    // This is 999 for towing, less the 299 of the flat tyre, and two kilometres.
    assert_eq!([&item["type"], &item["total"]], [&json!("tow"), &json!(760.0)]);
    assert_eq!(item["destination"]["workshop_name"], "Lakshmi Motors");
    assert_eq!(seen(&scene.customer, &scene, "").await["destination"], Value::Null, "not yet");
    by.post(&scene.path("/tow"), proposal.clone()).await.refused(409, "CONFLICT");
    let path = scene.path(&format!("/line-items/{}", id_of(&item)));
    by.patch(&path, json!({"unit_price": 1})).await.refused(409, "CONFLICT");
    by.delete(&path).await.expect(204);

    let item = by.post(&scene.path("/tow"), proposal.clone()).await.expect(201);
    let reject = scene.path(&format!("/line-items/{}/reject", id_of(&item)));
    scene.customer.post(&reject, json!({"version": 1})).await.expect(200);
    assert_eq!(seen(&scene.customer, &scene, "").await["destination"], Value::Null);

    let mut socket = app.following(&scene).await;
    let item = by.post(&scene.path("/tow"), proposal.clone()).await.expect(201);
    let frame = socket.expect("line_item.updated").await;
    assert_eq!(frame["data"]["destination"], item["destination"]);
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    scene.customer.post(&approve, json!({"version": 1, "quoted_total": 760})).await.expect(200);
    let job = seen(&scene.customer, &scene, "").await;
    assert_eq!(job["destination"]["workshop_id"], json!(workshop));
    assert_eq!([&job["destination_price"], &job["estimated_price"]], [0.0, 299.0], "the item has the price");
    by.post(&scene.path("/tow"), proposal).await.refused(409, "CONFLICT");

    scene.step("load", json!({"photo_urls": [PHOTO]})).await;
    scene.mechanic.ping(WORKSHOP).await;
    let done = scene.step("complete", handed_over()).await;
    assert_eq!([&done["id"], &done["final_price"]], [&json!(scene.job), &json!(1059.0)]);
    let kept = seen(&scene.customer, &scene, "/line-items").await;
    let kinds: Vec<&Value> = kept["data"].as_array().unwrap().iter().map(|item| &item["status"]).collect();
    assert_eq!(kinds, ["rejected", "approved"]);
}

#[actix_web::test]
async fn a_tow_that_was_not_driven_is_not_paid() {
    let app = spawn_app().await;
    let (scene, admin) = flat_tyre(&app).await;
    let by = &scene.mechanic.client;
    let by_hand = json!({"type": "tow", "description": "Towing", "quantity": 1, "unit_price": 5000});
    by.post(&scene.path("/line-items"), by_hand).await.refused_field("type");
    let body = json!({"destination": {"workshop_id": workshop(&admin).await}});
    let item = by.post(&scene.path("/tow"), body).await.expect(201);
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    scene.customer.post(&approve, json!({"version": 1})).await.expect(200);
    let done = scene.step("complete", json!({"outcome": "fixed"})).await;
    assert_eq!([&done["final_price"], &done["loaded_at"]], [&json!(299.0), &Value::Null]);
    assert!(done["destination"].is_object(), "{done}");
    let order = json!({"job_id": scene.job, "method": "cash"});
    let order = scene.customer.post("/payments/orders", order).await.expect(201);
    assert_eq!(order["amount"], 299.0);
    let receipt = format!("/payments/{}/receipt", order["payment_id"].as_str().expect("an id"));
    for person in [&scene.customer, by] {
        let path = format!("/payments/{}/cash-confirm", order["payment_id"].as_str().expect("an id"));
        person.post(&path, json!({"amount": 299})).await.expect(200);
    }
    let text = scene.customer.get(&receipt).await.text;
    assert!(text.contains("299.00") && !text.contains("760.00"), "{text}");
}

#[actix_web::test]
async fn a_receipt_shows_a_distance_charged_by_an_earlier_release() {
    let app = spawn_app().await;
    let scene = accepted(&app, place(WORKSHOP)).await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    assert_eq!(scene.step("complete", json!({"outcome": "fixed"})).await["final_price"], 999.0);
    // The earlier release charged the destination's price whether or not the vehicle was loaded.
    for sql in ["update job_states set final_price_paise = 105900", "update job_dues set due_paise = 105900"]
    {
        app.change(sql, &[]).await;
    }
    let payment = app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    let text = scene.customer.get(&format!("/payments/{payment}/receipt")).await.text;
    assert!(text.contains("Towing to the destination") && text.contains("1,059.00"), "{text}");
}

#[actix_web::test]
async fn a_tow_entered_by_hand_before_the_upgrade_can_still_be_decided() {
    let mut app = spawn_app().await;
    let (scene, _) = flat_tyre(&app).await;
    let item = json!({"type": "labour", "description": "Towing", "quantity": 1, "unit_price": 500});
    let item = scene.mechanic.client.post(&scene.path("/line-items"), item).await.expect(201);
    let migration = MIGRATOR.iter().find(|migration| migration.version == 96).expect("a migration");
    for sql in [
        "alter table line_items drop constraint line_items_tow_has_destination",
        "update line_items set kind = 'tow'",
    ] {
        app.change(sql, &[]).await;
    }
    sqlx::raw_sql(migration.sql.clone()).execute(&app.database.db).await.expect("the upgrade");
    app.restart().await;
    let customer = scene.customer.at(app.address);
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    let approved = customer.post(&approve, json!({"version": 1})).await.expect(200);
    assert_eq!([&approved["type"], &approved["total"]], [&json!("fee"), &json!(500.0)]);
}

#[actix_web::test]
async fn an_unproven_tow_is_held_until_an_admin_has_reviewed_it() {
    let app = spawn_app().await;
    let scene = undriven(&app).await;
    let admin = app.admin().await;
    app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    // This is 85 % of 1059.00.
    assert_eq!(cleared(&app, &scene).await, (90_015, 0));
    let listed = admin.get("/admin/tow-reviews?status=open").await.expect(200);
    let row = &listed["data"][0];
    assert_eq!([&row["job_id"], &row["reason"]], [scene.job.as_str(), "no network"]);
    assert_eq!([&row["amount"], &row["quoted_m"]], [&json!(60.0), &json!(6672)]);
    assert_eq!(row["driven_m"], Value::Null);
    for person in [&scene.customer, &scene.mechanic.client] {
        let export = person.get("/users/me/export").await.expect(200);
        let own = &export["tow_reviews"][0];
        assert_eq!([&own["job_id"], &own["reason"]], [scene.job.as_str(), "no network"]);
        assert_eq!(own["note"], Value::Null, "what admins write is for admins");
    }
    assert!(row["distance_m"].as_i64().expect("a position") > 6_000, "{row}");
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["tow_reviews"], 1);

    let decide = format!("/admin/jobs/{}/decide-tow", scene.job);
    admin.post(&decide, json!({"pay": true})).await.refused_field("note");
    assert_eq!(admin.post(&decide, decision(true)).await.expect(200)["status"], "released");
    admin.post(&decide, decision(false)).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(cleared(&app, &scene).await, (0, 90_015));
    let told = scene.mechanic.client.get("/notifications").await.expect(200);
    assert_eq!(told["data"][0]["type"], "tow_decided", "{told}");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_distance_of_a_rejected_tow_is_refunded() {
    let app = spawn_app().await;
    let scene = undriven(&app).await;
    let admin = app.admin().await;
    let decide = format!("/admin/jobs/{}/decide-tow", scene.job);
    admin.post(&decide, decision(false)).await.refused(409, "CONFLICT");
    let payment = app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    assert_eq!(admin.post(&decide, decision(false)).await.expect(200)["status"], "reduced");
    let paid = until_payment(&scene.customer, &payment, "status", json!("partially_refunded")).await;
    assert_eq!(paid["refunded_amount"], 60.0);
    // This is 85 % of 999.00.
    assert_eq!(cleared(&app, &scene).await, (0, 84_915));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_dispute_about_a_tow_decides_instead_of_its_review() {
    let app = spawn_app().await;
    let scene = undriven(&app).await;
    let admin = app.admin().await;
    let why = json!({"reason_code": "work_not_done", "description": "It never came", "evidence_urls": []});
    scene.customer.post(&scene.path("/dispute"), why).await.expect(201);
    let decide = format!("/admin/jobs/{}/decide-tow", scene.job);
    admin.post(&decide, decision(true)).await.refused(409, "CONFLICT");
    // The decision about the dispute is the one about the price: the review is over, and holds nothing back.
    let resolution = json!({"outcome": "mechanic", "note": "The workshop has it"});
    admin.post(&format!("/admin/jobs/{}/resolve", scene.job), resolution).await.expect(200);
    let ended = admin.get("/admin/tow-reviews").await.expect(200);
    assert_eq!(ended["data"][0]["status"], "released");
    admin.post(&decide, decision(false)).await.refused(409, "INVALID_TRANSITION");
    app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    assert_eq!(cleared(&app, &scene).await, (0, 90_015));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn an_unreviewed_tow_is_held_for_a_limited_time() {
    let app = spawn_app().await;
    let scene = undriven(&app).await;
    app.pay(&scene.customer, json!({"job_id": scene.job})).await;
    assert_eq!(cleared(&app, &scene).await, (90_015, 0));
    let held = "select held_until > now() + interval '13 days' and held_until < now() + interval '15 days' from job_dues";
    assert!(app.value::<bool>(held, &[]).await);
    let over = "update job_dues set held_until = now() - interval '1 minute'";
    app.change(over, &[]).await;
    assert_eq!(cleared(&app, &scene).await, (0, 90_015));
}

#[actix_web::test]
async fn a_repeated_proposal_of_a_tow_is_the_same_proposal() {
    let app = spawn_app().await;
    let (scene, _) = flat_tyre(&app).await;
    let (path, body) = (scene.path("/tow"), json!({"destination": place(WORKSHOP)}));
    let by = &scene.mechanic.client;
    let propose = async || by.post_once(&path, &body, "tow-1").await.expect(201);
    assert_eq!(propose().await, propose().await);
    let listed = seen(&scene.customer, &scene, "/line-items").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_mechanic_not_verified_to_tow_cannot_propose_a_tow() {
    let (_app, scene) = spawn_accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    let body = json!({"destination": place(WORKSHOP)});
    let refused = scene.mechanic.client.post(&scene.path("/tow"), body).await.refused(409, "CONFLICT");
    assert!(refused["error"]["message"].as_str().unwrap().contains("verified"), "{refused}");
}

#[actix_web::test]
async fn a_leaving_mechanics_proposed_destination_is_removed() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = tow_truck(&app, &admin).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let scene = Scene { customer: stranded.client, mechanic, job };
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let body = json!({"destination": place(WORKSHOP)});
    let item = scene.mechanic.client.post(&scene.path("/tow"), body).await.expect(201);
    let before = replayed(&scene.customer, &scene.job).await;
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    scene.customer.post(&approve, json!({"version": 1})).await.expect(200);
    assert_eq!(seen(&scene.customer, &scene, "").await["destination"]["address"], ADDRESS);
    scene.step("release", json!({"reason_code": "personal"})).await;
    assert_eq!(seen(&scene.customer, &scene, "").await["destination"], Value::Null);
    let after = replayed(&scene.customer, &scene.job).await;
    assert_eq!(after[..before.len()], before, "the log shows the job as it was");
}

#[actix_web::test]
async fn the_log_shows_a_destination_from_the_customers_agreement_on() {
    let app = spawn_app().await;
    let (scene, _) = flat_tyre(&app).await;
    let body = json!({"destination": place(WORKSHOP)});
    let item = scene.mechanic.client.post(&scene.path("/tow"), body).await.expect(201);
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    scene.customer.post(&approve, json!({"version": 1})).await.expect(200);
    scene.step("load", json!({"photo_urls": [PHOTO]})).await;
    let log = replayed(&scene.customer, &scene.job).await;
    let addresses: Vec<&Value> = log.iter().map(|event| &event["data"]["destination"]["address"]).collect();
    let Some((loaded, earlier)) = addresses.split_last() else { panic!("{log:?}") };
    assert_eq!(*loaded, ADDRESS);
    // The proposal and the agreement show the item, which has a destination of its own.
    let [started @ .., proposed, agreed] = earlier else { panic!("{log:?}") };
    assert_eq!([*proposed, *agreed], [ADDRESS; 2]);
    assert!(started.iter().all(|address| address.is_null()), "{log:?}");
}

#[actix_web::test]
async fn an_impossible_destination_names_its_field() {
    let app = spawn_app_with(|settings| settings.jobs.max_destination_km = 20.0).await;
    let admin = app.admin().await;
    let (open, closed) = (workshop(&admin).await, workshop(&admin).await);
    admin.patch(&format!("/admin/workshops/{closed}"), json!({"is_active": false})).await.expect(200);
    let stranded = app.breakdown().await;
    let nobody = "018f0000-0000-7000-8000-00000000dead";
    let far = (PICKUP.0 + 1.0, PICKUP.1);
    let cases = [
        (json!({}), "destination"),
        (set(&place(WORKSHOP), "workshop_id", json!(open)), "destination.workshop_id"),
        (json!({"workshop_id": closed}), "destination.workshop_id"),
        (json!({"workshop_id": nobody}), "destination.workshop_id"),
        (json!({"workshop_id": "mine"}), "destination.workshop_id"),
        (without(&place(WORKSHOP), "address"), "destination.address"),
        (without(&place(WORKSHOP), "lat"), "destination.lat"),
        (set(&place(WORKSHOP), "lng", json!(181)), "destination.lng"),
        (set(&place(WORKSHOP), "receiver_phone", json!("12")), "destination.receiver_phone"),
        (set(&place(WORKSHOP), "floor", json!(2)), "destination.floor"),
        (json!("the workshop"), "destination"),
        (place(far), "destination"),
    ];
    for (destination, field) in cases {
        let refused = stranded.client.post("/jobs", tow(&stranded, destination.clone())).await;
        refused.refused_field(field);
    }
    let flat = set(&stranded.call_body(), "destination", place(WORKSHOP));
    stranded.client.post("/jobs", flat.clone()).await.refused_field("destination");
    let asked = without(&flat, "pickup_address");
    stranded.client.post("/jobs/estimate", asked).await.refused_field("destination");
    let path = format!("/service-categories/{TOWING}");
    admin.patch(&path, json!({"destination": "required"})).await.expect(200);
    let without_destination = without(&tow(&stranded, json!(null)), "destination");
    stranded.client.post("/jobs", without_destination.clone()).await.refused_field("destination");
    let asked = without(&without_destination, "pickup_address");
    stranded.client.post("/jobs/estimate", asked).await.refused_field("destination");
    admin.patch(&path, json!({"destination": "never"})).await.refused_field("destination");
    let body = json!({"destination_per_km_price": -1});
    admin.patch(&path, body).await.refused_field("destination_per_km_price");
    admin.patch(&path, json!({"destination": "optional"})).await.expect(200);
    let job = stranded.client.post("/jobs", without_destination).await.expect(201);
    assert_eq!([&job["destination"], &job["destination_price"]], [&json!(null), &json!(0.0)]);
}

#[actix_web::test]
async fn an_unsuitable_outcome_is_refused() {
    let app = spawn_app().await;
    let (scene, _) = flat_tyre(&app).await;
    let by = &scene.mechanic.client;
    by.post(&scene.path("/complete"), handed_over()).await.refused_field("outcome");
    let named = json!({"outcome": "fixed", "received_by": "Lakshmi"});
    by.post(&scene.path("/complete"), named).await.refused_field("received_by");
}

#[actix_web::test]
async fn the_distance_is_by_road_and_unreachable_places_are_refused() {
    let peer = OsrmPeer::with_roads(vec![(PICKUP, Some(1_100.0))]).await;
    let app = spawn_app_with(by_router(peer.url())).await;
    // The place is as far east as north: 13 km by road.
    let there = (PICKUP.0 + 0.06, PICKUP.1 + 0.06);
    let stranded = app.breakdown().await;
    let job = stranded.client.post("/jobs", tow(&stranded, place(there))).await.expect(201);
    let shown = &job["destination"];
    assert_eq!([&shown["distance_m"], &shown["duration_s"]], [13_172, 1_100]);
    assert_eq!(job["destination_price"], 270.0, "14 begun kilometres, of which 5 are free");
    peer.set_roads(vec![(PICKUP, None)]);
    let other = app.breakdown().await;
    other.client.post("/jobs", tow(&other, place(there))).await.refused_field("destination");
    // A router that breaks down holds nobody up.
    peer.die().await;
    let job = other.client.post("/jobs", tow(&other, place(there))).await.expect(201);
    assert!(job["destination"]["distance_m"].as_i64().unwrap() < 9_400, "the straight line: {job}");
}

#[actix_web::test]
async fn a_restart_between_loading_and_handing_over_changes_nothing() {
    let mut app = spawn_app().await;
    let scene = loaded(&app, place(WORKSHOP)).await;
    let before = seen(&scene.customer, &scene, "").await;
    app.restart().await;
    let (customer, mechanic) = (scene.customer.at(app.address), scene.mechanic.client.at(app.address));
    let after = customer.get(&scene.path("")).await.expect(200);
    assert_eq!([&after["destination"], &after["loaded_at"]], [&before["destination"], &before["loaded_at"]]);
    let mut socket = app.socket(&customer).await;
    socket.ask("job.subscribe", json!({"job_id": scene.job})).await.unwrap();
    let here = point(900, (PICKUP.0 + 0.03, PICKUP.1), app.service.clock.now());
    mechanic.post("/mechanics/me/location", json!({"points": [here]})).await.expect(200);
    let is_ahead = |frame: &Value| frame["type"] == "eta.updated" && frame["data"]["distance_m"] == 3336;
    socket.find("the way ahead", is_ahead).await;
    mechanic.post(&scene.path("/complete"), json!({"outcome": "fixed"})).await.refused_field("outcome");
    let there = point(901, WORKSHOP, app.service.clock.now());
    mechanic.post("/mechanics/me/location", json!({"points": [there]})).await.expect(200);
    let done = mechanic.post(&scene.path("/complete"), handed_over()).await.expect(200);
    assert_eq!(done["received_by"], "Lakshmi");
    let driven_m = done["destination"]["driven_m"].as_i64().expect("a way");
    assert!((6_660..=6_680).contains(&driven_m), "whatever came before the restart: {driven_m}");
}

#[actix_web::test]
async fn followers_see_the_destination_roughly() {
    let app = spawn_app().await;
    let scene = loaded(&app, place(WORKSHOP)).await;
    let link = scene.customer.post(&scene.path("/shares"), json!({})).await.expect(201);
    let shown =
        app.anonymous().get(&format!("/shares/{}", link["token"].as_str().unwrap())).await.expect(200);
    assert_eq!(shown["destination"], json!({"address": "Bengaluru", "workshop_name": null}));
    assert!(shown["loaded_at"].is_string() && shown["eta"].is_object(), "{shown}");
}

#[actix_web::test]
async fn an_admin_books_a_tow_and_keeps_the_list_of_workshops() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let id = workshop(&admin).await;
    let path = format!("/admin/users/{}/jobs", stranded.client.user_id);
    let body = tow(&stranded, json!({"workshop_id": id}));
    let asked = without(&body, "pickup_address");
    let estimate = admin.post(&format!("{path}/estimate"), asked).await.expect(200);
    assert_eq!(estimate["destination_price"], 60.0);
    let job = admin.post(&path, body).await.expect(201);
    // The job keeps its customer's choice, whatever becomes of the workshop.
    let path = format!("/admin/workshops/{id}");
    let moved =
        admin.patch(&path, json!({"name": "Lakshmi & Sons", "lat": 13.5, "phone": null})).await.expect(200);
    assert_eq!([&moved["name"], &moved["address"]], ["Lakshmi & Sons", ADDRESS]);
    admin.delete(&path).await.expect(204);
    admin.delete(&path).await.refused(404, "NOT_FOUND");
    let kept = admin.get(&format!("/admin/jobs/{}", id_of(&job))).await.expect(200);
    assert_eq!(kept["destination"]["workshop_name"], "Lakshmi Motors");
    assert_eq!(kept["destination"]["lat"], json!(WORKSHOP.0));
    let near = stranded.client.get("/workshops?lat=12.9&lng=77.6").await.expect(200);
    assert_eq!(near["data"], json!([]));
    let log = admin.get("/admin/audit-log?limit=10").await.expect(200);
    let actions: Vec<&str> =
        log["data"].as_array().unwrap().iter().filter_map(|entry| entry["action"].as_str()).collect();
    for action in ["workshop.create", "workshop.update", "workshop.delete"] {
        assert!(actions.contains(&action), "{actions:?}");
    }
}

#[actix_web::test]
async fn workshops_are_listed_nearest_first_and_bad_queries_are_refused() {
    let (app, admin) = spawn_with_admin().await;
    for (name, lat) in [("Far", 13.5), ("Near", 12.98), ("Middle", 13.1), ("Closed", 12.972)] {
        let body = json!({"name": name, "address": ADDRESS, "lat": lat, "lng": PICKUP.1, "is_active": name != "Closed"});
        admin.post("/admin/workshops", body).await.expect(201);
    }
    let asked = format!("/workshops?lat={}&lng={}", PICKUP.0, PICKUP.1);
    let near = app.customer().await.get(&format!("{asked}&limit=2")).await.expect(200);
    let names: Vec<&Value> = near["data"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Near", "Middle"]);
    let listed = admin.get("/admin/workshops?is_active=false").await.expect(200);
    assert_eq!([&listed["total"], &listed["data"][0]["name"]], [&json!(1), &json!("Closed")]);
    admin.get("/workshops?lat=12.9").await.refused_field("lng");
    admin.get(&format!("{asked}&limit=51")).await.refused_field("limit");
    let sound = json!({"name": "A", "address": ADDRESS, "lat": 12.9, "lng": 77.6});
    for (field, value) in
        [("name", json!("")), ("lat", json!(91)), ("phone", json!("12")), ("sign", json!(1))]
    {
        admin.post("/admin/workshops", set(&sound, field, value)).await.refused_field(field);
    }
}

#[actix_web::test]
async fn the_destination_and_the_receiver_are_deleted_with_the_persons_account() {
    let app = spawn_app().await;
    let named = set(&place(WORKSHOP), "receiver_name", json!("Padma Rao"));
    let named = set(&named, "receiver_phone", json!("+919812300009"));
    let named = set(&named, "address", json!("7 Temple Street, Jayanagar, Bengaluru 560041"));
    let mut scene = loaded(&app, named).await;
    scene.mechanic.ping(WORKSHOP).await;
    let taken = set(&handed_over(), "received_by", json!("Padma Rao"));
    scene.step("complete", taken).await;
    scene.pay_cash().await;
    let export = scene.customer.get("/users/me/export").await.expect(200);
    assert!(export.to_string().contains("Temple Street"), "a person's export has it");
    scene.customer.delete("/users/me").await.expect(204);
    let mechanic = &scene.mechanic.client;
    let read = async || {
        let mut all = String::new();
        for rest in ["", "/events"] {
            all.push_str(&seen(mechanic, &scene, rest).await.to_string());
        }
        all
    };
    let text = read().await;
    for name in ["Padma", "9812300009"] {
        assert!(!text.contains(name), "{name} in {text}");
    }
    let earlier = "update users set updated_at = updated_at - make_interval(days => 91) where id = $1::uuid";
    app.change(earlier, &[&scene.customer.user_id]).await;
    within("the round", roadcall::lifecycle::coarsen_places(&app.service.lifecycle)).await.unwrap();
    let text = read().await;
    for exact in ["Temple", "Jayanagar", "13.0316"] {
        assert!(!text.contains(exact), "{exact} in {text}");
    }
    let job = seen(mechanic, &scene, "").await;
    assert_eq!(job["destination"]["address"], "Bengaluru");
    assert_eq!(job["destination"]["lat"], 13.03);
}
