//! Mechanics who fall silent on their way, as their customers, they themselves and operators see it.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::{
    jobs::replaying::replayed,
    support::{
        TestApp,
        bodies::id_of,
        roadside::{PICKUP, Scene},
        spawn_accepted, spawn_app_with,
    },
};

/// Changes settings so that the watch checks every 5 s and everything else is as short as possible.
fn watches(dark_after_s: i64) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.fees.free_after_accept_s = -1;
        settings.watch.dark_after_s = dark_after_s;
        settings.watch.debounce_s = 0;
        settings.watch.tell_after_s = 0;
        settings.watch.reassign_after_s = 2;
    }
}

async fn watchful(dark_after_s: i64) -> TestApp {
    spawn_app_with(watches(dark_after_s)).await
}

#[actix_web::test]
async fn a_silent_mechanic_is_nudged_and_the_customer_notified() {
    let app = spawn_app_with(|settings| {
        watches(1)(settings);
        // The test does not race against the search for somebody else.
        settings.watch.reassign_after_s = 3600;
    })
    .await;
    let admin = app.admin().await;
    let mut scene = app.accepted().await;
    let job = scene.job.clone();
    let mut socket = app.socket(&scene.customer).await;
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");

    let shown = socket.find("a delay", |frame| frame["data"]["concern"] == "dark").await;
    assert_eq!((&shown["type"], &shown["data"]["status"]), (&json!("job.updated"), &json!("accepted")));
    assert!(shown["data"]["concern_since"].is_string(), "{shown}");
    let nudge = scene.mechanic.socket.expect("job.nudge").await;
    assert_eq!((&nudge["job_id"], &nudge["data"]["concern"]), (&json!(job), &json!("dark")));
    assert_eq!(nudge["data"]["since"], shown["data"]["concern_since"]);
    assert_eq!(nudge["seq"], Value::Null);

    let quote = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    assert_eq!(quote["cancellation_fee"], 0.0, "who was told owes nothing");
    assert_eq!(quote["reason"], "mechanic_dark", "who was told owes nothing");
    for (filter, count) in [("any", 1), ("dark", 1), ("stalled", 0)] {
        let listed = admin.get(&format!("/admin/jobs?concern={filter}")).await.expect(200);
        assert_eq!(listed["total"], count, "{filter}: {listed}");
    }
    admin.get("/admin/jobs?concern=odd").await.refused_field("concern");
}

#[actix_web::test]
async fn a_silent_mechanic_is_replaced() {
    let app = watchful(1).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = app.taken(&stranded, &mut mechanic).await;
    let mut other = app.on_road(&admin).await;
    let mut socket = app.socket(&stranded.client).await;
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");

    let offer = other.offer().await;
    assert_eq!(offer["job_id"], job.as_str());
    let again = socket.find("another search", |frame| frame["data"]["seq"] == 5).await;
    assert_eq!((&again["data"]["status"], &again["data"]["concern"]), (&json!("dispatching"), &Value::Null));
    mechanic.client.get(&format!("/jobs/{job}")).await.refused(404, "NOT_FOUND");
    let accept = format!("/offers/{}/accept", id_of(&offer));
    let accepted = other.client.post(&accept, json!({})).await.expect(200);
    assert_eq!(accepted["estimated_price"], again["data"]["estimated_price"]);
    let timeline = stranded.client.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    let entry = |index: usize| timeline["data"][index].clone();
    assert_eq!((&entry(3)["event"], &entry(3)["data"]["concern"]), (&json!("delayed"), &json!("dark")));
    assert_eq!(entry(4)["event"], "released");
    assert_eq!(entry(4)["by"], "system");
    assert_eq!(entry(4)["data"]["reason_code"], "watchdog_dark");
}

