use chrono::{SecondsFormat, TimeDelta};
use roadcall::platform::db::{Database, Serving};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::support::{
    Answer, AssertFields, Client, Scene, Stranded, TestApp,
    bodies::{id_of, set, vehicle, without},
    rows::{until_it_is_gone, until_it_lives},
    spawn_admin_with, spawn_app, spawn_app_behind, spawn_with_admin, spawn_with_breakdown, until_fits,
    wire::Wire,
};

#[actix_web::test]
async fn a_job_is_pending_at_first_and_shows_every_field() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let job = stranded.call_with("description", json!("The front wheel.")).await;
    job.assert_fields(json!({"status": "pending", "seq": 1, "description": "The front wheel.",
        "contact_preference": "booker", "base_price": 299.0, "travel_price": 0.0}));
    for empty in
        ["final_price", "mechanic_profile_id", "start_code", "hms_room_id", "cancel_reason", "disputed_at"]
    {
        assert_eq!(job.get(empty), Some(&Value::Null), "{empty} is always there");
    }
}

#[actix_web::test]
async fn a_bad_job_names_its_field() {
    let (app, stranded) = spawn_with_breakdown().await;
    let good = stranded.call_body();
    let strangers = app.breakdown().await.vehicle_id;
    let nobody = "01890000-0000-7000-8000-000000000000";
    let in_days =
        |days| (app.service.clock.now() + TimeDelta::days(days)).to_rfc3339_opts(SecondsFormat::Millis, true);
    let cases = [
        (set(&good, "vehicle_id", json!("x")), "vehicle_id"),
        (set(&good, "vehicle_id", json!(strangers)), "vehicle_id"),
        (set(&good, "service_category_id", json!(nobody)), "service_category_id"),
        (set(&good, "pickup_address", json!("")), "pickup_address"),
        (set(&good, "pickup_address", json!("x".repeat(501))), "pickup_address"),
        (set(&good, "pickup_lat", json!(91)), "pickup_lat"),
        (set(&good, "pickup_lng", json!(-181)), "pickup_lng"),
        (set(&good, "contact_preference", json!("beneficiary")), "beneficiary_phone"),
        (set(&good, "beneficiary_phone", json!("12")), "beneficiary_phone"),
        (set(&good, "beneficiary_name", json!("Meera\nRao")), "beneficiary_name"),
        (set(&good, "beneficiary_name", json!("\u{2067}Meera")), "beneficiary_name"),
        (set(&good, "photo_urls", json!(["http://x.example/1.jpg"])), "photo_urls[0]"),
        (set(&good, "photo_urls", json!(["https://x.example/\u{0}.jpg"])), "photo_urls[0]"),
        (set(&good, "photo_urls", json!(["https://x.example\\@y.example/1.jpg"])), "photo_urls[0]"),
        (set(&good, "photo_urls", json!(["https://x.example/1.jpg\n"])), "photo_urls[0]"),
        (set(&good, "photo_urls", json!(["https:x.example/1.jpg"])), "photo_urls[0]"),
        (set(&good, "photo_urls", json!(vec!["https://x.example/1.jpg"; 11])), "photo_urls"),
        (set(&good, "scheduled_for", json!(in_days(-1))), "scheduled_for"),
        (set(&good, "scheduled_for", json!(in_days(30))), "scheduled_for"),
    ];
    for (body, field) in cases {
        stranded.client.post("/jobs", body).await.refused_field(field);
    }
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 0, "nothing was made");
}

#[actix_web::test]
async fn every_spelling_of_a_beneficiarys_number_is_shown_in_one_form() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let mut call = set(&stranded.call_body(), "beneficiary_phone", json!("098123-45678"));
    call["beneficiary_name"] = json!("  Meera  Rao ");
    let job = stranded.client.post("/jobs", call).await.expect(201);
    job.assert_fields(json!({"beneficiary_phone": "+919812345678", "beneficiary_name": "Meera Rao"}));
}

#[actix_web::test]
async fn a_category_must_serve_the_vehicle() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let rickshaw = set(&vehicle("KA05X1"), "vehicle_type", json!("three_wheeler"));
    let rickshaw = stranded.client.post("/vehicles", rickshaw).await.expect(201);
    let lockout = "018f0000-0000-7000-8000-000000000005";
    let body = set(&stranded.call_body(), "vehicle_id", rickshaw["id"].clone());
    let body = set(&body, "service_category_id", json!(lockout));
    stranded.client.post("/jobs", body).await.refused_field("service_category_id");
}

#[actix_web::test]
async fn a_vehicle_has_one_open_job() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let job = stranded.call().await;
    stranded.client.post("/jobs", stranded.call_body()).await.refused(409, "ACTIVE_JOB_EXISTS");
    let vehicle = format!("/vehicles/{}", stranded.vehicle_id);
    stranded.client.delete(&vehicle).await.refused(409, "VEHICLE_IN_USE");
    stranded.cancel(&id_of(&job)).await;
    stranded.call().await;
}

