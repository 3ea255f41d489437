use std::collections::BTreeSet;

use chrono::DateTime;
use futures_util::future::join;
use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{
    Answer, AssertFields, Client, TestApp,
    bodies::{FLAT_TYRE, id_of, set, with},
    spawn_with_admin, statuses, until_fits,
};

const PATH: &str = "/admin/config/dispatch";

/// Returns the current settings, with their version.
pub(super) async fn read(admin: &Client) -> Value {
    admin.get(PATH).await.expect(200)
}

/// Changes one of the current settings.
pub(super) async fn change(admin: &Client, field: &str, value: Value) -> Answer {
    let now = read(admin).await;
    let settings = set(&now["settings"], field, value);
    admin.put(PATH, json!({"version": now["version"], "settings": settings})).await
}

/// Returns the version that a job's search uses, and the widths of its rounds.
async fn policy(admin: &Client, job: &str) -> (i64, Value) {
    let record = admin.get(&format!("/admin/jobs/{job}/dispatch")).await.expect(200);
    (record["policy"]["version"].as_i64().unwrap(), record["policy"]["round_widths"].clone())
}

/// Calls for help and returns the job once its search has begun.
async fn searched(app: &TestApp, admin: &Client) -> String {
    let job = id_of(&app.breakdown().await.call().await);
    let ask = async || admin.get(&format!("/admin/jobs/{job}")).await.expect(200);
    until_fits("dispatch begins", ask, |job| job["status"] == "dispatching").await;
    job
}

async fn refuses(admin: &Client, field: &str, value: Value, named: &str) {
    let body = change(admin, field, value.clone()).await.refused(422, "VALIDATION_FAILED");
    assert!(!body["error"]["errors"][format!("settings.{named}")].is_null(), "{field} = {value}: {body}");
}

fn seconds_of(offer: &Value) -> i64 {
    let at = |field: &str| DateTime::parse_from_rfc3339(offer[field].as_str().unwrap()).unwrap();
    (at("expires_at") - at("created_at")).num_seconds()
}

#[actix_web::test]
async fn the_file_applies_until_an_admin_changes_it_version_by_version() {
    let (_app, admin) = spawn_with_admin().await;
    let of_file = read(&admin).await;
    assert_eq!((&of_file["version"], &of_file["updated_by"]), (&json!(0), &Value::Null));
    let defaults = Settings::defaults().dispatch;
    assert_eq!(of_file["settings"]["rings_km"], json!(defaults.rings_km));
    assert_eq!(of_file["settings"]["unserved_s"], defaults.unserved_s);

    let changed = change(&admin, "max_rounds", json!(4)).await.expect(200);
    assert_eq!((&changed["version"], &changed["settings"]["max_rounds"]), (&json!(1), &json!(4)));
    assert_eq!(changed["updated_by"], admin.user_id);
    assert_eq!(read(&admin).await, changed);
    let stale = json!({"version": 0, "settings": of_file["settings"]});
    admin.put(PATH, stale).await.refused(409, "CONFLICT");
    change(&admin, "window_ms", json!(0)).await.expect(200);
    let versions = admin.get(&format!("{PATH}/versions")).await.expect(200);
    assert_eq!(versions["total"], 2);
    assert_eq!(versions["data"][1], changed);
    assert_eq!(versions["data"][0]["settings"]["max_rounds"], 4, "what was not named stays");

    let trail = admin.get("/admin/audit-log?action=dispatch_settings.change").await.expect(200);
    let row = &trail["data"][1];
    row.assert_fields(json!({"before/version": 0, "after/version": 1,
        "before/settings/max_rounds": of_file["settings"]["max_rounds"], "after/settings/max_rounds": 4}));
}

#[actix_web::test]
async fn only_one_of_simultaneous_changes_takes_effect() {
    let (_app, admin) = spawn_with_admin().await;
    let settings = read(&admin).await["settings"].take();
    let changes = [3, 4, 5, 6]
        .map(|rounds| json!({"version": 0, "settings": set(&settings, "max_rounds", json!(rounds))}));
    let answers = futures_util::future::join_all(changes.map(|body| admin.put(PATH, body))).await;
    assert_eq!(statuses(&answers), [200, 409, 409, 409]);
    assert_eq!(read(&admin).await["version"], 1);
}

