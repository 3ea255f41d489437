//! Waiting customers ask to be called back, and admins work through the list.

use chrono::TimeDelta;
use roadcall::jobs::callbacks;
use serde_json::{Value, json};

use crate::{
    leaving::in_vain,
    standing::one_behind_the_other,
    support::{
        Answer, AssertFields, Client, Person, Stranded, TestApp, bodies::id_of, spawn_admin_with, spawn_app,
        spawn_app_with, spawn_with_admin, statuses, until_fits,
    },
};

const QUEUE: &str = "/admin/callbacks";

fn callback(job: &str) -> String {
    format!("/jobs/{job}/callback")
}

fn done(job: &str) -> String {
    format!("{QUEUE}/{job}/done")
}

async fn ask(stranded: &Stranded, job: &str, note: &str) -> Value {
    stranded.client.post(&callback(job), json!({"note": note})).await.expect(200)
}

/// Returns the jobs of the list with this status, in its order.
async fn queue(admin: &Client, status: &str) -> Vec<Value> {
    let mut page = admin.get(&format!("{QUEUE}?status={status}")).await.expect(200);
    let rows: Vec<Value> = serde_json::from_value(page["data"].take()).expect("a list");
    assert_eq!(page["total"], rows.len(), "{status}");
    rows
}

async fn queued_jobs(admin: &Client, status: &str) -> Vec<Value> {
    queue(admin, status).await.into_iter().map(|mut row| row["job_id"].take()).collect()
}

async fn kinds(person: &Client) -> Vec<Value> {
    person.column("/notifications?limit=100", "type").await
}

#[actix_web::test]
async fn a_requested_call_is_made_and_both_sides_see_its_outcome() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    assert_eq!(stranded.job(&job).await["callback"], Value::Null);

    let asked = ask(&stranded, &job, "I can answer until nine").await;
    let open = json!({"requested_at": asked["requested_at"], "note": "I can answer until nine", "done_at": null,
        "outcome": null});
    assert_eq!(asked, open);
    // A repeat changes nothing, even with another note.
    assert_eq!(ask(&stranded, &job, "Later, please").await, open);
    let bare = stranded.client.post(&callback(&job), json!({})).await.expect(200);
    assert_eq!(bare, open);

    assert_eq!(stranded.job(&job).await["callback"], open);
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["data"][0]["callback"], open);
    for path in [format!("/jobs/{job}"), format!("/admin/jobs/{job}")] {
        assert_eq!(admin.get(&path).await.expect(200)["callback"], open, "{path}");
    }
    assert_eq!(admin.get("/admin/jobs").await.expect(200)["data"][0]["callback"], open);

    let [row] = &queue(&admin, "open").await[..] else { panic!("one request") };
    row.assert_fields(json!({"job_id": job, "service_category_name": "Flat tyre", "pickup_area": "MG Road",
        "waiting_minutes": 0}));
    assert!(["pending", "dispatching"].contains(&row["job_status"].as_str().unwrap()), "{row}");
    row.assert_fields(json!({"customer_name": "Asha Rao", "note": "I can answer until nine",
        "customer_phone": stranded.client.phone}));
    assert_eq!(admin.get(QUEUE).await.expect(200)["data"], json!([row]), "open is the default");
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["callbacks"], 1);

    let closed = json!({"outcome": "reached", "note": "She goes on waiting"});
    let closed = admin.post(&done(&job), closed).await.expect(200);
    assert_eq!((&closed["outcome"], &closed["done_by"]), (&json!("reached"), &json!(admin.user_id)));
    assert_eq!(closed["done_note"], "She goes on waiting");
    let seen = stranded.job(&job).await;
    seen.assert_fields(json!({"callback/done_at": closed["done_at"], "callback/outcome": "reached"}));
    assert!(!seen.to_string().contains("She goes on"), "the admin's note is for admins");
    assert!(queued_jobs(&admin, "open").await.is_empty());
    assert_eq!(queued_jobs(&admin, "done").await, [job.as_str()]);
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["callbacks"], 0);

    let other = app.admin().await;
    other.post(&done(&job), json!({"outcome": "not_reached"})).await.refused(409, "INVALID_TRANSITION");
    let trail = admin.get("/admin/audit-log?action=callback.done").await.expect(200);
    assert_eq!(trail["total"], 1);
    let entry = &trail["data"][0];
    assert_eq!((&entry["actor_id"], &entry["object_id"]), (&json!(admin.user_id), &json!(job)));
    assert_eq!(entry["after"], json!({"outcome": "reached", "note": "She goes on waiting"}));
    assert!(kinds(&stranded.client).await.is_empty(), "a customer who was reached knows");
}

