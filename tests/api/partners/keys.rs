use std::time::Duration;

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    partners::{ALL_SCOPES, Key},
    spawn_app_with, spawn_with_admin,
};

const HOUR: Duration = Duration::from_secs(3_600);

/// Returns the message by which a key is refused with 401.
async fn refusal(app: &TestApp, key: &str) -> String {
    let refused = app.anonymous().with_token(key).get("/partner").await.refused(401, "UNAUTHORIZED");
    refused["error"]["message"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn each_state_of_a_key_has_its_message() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let key = partner.key_with(&["read"], json!({"expires_in_days": 1})).await;
    assert!(key.text.starts_with("rck_test_") && key.text.len() == 71, "{}", key.text);
    let shown = app.program(&key).get("/partner").await.expect(200);
    assert_eq!((&shown["key_id"], &shown["environment"]), (&json!(key.id), &json!("sandbox")));
    assert_eq!((&shown["scopes"], &shown["role"]), (&json!(["read"]), &Value::Null));

    let last = if key.text.ends_with('0') { '1' } else { '0' };
    let mistyped = format!("{}{last}", &key.text[..key.text.len() - 1]);
    for wrong in [mistyped.as_str(), "rck_test_short"] {
        let message = "This key is not complete, or mistyped: its checksum is wrong.";
        assert_eq!(refusal(&app, wrong).await, message);
    }

    // First the row has the hash of another key, then there is no row.
    for change in [
        "update partner_keys set secret_sha256 = '' where id::text = $1",
        "delete from partner_keys where id::text = $1",
    ] {
        sqlx::query(change).bind(&key.id).execute(&app.database.db).await.unwrap();
        app.service.partners.organisations.forget();
        assert_eq!(refusal(&app, &key.text).await, "This key is unknown.");
    }

    let revoked = partner.key(&["read"]).await;
    app.program(&revoked).get("/partner").await.expect(200);
    admin.delete(&format!("/admin/partner-keys/{}", revoked.id)).await.expect(204);
    assert_eq!(refusal(&app, &revoked.text).await, "This key was revoked.");

    let expiring = partner.key_with(&["read"], json!({"expires_in_days": 1})).await;
    app.program(&expiring).get("/partner").await.expect(200);
    app.service.clock.advance(25 * HOUR);
    assert_eq!(refusal(&app, &expiring.text).await, "This key has expired.");
}

#[actix_web::test]
async fn a_key_of_another_environment_is_refused_and_the_message_names_this_one() {
    let live = |settings: &mut Settings| {
        settings.partners.environment = roadcall::partners::settings::KeyEnvironmentChoice::Live;
    };
    let (sandbox, admin) = spawn_with_admin().await;
    let test_key = sandbox.partner(&admin).await.key(&["read"]).await;
    let production = spawn_app_with(live).await;
    let live_key = production.partner(&production.admin().await).await.key(&["read"]).await;
    assert!(live_key.text.starts_with("rck_live_"), "{}", live_key.text);
    assert_eq!(production.program(&live_key).get("/partner").await.expect(200)["environment"], "live");
    assert_eq!(
        refusal(&production, &test_key.text).await,
        "This is a sandbox key, and this server is live: its keys begin with rck_live_."
    );
    assert_eq!(
        refusal(&sandbox, &live_key.text).await,
        "This is a live key, and this server is sandbox: its keys begin with rck_test_."
    );
}

#[actix_web::test]
async fn a_key_without_the_scope_is_refused_and_the_message_names_it() {
    let (app, admin) = spawn_with_admin().await;
    let program = app.partner(&admin).await.program(&["read", "cases"]).await;
    program.get("/partner").await.expect(200);
    let refused = program.get("/partner/keys").await.refused(403, "FORBIDDEN");
    assert_eq!(refused["error"]["message"], "This key lacks the scope keys.");
}

#[actix_web::test]
async fn a_rotated_key_works_during_the_overlap_beside_its_successor() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let old = partner.key_with(&["read"], json!({"requests_per_minute": 77})).await;
    let rotate = format!("/admin/partner-keys/{}/rotate", old.id);
    let made = admin.post(&rotate, json!({"overlap_hours": 2})).await.expect(201);
    let new = Key::of(&made);
    assert_eq!((&made["requests_per_minute"], &made["scopes"]), (&json!(77), &json!(["read"])));
    admin.post(&rotate, json!({})).await.refused(409, "INVALID_TRANSITION");
    for key in [&old, &new] {
        app.program(key).get("/partner").await.expect(200);
    }
    let listed = admin.get(&partner.path("/keys")).await.expect(200);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["status"]), (&json!(new.id), &json!("active")));
    assert_eq!(
        (&listed["data"][1]["replaced_by"], &listed["data"][1]["status"]),
        (&json!(new.id), &json!("replaced"))
    );
    app.service.clock.advance(3 * HOUR);
    assert_eq!(refusal(&app, &old.text).await, "This key has expired.");
    app.program(&new).get("/partner").await.expect(200);
}

