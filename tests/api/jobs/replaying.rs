//! A job's log that is read later shows the job as it was after each event, whatever has changed since.

use serde_json::{Value, json};

use crate::{
    chat::frames,
    support::{
        Client,
        bodies::id_of,
        roadside::{PICKUP, Scene},
        spawn_app, within,
    },
};

/// Returns the events of a job, as this person reads them from the beginning.
pub async fn replayed(by: &Client, job: &str) -> Vec<Value> {
    by.list(&format!("/jobs/{job}/events?since_seq=0")).await
}

#[actix_web::test]
async fn a_replayed_log_equals_the_frames_of_a_socket_that_was_open_all_the_time() {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let mut socket = app.socket(&stranded.client).await;
    socket.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("an ack");
    mechanic.accept().await;
    let scene = Scene { job, customer: stranded.client, mechanic };
    let body = json!({"description": "Both tyres", "beneficiary_name": "Meera"});
    scene.customer.patch(&scene.path(""), body).await.expect(200);
    scene.step("en-route", json!({})).await;
    scene.step("release", json!({"reason_code": "personal"})).await;
    let newest = scene.cancel().await["seq"].as_i64();
    let live = frames(&mut socket, &scene.job, 1..=newest.expect("a number")).await;
    let plain = |event: &Value| json!([event["seq"], event["type"], event["at"], event["data"]]);
    let replayed = replayed(&scene.customer, &scene.job).await;
    let replayed: Vec<Value> = replayed.iter().map(plain).collect();
    assert!(replayed.len() > 6, "{replayed:?}");
    assert_eq!(live.iter().map(plain).collect::<Vec<_>>(), replayed);
}

#[actix_web::test]
async fn earlier_events_show_a_job_as_it_was_before_its_correction() {
    let app = spawn_app().await;
    let (stranded, job) = app.called().await;
    let before = replayed(&stranded.client, &job).await;
    let body = json!({"description": "Both tyres", "pickup_address": "Behind the station",
        "pickup_lat": PICKUP.0 + 0.01, "pickup_lng": PICKUP.1});
    stranded.client.patch(&format!("/jobs/{job}"), body).await.expect(200);
    let after = replayed(&stranded.client, &job).await;
    assert_eq!(after[..before.len()], before);
    let corrected = after.iter().find(|event| event["data"]["description"] == "Both tyres");
    let corrected = &corrected.expect("the correction")["data"];
    assert_eq!(corrected["pickup_lat"], PICKUP.0 + 0.01);
    assert_eq!(corrected["pickup_address"], "Behind the station");
}

#[actix_web::test]
async fn events_show_the_names_that_people_had_at_the_time() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    scene.customer.patch("/users/me", json!({"name": "Meera Nair"})).await.expect(200);
    scene.step("en-route", json!({})).await;
    let names =
        scene.mechanic.client.column(&scene.path("/events?since_seq=0"), "data/customer_first_name").await;
    assert_eq!((names.first(), names.last()), (Some(&json!("Asha")), Some(&json!("Meera"))));
}

#[actix_web::test]
async fn a_page_in_the_middle_of_a_log_shows_the_same_as_the_whole_log() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    scene.serve().await;
    let whole = replayed(&scene.customer, &scene.job).await;
    let mut paged = Vec::new();
    let all = async {
        while paged.len() < whole.len() {
            let page = format!("/events?since_seq={}&limit=2", paged.len());
            paged.extend(scene.customer.list(&scene.path(&page)).await);
        }
    };
    within("all pages", all).await;
    assert_eq!(paged, whole);
}
