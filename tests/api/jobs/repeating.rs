//! Steps of a job that are sent again under their `Idempotency-Key`, because their answer was lost.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Answer, Client, bodies::id_of, spawn_accepted, spawn_app, spawn_app_with, spawn_on_road,
};

pub(crate) async fn keyed(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    client.post_once(path, body, key).await
}

/// Sends a step under a key twice; returns both answers.
async fn twice(client: &Client, path: &str, body: Value) -> [Value; 2] {
    let first = keyed(client, path, "twice", &body).await.expect(200);
    [first, keyed(client, path, "twice", &body).await.expect(200)]
}

#[actix_web::test]
async fn a_mechanics_repeated_steps_get_the_first_answer_after_the_job_moved_on() {
    let (_app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let accept = format!("/offers/{}/accept", id_of(&mechanic.offer().await));
    keyed(&mechanic.client, &accept, "k", &json!({})).await.expect(200);
    let code = stranded.job(&job).await["start_code"].clone();
    let steps = [
        ("en-route", json!({})),
        ("navigating", json!({"is_elsewhere": true})),
        ("arrive", json!({"override_reason": "the receiver is off"})),
        ("start", json!({"start_code": code})),
        ("complete", json!({"outcome": "fixed"})),
    ];
    let mut answers = Vec::new();
    for (verb, body) in &steps {
        answers.push(keyed(&mechanic.client, &format!("/jobs/{job}/{verb}"), "k", body).await.expect(200));
    }
    for ((verb, body), first) in steps.iter().zip(&answers) {
        let path = format!("/jobs/{job}/{verb}");
        assert_eq!(&keyed(&mechanic.client, &path, "k", body).await.expect(200), first, "{verb}");
        keyed(&mechanic.client, &path, "another", body).await.refused(409, "INVALID_TRANSITION");
        mechanic.client.post(&path, body.clone()).await.refused(409, "INVALID_TRANSITION");
    }
    assert_eq!(keyed(&mechanic.client, &accept, "k", &json!({})).await.expect(200)["id"], job.as_str());
    assert_eq!(stranded.job(&job).await["seq"], answers[4]["seq"], "nothing happened twice");
}

#[actix_web::test]
async fn a_repeated_release_gets_the_first_answer() {
    let (app, scene) = spawn_accepted().await;
    let (path, body) = (scene.path("/release"), json!({"reason_code": "vehicle_trouble"}));
    let [first, again] = twice(&scene.mechanic.client, &path, body.clone()).await;
    assert_eq!((&again["id"], &again["status"]), (&json!(scene.job), &json!("dispatching")));
    assert_eq!(first["status"], again["status"]);
    scene.mechanic.client.post(&path, body.clone()).await.refused(404, "NOT_FOUND");
    let stranger = app.accepted().await;
    keyed(&stranger.mechanic.client, &path, "twice", &body).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_repeated_wrong_start_code_counts_once() {
    let (_app, scene) = spawn_accepted().await;
    scene.drive().await;
    let code = scene.shown().await["start_code"].clone();
    let wrong = if code == "1111" { "2222" } else { "1111" };
    let (client, path) = (&scene.mechanic.client, scene.path("/start"));
    let enter = async |key: &str, code: &Value| keyed(client, &path, key, &json!({"start_code": code})).await;
    let first = enter("k", &json!(wrong)).await.refused(422, "WRONG_START_CODE");
    assert_eq!(enter("k", &json!(wrong)).await.refused(422, "WRONG_START_CODE"), first);
    let second = enter("l", &json!(wrong)).await.refused(422, "WRONG_START_CODE");
    assert_ne!(second, first, "one try less is left");
    enter("k", &code).await.expect(200);
    let third = if code == "3333" { "4444" } else { "3333" };
    enter("k", &json!(third)).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
}

#[actix_web::test]
async fn a_customers_repeated_steps_get_the_first_answer() {
    let (app, scene) = spawn_accepted().await;
    scene.drive().await;
    let mut decided = Vec::new();
    for (verb, status) in [("approve", "approved"), ("reject", "rejected")] {
        let part = json!({"type": "part", "description": "A tube", "quantity": 1, "unit_price": 120});
        let item = scene.mechanic.client.post(&scene.path("/line-items"), part).await.expect(201);
        let path = scene.path(&format!("/line-items/{}/{verb}", id_of(&item)));
        let body = json!({"version": item["version"]});
        assert_eq!(keyed(&scene.customer, &path, "k", &body).await.expect(200)["status"], status);
        decided.push((path, body, status));
    }
    let other = app.accepted().await;
    let (cancel, why) = (other.path("/cancel"), json!({"reason_code": "changed_mind"}));
    let [first, again] = twice(&other.customer, &cancel, why.clone()).await;
    assert_eq!((&first["status"], &first), (&json!("cancelled"), &again));
    other.customer.post(&cancel, why).await.refused(409, "INVALID_TRANSITION");

    scene.start().await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    for (path, body, status) in decided {
        assert_eq!(keyed(&scene.customer, &path, "k", &body).await.expect(200)["status"], status, "{path}");
    }
}

#[actix_web::test]
async fn an_admins_repeated_steps_get_the_first_answer() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    for (verb, status) in [("reassign", "dispatching"), ("cancel", "cancelled")] {
        let (path, body) = (format!("/admin/jobs/{}/{verb}", scene.job), json!({"reason": "They called us"}));
        let [first, again] = twice(&admin, &path, body.clone()).await;
        assert_eq!((&first["status"], &again["status"]), (&json!(status), &json!(status)));
        admin.post(&path, body).await.refused(409, "INVALID_TRANSITION");
    }
}

/// Begins a search again: it may end as the first did, and then the job would allow another one.
#[actix_web::test]
async fn a_search_is_begun_again_once_for_each_key() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let stranded = app.breakdown().await;
    let (job, mut watcher) = app.followed(&stranded).await;
    watcher.until_status("no_mechanic_found").await;
    let path = format!("/jobs/{job}/retry");
    keyed(&stranded.client, &path, "k", &json!({})).await.expect(200);
    watcher.until_status("dispatching").await;
    watcher.until_status("no_mechanic_found").await;
    let before = stranded.job(&job).await["seq"].clone();
    keyed(&stranded.client, &path, "k", &json!({})).await.expect(200);
    let after = stranded.job(&job).await;
    assert_eq!((&after["seq"], &after["status"]), (&before, &json!("no_mechanic_found")));
    assert_eq!(keyed(&stranded.client, &path, "l", &json!({})).await.expect(200)["status"], "dispatching");
}

#[actix_web::test]
async fn simultaneous_tries_are_one_step_and_all_succeed() {
    let (_app, scene) = spawn_accepted().await;
    let (client, path, body) = (&scene.mechanic.client, scene.path("/en-route"), json!({}));
    let answers = join_all((0..8).map(|_| keyed(client, &path, "k", &body))).await;
    for answer in answers {
        assert_eq!(answer.expect(200)["status"], "en_route");
    }
}

#[actix_web::test]
async fn a_key_of_another_body_is_refused_and_a_key_of_yesterday_is_new() {
    let (app, scene) = spawn_accepted().await;
    let (cancel, why) = (scene.path("/cancel"), json!({"reason_code": "changed_mind"}));
    let again = async |body: &Value| keyed(&scene.customer, &cancel, "k", body).await;
    again(&why).await.expect(200);
    let other = json!({"reason_code": "changed_mind", "reason": "I found help"});
    again(&other).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    let job: Uuid = scene.job.parse().expect("an id");
    let aged = "update job_events set at = at - interval '25 hours' where job_id = $1";
    sqlx::query(aged).bind(job).execute(&app.database.db).await.expect("aged");
    again(&why).await.refused(409, "INVALID_TRANSITION");
}
