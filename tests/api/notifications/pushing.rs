//! The way from the row to the device: which pushes are attempted, which are not, and how they end.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use super::{listed, register, spawn_with, until_status};
use crate::support::{
    MechanicClient, Person, TestApp,
    bodies::id_of,
    fcm::{FcmPeer, error},
    peer::{Manner, says},
    roadside::OnRoad,
    spawn_app, within,
};

fn busy() -> Manner {
    says(503, error(503, "UNAVAILABLE", "", json!([])))
}

/// Returns why the last notification was not delivered, and the number of attempts.
async fn note_of(app: &TestApp, kind: &str) -> (Option<String>, i32) {
    let note =
        "select delivery_note, attempts from notifications where type = $1 order by created_at desc limit 1";
    app.row(note, &[kind]).await
}

async fn mechanic(app: &TestApp, token: &str) -> OnRoad {
    let admin = app.admin().await;
    let mechanic = app.on_road(&admin).await;
    register(&mechanic.client, token).await;
    mechanic
}

/// Has an admin verify a mechanic who has a device; returns both.
async fn verified(app: &TestApp) -> (Person, MechanicClient) {
    let (admin, mechanic) = (app.admin().await, app.registered_mechanic().await);
    register(&mechanic.client, "phone").await;
    admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), json!({})).await.expect(200);
    (admin, mechanic)
}

#[actix_web::test]
async fn an_offer_wakes_the_phone_for_as_long_as_it_lasts() {
    let peer = FcmPeer::start().await;
    let app = spawn_with(&peer, |_| {}).await;
    let mut mechanic = mechanic(&app, "phone").await;
    mechanic.client.patch("/users/me", json!({"language": "kn-IN"})).await.expect(200);
    let stranded = app.breakdown().await;
    let job = stranded.call().await;
    let offer = mechanic.offer().await;
    let message = peer.until_taken("job_offer").await;
    assert_eq!((&message["token"], &message["android"]["priority"]), (&json!("phone"), &json!("HIGH")));
    let ttl = message["android"]["ttl"].as_str().and_then(|ttl| ttl.strip_suffix('s')).expect("seconds");
    assert!((1..=20).contains(&ttl.parse::<i64>().expect("a number")), "{message}");
    let shown = until_status(&mechanic.client, "job_offer", "sent").await;
    assert_eq!(shown["data"], json!({"job_id": id_of(&job), "offer_id": id_of(&offer)}));
    let data = json!({"type": "job_offer", "notification_id": shown["id"], "job_id": id_of(&job), "offer_id": id_of(&offer)});
    assert_eq!((&message["data"], &message["notification"]["title"]), (&data, &shown["title"]));
    assert_eq!(shown["title"], "ಹತ್ತಿರದಲ್ಲಿ ಹೊಸ ಕೆಲಸ", "in the mechanic's language");
}

#[actix_web::test]
async fn devices_that_hang_hold_up_no_offer() {
    let peer = FcmPeer::start().await;
    peer.answer_of("stuck", Manner::Silent);
    // They hang for longer than the test lasts.
    let app = spawn_with(&peer, |settings| settings.push.timeout_ms = 60_000).await;
    let stuck = app.customer().await;
    register(&stuck, "stuck").await;
    let many = "select record_notifications(now(), array(select gen_random_uuid() from generate_series(1, 40)),
        array_fill($1::uuid, array[40]), array_fill(null::uuid, array[40]), array_fill('chat_message'::text, array[40]),
        array_fill(''::text, array[40]), array_fill(''::text, array[40]), array_fill('{}'::jsonb, array[40]),
        array_fill(false, array[40]), array_fill(null::timestamptz, array[40]))";
    app.change(many, &[&stuck.user_id]).await;
    let mut mechanic = mechanic(&app, "phone").await;
    peer.until_asked(16).await;
    app.breakdown().await.call().await;
    mechanic.offer().await;
    until_status(&mechanic.client, "job_offer", "sent").await;
    let waiting = listed(&stuck, "&type=chat_message").await;
    assert!(waiting.iter().all(|pushed| pushed["delivery_status"] == "pending"), "{waiting:?}");
}

