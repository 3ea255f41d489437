//! The holder of a link and the mechanic write to each other.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use super::{link, revoke};
use crate::{
    chat::{name, say, text},
    support::{Answer, Client, TestApp, bodies::set, roadside::Scene, spawn_app_with},
};

async fn write(nobody: &Client, path: &str, message: Value) -> Answer {
    nobody.post(&format!("{path}/messages"), message).await
}

async fn read(nobody: &Client, path: &str) -> Value {
    nobody.get(&format!("{path}/messages")).await.expect(200)
}

/// Returns senders and contents, in order.
fn said(chat: &Value) -> Vec<(&str, &str)> {
    let messages = chat["data"].as_array().expect("a list").iter();
    messages.map(|one| (one["sender"].as_str().unwrap(), one["body"].as_str().unwrap_or("-"))).collect()
}

/// Starts the service; returns it with a scene, and a link to it with its path.
async fn linked(alter: impl FnOnce(&mut Settings)) -> (TestApp, Scene, Value, String) {
    let app = spawn_app_with(alter).await;
    let scene = app.accepted_for_meera().await;
    let (link, path) = link(&scene, json!({})).await;
    (app, scene, link, path)
}

#[actix_web::test]
async fn the_person_at_the_vehicle_and_the_mechanic_write_to_each_other() {
    let (app, mut scene, _, path) = linked(|_| {}).await;
    let nobody = app.anonymous();
    let sent = write(&nobody, &path, text("I stand behind the barrier")).await.expect(201);
    assert_eq!((&sent["sender"], &sent["sender_name"]), (&json!("guest"), &json!("Meera Rao")));
    let frame = scene.mechanic.socket.expect("chat.message").await;
    assert_eq!(frame["data"]["sender"], "guest", "the mechanic sees that it was not the customer: {frame}");
    assert_eq!(frame["data"]["sender_name"], "Meera Rao");
    say(&scene.mechanic.client, &scene.job, "Five minutes").await;
    say(&scene.customer, &scene.job, "Thank you").await;
    let place = json!({"client_message_id": name(), "type": "location", "lat": 12.97, "lng": 77.59});
    write(&nobody, &path, place).await.expect(201);

    let expected = [
        ("guest", "I stand behind the barrier"),
        ("mechanic", "Five minutes"),
        ("customer", "Thank you"),
        ("guest", "-"),
    ];
    let shown = read(&nobody, &path).await;
    assert_eq!(said(&shown), expected);
    let own: Vec<&Value> = shown["data"].as_array().unwrap().iter().map(|one| &one["is_own"]).collect();
    assert_eq!(own, [&json!(true), &json!(false), &json!(false), &json!(true)]);
    for secret in [&scene.customer.user_id, &scene.mechanic.client.user_id, &scene.mechanic.profile_id] {
        assert!(!shown.to_string().contains(secret.as_str()), "{secret} in {shown}");
    }
    let admin = app.admin().await;
    for person in [&*scene.customer, &*scene.mechanic.client, &*admin] {
        let chat = person.get(&scene.path("/messages")).await.expect(200);
        assert_eq!(said(&chat), expected);
    }
    let unread = scene.customer.get(&scene.path("/messages")).await.expect(200)["unread"].clone();
    assert_eq!(unread, 3, "what the guest wrote is new to the customer");
    let reply = scene.customer.get("/notifications?type=chat_message").await.expect(200);
    assert_eq!(reply["total"], 1, "{reply}");
    let since = nobody.get(&format!("{path}/messages?since_seq={}", shown["data"][2]["seq"])).await;
    assert_eq!(said(&since.expect(200)), [("guest", "-")]);
}

#[actix_web::test]
async fn a_repeated_message_is_stored_once_and_names_are_per_sender() {
    let (app, scene, _, path) = linked(|_| {}).await;
    let (_, other) = link(&scene, json!({})).await;
    let (nobody, message) = (app.anonymous(), text("hello"));
    let first = write(&nobody, &path, message.clone()).await.expect(201);
    assert_eq!(write(&nobody, &path, message.clone()).await.expect(200), first);
    write(&nobody, &path, set(&message, "body", json!("else"))).await.refused(409, "CONFLICT");
    write(&nobody, &other, message.clone()).await.refused(409, "CONFLICT");
    scene.customer.post(&scene.path("/messages"), message).await.refused(409, "CONFLICT");
    assert_eq!(said(&read(&nobody, &other).await), [("guest", "hello")]);
}