#[actix_web::test]
async fn a_rotation_without_overlap_ends_the_old_key_at_once() {
    let (app, admin) = spawn_with_admin().await;
    let key = app.partner(&admin).await.key(&["read", "keys"]).await;
    let program = app.program(&key);
    let made = program.post(&format!("/partner/keys/{}/rotate", key.id), json!({"overlap_hours": 0})).await;
    let new = Key::of(&made.expect(201));
    assert_eq!(refusal(&app, &key.text).await, "This key has expired.");
    app.program(&new).get("/partner/keys").await.expect(200);
}

#[actix_web::test]
async fn no_key_hands_out_rights_that_it_lacks() {
    let (app, admin) = spawn_with_admin().await;
    let (agency, insurer) = (app.partner(&admin).await, app.partner(&admin).await);
    let program = agency.program(&["read", "keys"]).await;
    let body = |scopes: &[&str]| json!({"name": "Copy", "scopes": scopes, "expires_in_days": 30});
    let made = Key::of(&program.post("/partner/keys", body(&["read"])).await.expect(201));
    let refused =
        program.post("/partner/keys", body(&["read", "cases", "offers"])).await.refused(403, "FORBIDDEN");
    assert_eq!(refused["error"]["message"], "You can't hand out a scope that you lack: cases, offers.");
    app.program(&made).post("/partner/keys", body(&["read"])).await.refused(403, "FORBIDDEN");

    let rotate = |key: &Key| format!("/partner/keys/{}/rotate", key.id);
    let mighty = agency.key(&ALL_SCOPES).await;
    program.post(&rotate(&mighty), json!({})).await.refused(403, "FORBIDDEN");
    let acting = agency.key_with(&["read", "keys"], json!({"acts_for": [insurer.id]})).await;
    program.post(&rotate(&acting), json!({})).await.refused(403, "FORBIDDEN");
    let successor = app.program(&acting).post(&rotate(&acting), json!({})).await.expect(201);
    assert_eq!(successor["acts_for"], json!([insurer.id]));
    agency.member("manager").await.post(&rotate(&mighty), json!({})).await.expect(201);
    program.delete(&format!("/partner/keys/{}", mighty.id)).await.expect(204);
}

#[actix_web::test]
async fn the_last_use_of_a_key_is_shown_to_the_minute() {
    let (app, admin) = spawn_with_admin().await;
    let (clock, partner) = (&app.service.clock, app.partner(&admin).await);
    clock.stop();
    let key = partner.key(&["read"]).await;
    let program = app.program(&key);
    let last_use =
        async || admin.get(&partner.path("/keys")).await.expect(200)["data"][0]["last_used_at"].clone();
    assert_eq!(last_use().await, Value::Null);
    program.get("/partner").await.expect(200);
    let first = last_use().await;
    assert!(first.is_string(), "{first}");
    for (seconds, is_newer) in [(59, false), (1, true), (30, false), (30, true)] {
        let before = last_use().await;
        clock.advance(Duration::from_secs(seconds));
        program.get("/partner").await.expect(200);
        assert_eq!(last_use().await != before, is_newer, "after {seconds} s more");
    }
    assert_ne!(last_use().await, first);
}