#[actix_web::test]
async fn many_calls_at_once_for_one_vehicle_create_one_job() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let calls = (0..16).map(|_| stranded.client.post("/jobs", stranded.call_body()));
    let (made, refused): (Vec<_>, Vec<_>) =
        futures_util::future::join_all(calls).await.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 1);
    refused.into_iter().for_each(|answer| drop(answer.refused(409, "ACTIVE_JOB_EXISTS")));
}

/// Returns the body that asks for the price of such a call.
fn estimate_of(stranded: &Stranded) -> Value {
    without(&stranded.call_body(), "pickup_address")
}

async fn with_key(client: &Client, key: &str, body: &Value) -> Answer {
    client.post_once("/jobs", body, key).await
}

#[actix_web::test]
async fn the_same_key_makes_one_job_and_gets_the_same_answer() {
    let (app, stranded) = spawn_with_breakdown().await;
    let body = stranded.call_body();
    let first = with_key(&stranded.client, "k1", &body).await.expect(201);
    let again = with_key(&stranded.client, "k1", &body).await.expect(201);
    assert_eq!(first, again);
    let other = set(&body, "pickup_address", json!("Elsewhere"));
    with_key(&stranded.client, "k1", &other).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    with_key(&stranded.client, "", &body).await.refused_field("Idempotency-Key");
    // A refusal is stored as well: the answer is the same, although the reason is gone.
    with_key(&stranded.client, "k2", &body).await.refused(409, "ACTIVE_JOB_EXISTS");
    stranded.cancel(&id_of(&first)).await;
    with_key(&stranded.client, "k2", &body).await.refused(409, "ACTIVE_JOB_EXISTS");
    // Another person's key with the same name is a different key.
    let other = app.breakdown().await;
    with_key(&other.client, "k1", &other.call_body()).await.expect(201);
}

#[actix_web::test]
async fn a_refusal_that_names_an_unknown_field_is_stored_and_repeated() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let body = set(&stranded.call_body(), "odd\u{0}", json!(1));
    for _ in 0..2 {
        with_key(&stranded.client, "k-odd", &body).await.refused_field("odd\u{fffd}");
    }
}

#[actix_web::test]
async fn many_requests_with_one_key_create_one_job() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let body = stranded.call_body();
    let calls = (0..16).map(|_| with_key(&stranded.client, "k", &body));
    let (made, refused): (Vec<_>, Vec<_>) =
        futures_util::future::join_all(calls).await.into_iter().partition(|answer| answer.status == 201);
    assert!(!made.is_empty() && made.iter().all(|answer| answer.body == made[0].body), "{made:?}");
    refused.into_iter().for_each(|answer| drop(answer.refused(409, "IDEMPOTENCY_IN_FLIGHT")));
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn an_estimate_counts_mechanics_and_prices_the_way() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let ask = estimate_of(&stranded);
    let alone = stranded.client.post("/jobs/estimate", ask.clone()).await.expect(200);
    assert_eq!((&alone["available_mechanics"], &alone["eta_range_min"]), (&json!(0), &Value::Null));
    let unserved = &alone["outlook"];
    assert_eq!((&unserved["chance_in_time_percent"], &unserved["is_served"]), (&json!(0), &json!(false)));
    assert_eq!((&unserved["expected_wait_s"], &unserved["in_time_s"]), (&Value::Null, &json!(1800)));
    assert_eq!((&unserved["reason"], &alone["is_outside_area"]), (&json!("nobody_online"), &json!(true)));
    // 0.07 degrees north are 7.8 km, of which 5 are free and 3 started ones are charged.
    let far = (stranded.place.0 + 0.07, stranded.place.1);
    app.on_road_at(&admin, far).await;
    let estimate = stranded.client.post("/jobs/estimate", ask.clone()).await.expect(200);
    estimate.assert_fields(json!({"available_mechanics": 1, "base_price": 299.0, "travel_price": 30.0,
        "estimated_price": 329.0}));
    let outlook = &estimate["outlook"];
    assert!(outlook["is_served"] == true && outlook["is_held"] == false, "{outlook}");
    assert!(outlook["chance_in_time_percent"].as_u64() > Some(50), "{outlook}");
    let wait_min =
        outlook["expected_wait_s"].as_u64().filter(|wait_s| wait_s % 60 == 0).expect("minutes") / 60;
    assert_eq!(outlook["reason"], "free");
    assert_eq!(estimate["eta_range_min"], json!([wait_min, wait_min + wait_min.div_ceil(2)]), "one figure");
    assert_eq!(stranded.call().await["estimated_price"], 329.0);
}

