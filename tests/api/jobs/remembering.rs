//! The server that leads shows jobs from memory, and always as the database has them.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Client, Scene, TestApp, bodies::id_of, spawn_app_behind, spawn_app_with};

/// Longer than a commit of unknown outcome counts as possible.
const LONG: Duration = Duration::from_secs(31);

async fn spawn() -> TestApp {
    spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await
}

/// Returns what the reader is shown, without what the dispatcher expects at the moment.
async fn shown(reader: &Client, path: &str) -> Value {
    let mut body = reader.get(path).await.expect(200);
    if !body["outlook"].is_null() {
        body["outlook"] = Value::Null;
    }
    body
}

fn assert_remembered(app: &TestApp, job: &str, why: &str) {
    // The clients of a cluster use the server that does not lead.
    let is_remembered = app.leading().remembered.has(job.parse().expect("a UUID"));
    assert!(app.cluster.is_some() || is_remembered, "{why}");
}

/// Compares what the readers are shown of the job from memory with what the database has.
pub async fn is_shown_alike(app: &TestApp, readers: &[&Client], job: &str) {
    let (remembered, id) = (&app.leading().remembered, job.parse::<Uuid>().expect("a UUID"));
    for reader in readers {
        for part in ["", "/timeline", "/events", "/line-items"] {
            let path = format!("/jobs/{job}{part}");
            let known = [shown(reader, &path).await, shown(reader, &path).await];
            assert_remembered(app, job, &path);
            remembered.forget(id);
            let read = shown(reader, &path).await;
            assert_eq!(known.each_ref(), [&read; 2], "{path}");
        }
    }
}

#[actix_web::test]
async fn a_job_is_shown_from_memory_as_the_database_has_it_at_every_stage() {
    let app = spawn().await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let offer = id_of(&mechanic.offer().await);
    let waiting: [&Client; 2] = [&stranded.client, &admin];
    is_shown_alike(&app, &waiting, &job).await;

    let scene = Scene { customer: stranded.client, mechanic, job };
    let readers: [&Client; 3] = [&scene.customer, &scene.mechanic.client, &admin];
    scene.mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    assert_remembered(&app, &scene.job, "the commit left the row");
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.step("en-route", json!({})).await;
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.start().await;
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    is_shown_alike(&app, &readers, &scene.job).await;
    scene.pay_cash().await;
    app.service.clock.advance(LONG);
    is_shown_alike(&app, &readers, &scene.job).await;

    let (cancelled, job) = app.called().await;
    cancelled.cancel(&job).await;
    is_shown_alike(&app, &[&cancelled.client, &admin], &job).await;
}

/// Checks that a reader who has just seen the job is shown what the write has changed.
async fn is_shown_at_once<T>(
    app: &TestApp,
    reader: &Client,
    job: &str,
    what: &str,
    write: impl Future<Output = T>,
) -> T {
    let path = format!("/jobs/{job}");
    let before = shown(reader, &path).await;
    assert_remembered(app, job, what);
    let written = write.await;
    let after = shown(reader, &path).await;
    app.leading().remembered.forget_all();
    assert_eq!(after, shown(reader, &path).await, "{what}");
    assert_ne!(after, before, "{what}");
    written
}

#[actix_web::test]
async fn a_request_to_be_called_is_shown_at_once() {
    let app = spawn().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let customer: &Client = &stranded.client;
    let (job, mut watcher) = app.followed(&stranded).await;
    watcher.until_status("dispatching").await;
    let path = format!("/jobs/{job}/callback");
    let ask = async || customer.post(&path, json!({"note": "After nine"})).await.expect(200);
    is_shown_at_once(&app, customer, &job, "asked", ask()).await;
    is_shown_at_once(&app, customer, &job, "withdrawn", customer.delete(&path)).await.expect(204);
    is_shown_at_once(&app, customer, &job, "asked again", ask()).await;
    let done = format!("/admin/callbacks/{job}/done");
    let close = admin.post(&done, json!({"outcome": "reached"}));
    is_shown_at_once(&app, customer, &job, "closed", close).await.expect(200);
}

#[actix_web::test]
async fn changes_of_the_details_and_the_price_are_shown_at_once() {
    let app = spawn().await;
    let scene = app.accepted().await;
    let (customer, mechanic): (&Client, &Client) = (&scene.customer, &scene.mechanic.client);
    let details = json!({"pickup_address": "MG Road, behind the station", "description": "Both tyres",
        "beneficiary_name": "Meera", "beneficiary_phone": "+919812345678", "contact_preference": "both"});
    let path = scene.path("");
    let correct = customer.patch(&path, details);
    is_shown_at_once(&app, mechanic, &scene.job, "a correction", correct).await.expect(200);
    scene.drive().await;
    let items = scene.path("/line-items");
    let labour = json!({"type": "labour", "description": "An hour", "quantity": 1, "unit_price": 300});
    let propose = mechanic.post(&items, labour);
    let item = is_shown_at_once(&app, customer, &scene.job, "a line item", propose).await.expect(201);
    let path = format!("{items}/{}/approve", id_of(&item));
    let approve = customer.post(&path, json!({"version": item["version"]}));
    is_shown_at_once(&app, mechanic, &scene.job, "an approval", approve).await.expect(200);
}

