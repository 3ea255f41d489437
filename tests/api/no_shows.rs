//! No-shows after an arrival that no position proves.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    bodies::without,
    roadside::{PICKUP, Scene},
    spawn_app, spawn_app_with,
};

/// The mechanic is 16 km away, says that they have arrived, and reports a no-show at once.
async fn claimed(app: &TestApp) -> Scene {
    let mut scene = app.accepted().await;
    scene.mechanic.ping((PICKUP.0 + 0.15, PICKUP.1)).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "gps is off"})).await;
    let gone = scene.step("no-show", json!({})).await;
    assert_eq!((&gone["status"], &gone["cancellation_fee"]), (&json!("cancelled"), &json!(0.0)));
    assert_eq!(gone["cancel_reason_code"], "customer_no_show");
    scene
}

async fn impatient() -> TestApp {
    spawn_app_with(|settings| settings.jobs.no_show_after_s = 0).await
}

async fn owed(scene: &Scene) -> Value {
    scene.customer.get("/payments/unpaid-fees").await.expect(200)["data"].clone()
}

fn decision(charge: bool) -> Value {
    json!({"charge": charge, "note": "The trail ends 300 m from the pickup"})
}

async fn kinds(app: &TestApp, scene: &Scene) -> Vec<String> {
    let kinds = "select type from notifications where user_id = $1::uuid order by created_at, id";
    sqlx::query_scalar(kinds).bind(scene.customer.user_id.clone()).fetch_all(&app.database.db).await.unwrap()
}

#[actix_web::test]
async fn a_false_no_show_moves_no_money_until_an_admin_has_heard_both_sides() {
    let app = impatient().await;
    let (scene, admin) = (claimed(&app).await, app.admin().await);
    assert_eq!(owed(&scene).await, json!([]));
    let mut seen = scene.customer.get(&scene.path("/no-show")).await.expect(200);
    assert_eq!((&seen["status"], &seen["amount"]), (&json!("open"), &json!(150.0)));
    assert_eq!(seen["override_reason"], "gps is off");
    assert!(kinds(&app, &scene).await.contains(&"no_show_reported".to_owned()));

    let statement = json!({"statement": "Nobody came. I waited beside the scooter."});
    let contest = scene.path("/contest-no-show");
    scene.customer.post(&contest, json!({"statement": ""})).await.refused_field("statement");
    seen = scene.customer.post(&contest, statement.clone()).await.expect(200);
    assert_eq!(seen["statement"], statement["statement"]);
    scene.customer.post(&contest, statement).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(scene.mechanic.client.get(&scene.path("/no-show")).await.expect(200), seen);

    let listed = admin.get("/admin/no-shows?status=open").await.expect(200);
    assert_eq!(listed["total"], 1);
    let row = &listed["data"][0];
    assert_eq!((&row["job_id"], &row["statement"]), (&json!(scene.job), &seen["statement"]));
    assert_eq!(row["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["no_shows"], 1);

    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    admin.post(&decide, without(&decision(false), "note")).await.refused_field("note");
    let decided = admin.post(&decide, decision(false)).await.expect(200);
    assert_eq!(decided["status"], "dropped");
    admin.post(&decide, decision(true)).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(owed(&scene).await, json!([]));
    assert_eq!(admin.get("/admin/no-shows?status=open").await.expect(200)["total"], 0);
    assert!(kinds(&app, &scene).await.contains(&"no_show_decided".to_owned()));
}

#[actix_web::test]
async fn a_no_show_that_an_admin_believes_is_charged_once_like_every_fee() {
    let app = impatient().await;
    let (scene, admin) = (claimed(&app).await, app.admin().await);
    let mut watcher = app.socket(&scene.customer).await;
    watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    let answers = join_all((0..4).map(|_| admin.post(&decide, decision(true)))).await;
    let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(done.len(), 1);
    refused.into_iter().for_each(|answer| drop(answer.refused(409, "INVALID_TRANSITION")));
    let job = watcher.find("the fee", |frame| frame["data"]["cancellation_fee"] == 150.0).await;
    assert_eq!(job["type"], "job.updated");
    let owed = owed(&scene).await;
    assert_eq!((&owed[0]["job_id"], &owed[0]["cancellation_fee"]), (&json!(scene.job), &json!(150.0)));
    assert_eq!(owed.as_array().unwrap().len(), 1);
    scene
        .customer
        .post(&scene.path("/contest-no-show"), json!({"statement": "Too late"}))
        .await
        .refused(409, "INVALID_TRANSITION");
    // From here on it is like every other one: it can be paid, and it can be waived.
    scene.customer.post("/payments/orders", json!({"fee_job_ids": [scene.job]})).await.expect(201);
    let balances = "select coalesce(sum(amount_paise), 0)::bigint from ledger_postings";
    let sum: i64 = sqlx::query_scalar(balances).fetch_one(&app.database.db).await.unwrap();
    assert_eq!(sum, 0);
}

#[actix_web::test]
async fn nobody_deletes_the_account_that_an_admin_may_still_charge() {
    let app = impatient().await;
    let (one, other) = (claimed(&app).await, claimed(&app).await);
    let admin = app.admin().await;
    for (scene, charge) in [(&one, true), (&other, false)] {
        let refused = scene.customer.delete("/users/me").await;
        assert!(refused.text.contains("is not decided yet"), "{}", refused.text);
        refused.refused(409, "CONFLICT");
        let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
        admin.post(&decide, decision(charge)).await.expect(200);
        let left = scene.customer.delete("/users/me").await;
        if charge {
            assert!(left.text.contains("fee is due"), "{}", left.text);
            left.refused(409, "CONFLICT");
        } else {
            left.expect(204);
        }
    }
}

#[actix_web::test]
async fn an_arrival_that_a_position_proves_needs_no_admin() {
    let app = impatient().await;
    let scene = app.accepted().await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "not needed"})).await;
    let gone = scene.step("no-show", json!({})).await;
    assert_eq!(gone["cancellation_fee"], 150.0);
    assert_eq!(owed(&scene).await[0]["cancellation_fee"], 150.0);
    scene.customer.get(&scene.path("/no-show")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn an_arrival_that_nothing_proves_makes_no_cancellation_dearer_even_after_a_restart() {
    let mut app = spawn_app_with(|settings| settings.fees.free_after_accept_s = -1).await;
    let mut scene = app.accepted().await;
    scene.mechanic.ping((PICKUP.0 + 0.15, PICKUP.1)).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "gps is off"})).await;
    for is_restarted in [false, true] {
        if is_restarted {
            app.restart().await;
        }
        let customer = scene.customer.at(app.address);
        let quote = customer.get(&scene.path("/cancellation-quote")).await.expect(200);
        assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(50.0), &json!("on_the_way")));
    }
}

#[actix_web::test]
async fn strangers_learn_nothing_of_a_no_show() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    let stranger = app.customer().await;
    stranger.get(&scene.path("/no-show")).await.refused(404, "NOT_FOUND");
    stranger.post(&scene.path("/contest-no-show"), json!({"statement": "x"})).await.refused(404, "NOT_FOUND");
    scene
        .customer
        .post(&scene.path("/contest-no-show"), json!({"statement": "x"}))
        .await
        .refused(404, "NOT_FOUND");
}
