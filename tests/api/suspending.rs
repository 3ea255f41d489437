//! A mechanic's account is suspended while they are offered a job, or on one.

use serde_json::{Value, json};

use crate::{
    standing::one_behind_the_other,
    support::{
        Client, Person, TestApp,
        bodies::id_of,
        roadside::{PICKUP, Scene},
        spawn_app, spawn_on_road, spawn_with_admin,
    },
};

async fn suspend(admin: &Client, person: &Person) {
    let path = format!("/admin/users/{}/suspend", person.user_id);
    admin.post(&path, json!({"reason": "fraud"})).await.expect(200);
}

async fn told(person: &Client) -> Vec<String> {
    let list = person.get("/notifications").await.expect(200);
    let list = list["data"].as_array().expect("a list").iter();
    list.map(|note| note["type"].as_str().expect("a type").to_owned()).collect()
}

async fn audited(app: &TestApp, action: &str) -> Vec<Value> {
    let rows = "select after from audit_log where action = $1 order by at, id";
    app.values(rows, &[action]).await
}

/// Returns the entries of this kind in the job's timeline, as the customer sees it.
async fn timeline(scene: &Scene, kind: &str) -> Vec<Value> {
    let timeline = scene.customer.get(&scene.path("/timeline")).await.expect(200);
    let all = timeline["data"].as_array().expect("a list").clone();
    all.into_iter().filter(|entry| entry.to_string().contains(kind)).collect()
}

#[actix_web::test]
async fn the_job_of_a_suspended_mechanic_is_given_to_another_at_no_fee() {
    let app = spawn_app().await;
    for steps in [&[][..], &["en-route"], &["en-route", "arrive"]] {
        let (admin, scene) = (app.admin().await, app.accepted().await);
        for step in steps {
            let body = match *step {
                "arrive" => json!({"override_reason": "the receiver is off"}),
                _ => json!({}),
            };
            scene.step(step, body).await;
        }
        suspend(&admin, &scene.mechanic.client).await;
        let job = scene.customer.get(&scene.path("")).await.expect(200);
        assert!(["dispatching", "no_mechanic_found"].contains(&job["status"].as_str().unwrap()), "{job}");
        assert_eq!(job["mechanic_profile_id"], Value::Null);
        let quote = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
        assert_eq!(quote["cancellation_fee"], 0.0, "{steps:?}");
        assert!(told(&scene.customer).await.contains(&"job_released".to_owned()));
        let why = json!({"reason_code": "changed_mind"});
        scene.customer.post(&scene.path("/cancel"), why).await.expect(200);
        scene.mechanic.client.get("/mechanics/me").await.refused(403, "ACCOUNT_SUSPENDED");
    }
    let reasons = audited(&app, "job.reassign").await;
    assert_eq!(reasons.len(), 3);
    assert!(reasons.iter().all(|after| after["reason"] == "the mechanic's account was suspended"));
}

#[actix_web::test]
async fn the_customer_and_the_admins_are_notified_of_interrupted_work() {
    let app = spawn_app().await;
    let (admin, other, scene) = (app.admin().await, app.super_admin().await, app.accepted().await);
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    suspend(&admin, &scene.mechanic.client).await;
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "in_progress");
    assert_eq!(told(&scene.customer).await[0], "job_interrupted");
    for admin in [&admin, &other] {
        assert_eq!(told(admin).await, ["job_needs_admin"]);
        let note = admin.get("/notifications").await.expect(200)["data"][0].take();
        assert_eq!(note["data"]["job_id"], scene.job.as_str());
    }
    let cancel = format!("/admin/jobs/{}/cancel", scene.job);
    admin.post(&cancel, json!({"reason": "nobody is there"})).await.expect(200);
    let after = audited(&app, "job.cancel").await.remove(0);
    assert_eq!((&after["reason"], &after["fee_paise"]), (&json!("nobody is there"), &json!(0)));
}

#[actix_web::test]
async fn a_suspended_mechanics_offers_go_to_others_at_once() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    mechanic.offer().await;
    suspend(&admin, &mechanic.client).await;
    let offers = "select status from offers where job_id::text = $1";
    let offers: Vec<String> =
        sqlx::query_scalar(offers).bind(&job).fetch_all(&app.database.db).await.unwrap();
    assert_eq!(offers, ["revoked"]);
    let mut other = app.on_road_at(&admin, (PICKUP.0 + 0.002, PICKUP.1)).await;
    assert_eq!(other.accept().await["id"], job.as_str());
}

#[actix_web::test]
async fn a_mechanic_with_a_suspended_account_gets_no_job() {
    let (app, admin) = spawn_with_admin().await;
    let (far, stranded) = (app.on_road_at(&admin, (PICKUP.0 + 1.0, PICKUP.1)).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let profile = format!("/admin/mechanics/{}", far.profile_id);
    assert_eq!(admin.get(&profile).await.expect(200)["account_status"], "active");
    suspend(&admin, &far.client).await;
    let assign = json!({"mechanic_profile_id": far.profile_id});
    let path = format!("/admin/jobs/{job}/assign");
    admin.post(&path, assign).await.refused_field("mechanic_profile_id");
    let shown = admin.get(&profile).await.expect(200);
    assert_eq!((&shown["status"], &shown["account_status"]), (&json!("verified"), &json!("suspended")));
    let list = admin.get("/admin/mechanics").await.expect(200);
    assert_eq!(list["data"][0]["account_status"], "suspended");
}

#[actix_web::test]
async fn a_mechanic_who_is_suspended_while_accepting_does_not_get_the_job() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let offer = id_of(&mechanic.offer().await);
    let path = format!("/admin/users/{}/suspend", mechanic.client.user_id);
    let suspend = admin.post(&path, json!({"reason": "fraud"}));
    let accept = format!("/offers/{offer}/accept");
    let accept = mechanic.client.post(&accept, json!({}));
    let (suspended, accepted) = one_behind_the_other(&app, &mechanic.client, suspend, accept).await;
    suspended.expect(200);
    accepted.refused(409, "OFFER_EXPIRED");
    assert_eq!(stranded.job(&job).await["mechanic_profile_id"], Value::Null);
}

#[actix_web::test]
async fn only_admins_read_an_admins_own_words_about_a_mechanic() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let reassign = format!("/admin/jobs/{}/reassign", scene.job);
    let words = "He is drunk, call his boss at 98123 45678";
    admin.post(&reassign, json!({"reason": words})).await.expect(200);
    let released = timeline(&scene, "released").await;
    assert_eq!(released.len(), 1, "{released:?}");
    assert!(released[0].to_string().contains(r#""reason_code":"admin""#), "{released:?}");
    let everything = scene.customer.get(&scene.path("/events?since_seq=0")).await.expect(200);
    assert!(!format!("{released:?}{everything}").contains("drunk"));
    let after = audited(&app, "job.reassign").await.remove(0);
    assert_eq!(after["reason"], "He is drunk, call his boss at [hidden]");
}

#[actix_web::test]
async fn the_audit_log_shows_the_fee_of_a_cancellation_by_an_admin() {
    let app = crate::support::spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let cancel = format!("/admin/jobs/{}/cancel", scene.job);
    let cancelled = admin.post(&cancel, json!({"reason": "The road is closed."})).await.expect(200);
    let after = audited(&app, "job.cancel").await.remove(0);
    assert_eq!(cancelled["cancellation_fee"], 50.0);
    assert_eq!((&after["reason"], &after["fee_paise"]), (&json!("The road is closed."), &json!(5_000)));
}
