//! Tokens for rooms, inspected without the service's own code.

use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::DateTime;
use futures_util::future::join;
use roadcall::platform::settings::Secret;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Answer, Client, TestApp,
    hms::{ACCESS_KEY, HmsPeer, SECRET, claims},
    peer::{Manner, says},
    roadside::Scene,
    rows::until_so_many_blocked,
    spawn_accepted, spawn_app, spawn_app_with, spawn_with_breakdown,
};

async fn token(by: &Client, scene: &Scene) -> Answer {
    by.post(&scene.path("/calls/token"), json!({})).await
}

fn seconds(token: &Value) -> i64 {
    let expires_at = token["expires_at"].as_str().expect("a time");
    DateTime::parse_from_rfc3339(expires_at).expect("RFC 3339").timestamp()
}

async fn with(peer: &HmsPeer) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(&mut settings.calls);
        settings.check().expect("sound settings");
    })
    .await
}

#[actix_web::test]
async fn a_token_is_bound_to_a_person_and_to_the_jobs_room() {
    let (app, scene) = spawn_accepted().await;
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    assert_eq!(customer.get(&scene.path("")).await.expect(200)["hms_room_id"], Value::Null);
    let (one, other) = join(token(customer, &scene), token(mechanic, &scene)).await;
    assert_eq!(one.header("cache-control"), Some("no-store"));
    let (one, other) = (one.expect(200), other.expect(200));
    assert_eq!(one["room_id"], other["room_id"], "whoever is first makes the room of both");
    assert_eq!((&one["provider"], &one["ice_servers"]), (&json!("peer"), &json!([])));
    for reader in [customer, mechanic] {
        assert_eq!(reader.get(&scene.path("")).await.expect(200)["hms_room_id"], one["room_id"]);
    }
    let key = app.service.auth.auth.hex_keys("call tokens").current().clone();
    for (token, person) in [(&one, customer), (&other, mechanic)] {
        let text = token["token"].as_str().expect("a token");
        let claims = claims(text, key.as_bytes()).expect("signed by the service");
        assert_eq!(claims["sub"], person.user_id.as_str());
        assert_eq!((&claims["room"], &claims["aud"]), (&one["room_id"], &json!("roadcall-call")));
        assert_eq!(claims["exp"], seconds(token));
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 3600);
        app.anonymous().with_token(text).get("/users/me").await.refused(401, "UNAUTHORIZED");
    }
    assert_eq!(token(customer, &scene).await.expect(200)["room_id"], one["room_id"], "the same room again");
    let (stranger, admin) = (app.customer().await, app.admin().await);
    token(&stranger, &scene).await.refused(404, "NOT_FOUND");
    token(&admin, &scene).await.refused(403, "FORBIDDEN");
    scene.step("en-route", json!({})).await;
    let log = customer.get(&scene.path("/events")).await.expect(200);
    let rooms: Vec<&Value> =
        log["data"].as_array().expect("a list").iter().map(|event| &event["data"]["hms_room_id"]).collect();
    let Some((last, earlier)) = rooms.split_last() else { panic!("{log}") };
    assert_eq!(**last, one["room_id"], "in the log from then on");
    assert!(!earlier.is_empty() && earlier.iter().all(|room| room.is_null()), "{log}");
}

#[actix_web::test]
async fn a_relay_gets_a_login_that_expires_with_the_token() {
    const RELAY: &str = "turn:turn.example.com:3478?transport=udp";
    let app = spawn_app_with(|settings| {
        settings.calls.stun_urls = vec!["stun:stun.example.com:3478".to_owned()];
        settings.calls.turn_urls = vec![RELAY.to_owned()];
        settings.calls.turn_secret = Secret("what the relay knows, too".to_owned());
        settings.check().expect("sound settings");
    })
    .await;
    let scene = app.accepted().await;
    let shown = token(&scene.customer, &scene).await.expect(200);
    let servers = &shown["ice_servers"];
    assert_eq!(
        servers[0],
        json!({"urls": ["stun:stun.example.com:3478"], "username": null, "credential": null})
    );
    assert_eq!(servers[1]["urls"], json!([RELAY]));
    let username = servers[1]["username"].as_str().expect("a name");
    assert_eq!(username, format!("{}:{}", seconds(&shown), scene.customer.user_id));
    // The relay computes it like this.
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"what the relay knows, too");
    let password = STANDARD.encode(hmac::sign(&key, username.as_bytes()));
    assert_eq!(servers[1]["credential"], password);
}