/// Compares what an estimate, the job, its frames and its shared page say of the wait.
#[actix_web::test]
async fn every_place_shows_the_same_wait_and_reason() {
    let (app, admin) = spawn_with_admin().await;
    let (first, second) = (app.breakdown().await, app.breakdown().await);
    let mut mechanic = app.on_road(&admin).await;
    let free = second.client.post("/jobs/estimate", estimate_of(&second)).await.expect(200);
    assert_eq!((&free["outlook"]["reason"], &free["available_mechanics"]), (&json!("free"), &json!(1)));
    first.call().await;
    mechanic.accept().await;
    let busy = second.client.post("/jobs/estimate", estimate_of(&second)).await.expect(200);
    let outlook = &busy["outlook"];
    assert_eq!((&outlook["reason"], &busy["available_mechanics"]), (&json!("busy"), &json!(0)));
    let wait_min = outlook["expected_wait_s"].as_u64().expect("a wait") / 60;
    assert_eq!(busy["eta_range_min"], json!([wait_min, wait_min + wait_min.div_ceil(2)]));
    assert_eq!((&busy["eta_source"], &busy["is_outside_area"]), (&Value::Null, &json!(false)));
    let job = id_of(&second.call().await);
    let shown = second.job(&job).await["outlook"].clone();
    let link = second.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let path = format!("/shares/{}", link["token"].as_str().unwrap());
    let shared = app.anonymous().get(&path).await.expect(200);
    for said in [&shown, &shared["outlook"]] {
        said.assert_fields(json!({"reason": outlook["reason"],
            "expected_wait_s": outlook["expected_wait_s"]}));
    }
}

#[actix_web::test]
async fn an_estimate_says_that_a_place_is_out_of_reach_or_outside_the_area() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let estimate = async |north: f64| {
        let body = set(&estimate_of(&stranded), "pickup_lat", json!(stranded.place.0 + north));
        stranded.client.post("/jobs/estimate", body).await.expect(200)
    };
    let mechanic = app.on_road(&admin).await;
    // Their last position is stored a little later.
    let ask = async || estimate(0.25).await["is_outside_area"] == false;
    until_fits("the mechanic's place is known", ask, |is_known| *is_known).await;
    // These are 28, 89 and 200 km from a mechanic who goes 12 or 13.
    for (north, reason, is_outside) in
        [(0.25, "out_of_reach", false), (0.8, "out_of_reach", true), (1.8, "nobody_online", true)]
    {
        estimate(north).await.assert_fields(json!({"outlook/reason": reason, "is_outside_area": is_outside,
            "eta_range_min": null}));
    }
    mechanic.go_offline().await;
    let estimate = estimate(0.0).await;
    assert_eq!(estimate["outlook"]["reason"], "nobody_online");
    assert_eq!(estimate["is_outside_area"], false, "they work here, at other times");
}

#[actix_web::test]
async fn a_scheduled_job_waits_until_its_lead_time() {
    let (app, admin) = spawn_admin_with(|settings| settings.jobs.schedule_lead_s = 3600).await;
    let mut mechanic = app.on_road(&admin).await;
    let (later, soon) = (app.breakdown().await, app.breakdown().await);
    let at = |minutes| {
        (app.service.clock.now() + TimeDelta::minutes(minutes)).to_rfc3339_opts(SecondsFormat::Millis, true)
    };
    let waiting = id_of(&later.call_with("scheduled_for", json!(at(120))).await);
    let due = soon.call_with("scheduled_for", json!(at(30))).await;
    assert_eq!(mechanic.offer().await["job_id"], due["id"], "what lies within the lead time begins at once");
    assert_eq!(later.job(&waiting).await["status"], "pending");
}

/// Returns what a request gave, and how many transactions began meanwhile.
async fn begun<T>(wire: &Wire, ask: impl Future<Output = T>) -> (T, u64) {
    wire.at_rest().await;
    let before = wire.traffic().begins;
    let given = ask.await;
    wire.at_rest().await;
    (given, wire.traffic().begins - before)
}

#[actix_web::test]
async fn no_transaction_begins_to_create_and_serve_a_job() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let stranded = app.breakdown().await;
    let later = app.service.clock.now() + TimeDelta::hours(10);
    let later = json!(later.to_rfc3339_opts(SecondsFormat::Millis, true));
    let body = set(&stranded.call_body(), "scheduled_for", later);
    // A worker may begin a transaction meanwhile.
    let [mut creating, mut arriving, mut completing] = [u64::MAX; 3];
    for number in 0..4 {
        let (job, begins) =
            begun(&wire, stranded.client.post_once("/jobs", &body, &format!("key-{number}"))).await;
        creating = creating.min(begins);
        stranded.cancel(&id_of(&job.expect(201))).await;

        let Scene { customer, mechanic, job } = app.accepted().await;
        mechanic.tell(&job, "en-route", json!({})).await;
        let arrived = json!({"override_reason": "the receiver is off"});
        arriving = arriving.min(begun(&wire, mechanic.tell(&job, "arrive", arrived)).await.1);
        let code = customer.get(&format!("/jobs/{job}")).await.expect(200)["start_code"].clone();
        mechanic.tell(&job, "start", json!({ "start_code": code })).await;
        let completed = json!({"outcome": "fixed"});
        completing = completing.min(begun(&wire, mechanic.tell(&job, "complete", completed)).await.1);
    }
    assert_eq!([creating, arriving, completing], [0, 0, 0]);
}