#[actix_web::test]
async fn a_guests_bad_message_names_its_field() {
    let (app, _, _, path) = linked(|_| {}).await;
    let nobody = app.anonymous();
    let image = json!({"client_message_id": name(), "type": "image"});
    write(&nobody, &path, image).await.refused_field("type");
    let with_file = set(&text("look"), "file_url", json!("https://files.example/a.jpg"));
    write(&nobody, &path, with_file).await.refused_field("file_url");
    write(&nobody, &path, text("")).await.refused_field("body");
    write(&nobody, &path, text(&"x".repeat(2001))).await.refused_field("body");
    assert!(said(&read(&nobody, &path).await).is_empty());
}

#[actix_web::test]
async fn view_only_revoked_and_ended_links_do_not_open_the_chat() {
    let (app, scene, revoked, path) = linked(|_| {}).await;
    let (_, looks) = link(&scene, json!({"may_contact": false})).await;
    let (_, other) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let refuses = async |path: &str, status: u16, code: &str| {
        write(&nobody, path, text("hello")).await.refused(status, code);
        nobody.get(&format!("{path}/messages")).await.refused(status, code);
        nobody.get(&format!("{path}/stream")).await.refused(status, code);
        for action in ["calls", "calls/token"] {
            nobody.post(&format!("{path}/{action}"), json!({})).await.refused(status, code);
        }
    };
    refuses(&looks, 403, "FORBIDDEN").await;
    refuses("/shares/h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A", 404, "NOT_FOUND").await;
    refuses(&format!("/shares/{}", scene.job), 404, "NOT_FOUND").await;
    revoke(&scene, &revoked).await;
    refuses(&path, 410, "LINK_EXPIRED").await;
    write(&nobody, &other, text("still here")).await.expect(201);
    scene.serve().await;
    refuses(&other, 410, "LINK_EXPIRED").await;
    // The two sides can continue, and keep the guest's messages.
    say(&scene.mechanic.client, &scene.job, "All done").await;
    let chat = scene.customer.get(&scene.path("/messages")).await.expect(200);
    assert_eq!(said(&chat), [("guest", "still here"), ("mechanic", "All done")]);
}

#[actix_web::test]
async fn a_link_opens_only_the_chat_with_its_jobs_present_mechanic() {
    let (app, scene, _, path) = linked(|_| {}).await;
    let nobody = app.anonymous();
    say(&scene.mechanic.client, &scene.job, "My van broke down").await;
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    let shown = read(&nobody, &path).await;
    assert!(said(&shown).is_empty() && shown["is_writable"] == false, "{shown}");
    write(&nobody, &path, text("hello?")).await.refused(409, "INVALID_TRANSITION");
    let admin = app.admin().await;
    let mut next = app.on_road(&admin).await;
    next.accept().await;
    write(&nobody, &path, text("hello")).await.expect(201);
    say(&next.client, &scene.job, "On my way").await;
    assert_eq!(said(&read(&nobody, &path).await), [("guest", "hello"), ("mechanic", "On my way")]);
    assert!(scene.mechanic.socket.came("chat.message").is_empty());
}

#[actix_web::test]
async fn a_links_messages_per_minute_are_limited() {
    let (app, _, _, path) = linked(|settings| settings.chat.messages_per_minute = 2).await;
    let nobody = app.anonymous();
    app.service.clock.stop();
    for _ in 0..2 {
        write(&nobody, &path, text("hello")).await.expect(201);
    }
    write(&nobody, &path, text("hello")).await.put_off(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn a_guests_messages_are_deleted_with_the_customers_account() {
    let (app, scene, _, path) = linked(|_| {}).await;
    write(&app.anonymous(), &path, text("I stand behind the barrier")).await.expect(201);
    let export = scene.customer.get("/users/me/export").await.expect(200);
    assert_eq!(export["messages"][0]["sender"], "guest", "{export}");
    scene.serve().await;
    scene.pay_cash().await;
    scene.customer.delete("/users/me").await.expect(204);
    let chat = scene.mechanic.client.get(&scene.path("/messages")).await.expect(200);
    let left = &chat["data"][0];
    assert_eq!(left["is_removed"], true);
    assert_eq!(left["body"], Value::Null);
    assert_eq!(left["sender_name"], Value::Null);
}

#[actix_web::test]
async fn anonymous_requests_by_a_link_are_limited() {
    let (app, _, _, path) = linked(|settings| settings.shares.requests_per_minute = 3).await;
    let nobody = app.anonymous();
    app.service.clock.stop();
    write(&nobody, &path, text(&"x".repeat(70_000))).await.refused(413, "PAYLOAD_TOO_LARGE");
    nobody.get(&format!("{path}/messages?limit=101")).await.refused_field("limit");
    nobody.get(&format!("{path}/messages?since_seq=0&limit=0")).await.refused_field("limit");
    for refused in [write(&nobody, &path, text("hello")).await, nobody.get(&format!("{path}/messages")).await]
    {
        refused.refused(429, "RATE_LIMITED");
    }
}
