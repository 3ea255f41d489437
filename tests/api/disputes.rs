use serde_json::{Value, json};

use crate::payments::{completed, order, until_payment};
use crate::support::{
    Answer, Client, TestApp,
    bodies::{id_of, set, without},
    roadside::Scene,
    spawn_app,
};

fn flat_again() -> Value {
    json!({"reason_code": "poor_work", "description": "Flat again",
        "evidence_urls": ["https://files.example/flat.jpg"]})
}

fn split(amount: Value) -> Value {
    json!({"outcome": "split", "amount": amount, "note": "It held for a while"})
}

/// Moves the completion back, as if so many seconds had passed since.
async fn pass(app: &TestApp, scene: &Scene, seconds: i32) {
    let moved = sqlx::query(
        "update jobs set completed_at = completed_at - make_interval(secs => $2) where id = $1::uuid",
    );
    let job = scene.job.parse::<uuid::Uuid>().expect("a UUID");
    moved.bind(job).bind(f64::from(seconds)).execute(&app.database.db).await.expect("the job is updated");
}

async fn dispute(client: &Client, scene: &Scene) -> Answer {
    client.post(&scene.path("/dispute"), flat_again()).await
}

async fn resolve(admin: &Client, scene: &Scene, body: Value) -> Answer {
    admin.post(&format!("/admin/jobs/{}/resolve", scene.job), body).await
}

async fn keyed(client: &Client, path: &str, body: Value) -> Answer {
    let request = |request: reqwest::RequestBuilder| request.header("idempotency-key", "k-1").json(&body);
    client.send_as(reqwest::Method::POST, path, request).await
}

#[actix_web::test]
async fn a_dispute_is_opened_seen_by_its_parties_and_resolved() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let mut watcher = app.socket(&scene.customer).await;
    let ack = watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let seq = ack["seq"].as_i64().expect("a number");
    let made = dispute(&scene.customer, &scene).await.expect(201);
    assert_eq!((&made["status"], &made["opened_by"]), (&json!("open"), &json!("customer")));
    assert_eq!(made["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    let frame = watcher.until_status("disputed").await;
    assert_eq!((frame["seq"].as_i64(), frame["type"].as_str()), (Some(seq + 1), Some("job.updated")));
    assert!(frame["data"]["disputed_at"].is_string() && frame["data"]["resolved_at"].is_null(), "{frame}");

    let mechanic = &scene.mechanic.client;
    for client in [&*scene.customer, &**mechanic, &*admin] {
        assert_eq!(client.get(&scene.path("/dispute")).await.expect(200), made);
    }
    assert_eq!(mechanic.get("/wallet/disputes").await.expect(200)["data"], json!([made]));
    assert_eq!(mechanic.get(&format!("/wallet/disputes/{}", id_of(&made))).await.expect(200), made);
    let list = admin.get("/admin/disputes?status=open").await.expect(200);
    assert_eq!((&list["data"], &list["total"]), (&json!([made]), &json!(1)));

    let job = resolve(&admin, &scene, split(json!(100.5))).await.expect(200);
    assert_eq!(job["status"], "resolved");
    let frame = watcher.until_status("resolved").await;
    assert_eq!(frame["seq"].as_i64(), Some(seq + 2));
    assert!(frame["data"]["resolved_at"].is_string(), "{frame}");
    let resolved = scene.customer.get(&scene.path("/dispute")).await.expect(200);
    assert_eq!((&resolved["status"], &resolved["outcome"]), (&json!("resolved"), &json!("split")));
    assert_eq!((&resolved["amount"], &resolved["note"]), (&json!(100.5), &json!("It held for a while")));
    assert_eq!(admin.get("/admin/disputes?status=open").await.expect(200)["total"], 0);
    assert_eq!(admin.get("/admin/disputes?status=resolved").await.expect(200)["data"], json!([resolved]));

    let audited: Vec<(String, Value)> =
        sqlx::query_as("select action, after from audit_log where action like '%.resolve' order by action")
            .fetch_all(&app.database.db)
            .await
            .expect("the audit");
    let actions: Vec<&str> = audited.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["dispute.resolve", "job.resolve"]);
    assert_eq!(audited[0].1["amount_paise"], 10_050);
}