#[actix_web::test]
async fn a_mechanic_who_sends_again_keeps_the_job_and_the_customer_is_notified() {
    let app = watchful(6).await;
    let mut scene = app.accepted().await;
    let mut socket = app.following(&scene).await;
    socket.find("a delay", |frame| frame["data"]["concern"] == "dark").await;
    scene.mechanic.ping((PICKUP.0 + 0.002, PICKUP.1)).await;
    let over = socket.find("its end", |frame| frame["seq"] == 5).await;
    assert_eq!((&over["data"]["concern"], &over["data"]["status"]), (&Value::Null, &json!("accepted")));
    let timeline = scene.customer.get(&scene.path("/timeline")).await.expect(200);
    assert_eq!(timeline["data"][4]["event"], "recovered");
}

#[actix_web::test]
async fn an_app_sends_often_while_the_customer_watches_and_the_receipt_agrees() {
    let (app, mut scene) = spawn_accepted().await;
    let place = (PICKUP.0 + 0.002, PICKUP.1);
    let rate = |seconds: u64| move |frame: &Value| frame["data"]["interval_s"] == seconds;
    scene.mechanic.socket.find("the rate unwatched", rate(10)).await;
    assert_eq!(scene.mechanic.ping(place).await["next_interval_s"], 10);
    let mut socket = app.following(&scene).await;
    assert_eq!(scene.mechanic.ping(place).await["next_interval_s"], 3);
    let shown = scene.mechanic.socket.find("the rate watched", rate(3)).await;
    assert_eq!(shown["type"], "location.rate");
}

#[actix_web::test]
async fn a_navigating_mechanic_keeps_the_job_while_their_phone_is_silent() {
    let app = watchful(1).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let mut socket = app.socket(&stranded.client).await;
    let job = id_of(&stranded.call().await);
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    let shared = stranded.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let track = format!("/shares/{}", shared["token"].as_str().expect("a token"));
    // From here on, the watch gives them some seconds.
    mechanic.accept().await;

    let told = mechanic.socket.ask("job.navigating", json!({"job_id": job})).await.expect("an ack");
    assert!(told["navigating_since"].is_string(), "{told}");
    let repeated = mechanic.tell(&job, "navigating", json!({})).await;
    assert_eq!(repeated["navigating_since"], told["navigating_since"], "saying it twice changes nothing");
    let shown = socket.find("the hand-over", |frame| frame["data"]["navigating_since"].is_string()).await;
    assert_eq!((&shown["type"], &shown["data"]["status"]), (&json!("job.updated"), &json!("accepted")));
    let guest = app.anonymous().get(&track).await.expect(200);
    assert_eq!(guest["navigating_since"], told["navigating_since"]);

    // Nobody else may report it, and only as true or false.
    let path = format!("/jobs/{job}/navigating");
    let other = app.verified_mechanic(&admin).await;
    other.client.post(&path, json!({})).await.refused(404, "NOT_FOUND");
    stranded.client.post(&path, json!({})).await.refused(403, "FORBIDDEN");
    mechanic.client.post(&path, json!({"is_elsewhere": "yes"})).await.refused_field("is_elsewhere");
    let refused = mechanic.socket.ask("job.navigating", json!({"job_id": "x"})).await.expect_err("a refusal");
    assert_eq!(refused["code"], "VALIDATION_FAILED");

    // A mechanic who has been silent since then without such a report loses their job meanwhile.
    let far = (PICKUP.0 + 2.0, PICKUP.1);
    let (mut dark, waiting) = (app.on_road_at(&admin, far).await, app.breakdown_at(far).await);
    let lost = app.taken(&waiting, &mut dark).await;
    let mut second = app.socket(&waiting.client).await;
    second.ask("job.subscribe", json!({"job_id": lost})).await.expect("an ack");
    second.find("another search", |frame| frame["data"]["mechanic_left"]["reason"] == "silent").await;
    let kept = stranded.job(&job).await;
    assert_eq!((&kept["status"], &kept["concern"]), (&json!("accepted"), &Value::Null));
    let quote = stranded.client.get(&format!("/jobs/{job}/cancellation-quote")).await.expect(200);
    assert_eq!(quote["reason"], "on_the_way", "the silence of a mechanic who drives makes nothing free");

    let back = mechanic.tell(&job, "navigating", json!({"is_elsewhere": false})).await;
    assert_eq!(back["navigating_since"], Value::Null);
    let timeline = stranded.client.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    let events: Vec<&str> = timeline["data"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|entry| entry["event"].as_str())
        .collect();
    assert!(events.ends_with(&["accepted", "navigating", "back_in_app"]), "{events:?}");
    // Now silence counts again.
    socket.find("a delay", |frame| frame["data"]["concern"] == "dark").await;
}

