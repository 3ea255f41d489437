//! Data that must not remain of people who delete their account or become admins: a job, money, a document, a name.

use chrono::TimeDelta;
use roadcall::{
    jobs::{forget_in_logs, log::entries_since},
    platform::db::Db,
};
use serde_json::{Value, json};

use crate::{
    standing::{behind, one_behind_the_other},
    super_admin::{KIRAN, made},
    support::{
        Answer, Person, Stranded, TestApp, bodies::id_of, spawn_accepted, spawn_app, spawn_app_with,
        spawn_with_super_admin,
    },
};

/// Returns somebody whose job found no mechanic, and its id.
pub async fn in_vain(app: &TestApp) -> (Stranded, String) {
    let stranded = app.breakdown().await;
    let mut watcher = app.socket(&stranded.client).await;
    let job = id_of(&stranded.call().await);
    watcher.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    watcher.until_status("no_mechanic_found").await;
    (stranded, job)
}

async fn promote(boss: &Person, customer: &Person) -> Answer {
    boss.put(&format!("/super-admin/users/{}/role", customer.user_id), json!({"role": "admin"})).await
}

#[actix_web::test]
async fn a_job_of_a_person_who_leaves_or_becomes_an_admin_is_not_searched_again() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let boss = app.super_admin().await;

    let (gone, job) = in_vain(&app).await;
    let again = format!("/jobs/{job}/retry");
    let (left, retried) = one_behind_the_other(
        &app,
        &gone.client,
        gone.client.delete("/users/me"),
        gone.client.post(&again, json!({})),
    )
    .await;
    left.expect(204);
    retried.refused(409, "CONFLICT");

    let (kiran, job) = in_vain(&app).await;
    kiran.client.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let again = format!("/jobs/{job}/retry");
    let retry = kiran.client.post(&again, json!({}));
    let (promoted, retried) =
        one_behind_the_other(&app, &kiran.client, promote(&boss, &kiran.client), retry).await;
    promoted.expect(200);
    retried.refused(403, "FORBIDDEN");

    let (stays, job) = in_vain(&app).await;
    let again = format!("/jobs/{job}/retry");
    let (retried, left) = one_behind_the_other(
        &app,
        &stays.client,
        stays.client.post(&again, json!({})),
        stays.client.delete("/users/me"),
    )
    .await;
    retried.expect(200);
    left.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn a_removed_name_is_not_restored_by_a_simultaneous_change_of_the_job() {
    let (app, scene) = spawn_accepted().await;
    scene.serve().await;
    scene.pay_cash().await;
    // This keeps the account's deletion open after the names are removed.
    let mut held = app.database.db.begin().await.unwrap();
    sqlx::query("select id from vehicles for update").execute(&mut *held).await.unwrap();
    let contest = json!({"reason_code": "not_paid", "description": "Nothing came"});
    let (left, disputed) = behind(
        &app,
        held,
        scene.customer.delete("/users/me"),
        scene.mechanic.client.post(&scene.path("/dispute"), contest),
    )
    .await;
    left.expect(204);
    disputed.expect(201);
    let kept = "select jsonb_build_array(customer_name, mechanic_name, status) from jobs";
    let kept: serde_json::Value = app.value(kept, &[]).await;
    assert!(kept[0].is_null() && kept[1].is_string(), "{kept}");
    assert_eq!(kept[2], "disputed");
    forget_in_logs(&app.database.db).await.unwrap();
    let named = "select count(*) from job_events where replaced ->> 'customer_name' is not null";
    let named: i64 = app.value(named, &[]).await;
    assert_eq!(named, 0);
}

/// Returns the statuses, customers and plates that a job's log shows.
async fn logged(db: &Db, job: &str) -> Vec<Value> {
    let entries = entries_since(db, job.parse().unwrap(), 0, 100).await.unwrap();
    let shown = entries.into_iter().map(|entry| entry.snapshot);
    shown.map(|row| json!([row.status, row.customer_name, row.vehicle_registration_number])).collect()
}

#[actix_web::test]
async fn snapshots_of_an_earlier_release_do_not_name_people_who_left() {
    let (app, scene) = spawn_accepted().await;
    let db = &app.database.db;
    let earlier = "update job_events set replaced = null,
        snapshot = case when seq is not null then (select to_jsonb(job) from jobs job) end";
    sqlx::query(earlier).execute(db).await.unwrap();
    scene.serve().await;
    scene.pay_cash().await;
    let before = logged(db, &scene.job).await;
    assert!(before.iter().all(|row| row[1] == "Asha Rao" && row[2] == "KA01AB1234"), "{before:?}");
    scene.customer.delete("/users/me").await.expect(204);
    let hidden: Vec<Value> = before.iter().map(|row| json!([row[0], null, ""])).collect();
    assert_eq!(logged(db, &scene.job).await, hidden);
    forget_in_logs(db).await.unwrap();
    assert_eq!(logged(db, &scene.job).await, hidden);
    let named = "select count(*) from job_events, lateral (values (snapshot), (replaced)) kept (value)
        where concat(value ->> 'customer_name', value ->> 'customer_phone', value ->> 'vehicle_registration_number') <> ''";
    let named: i64 = sqlx::query_scalar(named).fetch_one(db).await.unwrap();
    assert_eq!(named, 0);
}