#[actix_web::test]
async fn a_job_is_disputed_once_and_resolved_once() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let word = json!({"outcome": "customer", "note": "Nothing was done"});
    resolve(&admin, &scene, word.clone()).await.refused(409, "INVALID_TRANSITION");
    let (one, other) =
        futures_util::future::join(dispute(&scene.customer, &scene), dispute(&scene.mechanic.client, &scene))
            .await;
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [201, 409]);
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
    resolve(&admin, &scene, word.clone()).await.expect(200);
    resolve(&admin, &scene, word).await.refused(409, "INVALID_TRANSITION");
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(admin.get("/admin/disputes").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn a_job_can_be_disputed_for_48_hours_after_its_completion() {
    let app = spawn_app().await;
    let hours_48 = 48 * 3600;
    for (passed, status) in [(hours_48 - 300, 201), (hours_48 + 1, 409)] {
        let scene = completed(&app).await;
        pass(&app, &scene, passed).await;
        let answer = dispute(&scene.customer, &scene).await.expect(status);
        if status == 409 {
            assert_eq!(answer["error"]["code"], "INVALID_TRANSITION");
            assert!(
                answer["error"]["message"].as_str().is_some_and(|text| text.contains("until")),
                "{answer}"
            );
            let job = scene.customer.get(&scene.path("")).await.expect(200);
            assert_eq!((&job["status"], &job["disputed_at"]), (&json!("completed"), &Value::Null));
            scene.customer.get(&scene.path("/dispute")).await.refused(404, "NOT_FOUND");
        }
    }
}

#[actix_web::test]
async fn only_work_that_was_done_is_disputed() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
    scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn nobody_else_disputes_or_looks() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let (stranger, other) = (app.customer().await, app.verified_mechanic(&admin).await.client);
    for client in [&stranger, &other] {
        dispute(client, &scene).await.refused(404, "NOT_FOUND");
    }
    dispute(&admin, &scene).await.refused(403, "FORBIDDEN");
    let of_job = set(&flat_again(), "job_id", json!(scene.job));
    other.post("/wallet/disputes", of_job.clone()).await.refused_field("job_id");
    // The customer of a job is no mechanic of it, whatever else it is.
    scene.customer.post("/wallet/disputes", of_job.clone()).await.refused(403, "FORBIDDEN");
    let made = scene.mechanic.client.post("/wallet/disputes", of_job).await.expect(201);
    assert_eq!(made["opened_by"], "mechanic");
    other.get(&format!("/wallet/disputes/{}", id_of(&made))).await.refused(404, "NOT_FOUND");
    assert_eq!(other.get("/wallet/disputes").await.expect(200)["total"], 0);
    for client in [&stranger, &other] {
        client.get(&scene.path("/dispute")).await.refused(404, "NOT_FOUND");
    }
    for client in [&scene.customer, &scene.mechanic.client] {
        resolve(client, &scene, split(json!(1))).await.refused(403, "FORBIDDEN");
    }
}

#[actix_web::test]
async fn what_is_wrong_is_named() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let path = scene.path("/dispute");
    let many = vec!["https://files.example/a.jpg"; 11];
    for (field, odd) in [
        ("reason_code", json!("bored")),
        ("description", json!("")),
        ("description", json!("x".repeat(2_001))),
        ("evidence_urls", json!(many)),
        ("evidence_urls[0]", json!(["ftp://files.example/a"])),
    ] {
        let name = field.split('[').next().unwrap_or_default();
        scene.customer.post(&path, set(&flat_again(), name, odd)).await.refused_field(field);
    }
    dispute(&scene.customer, &scene).await.expect(201);
    let price = scene.customer.get(&scene.path("")).await.expect(200)["final_price"].clone();
    for (body, field) in [
        (split(json!(0)), "amount"),
        (split(json!(-1)), "amount"),
        (split(json!(0.001)), "amount"),
        (split(price), "amount"),
        (without(&split(json!(1)), "amount"), "amount"),
        (set(&split(json!(1)), "outcome", json!("customer")), "amount"),
        (set(&split(json!(1)), "outcome", json!("mechanic")), "amount"),
        (set(&split(json!(1)), "outcome", json!("nobody")), "outcome"),
        (set(&split(json!(1)), "note", json!("")), "note"),
    ] {
        resolve(&admin, &scene, body).await.refused_field(field);
    }
    assert_eq!(scene.customer.get(&path).await.expect(200)["status"], "open");
    scene.mechanic.client.get("/wallet/disputes?status=lost").await.refused_field("status");
}

