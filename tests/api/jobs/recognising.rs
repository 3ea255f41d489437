//! Data that let people recognise each other at the roadside, and how long they stay readable.

use serde_json::{Value, json};

use crate::support::{
    OnRoad, Stranded, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    roadside::Scene,
    spawn_app, spawn_app_with, within,
};

const BENEFICIARY: &str = "+919812345678";

/// Returns an accepted job that was created with these fields in addition to the usual ones.
async fn accepted_with(app: &TestApp, fields: &[(&str, Value)]) -> Scene {
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    mechanic.client.patch("/users/me", json!({"name": "Ravi Kumar"})).await.expect(200);
    let body =
        fields.iter().fold(stranded.call_body(), |body, (name, value)| set(&body, name, value.clone()));
    let job = id_of(&stranded.client.post("/jobs", body).await.expect(201));
    mechanic.accept().await;
    Scene { customer: stranded.client, mechanic, job }
}

fn for_meera(preference: &str) -> [(&'static str, Value); 3] {
    [
        ("beneficiary_name", json!("Meera Nair")),
        ("beneficiary_phone", json!(BENEFICIARY)),
        ("contact_preference", json!(preference)),
    ]
}

/// Returns the frames of the job's log that the mechanic gets again from the beginning.
async fn replayed(scene: &mut Scene, frames: usize) -> Vec<Value> {
    let events = logged(scene).await;
    assert_eq!(events.len(), frames, "{events:?}");
    events
}

async fn logged(scene: &Scene) -> Vec<Value> {
    let events = scene.mechanic.client.get(&scene.path("/events?since_seq=0")).await.expect(200);
    events["data"].as_array().expect("events").clone()
}

#[actix_web::test]
async fn an_accepted_job_shows_the_vehicle_and_the_contact() {
    let app = spawn_app().await;
    let mut scene = accepted_with(&app, &[]).await;
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "color": null,
        "registration_number": "KA01AB1234"});
    let contact =
        json!({"ways": ["chat", "call"], "people": [{"who": "booker", "first_name": "Asha", "phone": null}]});
    let shown = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    let pushed = scene.mechanic.socket.until_status("accepted").await["data"].clone();
    let logged = replayed(&mut scene, 1).await[0]["data"].clone();
    for job in [shown, pushed, logged] {
        assert_eq!((&job["vehicle"], &job["contact"]), (&vehicle, &contact), "{job}");
        assert_eq!(job["customer_first_name"], "Asha");
        assert_eq!(job["service_category_name"], "Flat tyre");
    }
    let own = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!((&own["vehicle"], &own["contact"]), (&vehicle, &Value::Null));
    assert_eq!(own["mechanic_first_name"], "Ravi");
}

#[actix_web::test]
async fn the_contact_is_the_person_with_the_vehicle() {
    let app = spawn_app().await;
    let people = |job: &Value| -> Vec<Value> {
        job["contact"]["people"]
            .as_array()
            .expect("people")
            .iter()
            .map(|one| one["first_name"].clone())
            .collect()
    };
    for (preference, expected) in
        [("booker", vec!["Asha"]), ("beneficiary", vec!["Meera"]), ("both", vec!["Meera", "Asha"])]
    {
        let scene = accepted_with(&app, &for_meera(preference)).await;
        let job = scene.mechanic.client.get(&scene.path("")).await.expect(200);
        assert_eq!(people(&job), expected, "{preference}");
        assert_eq!(job["beneficiary_phone"], Value::Null);
        scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
        let off = json!({"is_available": false});
        scene.mechanic.client.put("/mechanics/me/availability", off).await.expect(200);
    }
}

#[actix_web::test]
async fn numbers_are_shown_until_the_work_is_done_if_allowed_and_names_until_it_is_paid() {
    let app = spawn_app_with(|settings| settings.jobs.show_contact_numbers = true).await;
    let mut scene = accepted_with(&app, &for_meera("both")).await;
    let job = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    let phones = [&job["contact"]["people"][0]["phone"], &job["contact"]["people"][1]["phone"]];
    assert_eq!(phones, [BENEFICIARY, &scene.customer.phone]);
    scene.serve().await;
    let done = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    let mut unpaid = vec![done];
    unpaid.extend(replayed(&mut scene, 5).await.into_iter().map(|event| event["data"].clone()));
    let names = json!({"ways": ["chat", "call"], "people": [
        {"who": "beneficiary", "first_name": "Meera", "phone": null},
        {"who": "booker", "first_name": "Asha", "phone": null},
    ]});
    for job in &unpaid {
        assert_eq!((&job["contact"], &job["customer_first_name"]), (&names, &json!("Asha")), "{job}");
    }
    scene.pay_cash().await;
    let mut paid = vec![scene.mechanic.client.get(&scene.path("")).await.expect(200)];
    let of_job = |event: &Value| event["type"] == "job.updated";
    paid.extend(logged(&scene).await.iter().filter(|event| of_job(event)).map(|event| event["data"].clone()));
    assert!(paid.len() >= unpaid.len(), "{paid:?}");
    for job in &paid {
        assert_eq!((&job["contact"], &job["customer_first_name"]), (&Value::Null, &Value::Null), "{job}");
    }
    for job in unpaid.iter().chain(&paid) {
        assert_eq!(
            (&job["vehicle"]["model"], &job["vehicle"]["registration_number"]),
            (&json!("Splendor"), &Value::Null)
        );
        for secret in [BENEFICIARY, &scene.customer.phone, "KA01AB1234"] {
            assert!(!job.to_string().contains(secret), "{secret} in {job}");
        }
    }
    let own = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!(own["vehicle"]["registration_number"], "KA01AB1234");
}

