//! Payments that can no longer be made: everybody who follows the job learns this, every time.

use roadcall::{money::payments::reconcile, service::settings::GatewayProvider};
use serde_json::{Value, json};

use super::{completed, event, ids_of, spawn_ordered, until_payment};
use crate::support::{Client, Person, TestApp, roadside::Scene, spawn_app_with};

/// Returns the entries about payments in the job's log, in order.
async fn logged(client: &Client, job: &str) -> Vec<(Value, Value, Value)> {
    let events = client.list(&format!("/jobs/{job}/events")).await.into_iter();
    let payments =
        events.filter(|event| event["type"] == "payment.updated").map(|mut event| event["data"].take());
    payments
        .map(|mut payment| (payment["id"].take(), payment["status"].take(), payment["is_open"].take()))
        .collect()
}

/// Returns the last entry about a payment in the log.
async fn last_of(scene: &Scene, payment: &Value) -> (Value, Value) {
    let entries = logged(&scene.customer, &scene.job).await;
    let (_, status, is_open) = entries.into_iter().rfind(|(id, _, _)| id == payment).expect("an entry");
    (status, is_open)
}

/// Lets the payment's time pass, and runs the reconciler.
async fn expire(app: &TestApp, customer: &Person, payment: &Value) {
    let id = payment.as_str().unwrap();
    let past =
        "update payments set expires_at = now() - interval '1 minute', asked_at = now() - interval '1 day'
        where id = $1::uuid";
    sqlx::query(past).bind(id).execute(&app.database.db).await.unwrap();
    reconcile::reconcile_silent(&app.service.payments).await.unwrap();
    // The app's own reconciler may have claimed it first.
    until_payment(customer, id, "status", json!("failed")).await;
}

#[actix_web::test]
async fn everybody_sees_that_a_payment_not_made_in_time_has_failed() {
    let (app, scene, made) = spawn_ordered().await;
    let before = logged(&scene.customer, &scene.job).await.len();
    expire(&app, &scene.customer, &made["payment_id"]).await;
    assert_eq!(last_of(&scene, &made["payment_id"]).await, (json!("failed"), json!(false)));
    expire(&app, &scene.customer, &made["payment_id"]).await;
    assert_eq!(logged(&scene.customer, &scene.job).await.len(), before + 1, "logged once");
}

#[actix_web::test]
async fn a_payment_without_a_gateway_order_has_failed() {
    let app = spawn_app_with(|settings| {
        settings.gateway.provider = GatewayProvider::Razorpay;
        settings.gateway.key_id = "rzp_test_1".to_owned();
        settings.gateway.key_secret.0 = "secret".to_owned();
        // Nothing listens there.
        settings.gateway.base_url = "http://127.0.0.1:9".to_owned();
    })
    .await;
    let scene = completed(&app).await;
    let refused = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await;
    assert!(refused.status >= 500, "{}", refused.text);
    let payment = &scene.customer.list(&format!("/payments?job_id={}", scene.job)).await[0];
    assert_eq!((&payment["status"], &payment["is_open"]), (&json!("failed"), &json!(false)));
    assert_eq!(last_of(&scene, &payment["id"]).await, (json!("failed"), json!(false)));
}

#[actix_web::test]
async fn everybody_sees_that_a_replaced_or_excessive_payment_is_closed() {
    let (app, scene, online) = spawn_ordered().await;
    let cash = json!({"job_id": scene.job, "method": "cash"});
    let cash = scene.customer.post("/payments/orders", cash).await.expect(201);
    assert_eq!(last_of(&scene, &online["payment_id"]).await, (json!("created"), json!(false)));
    let why = json!({"reason_code": "poor_work", "description": "Flat again"});
    scene.customer.post(&scene.path("/dispute"), why).await.expect(201);
    let word = json!({"outcome": "customer", "note": "Nothing was done"});
    app.admin().await.post(&format!("/admin/jobs/{}/resolve", scene.job), word).await.expect(200);
    assert_eq!(last_of(&scene, &cash["payment_id"]).await, (json!("created"), json!(false)));
}

#[actix_web::test]
async fn a_late_capture_closes_the_replacing_payment() {
    let (app, scene, online) = spawn_ordered().await;
    let cash = json!({"job_id": scene.job, "method": "cash"});
    let cash = scene.customer.post("/payments/orders", cash).await.expect(201);
    let late = event("payment.captured", "pay_late", ids_of(&online).1, 29_900, "captured");
    assert_eq!(app.webhook(&late).await.expect(200)["status"], "ok");
    assert_eq!(scene.shown().await["status"], "paid");
    let id = cash["payment_id"].as_str().unwrap();
    let shown = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!((&shown["status"], &shown["is_open"]), (&json!("created"), &json!(false)));
    assert_eq!(last_of(&scene, &cash["payment_id"]).await, (json!("created"), json!(false)));
    let confirm = format!("/payments/{id}/cash-confirm");
    scene.customer.post(&confirm, json!({"amount": cash["amount"]})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_late_capture_of_fees_closes_the_replacing_payment() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let scene = app.accepted().await;
    scene.cancel().await;
    let body = json!({"fee_job_ids": [scene.job]});
    let first = scene.customer.post("/payments/orders", body.clone()).await.expect(201);
    expire(&app, &scene.customer, &first["payment_id"]).await;
    let second = scene.customer.post("/payments/orders", body).await.expect(201);
    let late = event("payment.captured", "pay_l", ids_of(&first).1, 5_000, "captured");
    assert_eq!(app.webhook(&late).await.expect(200)["status"], "ok");
    assert_eq!(last_of(&scene, &second["payment_id"]).await, (json!("created"), json!(false)));
    app.sound_ledger().await;
}