#[actix_web::test]
async fn a_mechanic_who_lost_the_job_is_shown_nothing_of_it_from_then_on() {
    let app = spawn().await;
    let admin = app.admin().await;
    for is_released in [true, false] {
        let scene = app.accepted().await;
        let mechanic: &Client = &scene.mechanic.client;
        is_shown_alike(&app, &[mechanic], &scene.job).await;
        shown(mechanic, &scene.path("")).await;
        assert_remembered(&app, &scene.job, "the mechanic has seen it");
        if is_released {
            scene.step("release", json!({"reason_code": "personal"})).await;
        } else {
            let path = format!("/admin/jobs/{}/reassign", scene.job);
            admin.post(&path, json!({"reason": "it rains"})).await.expect(200);
        }
        for part in ["", "/timeline", "/events", "/line-items", "/photos"] {
            mechanic.get(&scene.path(part)).await.refused(404, "NOT_FOUND");
        }
        mechanic.post(&scene.path("/en-route"), json!({})).await.refused(404, "NOT_FOUND");
    }
}

#[actix_web::test]
async fn a_change_whose_answer_was_lost_is_not_hidden_by_memory() {
    let (app, wire) = spawn_app_behind(|settings| settings.limits.per_user_per_minute = 100_000).await;
    // The mechanic of this job is busy, so nobody is asked about the other job.
    let scene = app.accepted().await;
    let stranded = app.breakdown().await;
    let (job, mut watcher) = app.followed(&stranded).await;
    watcher.until_status("dispatching").await;
    let (path, note) = (format!("/jobs/{job}/callback"), json!({"note": "After nine"}));
    assert_eq!(stranded.job(&job).await["callback"], Value::Null);
    assert_remembered(&app, &job, "a request to be called");
    wire.lose_next_answer("insert into callback_requests");
    stranded.client.post(&path, note).await.refused(503, "OUTCOME_UNKNOWN");
    assert_eq!(stranded.job(&job).await["callback"]["note"], "After nine");

    scene.serve().await;
    let customer: &Client = &scene.customer;
    assert_eq!(shown(customer, &scene.path("")).await["status"], "completed");
    assert_remembered(&app, &scene.job, "a dispute");
    wire.lose_next_answer("insert into disputes");
    let dispute = json!({"reason_code": "poor_work", "description": "Flat again"});
    customer.post(&scene.path("/dispute"), dispute).await.refused(503, "OUTCOME_UNKNOWN");
    assert_eq!(shown(customer, &scene.path("")).await["status"], "disputed");
}

#[actix_web::test]
async fn readers_are_shown_no_older_state_than_they_say_that_they_have_seen() {
    let app = spawn().await;
    let scene = app.accepted().await;
    let customer: &Client = &scene.customer;
    let before = shown(customer, &scene.path("")).await["seq"].as_i64().expect("a number");
    // Another server does this, and has not told the leader yet.
    let change = async || {
        assert_remembered(&app, &scene.job, "it was shown just now");
        let id: Uuid = scene.job.parse().expect("a UUID");
        let change = sqlx::query("update job_states set seq = seq + 1, version = version + 1 where id = $1");
        change.bind(id).execute(&app.leading().db).await.expect("written");
    };
    change().await;
    let path = scene.path(&format!("/events?since_seq={}", before + 1));
    assert_eq!(customer.get(&path).await.expect(200)["last_seq"], before + 1);
    assert_eq!(shown(customer, &scene.path("")).await["seq"], before + 1);
    change().await;
    let mut socket = app.socket(customer).await;
    let seen = json!({"job_id": scene.job, "since_seq": before + 2});
    assert_eq!(socket.ask("job.subscribe", seen).await.expect("an ack")["seq"], before + 2);
}

#[actix_web::test]
async fn writes_of_other_areas_are_shown_at_once() {
    let app = spawn().await;
    let scene = app.accepted().await;
    scene.serve().await;
    let (customer, mechanic): (&Client, &Client) = (&scene.customer, &scene.mechanic.client);
    let token = scene.path("/calls/token");
    let room = customer.post(&token, json!({}));
    is_shown_at_once(&app, customer, &scene.job, "a room", room).await.expect(200);
    let message = json!({"client_message_id": app.service.random.id(app.service.clock.now()), "type": "text",
        "body": "It holds"});
    let order = json!({"job_id": scene.job, "method": "cash"});
    let writes = [
        ("a message", customer, scene.path("/messages"), message),
        ("a payment", mechanic, "/payments/orders".to_owned(), order),
        ("a call", customer, scene.path("/calls"), json!({})),
    ];
    for (what, by, path, body) in writes {
        app.service.clock.advance(LONG);
        let written = is_shown_at_once(&app, customer, &scene.job, what, by.post(&path, body)).await;
        written.expect(201);
    }
}

#[actix_web::test]
async fn a_customer_who_leaves_is_gone_from_their_jobs_at_once() {
    let app = spawn().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    scene.serve().await;
    scene.pay_cash().await;
    app.service.clock.advance(LONG);
    let leaving = scene.customer.delete("/users/me");
    is_shown_at_once(&app, &admin, &scene.job, "the customer", leaving).await.expect(204);
    let job = admin.get(&scene.path("")).await.expect(200);
    assert_eq!(job["customer_first_name"], Value::Null);
}

#[actix_web::test]
async fn a_dispute_and_its_decision_are_shown_at_once() {
    let app = spawn().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    scene.serve().await;
    let customer: &Client = &scene.customer;
    let path = scene.path("/dispute");
    let dispute = customer.post(&path, json!({"reason_code": "poor_work", "description": "Flat again"}));
    is_shown_at_once(&app, customer, &scene.job, "a dispute", dispute).await.expect(201);
    app.service.clock.advance(LONG);
    let path = format!("/admin/jobs/{}/resolve", scene.job);
    let decision = admin.post(&path, json!({"outcome": "mechanic", "note": "It held"}));
    is_shown_at_once(&app, customer, &scene.job, "a decision", decision).await.expect(200);
}