#[actix_web::test]
async fn a_customer_who_was_not_reached_is_notified_and_can_ask_again() {
    let (app, admin) = spawn_with_admin().await;
    let (first, second) = (app.called().await, app.called().await);
    let asked = ask(&first.0, &first.1, "Before nine").await;
    ask(&second.0, &second.1, "At once").await;
    assert_eq!(queued_jobs(&admin, "open").await, [first.1.as_str(), &second.1], "the oldest first");

    admin.post(&done(&first.1), json!({"outcome": "not_reached"})).await.expect(200);
    assert_eq!(kinds(&first.0.client).await, ["callback_not_reached"]);
    let told = first.0.client.get("/notifications").await.expect(200);
    assert_eq!(told["data"][0]["data"], json!({"job_id": first.1}));

    let again = ask(&first.0, &first.1, "After nine").await;
    assert_eq!((&again["note"], &again["outcome"]), (&json!("After nine"), &Value::Null));
    assert!(again["requested_at"].as_str() > asked["requested_at"].as_str(), "{again}");
    assert_eq!(queued_jobs(&admin, "open").await, [second.1.as_str(), &first.1]);
    for job in [&first.1, &second.1] {
        admin.post(&done(job), json!({"outcome": "resolved_without_call"})).await.expect(200);
    }
    assert_eq!(queued_jobs(&admin, "done").await, [first.1.as_str(), &second.1], "the newest first");
    let second_page = admin.get(&format!("{QUEUE}?status=done&limit=1&page=2")).await.expect(200);
    assert_eq!((&second_page["total"], &second_page["data"][0]["job_id"]), (&json!(2), &json!(second.1)));
    let csv = admin.get(&format!("{QUEUE}?status=done&format=csv")).await;
    assert_eq!(csv.header("x-total-rows"), Some("2"));
    assert!(csv.text.contains("After nine") && csv.text.starts_with("\"id\",\"job_id\","), "{}", csv.text);
}

#[actix_web::test]
async fn bad_input_names_its_field() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    let too_long = "x".repeat(501);
    for (body, field) in
        [(json!({"note": ""}), "note"), (json!({"note": "  "}), "note"), (json!({"note": too_long}), "note")]
    {
        stranded.client.post(&callback(&job), body).await.refused_field(field);
    }
    assert_eq!(stranded.job(&job).await["callback"], Value::Null);
    stranded.client.post(&callback(&job), json!({"note": null})).await.expect(200);
    for (body, field) in [
        (json!({"outcome": "mechanic_found"}), "outcome"),
        (json!({"outcome": "reached", "note": too_long}), "note"),
    ] {
        admin.post(&done(&job), body).await.refused_field(field);
    }
    for (query, field) in
        [("status=closed", "status"), ("page=0", "page"), ("limit=101", "limit"), ("q=x", "q")]
    {
        admin.get(&format!("{QUEUE}?{query}")).await.refused_field(field);
    }
    assert_eq!(queued_jobs(&admin, "open").await, [job.as_str()]);
}

#[actix_web::test]
async fn only_the_jobs_customer_asks_and_only_admins_see_the_list() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    let (stranger, mechanic) = (app.customer().await, app.registered_mechanic().await.client);
    for other in [&stranger, &mechanic] {
        other.post(&callback(&job), json!({})).await.refused(404, "NOT_FOUND");
        other.delete(&callback(&job)).await.refused(404, "NOT_FOUND");
        other.get(QUEUE).await.refused(403, "FORBIDDEN");
        other.post(&done(&job), json!({"outcome": "reached"})).await.refused(403, "FORBIDDEN");
    }
    stranded.client.post(&done(&job), json!({"outcome": "reached"})).await.refused(403, "FORBIDDEN");
    admin.post(&callback(&job), json!({})).await.refused(403, "FORBIDDEN");
    app.anonymous().post(&callback(&job), json!({})).await.refused(401, "UNAUTHORIZED");
    admin.post(&done(&job), json!({"outcome": "reached"})).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn only_an_open_request_can_be_withdrawn() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    stranded.client.delete(&callback(&job)).await.expect(204);
    ask(&stranded, &job, "At once").await;
    for _ in 0..2 {
        stranded.client.delete(&callback(&job)).await.expect(204);
    }
    assert_eq!(stranded.job(&job).await["callback"], Value::Null);
    assert!(queued_jobs(&admin, "open").await.is_empty());
    admin.post(&done(&job), json!({"outcome": "reached"})).await.refused(404, "NOT_FOUND");
    ask(&stranded, &job, "All the same").await;
    admin.post(&done(&job), json!({"outcome": "reached"})).await.expect(200);
    stranded.client.delete(&callback(&job)).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(stranded.job(&job).await["callback"]["outcome"], "reached");
}

