//! Data that let people recognise each other at the roadside, and how long they stay readable.

use chrono::TimeDelta;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    chat::name,
    support::{
        AssertFields, OnRoad, Stranded, TestApp,
        bodies::{FLAT_TYRE, id_of, set},
        roadside::{PICKUP, Scene},
        spawn_admin_with, spawn_app, spawn_app_with, spawn_with_admin, within,
    },
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
async fn replayed(scene: &Scene, frames: usize) -> Vec<Value> {
    let events = logged(scene).await;
    assert_eq!(events.len(), frames, "{events:?}");
    events
}

async fn logged(scene: &Scene) -> Vec<Value> {
    scene.mechanic.client.list(&scene.path("/events?since_seq=0")).await
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
    let logged = replayed(&scene, 1).await[0]["data"].clone();
    for job in [shown, pushed, logged] {
        job.assert_fields(json!({"vehicle": vehicle, "contact": contact, "customer_first_name": "Asha",
            "service_category_name": "Flat tyre"}));
    }
    let own = scene.shown().await;
    own.assert_fields(json!({"vehicle": vehicle, "contact": null, "mechanic_first_name": "Ravi"}));
}

#[actix_web::test]
async fn a_job_for_a_plate_alone_shows_an_empty_make_and_model() {
    let (app, admin) = spawn_with_admin().await;
    let (mut mechanic, client) = (app.on_road(&admin).await, app.customer().await);
    let plate = json!({"vehicle_type": "two_wheeler", "registration_number": "KA05MK77"});
    let vehicle_id = id_of(&client.post("/vehicles", plate).await.expect(201));
    let stranded = Stranded { client, vehicle_id, place: PICKUP };
    let made = stranded.call().await;
    let offer = mechanic.offer().await;
    assert_eq!((&offer["job"]["vehicle_make"], &offer["job"]["vehicle_model"]), (&json!(""), &json!("")));
    let accept = format!("/offers/{}/accept", id_of(&offer));
    let taken = mechanic.client.post(&accept, json!({})).await.expect(200);
    let kept = admin.get(&format!("/admin/jobs/{}", id_of(&made))).await.expect(200);
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "", "model": "", "color": null,
        "registration_number": "KA05MK77"});
    for job in [made, taken, kept] {
        assert_eq!(job["vehicle"], vehicle, "{job}");
    }
}

#[actix_web::test]
async fn the_contact_is_the_person_with_the_vehicle() {
    let app = spawn_app().await;
    let people = |job: &Value| -> Vec<Value> {
        let people = job["contact"]["people"].as_array().expect("people");
        people.iter().map(|one| one["first_name"].clone()).collect()
    };
    for (preference, expected) in
        [("booker", vec!["Asha"]), ("beneficiary", vec!["Meera"]), ("both", vec!["Meera", "Asha"])]
    {
        let scene = accepted_with(&app, &for_meera(preference)).await;
        let job = scene.mechanic.client.get(&scene.path("")).await.expect(200);
        assert_eq!(people(&job), expected, "{preference}");
        assert_eq!(job["beneficiary_phone"], Value::Null);
        scene.cancel().await;
        scene.mechanic.go_offline().await;
    }
}

#[actix_web::test]
async fn numbers_are_shown_until_the_work_is_done_if_allowed_and_names_until_it_is_paid() {
    let app = spawn_app_with(|settings| settings.jobs.show_contact_numbers = true).await;
    let scene = accepted_with(&app, &for_meera("both")).await;
    let job = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    let phones = [&job["contact"]["people"][0]["phone"], &job["contact"]["people"][1]["phone"]];
    assert_eq!(phones, [BENEFICIARY, &scene.customer.phone]);
    scene.serve().await;
    let done = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    let mut unpaid = vec![done];
    unpaid.extend(replayed(&scene, 5).await.into_iter().map(|event| event["data"].clone()));
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
        job.assert_fields(json!({"vehicle/model": "Splendor", "vehicle/registration_number": null}));
        for secret in [BENEFICIARY, &scene.customer.phone, "KA01AB1234"] {
            assert!(!job.to_string().contains(secret), "{secret} in {job}");
        }
    }
    let own = scene.shown().await;
    assert_eq!(own["vehicle"]["registration_number"], "KA01AB1234");
}

/// Moves the end of the job and its log back by so much time.
async fn pass(app: &TestApp, scene: &Scene, time: TimeDelta) {
    for statement in [
        "update job_states set completed_at = completed_at - make_interval(secs => $2) where id = $1",
        "update job_events set at = at - make_interval(secs => $2) where job_id = $1",
    ] {
        let moved = sqlx::query(statement).bind(scene.job.parse::<Uuid>().expect("a UUID"));
        let moved = moved.bind(time.num_seconds() as f64).execute(&app.database.db);
        moved.await.expect("the job is updated");
    }
}