#[actix_web::test]
async fn a_leaving_mechanics_name_is_removed_from_the_jobs_that_they_gave_back() {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let scene = accepted_with(&app, &[]).await;
    scene.step("release", json!({"reason_code": "personal"})).await;
    scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    scene.mechanic.client.delete("/users/me").await.expect(204);
    for reader in [&*scene.customer, &*admin] {
        let log = reader.get(&scene.path("/events?since_seq=0")).await.expect(200).to_string();
        assert_without(&log, &["Ravi"]);
        assert!(log.contains("KA01AB1234"), "the customer stays: {log}");
    }
    assert_eq!(forgotten(&app).await, 1);
    assert_without(&stored(&app).await, &["Ravi"]);
}

async fn offered(stranded: &Stranded, mechanic: &mut OnRoad, description: &str) -> Value {
    let body = set(&stranded.call_body(), "description", json!(description));
    stranded.client.post("/jobs", body).await.expect(201);
    mechanic.offer().await
}

#[actix_web::test]
async fn an_offer_shows_the_fault_the_vehicle_and_the_earnings() {
    let app = spawn_app_with(|settings| settings.money.tax_bps = 1_800).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let words = format!("Rear tyre is flat, call {}", stranded.client.phone);
    let offer = offered(&stranded, &mut mechanic, &words).await;
    let job = &offer["job"];
    assert_eq!(
        (&job["service_category_name"], &job["service_category_slug"]),
        (&json!("Flat tyre"), &json!("flat-tyre"))
    );
    assert_eq!((&job["vehicle_make"], &job["vehicle_model"]), (&json!("Hero"), &json!("Splendor")));
    assert_eq!(job["description"], "Rear tyre is flat, call +•••");
    assert!(!offer.to_string().contains("KA01AB1234"), "{offer}");
    let listed = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    assert_eq!(listed["data"][0], offer, "over HTTP the same");

    let path = format!("/offers/{}/accept", id_of(&offer));
    let job = id_of(&mechanic.client.post(&path, json!({})).await.expect(200));
    let scene = Scene { customer: stranded.client, mechanic, job };
    scene.serve().await;
    scene.pay_cash().await;
    let earned = scene.mechanic.client.get("/wallet/transactions").await.expect(200);
    assert_eq!(offer["estimated_earnings"], 215.38, "299 rupees less 18 % tax within and 15 % of the rest");
    assert_eq!(earned["data"][0]["amount"], -83.62, "what they owe of the cash is all the rest");
}

#[actix_web::test]
async fn a_job_keeps_names_that_were_changed_or_deleted_since() {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    let before = stranded.job(&job).await;
    stranded.cancel(&job).await;
    let category = format!("/service-categories/{FLAT_TYRE}");
    admin.patch(&category, json!({"name": "Puncture"})).await.expect(200);
    admin.delete(&category).await.expect(204);
    stranded.client.delete(&format!("/vehicles/{}", stranded.vehicle_id)).await.expect(204);
    let after = stranded.job(&job).await;
    for field in ["vehicle", "service_category_name", "service_category_slug"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["service_category_name"], "Flat tyre");
    assert_eq!(after["vehicle"]["registration_number"], "KA01AB1234");
}

/// Returns everything that is stored about jobs, in their rows and in their logs.
async fn stored(app: &TestApp) -> String {
    let stored: Vec<String> = sqlx::query_scalar(
        "select to_jsonb(j)::text from jobs j union all select snapshot::text from job_events where snapshot is not null",
    )
    .fetch_all(&app.database.db)
    .await
    .expect("rows");
    assert!(stored.len() > 4, "{stored:?}");
    stored.join("\n")
}

fn assert_without(text: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

async fn forgotten(app: &TestApp) -> u64 {
    within("the round", roadcall::jobs::forget_in_logs(&app.database.db)).await.expect("a round")
}

#[actix_web::test]
async fn the_names_and_plates_of_people_who_leave_are_removed_from_their_jobs() {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let scene = accepted_with(&app, &for_meera("both")).await;
    scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    scene.customer.delete("/users/me").await.expect(204);
    scene.mechanic.client.delete("/users/me").await.expect(204);
    let secrets = ["Asha", "Meera", "Ravi", "KA01AB1234", BENEFICIARY, scene.customer.phone.as_str()];
    // They are hidden at once, although the log is cleaned later.
    assert!(stored(&app).await.contains("Asha"));
    for rest in ["", "/events?since_seq=0"] {
        assert_without(&admin.get(&scene.path(rest)).await.expect(200).to_string(), &secrets);
    }
    assert_eq!((forgotten(&app).await, forgotten(&app).await), (1, 0));
    assert_without(&stored(&app).await, &secrets);
    let job = admin.get(&format!("/admin/jobs/{}", scene.job)).await.expect(200);
    assert_eq!(
        (&job["vehicle"]["make"], &job["vehicle"]["registration_number"]),
        (&json!("Hero"), &Value::Null)
    );
}