/// Inserts a key that `server` would have claimed for this body a moment ago.
async fn claimed_by(app: &TestApp, stranded: &Stranded, key: &str, server: Option<Uuid>) -> Uuid {
    let (id, now) = (app.service.random.id(app.service.clock.now()), app.service.clock.now());
    let claimed = sqlx::query(
        "insert into idempotency_keys (id, user_id, method, route, key, body_sha256, leased_until, created_at, server)
        values ($1, $2, 'POST', '/jobs', $3, $4, $5 + interval '1 minute', $5, $6)",
    )
    .bind(id)
    .bind(stranded.client.user_id.parse::<Uuid>().unwrap())
    .bind(key)
    .bind(Sha256::digest(stranded.call_body().to_string()).to_vec())
    .bind(now)
    .bind(server);
    claimed.execute(&app.database.db).await.expect("a mark");
    id
}

#[actix_web::test]
async fn a_key_of_a_dead_server_is_free_at_once_and_cannot_be_completed() {
    let app = spawn_app().await;
    let own = app.service.db.lease().server();
    for gone in [Some(app.service.random.id(app.service.clock.now())), None] {
        let stranded = app.breakdown().await;
        let mark = claimed_by(&app, &stranded, "k", gone).await;
        let made = with_key(&stranded.client, "k", &stranded.call_body()).await.expect(201);
        let again = with_key(&stranded.client, "k", &stranded.call_body()).await.expect(201);
        assert_eq!(again["id"], made["id"]);
        let left = sqlx::query_scalar("select count(*) from idempotency_keys where id = $1").bind(mark);
        let left: i64 = left.fetch_one(&app.database.db).await.unwrap();
        assert_eq!(left, 0, "a transaction that commits late finds no mark of its own");
        claimed_by(&app, &stranded, "other", gone).await;
        let other = set(&stranded.call_body(), "description", json!("another body"));
        with_key(&stranded.client, "other", &other).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    }
    let stranded = app.breakdown().await;
    claimed_by(&app, &stranded, "k", Some(own)).await;
    let refused = with_key(&stranded.client, "k", &stranded.call_body()).await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    refused.refused(409, "IDEMPOTENCY_IN_FLIGHT");
}

#[actix_web::test]
async fn a_key_of_a_living_server_is_in_progress_until_its_lease_or_the_server_ends() {
    let app = spawn_app().await;
    let (settings, folder) = (app.database.settings(), app.data_dir.join("neighbour"));
    let neighbour = Database::open(&settings, &folder, Serving::Leader).await.expect("a second server");
    let server = neighbour.db().lease().server();
    let mut standing_by = Box::pin(neighbour.lead());
    assert!(futures_util::poll!(&mut standing_by).is_pending());
    until_it_lives(&app.database.db, server, &[]).await;

    let (stranded, other) = (app.breakdown().await, app.breakdown().await);
    for (whose, key) in [(&stranded, "k"), (&stranded, "other"), (&other, "k")] {
        claimed_by(&app, whose, key, Some(server)).await;
    }
    let call = async || with_key(&stranded.client, "k", &stranded.call_body()).await;
    for _ in 0..2 {
        let refused = call().await;
        assert_eq!(refused.header("retry-after"), Some("1"));
        refused.refused(409, "IDEMPOTENCY_IN_FLIGHT");
    }
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 0);
    let body = set(&stranded.call_body(), "description", json!("another body"));
    with_key(&stranded.client, "other", &body).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    let over = "update idempotency_keys set leased_until = $2 - interval '1 second' where user_id = $1";
    let whose: Uuid = other.client.user_id.parse().unwrap();
    let over = sqlx::query(over).bind(whose).bind(app.service.clock.now());
    over.execute(&app.database.db).await.unwrap();
    with_key(&other.client, "k", &other.call_body()).await.expect(201);

    drop(standing_by);
    neighbour.close().await.expect("it ends");
    until_it_is_gone(&app.database.db, server).await;
    let made = call().await.expect(201);
    assert_eq!(call().await.expect(201)["id"], made["id"]);
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 1);
}