#[actix_web::test]
async fn values_that_the_settings_file_may_not_have_are_refused() {
    let (_app, admin) = spawn_with_admin().await;
    let now = read(&admin).await;
    for (field, value) in [
        ("rings_km", json!([])),
        ("rings_km", json!([3.0, 2.0])),
        ("rings_km", json!([501])),
        ("rings_km", json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])),
        ("round_widths", json!([])),
        ("round_widths", json!([0])),
        ("round_widths", json!([-1])),
        ("round_widths", json!([51])),
        ("max_rounds", json!(101)),
        ("max_rounds", json!(i64::MAX)),
        ("offer_ttl_s", json!(0)),
        ("offer_ttl_s", json!(601)),
        ("attempt_ttl_s", json!(86_401)),
        ("urgent_first_round", json!(0)),
        ("window_ms", json!(2001)),
        ("unserved_s", json!(-1)),
        ("waiting_weight_s_per_min", json!(3601)),
        ("highway_bonus_s", json!(3601)),
        ("accident_bonus_s", json!(i64::MIN)),
        ("refusal_weight_s", json!(3601)),
        ("idle_weight_s_per_min", json!(-1)),
        ("worth_s", json!(59)),
        ("in_time_s", json!(86_401)),
        ("late_percent", json!(101)),
        ("eta_sigma", json!(0)),
        ("eta_sigma", json!(2.1)),
        ("price_window_s", json!(299)),
        ("advice_after_s", json!(86_401)),
        ("strategy", json!("nearest")),
    ] {
        refuses(&admin, field, value, field).await;
    }
    refuses(&admin, "max_rounds", json!(1), "urgent_first_round").await;
    // All faults are reported together, each with its field.
    let body = json!({"version": 0, "settings": now["settings"]});
    let body = with(&with(&body, "/settings/max_rounds", json!(0)), "/settings/window_ms", json!(-1));
    let refused = admin.put(PATH, body).await.refused(422, "VALIDATION_FAILED");
    let fields: BTreeSet<&str> =
        refused["error"]["errors"].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["settings", "settings.max_rounds", "settings.urgent_first_round", "settings.window_ms"];
    assert_eq!(fields, expected.into());
    assert_eq!(read(&admin).await, now, "nothing was changed");
}

#[actix_web::test]
async fn settings_that_contradict_a_category_are_refused() {
    let (_app, admin) = spawn_with_admin().await;
    let category = format!("/service-categories/{FLAT_TYRE}");
    let over = json!({"offer_ttl_s": 60, "urgent_first_round": 5});
    admin.patch(&category, over).await.expect(200);
    change(&admin, "attempt_ttl_s", json!(59)).await.refused_field("settings.attempt_ttl_s");
    change(&admin, "max_rounds", json!(4)).await.refused_field("settings.max_rounds");
    change(&admin, "attempt_ttl_s", json!(60)).await.expect(200);
    // A change of the category is checked against the current settings, too.
    admin.patch(&category, json!({"offer_ttl_s": 61})).await.refused_field("offer_ttl_s");
}

#[actix_web::test]
async fn settings_and_a_category_changed_at_once_stay_consistent() {
    let (_app, admin) = spawn_with_admin().await;
    let category = format!("/service-categories/{FLAT_TYRE}");
    for _ in 0..8 {
        admin.patch(&category, json!({"offer_ttl_s": null})).await.expect(200);
        change(&admin, "attempt_ttl_s", json!(600)).await.expect(200);
        let longer = admin.patch(&category, json!({"offer_ttl_s": 120}));
        let (shorter, longer) = join(change(&admin, "attempt_ttl_s", json!(60)), longer).await;
        assert_eq!(statuses(&[shorter, longer]), [200, 422]);
    }
}

#[actix_web::test]
async fn new_searches_follow_changed_settings_without_a_restart() {
    let (app, admin) = spawn_with_admin().await;
    let early = searched(&app, &admin).await;
    change(&admin, "offer_ttl_s", json!(41)).await.expect(200);
    let mut mechanic = app.on_road(&admin).await;
    let offer = mechanic.offer().await;
    assert_eq!(offer["job_id"], early.as_str());
    assert_eq!(seconds_of(&offer), 20, "a search under way goes on as it began");
    assert_eq!(policy(&admin, &early).await.0, 0);
    mechanic.client.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);

    let late = id_of(&app.breakdown().await.call().await);
    let offer = mechanic.offer().await;
    assert_eq!((offer["job_id"].as_str(), seconds_of(&offer)), (Some(late.as_str()), 41));
    assert_eq!(policy(&admin, &late).await.0, 1);
    mechanic.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    change(&admin, "offer_ttl_s", json!(20)).await.expect(200);
    mechanic.tell(&late, "en-route", json!({})).await;
    assert_eq!(policy(&admin, &late).await.0, 1, "by which it was found");
    admin.post(&format!("/admin/jobs/{late}/reassign"), json!({"reason": "it rains"})).await.expect(200);
    assert_eq!(policy(&admin, &late).await.0, 2, "the next attempt");
}

#[actix_web::test]
async fn changed_settings_survive_a_restart_and_searches_keep_their_version() {
    let (mut app, admin) = spawn_with_admin().await;
    let early = searched(&app, &admin).await;
    change(&admin, "round_widths", json!([2, 3])).await.expect(200);
    let token = admin.token().unwrap().to_owned();
    app.restart().await;
    let admin = app.anonymous().with_token(token);
    assert_eq!(read(&admin).await["settings"]["round_widths"], json!([2, 3]));
    assert_eq!(policy(&admin, &early).await, (0, json!([1])));
    let late = searched(&app, &admin).await;
    assert_eq!(policy(&admin, &late).await, (1, json!([2, 3])));
    a_version_of_another_server_is_applied(&app, &admin).await;
}

/// Applies a version whose writer died before it could notify this process.
async fn a_version_of_another_server_is_applied(app: &TestApp, admin: &Client) {
    let copy = "insert into dispatch_settings
        select (jsonb_populate_record(d, '{\"version\": 2, \"round_widths\": [5]}')).* from dispatch_settings d";
    app.sql(copy).await;
    roadcall::catalogue::dispatch_settings::refresh(
        app.service.core(),
        &app.service.dispatch.dispatch,
        &app.service.edge.engine,
    )
    .await
    .unwrap();
    let job = searched(app, admin).await;
    assert_eq!(policy(admin, &job).await, (2, json!([5])));
}
