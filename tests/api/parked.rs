//! Mechanics who wait at a place with the phone in a pocket, and offers that ring until they are seen.

use std::time::Duration;

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{
    Client, Person, TestApp,
    bodies::{id_of, with},
    fcm::FcmPeer,
    roadside::PICKUP,
    spawn_app_with, until, until_so,
};

const PARKED: &str = "/mechanics/me/parked";
/// A place about 110 m from the default place of jobs.
const WORKSHOP: (f64, f64) = (PICKUP.0 + 0.001, PICKUP.1);

/// Starts an app in which positions are fresh for a short time, and a silent mechanic is offline at once.
async fn spawn(peer: &FcmPeer, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(&mut settings.push);
        settings.dispatch.fresh_position_s = 1;
        settings.dispatch.auto_off_s = 1;
        settings.dispatch.offer_ttl_s = 1;
        settings.push.offer_repeat_s = 5;
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

fn workshop() -> Value {
    json!({"lat": WORKSHOP.0, "lng": WORKSHOP.1, "label": "My workshop"})
}

async fn register(person: &Client, app: &str) {
    let new =
        json!({"token": format!("token-of-{app}"), "platform": "android", "device_id": app, "app": app});
    person.post("/notifications/push-tokens", new).await.expect(201);
}

/// Returns a verified mechanic with the mechanics' app on their phone.
async fn with_a_phone(app: &TestApp) -> Person {
    let mechanic = app.verified_mechanic(&*app.admin().await).await.client;
    register(&mechanic, "mechanic").await;
    mechanic
}

async fn parked(app: &TestApp) -> Person {
    let mechanic = with_a_phone(app).await;
    mechanic.put(PARKED, workshop()).await.expect(200);
    mechanic
}

async fn where_parked(mechanic: &Client) -> Value {
    mechanic.get(PARKED).await.expect(200)["parked"].clone()
}

async fn until_offered(mechanic: &Client) -> Value {
    mechanic.get_until("/mechanics/me/offers", |offers| offers["data"] != json!([])).await["data"][0].take()
}

async fn until_offline(mechanic: &Client) {
    mechanic.get_until("/mechanics/me", |own| own["is_available"] == false).await;
}

async fn until_notified(mechanic: &Client, kind: &str) {
    mechanic.get_until(&format!("/notifications?type={kind}"), |listed| listed["data"] != json!([])).await;
}

/// Waits until no offer is to be pushed again.
async fn until_silent(app: &TestApp) {
    let silent = "select not exists (select from notifications where repeat_at is not null)";
    until_so("no offer rings", async || app.value(silent, &[]).await).await;
}

fn rung(peer: &FcmPeer) -> usize {
    peer.taken().iter().filter(|message| message["data"]["type"] == "job_offer").count()
}

async fn until_rung(peer: &FcmPeer, times: usize) {
    until("it rings again", async || (rung(peer) >= times).then_some(())).await;
}

#[actix_web::test]
async fn a_dark_phone_rings_until_its_mechanic_takes_the_job_and_drives() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    let admin = app.admin().await;
    let mechanic = parked(&app).await;
    let shown = where_parked(&mechanic).await;
    assert_eq!((&shown["lat"], &shown["label"]), (&json!(WORKSHOP.0), &json!("My workshop")));
    assert_eq!(mechanic.get("/mechanics/me").await.expect(200)["is_available"], true);
    // Other mechanics who sent nothing are offline by now.
    let other = app.on_road(&admin).await;
    until_offline(&other.client).await;
    let profile = id_of(&mechanic.get("/mechanics/me").await.expect(200));
    let by_admin = admin.get(&format!("/admin/mechanics/{profile}")).await.expect(200);
    assert_eq!(by_admin["parked_until"], shown["until"]);

    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    let offer = until_offered(&mechanic).await;
    let first = peer.until_taken("job_offer").await;
    assert_eq!(first["android"]["notification"]["channel_id"], "job_offers");
    // An offer of the usual length would be over.
    until_rung(&peer, 2).await;
    let again = peer.taken().pop().expect("a push");
    assert_eq!(again["android"]["notification"]["tag"], first["android"]["notification"]["tag"]);
    mechanic.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    let located = until("a place", async || {
        let seen =
            stranded.client.get(&format!("/jobs/{job}/location")).await.expect(200)["location"].clone();
        seen.is_object().then_some(seen)
    })
    .await;
    assert_eq!((&located["lat"], &located["lng"]), (&json!(WORKSHOP.0), &json!(WORKSHOP.1)));
    let refused = mechanic.post(&format!("/jobs/{job}/arrive"), json!({})).await;
    assert!(refused.status >= 400, "the place proves no arrival: {refused:?}");
    mechanic.post(&format!("/jobs/{job}/en-route"), json!({})).await.expect(200);
    until_silent(&app).await;
    assert_eq!(rung(&peer), 2, "none after the answer");

    let explained = admin.get(&format!("/admin/jobs/{job}/dispatch")).await.expect(200);
    let found = explained.to_string().contains("\"parked_s\":60");
    assert!(found, "{explained}");
    let export = mechanic.get("/users/me/export").await.expect(200);
    assert_eq!(export["parked"]["label"], "My workshop", "a job ends nothing");
}