#[actix_web::test]
async fn a_job_without_a_mechanic_has_no_room() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let job = stranded.call().await;
    let path = format!("/jobs/{}/calls/token", job["id"].as_str().expect("an id"));
    stranded.client.post(&path, json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn rooms_of_100ms_are_created_once_and_entered_with_our_tokens() {
    let peer = HmsPeer::start().await;
    let app = with(&peer).await;
    let scene = app.accepted().await;
    let (one, other) = join(token(&scene.customer, &scene), token(&scene.mechanic.client, &scene)).await;
    let (one, other) = (one.expect(200), other.expect(200));
    assert_eq!((&one["provider"], &one["ice_servers"]), (&json!("hms"), &json!([])));
    assert_eq!(one["room_id"], other["room_id"]);
    let (management, body) = peer.asked().remove(0);
    assert_eq!((&management["type"], &management["access_key"]), (&json!("management"), &json!(ACCESS_KEY)));
    let name = format!("job-{}-{}", scene.job, scene.mechanic.profile_id).replace('-', "");
    assert_eq!(body["name"].as_str().map(|given| given.replace('-', "")), Some(name));
    assert!(body.get("template_id").is_none(), "{body}");
    let asked = peer.asked().len();
    token(&scene.customer, &scene).await.expect(200);
    assert_eq!(peer.asked().len(), asked, "a room that is known is not asked for");
    for (token, person) in [(&one, &scene.customer), (&other, &scene.mechanic.client)] {
        let text = token["token"].as_str().expect("a token");
        let claims = claims(text, SECRET.as_bytes()).expect("signed with the account's secret");
        assert_eq!((&claims["type"], &claims["version"]), (&json!("app"), &json!(2)));
        assert_eq!(claims["user_id"], person.user_id.as_str());
        assert_eq!((&claims["room_id"], &claims["role"]), (&one["room_id"], &json!("speaker")));
        assert_eq!((&claims["access_key"], &claims["exp"]), (&json!(ACCESS_KEY), &json!(seconds(token))));
        assert!(claims["jti"].is_string() && claims["nbf"] == claims["iat"], "{claims}");
    }
}

#[actix_web::test]
async fn a_mechanic_who_lost_the_job_shares_no_room_with_the_customer() {
    let peer = HmsPeer::start().await;
    for app in [spawn_app().await, with(&peer).await] {
        let (admin, scene) = (app.admin().await, app.accepted().await);
        let lost = token(&scene.mechanic.client, &scene).await.expect(200);
        let next = app.on_road(&admin).await;
        let path = format!("/admin/jobs/{}", scene.job);
        admin.post(&format!("{path}/reassign"), json!({"reason": "the phone is off"})).await.expect(200);
        assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["hms_room_id"], Value::Null);
        let chosen = json!({"mechanic_profile_id": next.profile_id});
        admin.post(&format!("{path}/assign"), chosen).await.expect(200);
        let (one, other) = (token(&scene.customer, &scene).await, token(&next.client, &scene).await);
        let (one, other) = (one.expect(200), other.expect(200));
        assert_eq!(one["room_id"], other["room_id"]);
        assert_ne!(one["room_id"], lost["room_id"], "{}", lost["provider"]);
        token(&scene.mechanic.client, &scene).await.refused(404, "NOT_FOUND");
    }
}

#[actix_web::test]
async fn a_mechanic_who_loses_the_job_while_the_room_is_created_gets_no_token() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let next = app.verified_mechanic(&admin).await;
    let mut moving = app.database.db.begin().await.unwrap();
    let reassign = sqlx::query("update job_states set mechanic_profile_id = $2 where id = $1")
        .bind(scene.job.parse::<Uuid>().unwrap())
        .bind(next.profile_id.parse::<Uuid>().unwrap());
    reassign.execute(&mut *moving).await.unwrap();
    let both = join(token(&scene.mechanic.client, &scene), token(&scene.customer, &scene));
    let moved = async {
        until_so_many_blocked(&app.database.db, 2).await;
        moving.commit().await.unwrap();
    };
    let ((lost, customer), ()) = join(both, moved).await;
    lost.refused(404, "NOT_FOUND");
    customer.refused(409, "CONFLICT");
    token(&scene.customer, &scene).await.expect(200);
}

#[actix_web::test]
async fn a_provider_that_fails_changes_nothing_and_is_asked_again() {
    let peer = HmsPeer::start().await;
    let app = with(&peer).await;
    let scene = app.accepted().await;
    let said = format!("{SECRET} of {ACCESS_KEY}");
    for manner in [
        says(500, &said),
        says(401, &said),
        says(429, &said),
        says(400, &said),
        says(302, said),
        says(200, "{}"),
        says(200, json!({"id": "../../v2/users"})),
        says(200, "x".repeat(100_000)),
    ] {
        peer.answer_next([manner.clone()]);
        let refused = token(&scene.customer, &scene).await;
        assert!(!refused.text.contains(SECRET) && !refused.text.contains(ACCESS_KEY), "{}", refused.text);
        refused.refused(502, "PROVIDER_ERROR");
        let job = scene.customer.get(&scene.path("")).await.expect(200);
        assert_eq!(job["hms_room_id"], Value::Null, "{manner:?}");
    }
    token(&scene.customer, &scene).await.expect(200);
}

#[actix_web::test]
async fn a_silent_provider_is_abandoned() {
    let peer = HmsPeer::start().await;
    let app = spawn_app_with(|settings| {
        peer.set(&mut settings.calls);
        settings.calls.hms_timeout_ms = 200;
    })
    .await;
    let scene = app.accepted().await;
    peer.answer_next([Manner::Silent]);
    token(&scene.customer, &scene).await.refused(502, "PROVIDER_ERROR");
}

#[actix_web::test]
async fn another_provider_has_a_room_of_its_own() {
    let mut app = spawn_app().await;
    let mut scene = app.accepted().await;
    let before = token(&scene.customer, &scene).await.expect(200);
    let peer = HmsPeer::start().await;
    app.restart_with(|settings| peer.set(&mut settings.calls)).await;
    scene.customer = app.sign_in(&scene.customer.phone).await;
    let after = token(&scene.customer, &scene).await.expect(200);
    assert_ne!(after["room_id"], before["room_id"]);
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["hms_room_id"], after["room_id"]);
}
