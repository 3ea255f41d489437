//! Jobs that an admin creates for a caller, and what an admin sees before deciding about a job.

use serde_json::{Value, json};

use crate::support::{
    Answer, AssertFields, Client, TestApp,
    bodies::{FLAT_TYRE, id_of, set, vehicle, without},
    new_phone,
    roadside::PICKUP,
    spawn_admin_with, spawn_app, spawn_app_with, spawn_with_admin, until_fits,
};

/// Somebody who has called and has no app: their phone number, account and vehicle.
struct Caller {
    phone: String,
    id: String,
    vehicle_id: String,
}

impl Caller {
    async fn new(admin: &Client) -> Self {
        let phone = new_phone();
        let made = admin.post("/admin/users", json!({"phone": phone, "name": "Lata Iyer"})).await.expect(201);
        let id = id_of(&made);
        let vehicle = admin.post(&format!("/admin/users/{id}/vehicles"), vehicle("KA01AB1234")).await;
        Self { phone, id, vehicle_id: id_of(&vehicle.expect(201)) }
    }

    fn path(&self, rest: &str) -> String {
        format!("/admin/users/{}{rest}", self.id)
    }

    fn job(&self) -> Value {
        json!({"vehicle_id": self.vehicle_id, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road",
            "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1})
    }
}

async fn audited(app: &TestApp, subject: &str) -> Vec<(String, Option<String>)> {
    let rows =
        "select action, actor_id::text from audit_log where subject_id::text = $1 and action !~ 'read$'
        order by at, id";
    sqlx::query_as(rows).bind(subject).fetch_all(&app.database.db).await.unwrap()
}

#[actix_web::test]
async fn a_caller_without_an_app_gets_a_job_and_finds_it_when_they_sign_in() {
    let (app, admin) = spawn_with_admin().await;
    let caller = Caller::new(&admin).await;
    let estimate = without(&caller.job(), "pickup_address");
    let price = admin.post(&caller.path("/jobs/estimate"), estimate).await.expect(200);
    assert_eq!((&price["estimated_price"], &price["unpaid_fees"]), (&json!(299.0), &json!(0.0)));

    let job = admin.post(&caller.path("/jobs"), caller.job()).await.expect(201);
    assert_eq!((&job["customer_id"], &job["status"]), (&json!(caller.id), &json!("pending")));
    let timeline = admin.get(&format!("/jobs/{}/timeline", id_of(&job))).await.expect(200);
    let first = &timeline["data"][0];
    assert_eq!((&first["event"], &first["by"]), (&json!("created"), &json!("admin")));

    let customer = app.sign_in(&caller.phone).await;
    assert_eq!(customer.user_id, caller.id);
    assert_eq!(customer.get("/users/me").await.expect(200)["name"], "Lata Iyer");
    assert_eq!(customer.get("/jobs").await.expect(200)["data"][0]["id"], job["id"]);
    let vehicles = customer.get("/vehicles").await.expect(200);
    assert_eq!(vehicles["data"][0]["id"], json!(caller.vehicle_id));
    let notified = customer.list("/notifications").await;
    let newest = notified.iter().find(|told| told["type"] == "job_created").expect("it is told of");
    assert_eq!(newest["data"], json!({"job_id": job["id"]}));

    let by = |action: &str| vec![(action.to_owned(), Some(admin.user_id.clone()))];
    assert_eq!(audited(&app, &caller.id).await, by("user.create"));
    assert_eq!(audited(&app, &caller.vehicle_id).await, by("vehicle.create"));
    assert_eq!(audited(&app, &id_of(&job)).await, by("job.create"));
}

#[actix_web::test]
async fn a_repeated_caller_is_found_by_the_same_number() {
    let (app, admin) = spawn_with_admin().await;
    let customer = app.customer().await;
    let local = customer.phone.replace("+91", "0");
    let found =
        admin.post("/admin/users", json!({"phone": local, "name": "Somebody Else"})).await.expect(200);
    assert_eq!((&found["id"], &found["name"]), (&json!(customer.user_id), &json!("Asha Rao")));
    assert_eq!(audited(&app, &customer.user_id).await, []);
    for (body, field) in
        [(json!({"phone": "12"}), "phone"), (json!({"phone": new_phone(), "name": ""}), "name")]
    {
        admin.post("/admin/users", body).await.refused_field(field);
    }
    let phone = new_phone();
    let calls = (0..8).map(|_| admin.post("/admin/users", json!({"phone": phone})));
    let answers = futures_util::future::join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    let ids: std::collections::BTreeSet<String> = answers.iter().map(|answer| id_of(&answer.body)).collect();
    assert_eq!(ids.len(), 1);
}

#[actix_web::test]
async fn jobs_for_callers_follow_the_rules_of_customers_own_jobs() {
    let (app, admin) = spawn_admin_with(|settings| settings.fees.max_unpaid_paise = 0).await;
    let caller = Caller::new(&admin).await;
    let strangers = app.breakdown().await.vehicle_id;
    for (body, field) in [
        (set(&caller.job(), "vehicle_id", json!(strangers)), "vehicle_id"),
        (set(&caller.job(), "pickup_lat", json!(91)), "pickup_lat"),
        (set(&caller.job(), "contact_preference", json!("both")), "beneficiary_phone"),
    ] {
        admin.post(&caller.path("/jobs"), body).await.refused_field(field);
    }
    let plate = admin.post(&caller.path("/vehicles"), vehicle("KA 01 AB 1234")).await;
    plate.refused_saying(409, "CONFLICT", "This customer");

    admin.post(&caller.path("/jobs"), caller.job()).await.expect(201);
    admin.post(&caller.path("/jobs"), caller.job()).await.refused(409, "ACTIVE_JOB_EXISTS");
    let other = id_of(&admin.post(&caller.path("/vehicles"), vehicle("KA02")).await.expect(201));
    let fee = "insert into cancellation_fees (job_id, customer_id, amount_paise, status, cancelled_at)
        select id, customer_id, 5000, 'due', created_at from jobs where customer_id::text = $1";
    sqlx::query(fee).bind(&caller.id).execute(&app.database.db).await.unwrap();
    let other = set(&caller.job(), "vehicle_id", json!(other));
    admin.post(&caller.path("/jobs"), other.clone()).await.refused_saying(409, "UNPAID_FEES", "waive");
    let due = admin.get(&caller.path("/unpaid-fees")).await.expect(200);
    assert_eq!(due["data"][0]["cancellation_fee"], json!(50.0));
    // Somebody who may be hurt is not asked for money first.
    admin.post(&caller.path("/jobs"), set(&other, "urgency", json!("accident"))).await.expect(201);
}

#[actix_web::test]
async fn jobs_are_created_only_for_active_customers() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.breakdown().await);
    let jobs = format!("/admin/users/{}/jobs", customer.client.user_id);
    let suspend = format!("/admin/users/{}/suspend", customer.client.user_id);
    admin.post(&suspend, json!({"reason": "Repeated false calls"})).await.expect(200);
    admin.post(&jobs, customer.call_body()).await.refused(409, "CONFLICT");
    let of_admin = format!("/admin/users/{}/jobs", app.admin().await.user_id);
    admin.post(&of_admin, customer.call_body()).await.refused(404, "NOT_FOUND");
    let leaver = app.customer().await;
    leaver.delete("/users/me").await.expect(204);
    let gone = format!("/admin/users/{}/vehicles", leaver.user_id);
    admin.get(&gone).await.refused(404, "NOT_FOUND");
}

