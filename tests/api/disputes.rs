use serde_json::{Value, json};

use crate::payments::{completed, order, until_payment};
use crate::support::{
    Answer, Client, TestApp,
    bodies::{id_of, set, without},
    roadside::Scene,
    spawn_accepted, spawn_app, spawn_completed,
};

fn flat_again() -> Value {
    json!({"reason_code": "poor_work", "description": "Flat again",
        "evidence_urls": ["https://files.example/flat.jpg"]})
}

fn split(price_reduction: Value) -> Value {
    json!({"outcome": "split", "price_reduction": price_reduction, "note": "It held for a while"})
}

async fn dispute(client: &Client, scene: &Scene) -> Answer {
    client.post(&scene.path("/dispute"), flat_again()).await
}

async fn resolve(admin: &Client, scene: &Scene, body: Value) -> Answer {
    admin.post(&format!("/admin/jobs/{}/resolve", scene.job), body).await
}

async fn keyed(client: &Client, path: &str, body: Value) -> Answer {
    client.post_once(path, &body, "k-1").await
}

#[actix_web::test]
async fn a_dispute_is_opened_shown_to_its_parties_and_resolved() {
    let (app, scene, admin) = spawn_completed().await;
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
    assert_eq!((&list["data"][0]["id"], &list["total"]), (&made["id"], &json!(1)));

    let job = resolve(&admin, &scene, split(json!(100.5))).await.expect(200);
    assert_eq!(job["status"], "resolved");
    let frame = watcher.until_status("resolved").await;
    assert_eq!(frame["seq"].as_i64(), Some(seq + 2));
    assert!(frame["data"]["resolved_at"].is_string(), "{frame}");
    let resolved = scene.customer.get(&scene.path("/dispute")).await.expect(200);
    assert_eq!((&resolved["status"], &resolved["outcome"]), (&json!("resolved"), &json!("split")));
    assert_eq!(resolved["price_reduction"], 100.5);
    assert_eq!(resolved["note"], "It held for a while");
    let price = made["final_price"].as_f64().expect("a price");
    assert_eq!((&made["price_reduction"], &made["price_after"]), (&Value::Null, &Value::Null));
    // This is the price as both sides read it, and not the reduction.
    assert_eq!(resolved["price_after"], json!(price - 100.5));
    for (client, path) in [
        (&**mechanic, format!("/wallet/disputes/{}", id_of(&made))),
        (&*scene.customer, scene.path("/dispute")),
    ] {
        assert_eq!(client.get(&path).await.expect(200)["price_after"], resolved["price_after"]);
    }
    assert_eq!(admin.get("/admin/disputes?status=open").await.expect(200)["total"], 0);
    let list = admin.get("/admin/disputes?status=resolved").await.expect(200);
    assert_eq!((&list["data"][0]["id"], &list["total"]), (&resolved["id"], &json!(1)));

    let audited: Vec<(String, Value)> = app
        .rows("select action, after from audit_log where action like '%.resolve' order by action", &[])
        .await;
    let actions: Vec<&str> = audited.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["dispute.resolve", "job.resolve"]);
    assert_eq!(audited[0].1["amount_paise"], 10_050);
}