#[actix_web::test]
async fn hand_overs_share_one_limit_over_http_and_sockets() {
    let app = spawn_app_with(|settings| settings.limits.hand_overs_per_minute = 3).await;
    let mut scene = app.accepted().await;
    app.service.clock.stop();
    let path = scene.path("/navigating");
    for is_elsewhere in [true, false, true] {
        let body = json!({"is_elsewhere": is_elsewhere});
        scene.mechanic.client.post(&path, body).await.expect(200);
    }
    let back = json!({"is_elsewhere": false});
    scene.mechanic.client.post(&path, back).await.refused(429, "RATE_LIMITED");
    let wish = json!({"job_id": scene.job, "is_elsewhere": true});
    let error = scene.mechanic.socket.ask("job.navigating", wish).await.expect_err("a refusal");
    assert_eq!(error["code"], "RATE_LIMITED");
    // Other requests are not refused.
    scene.step("en-route", json!({})).await;
}

#[actix_web::test]
async fn a_mechanic_who_lost_a_job_by_silence_takes_it_back_while_nobody_has_it() {
    let app = watchful(1).await;
    let mut scene = app.accepted().await;
    let (job, path) = (scene.job.clone(), scene.path("/take-back"));
    let mut socket = app.socket(&scene.customer).await;
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    scene.mechanic.client.post(&path, json!({})).await.refused(404, "NOT_FOUND");
    let free = socket.find("another search", |frame| frame["data"]["status"] == "dispatching").await;
    assert_eq!(free["data"]["mechanic_left"]["reason"], "silent");
    let mechanic = &scene.mechanic.client;
    let about = mechanic.get("/notifications?limit=50").await.expect(200);
    let kinds: Vec<&str> =
        about["data"].as_array().expect("a list").iter().filter_map(|one| one["type"].as_str()).collect();
    assert_eq!(
        kinds[..2],
        ["job_lost_by_silence", "job_silent"],
        "asked to open the app before it was taken"
    );

    let lost = mechanic.get("/mechanics/me/lost-jobs").await.expect(200);
    assert_eq!((&lost["data"][0]["job_id"], lost["data"].as_array().map(Vec::len)), (&json!(job), Some(1)));
    let admin = app.admin().await;
    let other = app.verified_mechanic(&admin).await;
    other.client.post(&path, json!({})).await.refused(404, "NOT_FOUND");
    // The state in the row is enough.
    let id = roadcall_actors::ids::JobId(job.parse().expect("a UUID"));
    app.engine().refresh(id, None).await.expect("the job's actor");
    scene.mechanic.ping(PICKUP).await;
    let mechanic = &scene.mechanic.client;
    let back = mechanic.post(&path, json!({})).await.expect(200);
    assert_eq!((&back["status"], &back["mechanic_left"]), (&json!("accepted"), &Value::Null));
    let again = mechanic.post(&path, json!({})).await.expect(200);
    assert_eq!(again["seq"], back["seq"], "the same job");
    let shown = socket.find("the mechanic is back", |frame| frame["data"]["status"] == "accepted").await;
    assert_eq!(shown["data"]["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    assert_eq!(shown["data"]["mechanic_left"], Value::Null);
    let lost = mechanic.get("/mechanics/me/lost-jobs").await.expect(200);
    assert_eq!(lost["data"], json!([]));
    let timeline = scene.customer.get(&scene.path("/timeline")).await.expect(200);
    let taken = timeline["data"].as_array().expect("a list").iter().filter(|one| one["event"] == "accepted");
    let taken: Vec<&Value> = taken.map(|entry| &entry["data"]["taken_back"]).collect();
    assert_eq!(taken, [&Value::Null, &json!(true)]);
}

/// Returns a job that its mechanic lost by silence, and for which nobody else was found.
async fn lost_in_vain() -> (TestApp, Scene) {
    let app = spawn_app_with(|settings| {
        watches(1)(settings);
        settings.dispatch.attempt_ttl_s = 3;
    })
    .await;
    let scene = app.accepted().await;
    let mut socket = app.following(&scene).await;
    socket.until_status("no_mechanic_found").await;
    (app, scene)
}

#[actix_web::test]
async fn a_mechanic_who_takes_back_a_job_for_which_nobody_was_found_is_named_from_then_on() {
    let (_app, mut scene) = lost_in_vain().await;
    let before = replayed(&scene.customer, &scene.job).await;
    let names = |events: &[Value]| -> Vec<Value> {
        events.iter().map(|event| event["data"]["mechanic_first_name"].clone()).collect()
    };
    let name = names(&before).into_iter().find(Value::is_string).expect("the mechanic's name");
    assert_eq!(names(&before).last(), Some(&Value::Null));
    scene.mechanic.ping(PICKUP).await;
    scene.mechanic.tell(&scene.job, "take-back", json!({})).await;
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["mechanic_first_name"], name);
    let after = replayed(&scene.customer, &scene.job).await;
    assert_eq!(names(&after[..before.len()]), names(&before));
    assert_eq!(names(&after)[before.len()], name);
}

#[actix_web::test]
async fn the_job_of_a_customer_who_left_is_not_taken_back() {
    let (_app, mut scene) = lost_in_vain().await;
    let lost = scene.mechanic.client.get("/mechanics/me/lost-jobs").await.expect(200);
    assert_eq!(lost["data"][0]["job_id"], scene.job.as_str());
    scene.customer.delete("/users/me").await.expect(204);
    scene.mechanic.ping(PICKUP).await;
    let mechanic = &scene.mechanic.client;
    mechanic.post(&scene.path("/take-back"), json!({})).await.refused(409, "CONFLICT");
    assert_eq!(mechanic.get("/mechanics/me/lost-jobs").await.expect(200)["data"], json!([]));
}

#[actix_web::test]
async fn a_job_goes_either_to_the_returning_mechanic_or_to_the_one_who_accepts_its_offer() {
    let app = watchful(1).await;
    let mut scene = app.accepted().await;
    let admin = app.admin().await;
    let mut other = app.on_road(&admin).await;
    let offer = id_of(&other.offer().await);
    scene.mechanic.ping(PICKUP).await;
    let take_back = scene.path("/take-back");
    let (back, accepted) = futures_util::future::join(
        scene.mechanic.client.post(&take_back, json!({})),
        other.client.post(&format!("/offers/{offer}/accept"), json!({})),
    )
    .await;
    let statuses = [back.status, accepted.status];
    assert!(statuses == [200, 409] || statuses == [409, 200], "{statuses:?}");
    let winner = if statuses[0] == 200 { &scene.mechanic.profile_id } else { &other.profile_id };
    let job = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!((&job["status"], &job["mechanic_profile_id"]), (&json!("accepted"), &json!(winner)));
}

#[actix_web::test]
async fn the_schema_lets_only_its_last_mechanic_take_a_job_back() {
    let (app, scene) = spawn_accepted().await;
    let stolen = sqlx::query("update job_states set taken_back_at = accepted_at where id = $1");
    let id: uuid::Uuid = scene.job.parse().expect("a UUID");
    let error = stolen.bind(id).execute(&app.database.db).await.expect_err("they never lost it");
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    assert_eq!(constraint, Some("jobs_taken_back_by_who_lost_it"));
}