async fn with_key(admin: &Client, path: &str, body: &Value) -> Answer {
    admin.post_once(path, body, "call-7").await
}

#[actix_web::test]
async fn a_repeated_call_for_the_same_customer_makes_one_job() {
    let (_app, admin) = spawn_with_admin().await;
    let (caller, other) = (Caller::new(&admin).await, Caller::new(&admin).await);
    let first = with_key(&admin, &caller.path("/jobs"), &caller.job()).await.expect(201);
    let again = with_key(&admin, &caller.path("/jobs"), &caller.job()).await.expect(201);
    assert_eq!(first, again);
    with_key(&admin, &other.path("/jobs"), &caller.job()).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
}

/// Returns the candidates, once the engine knows so many.
async fn candidates(admin: &Client, job: &str, count: usize) -> Vec<Value> {
    let path = format!("/admin/jobs/{job}/candidates");
    until_fits("that many candidates", async || admin.list(&path).await, |list| list.len() == count).await
}

#[actix_web::test]
async fn an_admin_sees_who_can_take_the_job_and_why_others_cannot() {
    let (app, admin) = spawn_admin_with(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let mut busy = app.on_road_at(&admin, (PICKUP.0 + 0.001, PICKUP.1)).await;
    let elsewhere = app.taken(&app.breakdown().await, &mut busy).await;
    let stranded = app.breakdown_at((PICKUP.0 + 0.5, PICKUP.1)).await;
    let job = id_of(&stranded.call().await);
    // Both are too far away for their own radius of 12 km, and the second is the nearer one.
    let far = app.on_road_at(&admin, (PICKUP.0 + 0.1, PICKUP.1)).await;
    let near = app.on_road_at(&admin, (PICKUP.0 + 0.499, PICKUP.1)).await;
    let list = candidates(&admin, &job, 2).await;
    let [first, second] = &list[..] else { panic!("{list:?}") };
    first.assert_fields(json!({"mechanic_profile_id": near.profile_id, "mechanic_phone": near.client.phone,
        "assignable": "yes"}));
    assert!(first["distance_m"].as_i64().unwrap() < 150, "{first}");
    assert!(first["eta_s"].as_i64().unwrap() < second["eta_s"].as_i64().unwrap(), "{list:?}");
    second.assert_fields(json!({"mechanic_profile_id": far.profile_id, "assignable": "with_reason"}));
    assert!(second["refusals"].as_array().unwrap().contains(&json!("outside_own_radius")), "{second}");
    let assign = format!("/admin/jobs/{job}/assign");
    let why = json!({"mechanic_profile_id": far.profile_id});
    admin.post(&assign, why).await.refused(422, "VALIDATION_FAILED");

    // Near the first job, its own mechanic is shown as engaged.
    let (here, job) = app.called().await;
    let list = candidates(&admin, &job, 2).await;
    let shown = &list[0];
    shown.assert_fields(json!({"mechanic_profile_id": busy.profile_id, "job_id": elsewhere,
        "refusals": ["engaged"], "assignable": "no"}));

    here.cancel(&job).await;
    admin.get(&format!("/admin/jobs/{job}/candidates")).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn an_admin_sees_what_a_cancellation_would_cost_the_customer() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let quote = format!("/admin/jobs/{}/cancellation-quote", scene.job);
    let mut own = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    // An admin has no such limit.
    own["free_cancellations"] = Value::Null;
    assert_eq!(admin.get(&quote).await.expect(200), own);
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    scene.customer.get(&scene.path("/cancellation-quote")).await.refused(409, "INVALID_TRANSITION");
    let stopped = admin.get(&quote).await.expect(200);
    let free = json!({"cancellation_fee": 0.0, "reason": "stopped_by_admin", "free_until": null,
        "free_cancellations": null});
    assert_eq!(stopped, free);
    let why = json!({"reason": "The mechanic is not safe there"});
    let cancelled = admin.post(&format!("/admin/jobs/{}/cancel", scene.job), why).await.expect(200);
    assert_eq!(cancelled["cancellation_fee"], stopped["cancellation_fee"]);
    admin.get(&quote).await.refused(409, "INVALID_TRANSITION");
}