#[actix_web::test]
async fn an_unpaid_mechanic_reaches_nobody_after_24_hours_and_sees_only_roughly_where_after_31_days() {
    let app = spawn_app().await;
    let place = [
        ("pickup_address", json!("12 MG Road, Indiranagar, Bengaluru 560038")),
        ("description", json!("Ring at the green gate")),
    ];
    let scene = accepted_with(&app, &place).await;
    scene.serve().await;
    let mechanic = &scene.mechanic.client;
    let write = async || {
        let message = json!({"client_message_id": name(), "type": "text", "body": "You owe me 299 rupees"});
        mechanic.post(&scene.path("/messages"), message).await
    };
    pass(&app, &scene, TimeDelta::minutes(24 * 60 - 10)).await;
    write().await.expect(201);
    // The message wrote the job's row again, as its actor remembers it.
    pass(&app, &scene, TimeDelta::minutes(24 * 60 + 1)).await;
    write().await.refused(409, "CONFLICT");
    mechanic.post(&scene.path("/calls"), json!({})).await.refused(409, "CONFLICT");

    let exact = ["12 MG Road", "Indiranagar", "green gate", "12.9716", "77.5946"];
    for (days, is_exact) in [(28, true), (2, false)] {
        pass(&app, &scene, TimeDelta::days(days)).await;
        let job = mechanic.get(&scene.path("")).await.expect(200);
        let read = format!("{job} {:?}", logged(&scene).await);
        for text in exact {
            assert_eq!(read.contains(text), is_exact, "{text} in {read}");
        }
        // The names stay until the mechanic is paid, or sees only roughly where it was.
        let person = &job["contact"]["people"][0];
        let name = if is_exact { json!("Asha") } else { Value::Null };
        assert_eq!((&person["first_name"], &person["phone"]), (&name, &Value::Null));
    }
    let own = scene.customer.get(&scene.path("")).await.expect(200).to_string();
    assert!(exact.iter().all(|text| own.contains(text)), "{own}");
    scene.pay_cash().await;
    let paid = mechanic.get(&scene.path("")).await.expect(200);
    assert_eq!((&paid["contact"], &paid["customer_first_name"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn an_unpaid_mechanic_does_not_see_closed_ways_of_contact() {
    let app = spawn_app_with(|settings| {
        (settings.chat.writable_after_end_s, settings.calls.open_after_end_h) = (3_600, 3);
    })
    .await;
    let scene = accepted_with(&app, &[]).await;
    scene.serve().await;
    for ways in [json!(["call"]), json!([])] {
        app.sql("update job_states set completed_at = completed_at - interval '2 hours'").await;
        let mut shown = vec![scene.mechanic.client.get(&scene.path("")).await.expect(200)];
        shown.extend(logged(&scene).await.into_iter().map(|event| event["data"].clone()));
        assert!(shown.len() > 3, "{shown:?}");
        for job in shown {
            assert_eq!(job["contact"]["ways"], ways, "{job}");
            assert_eq!(job["contact"]["people"][0]["first_name"], "Asha");
        }
    }
}

#[actix_web::test]
async fn a_leaving_mechanics_name_is_removed_from_the_jobs_that_they_gave_back() {
    let (app, admin) = spawn_with_admin().await;
    let scene = accepted_with(&app, &[]).await;
    scene.step("release", json!({"reason_code": "personal"})).await;
    scene.cancel().await;
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
    stranded.call_with("description", json!(description)).await;
    mechanic.offer().await
}

#[actix_web::test]
async fn an_offer_shows_the_fault_the_vehicle_and_the_earnings() {
    let (app, admin) = spawn_admin_with(|settings| settings.money.tax_bps = 1_800).await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let words = format!("Rear tyre is flat, call {}", stranded.client.phone);
    let offer = offered(&stranded, &mut mechanic, &words).await;
    let job = &offer["job"];
    job.assert_fields(json!({"service_category_name": "Flat tyre", "service_category_slug": "flat-tyre",
        "vehicle_make": "Hero", "vehicle_model": "Splendor", "description": "Rear tyre is flat, call +•••"}));
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
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
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
    let stored: Vec<String> = app
        .sql_column("select to_jsonb(j)::text from jobs j union all select replaced::text from job_events")
        .await;
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
    let (app, admin) = spawn_with_admin().await;
    let scene = accepted_with(&app, &for_meera("both")).await;
    scene.cancel().await;
    scene.customer.delete("/users/me").await.expect(204);
    scene.mechanic.client.delete("/users/me").await.expect(204);
    let secrets = ["Asha", "Meera", "Ravi", "KA01AB1234", BENEFICIARY, scene.customer.phone.as_str()];
    // They are hidden at once, although the log is cleaned later.
    assert!(stored(&app).await.contains(scene.customer.phone.as_str()));
    for rest in ["", "/events?since_seq=0"] {
        assert_without(&admin.get(&scene.path(rest)).await.expect(200).to_string(), &secrets);
    }
    assert_eq!((forgotten(&app).await, forgotten(&app).await), (1, 0));
    assert_without(&stored(&app).await, &secrets);
    let job = admin.get(&format!("/admin/jobs/{}", scene.job)).await.expect(200);
    job.assert_fields(json!({"vehicle/make": "Hero", "vehicle/registration_number": null}));
}
