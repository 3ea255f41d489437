//! Stops of new jobs.

use chrono::TimeDelta;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use crate::{
    leaving::in_vain,
    support::{
        AssertFields, Client, Stranded, TestApp,
        bodies::{id_of, set, without},
        spawn_admin_with, spawn_cluster, spawn_with_admin, until_fits,
    },
};

const PATH: &str = "/admin/job-stop";
const WORDS: &str = "The roads are flooded. We take jobs again tomorrow.";

async fn stop(admin: &Client) -> Value {
    admin.put(PATH, json!({"message": WORDS})).await.expect(200)["stop"].take()
}

/// Returns the stop that an app reads before anyone signs in.
async fn shown_stop(app: &TestApp) -> Value {
    app.anonymous().get("/config").await.expect(200)["job_stop"].take()
}

fn estimate_of(stranded: &Stranded) -> Value {
    without(&stranded.call_body(), "pickup_address")
}

#[actix_web::test]
async fn customers_are_refused_with_the_admins_words_and_everything_else_goes_on() {
    let (app, admin) = spawn_with_admin().await;
    let open = app.accepted().await;
    let stranded = app.breakdown().await;
    assert_eq!(admin.get(PATH).await.expect(200), json!({"stop": null}));
    assert_eq!(shown_stop(&app).await, Value::Null);
    let shown = stop(&admin).await;
    assert_eq!((&shown["message"], &shown["ends_at"]), (&json!(WORDS), &Value::Null));
    assert_eq!(shown["set_by"], admin.user_id.to_string());
    assert_eq!(admin.get(PATH).await.expect(200)["stop"], shown);
    assert_eq!(shown_stop(&app).await, json!({"message": WORDS, "ends_at": null}));

    let refused = stranded.client.post("/jobs", stranded.call_body()).await;
    assert_eq!(refused.header("retry-after"), None, "nobody knows");
    assert_eq!(refused.refused(409, "NO_NEW_JOBS")["error"]["message"], WORDS);
    stranded.client.post("/jobs/estimate", estimate_of(&stranded)).await.refused(409, "NO_NEW_JOBS");
    // A fault in the request is reported first.
    let odd = json!({"pickup_lat": 91});
    stranded.client.post("/jobs", odd).await.refused(422, "VALIDATION_FAILED");

    // An open job goes on.
    open.serve().await;
    // An admin calls for somebody who phones.
    let path = format!("/admin/users/{}/jobs", stranded.client.user_id);
    admin.post(&format!("{path}/estimate"), estimate_of(&stranded)).await.expect(200);
    let job = id_of(&admin.post(&path, stranded.call_body()).await.expect(201));
    assert_eq!(stranded.job(&job).await["id"], job);

    admin.delete(PATH).await.expect(204);
    assert_eq!(shown_stop(&app).await, Value::Null);
    app.breakdown().await.call().await;
}

#[actix_web::test]
async fn a_refusal_is_not_kept_under_the_idempotency_key_and_a_job_made_before_is_shown() {
    let (app, admin) = spawn_with_admin().await;
    let (before, after) = (app.breakdown().await, app.breakdown().await);
    let call = async |stranded: &Stranded| {
        stranded.client.post_once("/jobs", &stranded.call_body(), "the-same").await
    };
    let made = call(&before).await.expect(201);
    stop(&admin).await;
    assert_eq!(call(&before).await.expect(201)["id"], made["id"]);
    call(&after).await.refused(409, "NO_NEW_JOBS");
    admin.delete(PATH).await.expect(204);
    call(&after).await.expect(201);
}

#[actix_web::test]
async fn searching_again_is_refused_to_customers_and_not_to_admins() {
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (stranded, job) = in_vain(&app).await;
    stop(&admin).await;
    stranded.client.post(&format!("/jobs/{job}/retry"), json!({})).await.refused(409, "NO_NEW_JOBS");
    admin.post(&format!("/admin/jobs/{job}/retry"), json!({})).await.expect(200);
}

#[actix_web::test]
async fn help_is_booked_for_after_the_end_and_not_moved_to_before_it() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let now = app.service.clock.now();
    let hours = |hours: i64| json!((now + TimeDelta::hours(hours)).to_rfc3339());
    let wanted = |at: i64, body: Value| set(&body, "scheduled_for", hours(at));
    let booked = stranded.call_with("scheduled_for", hours(4)).await;
    let path = format!("/jobs/{}", id_of(&booked));
    admin.put(PATH, json!({"message": WORDS, "ends_at": hours(8)})).await.expect(200);

    let second = app.breakdown().await;
    let price = async |at| second.client.post("/jobs/estimate", wanted(at, estimate_of(&second))).await;
    let made = async |at| second.client.post("/jobs", wanted(at, second.call_body())).await;
    price(5).await.refused(409, "NO_NEW_JOBS");
    made(5).await.refused(409, "NO_NEW_JOBS");
    price(12).await.expect(200);
    made(12).await.expect(201);
    // A booking that would begin sooner is refused. One that begins later, or at the same time as before, is not.
    let move_to = async |at: Value| stranded.client.patch(&path, json!({"scheduled_for": at})).await;
    move_to(Value::Null).await.refused(409, "NO_NEW_JOBS");
    move_to(hours(3)).await.refused(409, "NO_NEW_JOBS");
    move_to(hours(6)).await.expect(200);
    stranded.client.patch(&path, json!({"description": "The rear tyre"})).await.expect(200);
}