#[actix_web::test]
async fn an_offer_that_is_over_is_not_pushed() {
    let peer = FcmPeer::start().await;
    peer.send_as(busy());
    let app = spawn_with(&peer, |settings| {
        settings.dispatch.offer_ttl_s = 1;
        settings.push.attempts = 20;
    })
    .await;
    let mut mechanic = mechanic(&app, "phone").await;
    app.breakdown().await.call().await;
    let offer = mechanic.offer().await;
    let shown = until_status(&mechanic.client, "job_offer", "skipped").await;
    assert_eq!(shown["data"]["offer_id"], offer["id"]);
    assert_eq!(note_of(&app, "job_offer").await.0.as_deref(), Some("too late"));
    assert!(peer.taken().iter().all(|message| message["data"]["type"] != "job_offer"), "{:?}", peer.taken());
}

#[actix_web::test]
async fn an_answered_offer_rings_nobody() {
    let peer = FcmPeer::start().await;
    peer.send_as(busy());
    let app = spawn_with(&peer, |_| {}).await;
    let mut mechanic = mechanic(&app, "phone").await;
    app.breakdown().await.call().await;
    let offer = mechanic.offer().await;
    peer.until_asked(1).await;
    mechanic.client.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);
    peer.send_as(Manner::Documented);
    let shown = until_status(&mechanic.client, "job_offer", "skipped").await;
    assert_eq!(shown["data"]["offer_id"], offer["id"]);
    assert!(peer.taken().is_empty(), "{:?}", peer.taken());
}

#[actix_web::test]
async fn people_without_a_device_or_without_the_topic_get_no_pushes() {
    let peer = FcmPeer::start().await;
    let app = spawn_with(&peer, |_| {}).await;
    let admin = app.admin().await;
    let without = app.verified_mechanic(&admin).await;
    until_status(&without.client, "mechanic_verified", "skipped").await;
    assert_eq!(note_of(&app, "mechanic_verified").await.0.as_deref(), Some("no device"));
    let unwilling = app.registered_mechanic().await;
    register(&unwilling.client, "phone").await;
    unwilling.client.patch("/notifications/preferences", json!({"account": false})).await.expect(200);
    let verify = format!("/admin/mechanics/{}/verify", unwilling.profile_id);
    admin.post(&verify, json!({})).await.expect(200);
    until_status(&unwilling.client, "mechanic_verified", "skipped").await;
    assert_eq!(note_of(&app, "mechanic_verified").await.0.as_deref(), Some("switched off"));
    // Another topic still works.
    let body = json!({"account": true, "jobs": false});
    unwilling.client.patch("/notifications/preferences", body).await.expect(200);
    let suspend = format!("/admin/mechanics/{}/suspend", unwilling.profile_id);
    admin.post(&suspend, json!({"reason": "papers"})).await.expect(200);
    until_status(&unwilling.client, "mechanic_suspended", "sent").await;
    assert_eq!(peer.asked().len(), 1);
}

#[actix_web::test]
async fn one_accepting_device_is_enough_and_dead_tokens_are_forgotten() {
    let peer = FcmPeer::start().await;
    peer.uninstalled("old");
    peer.answer_of("slow", busy());
    let app = spawn_with(&peer, |_| {}).await;
    let admin = app.admin().await;
    let mechanic = app.registered_mechanic().await;
    for token in ["old", "slow", "phone"] {
        register(&mechanic.client, token).await;
    }
    admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), json!({})).await.expect(200);
    until_status(&mechanic.client, "mechanic_verified", "sent").await;
    assert_eq!(peer.taken().len(), 1);
    assert_eq!(note_of(&app, "mechanic_verified").await.1, 1, "nothing is tried again");
    mechanic.client.delete("/notifications/push-tokens/old").await.refused(404, "NOT_FOUND");
    mechanic.client.delete("/notifications/push-tokens/slow").await.expect(204);
    mechanic.client.delete("/notifications/push-tokens/phone").await.expect(204);
    register(&mechanic.client, "old").await;
    let suspend = format!("/admin/mechanics/{}/suspend", mechanic.profile_id);
    admin.post(&suspend, json!({"reason": "papers"})).await.expect(200);
    until_status(&mechanic.client, "mechanic_suspended", "skipped").await;
}

