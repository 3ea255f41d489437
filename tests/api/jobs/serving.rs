use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::{
    AssertFields, bodies::id_of, roadside::PICKUP, roadside::point, spawn_accepted, spawn_admin_with,
    spawn_app, spawn_app_with, spawn_on_road, spawn_with_breakdown,
};

#[actix_web::test]
async fn a_job_goes_from_the_call_to_the_repaired_vehicle() {
    let (app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let (job, mut watcher) = app.followed(&stranded).await;

    let accepted = mechanic.accept().await;
    assert_eq!((&accepted["status"], &accepted["start_code"]), (&json!("accepted"), &Value::Null));
    let seen = watcher.until_status("accepted").await;
    assert_eq!(seen["data"]["mechanic_profile_id"], mechanic.profile_id.as_str());
    mechanic.tell(&job, "en-route", json!({})).await;
    mechanic.ping((PICKUP.0 + 0.0008, PICKUP.1)).await;
    let position = watcher.expect("location.updated").await;
    assert_eq!(position["data"]["mechanic_profile_id"], mechanic.profile_id.as_str());
    mechanic.tell(&job, "arrive", json!({})).await;
    let code = stranded.job(&job).await["start_code"].clone();
    mechanic.tell(&job, "start", json!({"start_code": code})).await;
    let photos = json!(["https://files.example/after.jpg"]);
    let done = json!({"outcome": "fixed", "notes": "A new tube.", "photo_urls": photos});
    let done = mechanic.tell(&job, "complete", done).await;
    assert_eq!((&done["status"], &done["final_price"]), (&json!("completed"), &done["estimated_price"]));
    watcher.until_status("completed").await;

    let timeline = format!("/jobs/{job}/timeline");
    let events = ["created", "dispatching", "accepted", "en_route", "arrived", "in_progress", "completed"];
    assert_eq!(stranded.client.column(&timeline, "event").await, events);
    assert_eq!(stranded.client.list(&timeline).await[4]["data"]["override_reason"], Value::Null);
    let photos = stranded.client.get(&format!("/jobs/{job}/photos")).await.expect(200);
    assert_eq!(photos["data"][0]["stage"], "after");
    assert_eq!(mechanic.client.get("/mechanics/me").await.expect(200)["total_jobs"], 1);
}

#[actix_web::test]
async fn a_step_out_of_turn_names_the_allowed_steps() {
    let (_app, scene) = spawn_accepted().await;
    for (verb, body) in [
        ("arrive", json!({"override_reason": "here"})),
        ("start", json!({"start_code": "0000"})),
        ("complete", json!({"outcome": "fixed"})),
        ("no-show", json!({})),
    ] {
        let refused = scene.mechanic.client.post(&scene.path(&format!("/{verb}")), body).await;
        let body = refused.refused_saying(409, "INVALID_TRANSITION", "accepted");
        assert!(body["error"]["message"].as_str().unwrap().contains("en-route"), "{verb}: {body}");
    }
    assert_eq!(scene.shown().await["status"], "accepted");
}

#[actix_web::test]
async fn an_arrival_needs_a_fresh_plausible_position_near_the_pickup_or_a_reason() {
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.max_speed_kmh = 180.0).await;
    let mut mechanic = app.on_road_at(&admin, (PICKUP.0 + 0.02, PICKUP.1)).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    mechanic.tell(&job, "en-route", json!({})).await;
    let arrive = format!("/jobs/{job}/arrive");
    let refused = mechanic.client.post(&arrive, json!({})).await.refused(422, "TOO_FAR_FROM_PICKUP");
    // The distance is a number, too, so that apps can state it in their language without computing another one.
    let distance_m = refused["error"]["distance_m"].as_u64().expect("how far away");
    assert!((2_200..2_250).contains(&distance_m), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains(&format!("{distance_m} m")), "{refused}");
    // Two kilometres within a moment are not plausible.
    mechanic.ping(PICKUP).await;
    mechanic.client.post(&arrive, json!({})).await.refused(422, "TOO_FAR_FROM_PICKUP");
    mechanic.client.post(&arrive, json!({"override_reason": "x"})).await.refused_field("override_reason");
    let arrived = json!({"override_reason": "a spoofing neighbour"});
    mechanic.tell(&job, "arrive", arrived).await;
    let timeline = stranded.client.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    assert_eq!(timeline["data"][4]["data"]["override_reason"], "a spoofing neighbour");
}