#[actix_web::test]
async fn a_seen_offer_stops_ringing() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    let mechanic = parked(&app).await;
    app.breakdown().await.call().await;
    let offer = until_offered(&mechanic).await;
    until_rung(&peer, 1).await;
    let path = format!("/offers/{}/seen", id_of(&offer));
    let other = app.verified_mechanic(&*app.admin().await).await.client;
    other.post(&path, json!({})).await.refused(404, "NOT_FOUND");
    mechanic.post(&path, json!({"at": "now"})).await.refused_field("at");
    mechanic.post(&path, json!({})).await.expect(204);
    let shown_at = "select shown_at is not null, (select max(shown_at) from offers)::text from offers";
    let seen: (bool, String) = app.row(shown_at, &[]).await;
    assert!(seen.0);
    mechanic.post(&path, json!({})).await.expect(204);
    let again: (bool, String) = app.row(shown_at, &[]).await;
    assert_eq!(again, seen, "once");
    until_silent(&app).await;
    assert_eq!(rung(&peer), 1);
}

#[actix_web::test]
async fn repeats_of_a_push_are_limited() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |settings| settings.push.offer_repeats = 1).await;
    let mechanic = parked(&app).await;
    app.breakdown().await.call().await;
    until_offered(&mechanic).await;
    until_rung(&peer, 2).await;
    until_silent(&app).await;
    let listed = mechanic.get("/notifications?type=job_offer").await.expect(200);
    assert_eq!(listed["data"][0]["delivery_status"], "sent", "{listed}");
}

#[actix_web::test]
async fn two_unanswered_offers_end_the_waiting_for_a_while_and_the_mechanic_is_notified() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |settings| settings.dispatch.parked_offer_ttl_s = 1).await;
    let mechanic = parked(&app).await;
    app.breakdown().await.call().await;
    until_notified(&mechanic, "parking_unanswered").await;
    assert_eq!(where_parked(&mechanic).await, Value::Null);
    peer.until_taken("parking_unanswered").await;
    until_offline(&mechanic).await;
    let stats = mechanic.get("/mechanics/me/stats").await.expect(200);
    assert_eq!(stats["offers_expired"], 2, "they count like any: {stats}");

    let refused = mechanic.put(PARKED, workshop()).await;
    let seconds: u64 = refused.header("retry-after").expect("seconds").parse().expect("a number");
    assert!((1..=601).contains(&seconds), "{seconds}");
    let refused = refused.refused(429, "RATE_LIMITED");
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("You can wait at a place again in "), "{message}");
    app.service.clock.advance(Duration::from_secs(seconds));
    mechanic.put(PARKED, workshop()).await.expect(200);
}