#[actix_web::test]
async fn a_failed_push_is_tried_again_and_then_arrives() {
    let peer = FcmPeer::start().await;
    peer.send_as(busy());
    let app = spawn_with(&peer, |_| {}).await;
    let (_, mechanic) = verified(&app).await;
    peer.until_asked(2).await;
    assert_eq!(listed(&mechanic.client, "").await[0]["delivery_status"], "pending");
    peer.send_as(Manner::Documented);
    until_status(&mechanic.client, "mechanic_verified", "sent").await;
    let messages = peer.asked();
    assert!(messages.len() >= 3 && peer.taken().len() == 1);
    assert!(
        messages
            .iter()
            .all(|message| message["android"]["notification"] == messages[0]["android"]["notification"])
    );
}

async fn fails(alter: impl FnOnce(&mut Settings), manner: Manner, attempts: usize) -> (TestApp, Value) {
    let peer = FcmPeer::start().await;
    peer.send_as(manner);
    let app = spawn_with(&peer, alter).await;
    let (admin, mechanic) = verified(&app).await;
    until_status(&mechanic.client, "mechanic_verified", "failed").await;
    assert_eq!(peer.asked().len(), attempts);
    let dead = admin.get("/admin/failed-pushes").await.expect(200);
    assert_eq!(dead["total"], 1);
    let metrics = app.anonymous().get("/metrics").await.text;
    assert!(metrics.contains(r#"roadcall_pushes_total{status="failed"}"#), "{metrics}");
    (app, dead["data"][0].clone())
}

#[actix_web::test]
async fn a_push_that_failed_too_often_is_dead_and_admins_see_it() {
    let (_, dead) = fails(|settings| settings.push.attempts = 2, busy(), 2).await;
    assert_eq!((&dead["attempts"], &dead["failure"]), (&json!(2), &json!("status 503, UNAVAILABLE")));
    assert_eq!(dead["type"], "mechanic_verified");
    assert!(dead.get("title").is_none() && dead.get("body").is_none(), "{dead}");
}

#[actix_web::test]
async fn a_permanently_refused_push_is_dead_at_once() {
    let odd = says(400, error(400, "INVALID_ARGUMENT", "Invalid TTL", json!([])));
    let (_, dead) = fails(|_| {}, odd, 1).await;
    assert_eq!((&dead["attempts"], &dead["failure"]), (&json!(1), &json!("status 400, INVALID_ARGUMENT")));
}

#[actix_web::test]
async fn a_push_claimed_by_a_dead_server_is_sent_by_the_next() {
    let peer = FcmPeer::start().await;
    peer.send_as(Manner::Silent);
    let mut app = spawn_with(&peer, |settings| settings.push.timeout_ms = 300).await;
    let (_, mechanic) = verified(&app).await;
    peer.until_asked(1).await;
    app.stop().await;
    assert_eq!(note_of(&app, "mechanic_verified").await.1, 1);
    peer.send_as(Manner::Documented);
    app.restart().await;
    peer.until_taken("mechanic_verified").await;
}

#[actix_web::test]
async fn a_slow_device_does_not_delay_others() {
    let peer = FcmPeer::start().await;
    peer.answer_of("stuck", Manner::Silent);
    let app = spawn_with(&peer, |_| {}).await;
    let admin = app.admin().await;
    let (stuck, quick) = (app.registered_mechanic().await, app.registered_mechanic().await);
    register(&stuck.client, "stuck").await;
    register(&quick.client, "quick").await;
    for mechanic in [&stuck, &quick] {
        admin.post(&format!("/admin/mechanics/{}/verify", mechanic.profile_id), json!({})).await.expect(200);
    }
    until_status(&quick.client, "mechanic_verified", "sent").await;
    assert_eq!(listed(&stuck.client, "").await[0]["delivery_status"], "pending");
}

#[actix_web::test]
async fn by_default_the_service_sends_no_pushes() {
    let app = spawn_app().await;
    let (_, mechanic) = verified(&app).await;
    within("it is written as made", until_status(&mechanic.client, "mechanic_verified", "sent")).await;
}