#[actix_web::test]
async fn a_stop_ends_by_itself_and_says_when() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let now = app.service.clock.now();
    let ends_at = (now + TimeDelta::hours(3)).to_rfc3339();
    let shown = admin.put(PATH, json!({"message": WORDS, "ends_at": ends_at})).await.expect(200);
    assert_eq!(shown_stop(&app).await["ends_at"], shown["stop"]["ends_at"]);
    let refused = stranded.client.post("/jobs", stranded.call_body()).await;
    let wait: i64 = refused.header("retry-after").expect("an end is known").parse().expect("seconds");
    assert!((10_000..=10_800).contains(&wait), "{wait}");
    refused.refused(409, "NO_NEW_JOBS");
    // The newest stop holds: an admin can put the end off, or bring it forward.
    let soon = (app.service.clock.now() + TimeDelta::milliseconds(1_500)).to_rfc3339();
    admin.put(PATH, json!({"message": "Until the rain ends", "ends_at": soon})).await.expect(200);
    until_fits("it is over", async || admin.get(PATH).await.expect(200), |now| now["stop"].is_null()).await;
    assert_eq!(shown_stop(&app).await, Value::Null);
    stranded.call().await;
    let newest = &admin.list("/admin/audit-log?action=job_stop.set").await[0];
    newest.assert_fields(json!({"actor_id": admin.user_id, "before/message": WORDS,
        "after/message": "Until the rain ends"}));
}

#[actix_web::test]
async fn a_stop_survives_a_restart() {
    let (mut app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    stop(&admin).await;
    app.restart().await;
    let customer = stranded.client.at(app.address);
    customer.post("/jobs", stranded.call_body()).await.refused(409, "NO_NEW_JOBS");
    assert_eq!(shown_stop(&app).await["message"], WORDS);
    let admin = admin.at(app.address);
    assert_eq!(admin.get(PATH).await.expect(200)["stop"]["message"], WORDS);
    admin.delete(PATH).await.expect(204);
    app.restart().await;
    customer.at(app.address).post("/jobs", stranded.call_body()).await.expect(201);
}

#[actix_web::test]
async fn every_server_of_a_cluster_refuses_and_takes_jobs_again() {
    let app = spawn_cluster().await;
    let admin = app.admin().await;
    let leader = app.cluster.as_ref().and_then(|cluster| cluster.leader.as_ref()).expect("a leader").address;
    let there = app.anonymous().at(leader);
    let until_known = async |is_stopped: bool| {
        let ask = async || there.get("/config").await.expect(200);
        until_fits("the other server knows", ask, |config| config["job_stop"].is_null() != is_stopped).await;
    };
    stop(&admin).await;
    until_known(true).await;
    let stranded = app.breakdown().await;
    stranded.client.at(leader).post("/jobs", stranded.call_body()).await.refused(409, "NO_NEW_JOBS");
    admin.delete(PATH).await.expect(204);
    until_known(false).await;
    stranded.client.at(leader).post("/jobs", stranded.call_body()).await.expect(201);
}

#[actix_web::test]
async fn bad_input_names_its_field_and_stops_nothing() {
    let (_app, admin) = spawn_with_admin().await;
    let at = |offset: TimeDelta| (Clock::system().now() + offset).to_rfc3339();
    for (body, field) in [
        (json!({"message": "  "}), "message"),
        (json!({"message": "x".repeat(301)}), "message"),
        (json!({"message": WORDS, "ends_at": at(TimeDelta::seconds(-1))}), "ends_at"),
        (json!({"message": WORDS, "ends_at": at(TimeDelta::days(15))}), "ends_at"),
    ] {
        admin.put(PATH, body).await.refused_field(field);
    }
    assert_eq!(admin.get(PATH).await.expect(200), json!({"stop": null}));
    // Ending a stop that does not exist is no fault.
    admin.delete(PATH).await.expect(204);
    assert_eq!(admin.list("/admin/audit-log?action=job_stop.end").await, Vec::<Value>::new());
}