#[actix_web::test]
async fn under_a_key_a_repeat_is_answered_the_same() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let (open, close) = (scene.path("/dispute"), format!("/admin/jobs/{}/resolve", scene.job));
    let made = keyed(&scene.customer, &open, flat_again()).await.expect(201);
    assert_eq!(keyed(&scene.customer, &open, flat_again()).await.expect(201), made);
    let job = keyed(&admin, &close, split(json!(1))).await.expect(200);
    assert_eq!(keyed(&admin, &close, split(json!(1))).await.expect(200), job);
    keyed(&admin, &close, split(json!(2))).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(keyed(&scene.customer, &open, flat_again()).await.expect(201), made, "as it was opened");
}

#[actix_web::test]
async fn a_restart_keeps_a_dispute() {
    let mut app = spawn_app().await;
    let scene = completed(&app).await;
    let admin = app.admin().await;
    dispute(&scene.customer, &scene).await.expect(201);
    app.restart().await;
    let admin = app.anonymous().with_token(admin.token().expect("signed in"));
    let word = json!({"outcome": "mechanic", "note": "The work was sound"});
    let job = resolve(&admin, &scene, word).await.expect(200);
    assert_eq!(job["status"], "resolved");
    assert!(job["completed_at"].is_string() && job["disputed_at"].is_string(), "{job}");
    assert_eq!(job["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
}

/// Pays at the gateway; the payment's id.
async fn pay(app: &TestApp, scene: &Scene) -> String {
    let order = order(scene).await;
    let path = format!("/sandbox/gateway/orders/{}/pay", order["gateway_order_id"].as_str().expect("an id"));
    app.anonymous().post(&path, json!({"outcome": "captured"})).await.expect(200);
    order["payment_id"].as_str().expect("an id").to_owned()
}

#[actix_web::test]
async fn a_split_gives_back_a_part_of_what_was_paid() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let payment = pay(&app, &scene).await;
    until_payment(&scene.customer, &payment, "status", json!("captured")).await;
    dispute(&scene.customer, &scene).await.expect(201);
    resolve(&admin, &scene, split(json!(100))).await.expect(200);
    until_payment(&scene.customer, &payment, "refunded_amount", json!(100.0)).await;
    let job = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!((&job["status"], &job["final_price"]), (&json!("resolved"), &json!(299.0)));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn who_is_found_right_before_paying_pays_nothing() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    dispute(&scene.customer, &scene).await.expect(201);
    let word = json!({"outcome": "customer", "note": "Nothing was done"});
    resolve(&admin, &scene, word).await.expect(200);
    let refused = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await;
    refused.refused(409, "INVALID_TRANSITION");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_payments_moves_are_frames_of_the_jobs_log() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let mut watcher = app.socket(&scene.customer).await;
    let ack = watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let since = ack["seq"].as_i64().expect("a number");
    let payment = pay(&app, &scene).await;
    let paid = watcher.until_status("paid").await["seq"].as_i64().expect("a number");
    let shown = until_payment(&scene.customer, &payment, "status", json!("captured")).await;
    let mut live = Vec::new();
    for seq in since + 1..paid {
        live.push(watcher.find(&format!("frame {seq}"), |frame| frame["seq"] == seq).await);
    }
    assert!(live.iter().all(|frame| frame["type"] == "payment.updated"), "{live:?}");
    assert!(!live.is_empty() && live.iter().all(|frame| frame["data"]["id"] == *payment), "{live:?}");
    let events =
        scene.customer.get(&format!("/jobs/{}/events?since_seq={since}", scene.job)).await.expect(200);
    let events = events["data"].as_array().expect("a list");
    let about: Vec<&Value> = events.iter().filter(|event| event["type"] == "payment.updated").collect();
    assert!(about.len() >= live.len() && about.iter().all(|event| event["data"] == shown), "{events:?}");
}