#[actix_web::test]
async fn a_job_is_disputed_once_and_resolved_once() {
    let (_app, scene, admin) = spawn_completed().await;
    let word = json!({"outcome": "customer", "note": "Nothing was done"});
    resolve(&admin, &scene, word.clone()).await.refused(409, "INVALID_TRANSITION");
    let (one, other) =
        futures_util::future::join(dispute(&scene.customer, &scene), dispute(&scene.mechanic.client, &scene))
            .await;
    assert_eq!(statuses([one, other]), [201, 409]);
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
        app.pass_since_end(&scene.job, passed).await;
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
async fn only_finished_work_can_be_disputed() {
    let (_app, scene) = spawn_accepted().await;
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
    scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    dispute(&scene.customer, &scene).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn other_people_can_neither_open_nor_read_a_dispute() {
    let (app, scene, admin) = spawn_completed().await;
    let (stranger, other) = (app.customer().await, app.verified_mechanic(&admin).await.client);
    for client in [&stranger, &other] {
        dispute(client, &scene).await.refused(404, "NOT_FOUND");
    }
    dispute(&admin, &scene).await.refused(403, "FORBIDDEN");
    let of_job = set(&flat_again(), "job_id", json!(scene.job));
    other.post("/wallet/disputes", of_job.clone()).await.refused_field("job_id");
    // The customer of a job is not its mechanic, even if they are a mechanic.
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
async fn a_bad_dispute_names_its_field() {
    let (_app, scene, admin) = spawn_completed().await;
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
        (split(json!(0)), "price_reduction"),
        (split(json!(-1)), "price_reduction"),
        (split(json!(0.001)), "price_reduction"),
        (split(price), "price_reduction"),
        (without(&split(json!(1)), "price_reduction"), "price_reduction"),
        (set(&split(json!(1)), "outcome", json!("customer")), "price_reduction"),
        (set(&split(json!(1)), "outcome", json!("mechanic")), "price_reduction"),
        (set(&split(json!(1)), "outcome", json!("nobody")), "outcome"),
        (set(&split(json!(1)), "note", json!("")), "note"),
    ] {
        resolve(&admin, &scene, body).await.refused_field(field);
    }
    assert_eq!(scene.customer.get(&path).await.expect(200)["status"], "open");
    scene.mechanic.client.get("/wallet/disputes?status=lost").await.refused_field("status");
}

#[actix_web::test]
async fn a_repeat_under_a_key_gets_the_same_answer() {
    let (_app, scene, admin) = spawn_completed().await;
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
    let (mut app, scene, _) = spawn_completed().await;
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

/// Pays at the gateway; returns the payment's id.
async fn pay(app: &TestApp, scene: &Scene) -> String {
    let order = order(scene).await;
    app.check_out(&order).await;
    order["payment_id"].as_str().expect("an id").to_owned()
}

#[actix_web::test]
async fn a_split_refunds_a_part_of_the_payment() {
    let (app, scene, admin) = spawn_completed().await;
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
async fn a_customer_who_wins_the_dispute_before_paying_pays_nothing() {
    let (app, scene, admin) = spawn_completed().await;
    dispute(&scene.customer, &scene).await.expect(201);
    let word = json!({"outcome": "customer", "note": "Nothing was done"});
    resolve(&admin, &scene, word).await.expect(200);
    let refused = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await;
    refused.refused(409, "INVALID_TRANSITION");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn changes_of_a_payment_are_frames_of_the_jobs_log() {
    let (app, scene, _) = spawn_completed().await;
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

fn held() -> Value {
    json!({"statement": "It held its pressure", "evidence_urls": ["https://files.example/gauge.jpg"]})
}

async fn kinds(person: &Client) -> Vec<String> {
    let notified = person.get("/notifications?limit=100").await.expect(200);
    let kinds = notified["data"].as_array().expect("a list").iter();
    kinds.map(|note| note["type"].as_str().expect("a kind").to_owned()).collect()
}

#[actix_web::test]
async fn both_sides_state_their_case_until_it_is_resolved() {
    let (app, scene, admin) = spawn_completed().await;
    let (customer, mechanic) = (&*scene.customer, &*scene.mechanic.client);
    let path = scene.path("/dispute/statements");
    customer.post(&path, held()).await.refused(404, "NOT_FOUND");
    let opened = dispute(customer, &scene).await.expect(201);
    assert!(kinds(mechanic).await.contains(&"dispute_opened".to_owned()), "the other side is asked");

    let first = mechanic.post(&path, held()).await.expect(201);
    assert_eq!((&first["stated_by"], &first["dispute_id"]), (&json!("mechanic"), &opened["id"]));
    let second = customer.post(&path, json!({"statement": "Not for long"})).await.expect(201);
    assert_eq!((&second["stated_by"], &second["evidence_urls"]), (&json!("customer"), &json!([])));
    for reader in [customer, mechanic, &*admin] {
        assert_eq!(reader.get(&path).await.expect(200)["data"], json!([first, second]));
    }
    for person in [customer, mechanic] {
        let kinds = kinds(person).await;
        assert_eq!(kinds.iter().filter(|kind| *kind == "dispute_statement").count(), 1, "{kinds:?}");
    }
    let exported = mechanic.get("/users/me/export").await.expect(200);
    assert_eq!(exported["dispute_statements"], json!([first, second]));

    for stranger in [app.customer().await, app.verified_mechanic(&admin).await.client] {
        stranger.post(&path, held()).await.refused(404, "NOT_FOUND");
        stranger.get(&path).await.refused(404, "NOT_FOUND");
    }
    admin.post(&path, held()).await.refused(403, "FORBIDDEN");
    resolve(&admin, &scene, split(json!(1))).await.expect(200);
    mechanic.post(&path, held()).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(customer.get(&path).await.expect(200)["data"], json!([first, second]), "still to be read");
}

#[actix_web::test]
async fn statements_are_limited_and_read_strictly() {
    let (_app, scene, _) = spawn_completed().await;
    dispute(&scene.customer, &scene).await.expect(201);
    let (customer, path) = (&*scene.customer, scene.path("/dispute/statements"));
    for (field, odd) in [
        ("statement", json!("")),
        ("statement", json!("x".repeat(2_001))),
        ("evidence_urls", json!(vec!["https://files.example/a.jpg"; 11])),
        ("evidence_urls[0]", json!(["http://files.example/a.jpg"])),
        ("opinion", json!("x")),
    ] {
        let name = field.split('[').next().unwrap_or_default();
        customer.post(&path, set(&held(), name, odd)).await.refused_field(field);
    }
    let made = keyed(customer, &path, held()).await.expect(201);
    assert_eq!(keyed(customer, &path, held()).await.expect(201), made, "one statement under one key");
    for _ in 1..10 {
        customer.post(&path, held()).await.expect(201);
    }
    customer.post(&path, held()).await.refused(409, "CONFLICT");
    // The other side has its own limit.
    scene.mechanic.client.post(&path, held()).await.expect(201);
    assert_eq!(customer.get(&path).await.expect(200)["data"].as_array().map(Vec::len), Some(11));
}

#[actix_web::test]
async fn a_customer_accused_of_not_paying_can_pay() {
    let (app, scene, admin) = spawn_completed().await;
    let unpaid = set(&flat_again(), "reason_code", json!("not_paid"));
    let opened = scene.mechanic.client.post(&scene.path("/dispute"), unpaid).await.expect(201);
    assert_eq!(opened["settled_at"], Value::Null);
    let payment = pay(&app, &scene).await;
    until_payment(&scene.customer, &payment, "status", json!("captured")).await;
    // The money has moved, but the job has not: the admin sees both.
    let shown = admin.get(&scene.path("/dispute")).await.expect(200);
    assert_eq!(shown["status"], "open");
    assert!(shown["settled_at"].is_string(), "{shown}");
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "disputed");
    assert!(kinds(&scene.mechanic.client).await.contains(&"dispute_paid".to_owned()));
    let held = app.balances(&scene.mechanic.profile_id).await;
    assert_eq!((held.held_paise, held.available_paise), (25_415, 0));
    let nothing_due = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await;
    nothing_due.refused(409, "INVALID_TRANSITION");
    let right = json!({"outcome": "mechanic", "note": "It has been paid since"});
    resolve(&admin, &scene, right).await.expect(200);
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 25_415, "nothing went back");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_cash_payment_settles_only_a_dispute_about_missing_payment() {
    let (app, scene, _) = spawn_completed().await;
    let unpaid = set(&flat_again(), "reason_code", json!("not_paid"));
    scene.mechanic.client.post(&scene.path("/dispute"), unpaid).await.expect(201);
    scene.pay_cash().await;
    let shown = scene.customer.get(&scene.path("/dispute")).await.expect(200);
    assert_eq!((&shown["status"], shown["settled_at"].is_string()), (&json!("open"), true));
    app.sound_ledger().await;
    let other = completed(&app).await;
    dispute(&other.customer, &other).await.expect(201);
    let order = other.customer.post("/payments/orders", json!({"job_id": other.job})).await;
    order.refused(409, "INVALID_TRANSITION");
}