#[actix_web::test]
async fn an_acceptance_closes_the_request_and_a_release_reopens_it() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    ask(&stranded, &job, "Number on the blue gate").await;
    let link = stranded.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let mut mechanic = app.on_road(&admin).await;
    let accepted = mechanic.accept().await;
    assert_eq!(accepted["callback"], Value::Null, "in the answer to another request it is no news");

    let seen = stranded.job(&job).await;
    assert_eq!(seen["callback"]["outcome"], "mechanic_found");
    assert_eq!(seen["callback"]["done_at"], seen["accepted_at"]);
    let track = format!("/shares/{}", link["token"].as_str().expect("a token"));
    for shown in [mechanic.client.get(&format!("/jobs/{job}")).await, app.anonymous().get(&track).await] {
        assert!(shown.status == 200 && !shown.text.contains("blue gate"), "{}", shown.text);
    }
    assert_eq!(mechanic.client.get(&format!("/jobs/{job}")).await.expect(200)["callback"], Value::Null);
    assert!(queued_jobs(&admin, "open").await.is_empty());
    let [row] = &queue(&admin, "done").await[..] else { panic!("one request") };
    assert_eq!((&row["job_status"], &row["outcome"]), (&json!("accepted"), &json!("mechanic_found")));
    assert_eq!((&row["done_by"], &row["done_at"]), (&Value::Null, &seen["accepted_at"]));

    let late = admin.post(&done(&job), json!({"outcome": "reached"})).await;
    late.refused_saying(409, "INVALID_TRANSITION", "mechanic has accepted");
    stranded.client.post(&callback(&job), json!({})).await.refused(409, "INVALID_TRANSITION");
    stranded.client.delete(&callback(&job)).await.refused(409, "INVALID_TRANSITION");

    mechanic.tell(&job, "release", json!({"reason_code": "personal"})).await;
    assert_eq!(stranded.job(&job).await["callback"]["outcome"], Value::Null);
    assert_eq!(queued_jobs(&admin, "open").await, [job.as_str()]);
    admin.post(&done(&job), json!({"outcome": "reached"})).await.expect(200);
    assert_eq!(stranded.job(&job).await["callback"]["outcome"], "reached");
}

#[actix_web::test]
async fn a_request_about_a_cancelled_job_stays_until_an_admin_decides() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    ask(&stranded, &job, "At once").await;
    stranded.cancel(&job).await;
    let [row] = &queue(&admin, "open").await[..] else { panic!("one request") };
    assert_eq!((&row["job_id"], &row["job_status"]), (&json!(job), &json!("cancelled")));
    stranded.client.post(&callback(&job), json!({})).await.refused(409, "INVALID_TRANSITION");
    admin.post(&done(&job), json!({"outcome": "not_reached"})).await.expect(200);
    assert!(kinds(&stranded.client).await.is_empty(), "there is nothing left to ask for");
    assert_eq!(stranded.job(&job).await["callback"]["outcome"], "not_reached");
}

