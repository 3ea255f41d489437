use serde_json::{Value, json};

use super::{register, spawn_with, until_status};
use crate::support::{TestApp, bodies::set, fcm::FcmPeer, spawn_app, spawn_with_customer, until};

fn new(token: &str, device: &str) -> Value {
    json!({"token": token, "platform": "ios", "device_id": device})
}

async fn tokens(app: &crate::support::TestApp) -> Vec<String> {
    let tokens = sqlx::query_scalar("select token from push_tokens order by updated_at, id");
    tokens.fetch_all(&app.database.db).await.expect("tokens")
}

#[actix_web::test]
async fn a_devices_new_token_replaces_the_old_one() {
    let (app, person) = spawn_with_customer().await;
    let path = "/notifications/push-tokens";
    let first = person.post(path, new("a:b-c_d.e=", "phone")).await.expect(201);
    assert_eq!((&first["platform"], &first["device_id"]), (&json!("ios"), &json!("phone")));
    assert!(first.get("token").is_none(), "{first}");
    let again =
        person.post(path, set(&new("a:b-c_d.e=", "phone"), "platform", json!("web"))).await.expect(200);
    assert_eq!((&again["id"], &again["created_at"]), (&first["id"], &first["created_at"]));
    assert_eq!(again["platform"], "web");
    let rotated = person.post(path, new("fresh", "phone")).await.expect(201);
    assert_ne!(rotated["id"], first["id"]);
    assert_eq!(tokens(&app).await, ["fresh"]);
    person.delete("/notifications/push-tokens/a:b-c_d.e=").await.refused(404, "NOT_FOUND");
    person.delete("/notifications/push-tokens/fresh").await.expect(204);
    person.delete("/notifications/push-tokens/fresh").await.refused(404, "NOT_FOUND");
    person.delete("/notifications/push-tokens/%00").await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_token_belongs_to_the_last_person_who_registered_it() {
    let app = spawn_app().await;
    let (asha, ravi) = (app.customer().await, app.customer().await);
    let hers = register(&asha, "phone").await;
    let his = register(&ravi, "phone").await;
    assert_ne!(hers["id"], his["id"]);
    asha.delete("/notifications/push-tokens/phone").await.refused(404, "NOT_FOUND");
    // The app chooses the name of a device, so it takes nothing away from others.
    ravi.post("/notifications/push-tokens", new("tablet", "shared")).await.expect(201);
    asha.post("/notifications/push-tokens", new("other", "shared")).await.expect(201);
    assert_eq!(tokens(&app).await, ["phone", "tablet", "other"]);
}

#[actix_web::test]
async fn an_eleventh_device_replaces_the_one_registered_longest_ago() {
    let (app, person) = spawn_with_customer().await;
    for number in 0..10 {
        register(&person, &format!("phone{number}")).await;
    }
    // The first app registers again.
    let first = new("phone0", "device of phone0");
    person.post("/notifications/push-tokens", first).await.expect(200);
    register(&person, "phone10").await;
    let kept = tokens(&app).await;
    assert_eq!((kept.len(), kept[0].as_str(), kept[8].as_str()), (10, "phone2", "phone0"));
}

#[actix_web::test]
async fn every_fault_of_a_device_is_named() {
    let (_app, person) = spawn_with_customer().await;
    let path = "/notifications/push-tokens";
    for (field, value) in [
        ("token", json!("")),
        ("token", json!("a/b")),
        ("token", json!("a".repeat(1025))),
        ("token", json!(7)),
        ("platform", json!("windows")),
        ("device_id", json!(" ")),
        ("device_id", json!("d".repeat(201))),
        ("name", json!("mine")),
    ] {
        person.post(path, set(&new("phone", "device"), field, value)).await.refused_field(field);
    }
    let body = person.post(path, json!({})).await.refused(422, "VALIDATION_FAILED");
    let named: Vec<&String> = body["error"]["errors"].as_object().expect("errors").keys().collect();
    assert_eq!(named, ["device_id", "platform", "token"]);
}

#[actix_web::test]
async fn topics_are_all_on_at_first_and_switched_one_by_one() {
    let (app, person) = spawn_with_customer().await;
    let path = "/notifications/preferences";
    let all = json!({
        "offers": true, "jobs": true, "payments": true, "wallet": true, "account": true, "messages": true,
        "texts": true, "mails": true,
    });
    assert_eq!(person.get(path).await.expect(200), all);
    assert_eq!(person.patch(path, json!({})).await.expect(200), all);
    let changed = set(&set(&all, "jobs", json!(false)), "wallet", json!(false));
    let answer = person.patch(path, json!({"jobs": false, "wallet": false})).await.expect(200);
    assert_eq!(answer, changed);
    assert_eq!(person.get(path).await.expect(200), changed);
    let answer = person.patch(path, json!({"jobs": true})).await.expect(200);
    assert_eq!(answer, set(&changed, "jobs", json!(true)));
    for (field, value) in [("jobs", json!(null)), ("jobs", json!("no")), ("sms", json!(true))] {
        person.patch(path, json!({field: value})).await.refused_field(field);
    }
    assert_eq!(app.customer().await.get(path).await.expect(200), all, "others have their own");
}

/// Returns the tokens that got a push of this type, sorted.
fn pushed(peer: &FcmPeer, kind: &str) -> Vec<String> {
    let taken = peer.taken().into_iter().filter(|message| message["data"]["type"] == kind);
    let mut tokens: Vec<String> =
        taken.map(|message| message["token"].as_str().expect("a token").to_owned()).collect();
    tokens.sort();
    tokens
}

#[actix_web::test]
async fn every_end_of_a_session_ends_the_pushes_to_its_device() {
    let peer = FcmPeer::start().await;
    let app = spawn_with(&peer, |settings| settings.auth.otp_sends_per_hour = 20).await;
    let (admin, mechanic) = (app.admin().await, app.registered_mechanic().await);
    let kept = &mechanic.client;
    let mut devices = Vec::new();
    for token in ["logout", "by-refresh-token", "from-elsewhere", "reuse", "refreshed"] {
        let device = app.sign_in(&kept.phone).await;
        register(&device, token).await;
        devices.push(device);
    }
    register(kept, "kept").await;
    let [out, by_token, elsewhere, reused, refreshed] = &devices[..] else { panic!("five devices") };
    let refresh =
        async |token: &str| app.anonymous().post("/auth/refresh", json!({"refreshToken": token})).await;
    out.post("/auth/logout", json!({"refreshToken": by_token.refresh_token})).await.expect(204);
    let sessions = elsewhere.get("/auth/sessions").await.expect(200);
    let own =
        sessions["data"].as_array().expect("a list").iter().find(|session| session["isCurrent"] == true);
    let id = own.expect("the session")["id"].as_str().expect("an id").to_owned();
    kept.delete(&format!("/auth/sessions/{id}")).await.expect(204);
    // Two refreshes follow, so that the first token no longer counts as a lost response.
    let second = refresh(&reused.refresh_token).await.expect(200)["data"]["refreshToken"].clone();
    refresh(second.as_str().expect("a token")).await.expect(200);
    refresh(&reused.refresh_token).await.refused(401, "UNAUTHORIZED");
    refresh(&refreshed.refresh_token).await.expect(200);

    let path = format!("/admin/mechanics/{}", mechanic.profile_id);
    admin.post(&format!("{path}/verify"), json!({})).await.expect(200);
    until_status(kept, "mechanic_verified", "sent").await;
    assert_eq!(pushed(&peer, "mechanic_verified"), ["kept", "refreshed"]);
    roadcall::notifications::forget_signed_out(&app.service.notifications).await.expect("forgotten");
    assert_eq!(tokens(&app).await, ["refreshed", "kept"]);

    kept.post("/auth/logout", json!({"allDevices": true})).await.expect(204);
    let again = app.sign_in(&kept.phone).await;
    admin.post(&format!("{path}/suspend"), json!({"reason": "Complaints."})).await.expect(200);
    until_status(&again, "mechanic_suspended", "skipped").await;
    assert!(pushed(&peer, "mechanic_suspended").is_empty(), "{:?}", peer.taken());
}

/// Waits until the last notification of the type is pushed or will not be; returns its status.
async fn settled(app: &TestApp, kind: &str) -> String {
    let query = "select delivery_status from notifications where type = $1 order by created_at desc limit 1";
    until(&format!("{kind} is settled"), async || {
        Some(app.value::<String>(query, &[kind]).await).filter(|status| status != "pending")
    })
    .await
}

#[actix_web::test]
async fn suspended_people_get_no_pushes() {
    let peer = FcmPeer::start().await;
    let app = spawn_with(&peer, |_| {}).await;
    let (admin, mechanic) = (app.super_admin().await, app.verified_mechanic(&*app.admin().await).await);
    register(&mechanic.client, "phone").await;
    let account = format!("/admin/users/{}", mechanic.client.user_id);
    let profile = format!("/admin/mechanics/{}", mechanic.profile_id);
    let reason = json!({"reason": "Complaints."});
    admin.post(&format!("{account}/suspend"), reason.clone()).await.expect(200);
    admin.post(&format!("{profile}/suspend"), reason).await.expect(200);
    assert_eq!(settled(&app, "mechanic_suspended").await, "skipped");
    admin.post(&format!("{account}/reinstate"), json!({})).await.expect(200);
    admin.post(&format!("{profile}/reinstate"), json!({})).await.expect(200);
    assert_eq!(settled(&app, "mechanic_reinstated").await, "sent", "who is back is told again");
    assert!(pushed(&peer, "mechanic_suspended").is_empty(), "{:?}", peer.taken());
    let body = json!({"reason": "Called a customer names."});
    admin.post(&format!("{profile}/suspend"), body).await.expect(200);
    let pushed_text = peer.until_taken("mechanic_suspended").await.to_string();
    assert!(pushed_text.contains("See why in the app.") && !pushed_text.contains("names"), "{pushed_text}");
}

#[actix_web::test]
async fn people_see_their_devices_and_end_pushes_to_one() {
    let (app, phone) = spawn_with_customer().await;
    let tablet = app.sign_in(&phone.phone).await;
    let stranger = app.customer().await;
    let path = "/notifications/push-tokens";
    let (one, other) = (register(&phone, "phone").await, register(&tablet, "tablet").await);
    register(&stranger, "another").await;
    let shown = |list: &Value| -> Vec<(Value, Value)> {
        let devices = list["data"].as_array().unwrap().iter();
        devices.map(|device| (device["id"].clone(), device["is_current"].clone())).collect()
    };
    let list = phone.get(path).await.expect(200);
    assert_eq!(shown(&list), [(other["id"].clone(), json!(false)), (one["id"].clone(), json!(true))]);
    assert!(!list.to_string().contains("\"token\""), "{list}");
    phone.delete(&format!("{path}/{}", other["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(shown(&tablet.get(path).await.expect(200)), [(one["id"].clone(), json!(false))]);
    // A device that signed out is no longer listed.
    phone.post("/auth/logout", json!({})).await.expect(204);
    assert_eq!(tablet.get(path).await.expect(200)["data"], json!([]));
}