#[actix_web::test]
async fn a_faked_position_is_no_proof_of_an_arrival() {
    let (app, scene) = spawn_accepted().await;
    scene.step("en-route", json!({})).await;
    let mut faked = point(1000, PICKUP, app.service.clock.now() + TimeDelta::seconds(1));
    faked["is_mock"] = json!(true);
    let mechanic = &scene.mechanic.client;
    mechanic.post("/mechanics/me/location", json!({"points": [faked]})).await.expect(200);
    mechanic.post(&scene.path("/arrive"), json!({})).await.refused(422, "TOO_FAR_FROM_PICKUP");
}

#[actix_web::test]
async fn wrong_start_codes_are_counted_and_lock_the_job() {
    let app = spawn_app_with(|settings| settings.jobs.wrong_start_codes = 3).await;
    let scene = app.accepted().await;
    scene.drive().await;
    let code = scene.shown().await["start_code"].as_str().unwrap().to_owned();
    assert_eq!(code.len(), 4);
    let wrong = if code == "0000" { "1111" } else { "0000" };
    let (mechanic, start) = (&scene.mechanic.client, scene.path("/start"));
    mechanic.post(&start, json!({})).await.refused_field("start_code");
    for _ in 0..2 {
        mechanic.post(&start, json!({"start_code": wrong})).await.refused(422, "WRONG_START_CODE");
    }
    let locked = mechanic.post(&start, json!({"start_code": wrong})).await;
    assert!(locked.header("retry-after").is_some());
    locked.refused(429, "RATE_LIMITED");
    mechanic.post(&start, json!({"start_code": code})).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn without_the_setting_no_start_code_is_needed() {
    let app = spawn_app_with(|settings| settings.jobs.start_code = false).await;
    let scene = app.accepted().await;
    assert_eq!(scene.shown().await["start_code"], Value::Null);
    scene.drive().await;
    scene.step("start", json!({})).await;
}

#[actix_web::test]
async fn a_no_show_can_be_reported_after_a_while_and_costs_the_call_out() {
    let app = spawn_app_with(|settings| settings.jobs.no_show_after_s = 0).await;
    let patient = spawn_app().await;
    for (app, status) in [(&app, 200), (&patient, 409)] {
        let scene = app.accepted().await;
        scene.step("en-route", json!({})).await;
        scene.step("arrive", json!({})).await;
        let body = scene.mechanic.client.post(&scene.path("/no-show"), json!({})).await.expect(status);
        if status == 200 {
            body.assert_fields(json!({"status": "cancelled", "cancellation_fee": 150.0,
                "cancel_reason_code": "customer_no_show"}));
        }
    }
}

#[actix_web::test]
async fn photos_are_kept_by_their_url() {
    let (app, stranded) = spawn_with_breakdown().await;
    let photos = format!("/jobs/{}/photos", id_of(&stranded.call().await));
    let photo = json!({"stage": "before", "file_url": "https://files.example/1.jpg"});
    let kept = stranded.client.post(&photos, photo.clone()).await.expect(201);
    assert_eq!(stranded.client.get(&photos).await.expect(200)["data"], json!([kept]));
    let odd = json!({"stage": "before", "file_url": "ftp://files.example/1.jpg"});
    stranded.client.post(&photos, odd).await.refused_field("file_url");
    app.customer().await.post(&photos, photo).await.refused(404, "NOT_FOUND");
}