#[actix_web::test]
async fn a_customer_can_ask_after_a_failed_search_but_not_before_the_first() {
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (stranded, job) = in_vain(&app).await;
    ask(&stranded, &job, "What now?").await;
    assert_eq!(queue(&admin, "open").await[0]["job_status"], "no_mechanic_found");

    let later = app.breakdown().await;
    let at = json!((app.service.clock.now() + TimeDelta::hours(20)).to_rfc3339());
    let scheduled = id_of(&later.call_with("scheduled_for", at).await);
    later.client.post(&callback(&scheduled), json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn repeated_requests_under_one_key_are_one_request() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    let asked = async |body: Value| stranded.client.post_once(&callback(&job), &body, "call-me").await;
    let first = asked(json!({"note": "At once"})).await.expect(200);
    asked(json!({"note": "Later"})).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    admin.post(&done(&job), json!({"outcome": "not_reached"})).await.expect(200);
    assert_eq!(asked(json!({"note": "At once"})).await.expect(200), first, "no second request");
    assert!(queued_jobs(&admin, "open").await.is_empty());
}

#[actix_web::test]
async fn only_one_of_two_admins_closes_a_request() {
    let app = spawn_app().await;
    let (one, other) = (app.admin().await, app.admin().await);
    let (stranded, job) = app.called().await;
    ask(&stranded, &job, "At once").await;
    let close = async |admin: &Person| admin.post(&done(&job), json!({"outcome": "reached"})).await;
    let closed = <[Answer; 2]>::from(futures_util::future::join(close(&one), close(&other)).await);
    assert_eq!(statuses(&closed), [200, 409]);
    assert_eq!(one.get("/admin/audit-log?action=callback.done").await.expect(200)["total"], 1);
}

/// Returns the notes of the table's rows, and whether they are open.
async fn kept(app: &TestApp) -> Vec<(bool, Option<String>, Option<String>)> {
    let rows = "select done_at is null, note, done_note from callback_requests order by requested_at";
    app.sql_rows(rows).await
}

#[actix_web::test]
async fn requests_are_exported_and_deleted_with_the_account() {
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (stranded, job) = in_vain(&app).await;
    ask(&stranded, &job, "My daughter answers").await;
    admin.post(&done(&job), json!({"outcome": "reached", "note": "Her name is Meera"})).await.expect(200);
    stranded.cancel(&job).await;
    let other = id_of(&stranded.call().await);
    let asked = ask(&stranded, &other, "At once").await;
    stranded.cancel(&other).await;

    let export = stranded.client.get("/users/me/export").await.expect(200);
    assert_eq!(export["jobs"][0]["callback"], asked);
    assert_eq!(export["jobs"][1]["callback"]["note"], "My daughter answers");
    assert_eq!(export["jobs"], stranded.client.get("/jobs?limit=100").await.expect(200)["data"]);

    stranded.client.delete("/users/me").await.expect(204);
    assert_eq!(kept(&app).await, [(false, None, None)], "the open one is gone, the other has no words left");
    assert_eq!(queue(&admin, "done").await[0]["customer_name"], Value::Null);
}

#[actix_web::test]
async fn a_request_made_while_its_customer_leaves_is_not_kept() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (stranded, job) = in_vain(&app).await;
    let (client, path) = (&stranded.client, callback(&job));
    let ask = client.post(&path, json!({"note": "At once"}));
    let (left, asked) = one_behind_the_other(&app, client, client.delete("/users/me"), ask).await;
    left.expect(204);
    asked.refused(401, "UNAUTHORIZED");
    assert_eq!(kept(&app).await, []);
}

#[actix_web::test]
async fn requests_outlive_a_restart_and_metrics_count_them() {
    let (mut app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    ask(&stranded, &job, "At once").await;
    let measured = async |app: &TestApp, line: &str| {
        // Other services of this process use the same gauges.
        let ask = async || app.anonymous().get("/metrics").await;
        until_fits(line, ask, |answer| answer.text.contains(line)).await;
    };
    measured(&app, "\nroadcall_open_callbacks 1\n").await;
    measured(&app, "\nroadcall_oldest_callback_age_seconds ").await;

    app.restart().await;
    let (admin, customer) = (admin.at(app.address), stranded.client.at(app.address));
    measured(&app, "\nroadcall_open_callbacks 1\n").await;
    let path = format!("/jobs/{job}");
    assert_eq!(customer.get(&path).await.expect(200)["callback"]["note"], "At once");
    assert_eq!(queued_jobs(&admin, "open").await, [job.as_str()]);
    admin.post(&done(&job), json!({"outcome": "reached"})).await.expect(200);
    measured(&app, "\nroadcall_open_callbacks 0\n").await;
    assert_eq!(customer.get(&path).await.expect(200)["callback"]["outcome"], "reached");
}

#[actix_web::test]
async fn the_sweep_closes_finished_requests_and_deletes_old_ones() {
    let (app, admin) = spawn_with_admin().await;
    let jobs = &app.service.payments.jobs;
    let kept = TimeDelta::days(app.service.settings.calls.retention_days);
    let (stranded, job) = app.called().await;
    ask(&stranded, &job, "At once").await;
    let mut mechanic = app.on_road(&admin).await;
    mechanic.accept().await;
    // The mechanic may still give the job back.
    assert_eq!(callbacks::sweep(jobs, kept, 100).await.expect("swept"), 0);
    mechanic.drive_and_start(&stranded.client, &job).await;
    mechanic.tell(&job, "complete", json!({"outcome": "fixed"})).await;
    let before = stranded.job(&job).await["callback"].clone();
    assert_eq!(callbacks::sweep(jobs, kept, 100).await.expect("swept"), 1);
    assert_eq!(stranded.job(&job).await["callback"], before);
    let outcome: String = app.sql_value("select outcome from callback_requests").await;
    assert_eq!(outcome, "mechanic_found");

    let (other, open) = app.called().await;
    ask(&other, &open, "At once").await;
    let old = app.service.clock.now() - kept - TimeDelta::days(1);
    let age = sqlx::query("update callback_requests set requested_at = $1").bind(old);
    age.execute(&app.database.db).await.expect("aged");
    assert_eq!(callbacks::sweep(jobs, kept, 100).await.expect("swept"), 1);
    assert_eq!(stranded.job(&job).await["callback"], Value::Null);
    assert_eq!(other.job(&open).await["callback"]["note"], "At once", "its job still searches");
}