#[actix_web::test]
async fn an_organisation_has_at_most_fifty_keys_and_can_still_rotate_them() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let mut keys = Vec::new();
    for _ in 0..50 {
        keys.push(partner.key(&["read"]).await);
    }
    let body = json!({"name": "One more", "scopes": ["read"], "expires_in_days": 30});
    admin.post(&partner.path("/keys"), body.clone()).await.refused(409, "CONFLICT");
    let path = |key: &Key, verb: &str| format!("/admin/partner-keys/{}{verb}", key.id);
    admin.post(&path(&keys[0], "/rotate"), json!({"overlap_hours": 0})).await.expect(201);
    admin.post(&partner.path("/keys"), body.clone()).await.refused(409, "CONFLICT");
    admin.delete(&path(&keys[1], "")).await.expect(204);
    admin.post(&partner.path("/keys"), body).await.expect(201);
    app.customer().await.delete(&path(&keys[2], "")).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_key_that_a_program_made_has_no_higher_limit_and_no_later_end_and_is_revoked_with_the_programs() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let limited = json!({"expires_in_days": 10, "requests_per_minute": 60});
    let maker = partner.key_with(&["read", "keys"], limited).await;
    let end = admin.get(&partner.path("/keys")).await.expect(200)["data"][0]["expires_at"].clone();
    let body = json!({"name": "Copy", "scopes": ["read", "keys"], "expires_in_days": 700});
    let made = app.program(&maker).post("/partner/keys", body.clone()).await.expect(201);
    assert_eq!((&made["expires_at"], &made["requests_per_minute"]), (&end, &json!(60)));
    let child = Key::of(&made);
    let grandchild = Key::of(&app.program(&child).post("/partner/keys", body).await.expect(201));
    let rotate = |key: &Key| format!("/partner/keys/{}/rotate", key.id);
    let rotated = app.program(&child).post(&rotate(&child), json!({})).await.expect(201);
    assert_eq!(rotated["expires_at"], end, "nor does it live longer by rotating itself");

    let other = partner.key_with(&["read"], json!({"requests_per_minute": 61})).await;
    app.program(&maker).post(&rotate(&other), json!({})).await.refused(403, "FORBIDDEN");
    admin.delete(&format!("/admin/partner-keys/{}", maker.id)).await.expect(204);
    for key in [&maker, &child, &grandchild, &Key::of(&rotated)] {
        assert_eq!(refusal(&app, &key.text).await, "This key was revoked.");
    }
    app.program(&other).get("/partner").await.expect(200);
}

#[actix_web::test]
async fn a_successor_takes_over_the_keys_that_its_predecessor_made() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let maker = partner.key(&["read", "keys"]).await;
    let body = json!({"name": "Copy", "scopes": ["read"], "expires_in_days": 1});
    let made = Key::of(&app.program(&maker).post("/partner/keys", body).await.expect(201));
    let rotate = format!("/partner/keys/{}/rotate", maker.id);
    let successor = Key::of(&app.program(&maker).post(&rotate, json!({})).await.expect(201));
    admin.delete(&format!("/admin/partner-keys/{}", maker.id)).await.expect(204);
    app.program(&successor).get("/partner").await.expect(200);
    app.program(&made).get("/partner").await.expect(200);
    admin.delete(&format!("/admin/partner-keys/{}", successor.id)).await.expect(204);
    assert_eq!(refusal(&app, &made.text).await, "This key was revoked.");
}