#[actix_web::test]
async fn a_mechanic_who_leaves_the_place_is_notified_and_stays_online() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |settings| {
        settings.dispatch.fresh_position_s = 60;
        settings.dispatch.auto_off_s = 60;
    })
    .await;
    let mechanic = parked(&app).await;
    let away = app.point(1, WORKSHOP.0 + 0.01);
    mechanic.post("/mechanics/me/location", json!({"points": [away]})).await.expect(200);
    until_notified(&mechanic, "parking_left").await;
    assert_eq!(where_parked(&mechanic).await, Value::Null);
    assert_eq!(mechanic.get("/mechanics/me").await.expect(200)["is_available"], true);
    // Their phone says that they are elsewhere.
    mechanic.put(PARKED, workshop()).await.refused_field("lat");
    let there = with(&workshop(), "/lat", json!(WORKSHOP.0 + 0.0099));
    mechanic.put(PARKED, there).await.expect(200);
}

#[actix_web::test]
async fn waiting_at_a_place_survives_a_restart_and_ends_on_request() {
    let peer = FcmPeer::start().await;
    let mut app = spawn(&peer, |_| {}).await;
    let mechanic = parked(&app).await;
    let before = where_parked(&mechanic).await;
    app.restart().await;
    let again = mechanic.at(app.address);
    assert_eq!(where_parked(&again).await, before);
    app.breakdown().await.call().await;
    let offer = until_offered(&again).await;
    again.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);

    again.delete(PARKED).await.expect(204);
    assert_eq!(where_parked(&again).await, Value::Null);
    again.delete(PARKED).await.expect(204);
    again.put(PARKED, workshop()).await.expect(200);
    again.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    assert_eq!(where_parked(&again).await, Value::Null, "who goes offline waits nowhere");
    again.put("/mechanics/me/availability", json!({"is_available": true})).await.expect(200);
    assert_eq!(where_parked(&again).await, Value::Null);
}

#[actix_web::test]
async fn mechanics_without_pushes_or_without_permission_to_serve_cannot_park() {
    let peer = FcmPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    let admin = app.admin().await;
    let mechanic = app.verified_mechanic(&admin).await;
    let ask = async |body: Value| mechanic.client.put(PARKED, body).await;
    ask(workshop()).await.refused(409, "PUSH_NOT_SET_UP");
    register(&mechanic.client, "customer").await;
    ask(workshop()).await.refused(409, "PUSH_NOT_SET_UP");
    register(&mechanic.client, "mechanic").await;
    mechanic.client.patch("/notifications/preferences", json!({"offers": false})).await.expect(200);
    ask(workshop()).await.refused(409, "PUSH_NOT_SET_UP");
    mechanic.client.patch("/notifications/preferences", json!({"offers": true})).await.expect(200);
    for (field, value) in [
        ("lat", json!(90.1)),
        ("lat", Value::Null),
        ("lng", json!("east")),
        ("label", json!("")),
        ("label", json!("x".repeat(81))),
        ("until", json!("2026-03-14T19:30:00Z")),
    ] {
        ask(with(&workshop(), &format!("/{field}"), value)).await.refused_field(field);
    }
    assert_eq!(where_parked(&mechanic.client).await, Value::Null);
    ask(json!({"lat": WORKSHOP.0, "lng": WORKSHOP.1})).await.expect(200);
    assert_eq!(where_parked(&mechanic.client).await["label"], Value::Null);

    let pending = app.registered_mechanic().await.client;
    register(&pending, "mechanic").await;
    pending.put(PARKED, workshop()).await.refused(403, "NOT_VERIFIED");
    app.anonymous().put(PARKED, workshop()).await.refused(401, "UNAUTHORIZED");
    let suspend = format!("/admin/mechanics/{}/suspend", mechanic.profile_id);
    admin.post(&suspend, json!({"reason": "papers"})).await.expect(200);
    admin.post(&suspend.replace("/suspend", "/reinstate"), json!({})).await.expect(200);
    assert_eq!(where_parked(&mechanic.client).await, Value::Null, "a suspended mechanic waits nowhere");
}
