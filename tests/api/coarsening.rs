//! After some time, the places of people who deleted their account are only roughly known.

use serde_json::{Value, json};

use crate::{
    chat::name,
    support::{
        Client, TestApp,
        bodies::{id_of, set},
        roadside::Scene,
        rows::set_job_status,
        spawn_app, within,
    },
};

const ADDRESS: &str = "12 MG Road, Indiranagar, Bengaluru 560038";

/// Returns a paid job whose customer has left.
async fn left_behind(app: &TestApp) -> Scene {
    let admin = app.admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let call = set(&stranded.call_body(), "pickup_address", json!(ADDRESS));
    let call = set(&call, "description", json!("Ring at the green gate"));
    let job = id_of(&stranded.client.post("/jobs", call).await.expect(201));
    mechanic.accept().await;
    let scene = Scene { job, customer: stranded.client, mechanic };
    let place = json!({"client_message_id": name(), "type": "location", "lat": 12.97164, "lng": 77.59461});
    scene.mechanic.client.post(&scene.path("/messages"), place).await.expect(201);
    scene.serve().await;
    scene.pay_cash().await;
    scene.customer.delete("/users/me").await.expect(204);
    scene
}

async fn pass_days(app: &TestApp, scene: &Scene, days: i32) {
    let earlier =
        "update users set updated_at = updated_at - make_interval(days => $2::int) where id = $1::uuid";
    app.change(earlier, &[&scene.customer.user_id, &days.to_string()]).await;
}

async fn set_status(app: &TestApp, scene: &Scene, status: &str) {
    set_job_status(&app.database.db, scene.job.parse().unwrap(), status).await;
}

async fn coarsened(app: &TestApp) -> u64 {
    within("the round", roadcall::lifecycle::coarsen_places(&app.service.lifecycle)).await.unwrap()
}

/// Returns everything that a reader sees of the job.
async fn shown(reader: &Client, scene: &Scene) -> Vec<Value> {
    let mut all = Vec::new();
    for rest in ["", "/events", "/messages"] {
        all.push(reader.get(&scene.path(rest)).await.expect(200));
    }
    all
}

#[actix_web::test]
async fn the_jobs_of_people_who_left_are_coarsened_after_some_time() {
    let app = spawn_app().await;
    let (scene, admin) = (left_behind(&app).await, app.admin().await);
    let before = shown(&scene.mechanic.client, &scene).await;
    pass_days(&app, &scene, 89).await;
    assert_eq!(coarsened(&app).await, 0);
    assert_eq!(shown(&scene.mechanic.client, &scene).await, before);
    pass_days(&app, &scene, 2).await;
    assert_eq!(coarsened(&app).await, 1);
    assert_eq!(coarsened(&app).await, 0, "once");
    for reader in [&*scene.mechanic.client, &*admin] {
        let after = shown(reader, &scene).await;
        let text = Value::from(after.clone()).to_string();
        for exact in ["12 MG Road", "Indiranagar", "green gate", "12.9716", "77.5946"] {
            assert!(!text.contains(exact), "{exact} in {text}");
        }
        assert_eq!(after[0]["pickup_address"], "Bengaluru");
        assert_eq!((&after[0]["pickup_lat"], &after[0]["pickup_lng"]), (&json!(12.97), &json!(77.59)));
        assert_eq!(after[0]["description"], Value::Null);
        assert_eq!(after[2]["data"][0]["lat"], 12.97);
        assert_eq!(after[2]["data"][0]["lng"], 77.59);
    }
    let after = shown(&scene.mechanic.client, &scene).await;
    let log = |all: &[Value]| -> Vec<(Value, Value, Value)> {
        let events = all[1]["data"].as_array().unwrap().iter();
        events.map(|event| (event["seq"].clone(), event["type"].clone(), event["at"].clone())).collect()
    };
    assert_eq!(log(&after), log(&before), "what happened stays as it was");
}

#[actix_web::test]
async fn places_of_disputed_jobs_and_of_people_who_stay_are_exact() {
    let app = spawn_app().await;
    let scene = left_behind(&app).await;
    let stays = app.breakdown().await;
    let job = id_of(&stays.call().await);
    set_status(&app, &scene, "disputed").await;
    pass_days(&app, &scene, 91).await;
    assert_eq!(coarsened(&app).await, 0);
    let disputed = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    assert_eq!(disputed["pickup_address"], ADDRESS);
    assert_eq!(stays.job(&job).await["pickup_lat"], json!(12.9716));
    set_status(&app, &scene, "resolved").await;
    assert_eq!(coarsened(&app).await, 1);
}