#[actix_web::test]
async fn a_document_submitted_while_its_owner_leaves_is_not_kept() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await.client;
    let document = json!({"type": "aadhaar", "file_url": "https://files.example.com/ravi/aadhaar.pdf"});
    let (left, added) = one_behind_the_other(
        &app,
        &mechanic,
        mechanic.delete("/users/me"),
        mechanic.post("/mechanics/me/documents", document),
    )
    .await;
    left.expect(204);
    added.refused(401, "UNAUTHORIZED");
    let kept: i64 = app.value("select count(*) from mechanic_documents", &[]).await;
    assert_eq!(kept, 0);
}

#[actix_web::test]
async fn people_with_an_unpaid_job_can_neither_leave_nor_become_admins() {
    let app = spawn_app().await;
    let (boss, scene) = (app.super_admin().await, app.accepted().await);
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    scene.serve().await;
    for refused in [
        promote(&boss, customer).await,
        customer.delete("/users/me").await,
        mechanic.delete("/users/me").await,
    ] {
        let refused = refused.refused(409, "CONFLICT");
        assert!(refused["error"]["message"].as_str().unwrap().contains("not paid"), "{refused}");
    }
    scene.pay_cash().await;
    mechanic.delete("/users/me").await.expect(204);
    promote(&boss, customer).await.expect(200);
}

#[actix_web::test]
async fn a_mechanic_can_leave_although_a_customer_never_pays() {
    let (app, scene) = spawn_accepted().await;
    scene.serve().await;
    let done = "update job_dues set created_at = $1";
    let done = sqlx::query(done).bind(app.service.clock.now() - TimeDelta::hours(49));
    done.execute(&app.database.db).await.unwrap();
    // Their order is open: the money would go to nobody.
    scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await.expect(201);
    scene.mechanic.client.delete("/users/me").await.refused(409, "CONFLICT");
    app.change("update payments set is_open = false", &[]).await;
    scene.mechanic.client.delete("/users/me").await.expect(204);
    scene.customer.delete("/users/me").await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn fees_are_paid_or_waived_before_their_customer_leaves() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let (boss, scene) = (app.super_admin().await, app.accepted().await);
    let customer = &scene.customer;
    customer.patch("/users/me", json!({"email": KIRAN})).await.expect(200);
    let why = json!({"reason_code": "changed_mind", "accept_fee": true});
    customer.post(&scene.path("/cancel"), why).await.expect(200);
    customer.delete("/users/me").await.refused(409, "CONFLICT");
    promote(&boss, customer).await.refused(409, "CONFLICT");
    // Somebody else's debt does not hold a mechanic back, unless it is being paid.
    customer.post("/payments/orders", json!({"fee_job_ids": [scene.job]})).await.expect(201);
    scene.mechanic.client.delete("/users/me").await.refused(409, "CONFLICT");
    boss.post(&format!("/admin/jobs/{}/waive-fee", scene.job), json!({})).await.expect(200);
    // A payment of an open order would have to be refunded.
    customer.delete("/users/me").await.refused(409, "CONFLICT");
    app.change("update payments set is_open = false", &[]).await;
    customer.delete("/users/me").await.expect(204);
    scene.mechanic.client.delete("/users/me").await.expect(204);
}

#[actix_web::test]
async fn an_admin_whose_account_ended_is_only_named_in_the_audit_log() {
    let (app, boss) = spawn_with_super_admin().await;
    let kiran = made(&app, &boss, "u1", KIRAN, "admin").await;
    let client = app.anonymous().with_token(kiran["accessToken"].as_str().unwrap());
    let chosen = json!({"name": "Somebody Else", "email": "kiran@home.example"});
    client.patch("/users/me", chosen).await.expect(200);
    boss.delete(&format!("/super-admin/users/{}", kiran["userId"].as_str().unwrap())).await.expect(204);
    for list in ["/super-admin/invites", "/super-admin/admins", "/admin/users"] {
        let shown = boss.get(list).await.expect(200).to_string();
        assert!(!shown.contains("kiran@"), "{list}: {shown}");
    }
    // Their actions remain under their name: who was responsible, and who made them an admin.
    let trail = boss.get("/admin/audit-log?action=invite.create").await.expect(200);
    assert_eq!(trail["data"][0]["actor_id"], boss.user_id);
    assert_eq!(trail["data"][0]["after"]["email"], KIRAN);
    let accepted = boss.get("/admin/audit-log?action=invite.accept").await.expect(200);
    assert_eq!(accepted["data"][0]["actor_id"], kiran["userId"]);
    assert_eq!(accepted["data"][0]["actor_email"], KIRAN);
    let own = boss.get("/admin/audit-log?action=user.email").await.expect(200);
    assert_eq!(own["data"][0]["actor_email"], KIRAN, "not the one that they chose");
    let renamed = boss.get("/admin/audit-log?action=user.name").await.expect(200);
    let renamed = &renamed["data"][0];
    assert_eq!((&renamed["actor_email"], &renamed["actor_name"]), (&json!(KIRAN), &json!("Somebody Else")));
    assert_eq!(renamed["before"]["name"], Value::Null);
    assert_eq!(renamed["after"]["name"], "Somebody Else");
}
