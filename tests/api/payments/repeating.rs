//! Requests that come at the same time, and again under their keys.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{completed, paid_online, spawn_completed, spawn_ordered, until_payment};
use crate::support::{Answer, Client, bodies::id_of, spawn_app, spawn_app_with, statuses};

async fn keyed(client: &Client, path: &str, key: &str, body: Value) -> Answer {
    client.post_once(path, &body, key).await
}

#[actix_web::test]
async fn simultaneous_and_repeated_orders_are_one_order() {
    let (_app, scene) = spawn_completed().await;
    let keys: Vec<String> = (0..6).map(|number| format!("key-{number}")).collect();
    let ask = || async {
        let body = json!({"job_id": scene.job});
        let asked = keys.iter().map(|key| keyed(&scene.customer, "/payments/orders", key, body.clone()));
        join_all(asked).await
    };
    let first = ask().await;
    assert_eq!(statuses(&first), [200, 200, 200, 200, 200, 201]);
    let again = ask().await;
    for (first, again) in first.iter().zip(&again) {
        assert_eq!((first.status, &first.body), (again.status, &again.body));
    }
    let listed = scene.customer.get(&format!("/payments?job_id={}", scene.job)).await.expect(200);
    assert_eq!(listed["total"], 1, "{listed}");
}

#[actix_web::test]
async fn a_request_that_gave_up_on_an_order_can_be_repeated_under_its_key() {
    let (app, scene, made) = spawn_ordered().await;
    let payment: Uuid = made["payment_id"].as_str().unwrap().parse().unwrap();
    // This is the state in which another request is at the gateway with it.
    let age = async |made: &str| {
        let left =
            "update payments set gateway_order_id = null, created_at = now() - $2::interval where id = $1";
        sqlx::query(left).bind(payment).bind(made).execute(&app.database.db).await.unwrap();
    };
    let ask = || keyed(&scene.customer, "/payments/orders", "once", json!({"job_id": scene.job}));
    age("0 s").await;
    let refused = ask().await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    refused.refused(409, "CONFLICT");
    // That request is gone.
    age("1 h").await;
    let other = ask().await.expect(201);
    assert_ne!(other["payment_id"], made["payment_id"]);
    let left = scene.customer.get(&format!("/payments/{payment}")).await.expect(200);
    assert_eq!((&left["status"], &left["is_open"]), (&json!("failed"), &json!(false)));
}

#[actix_web::test]
async fn a_repeated_refund_gets_the_first_answer() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let id = paid_online(&app, &scene.customer, &scene.job).await;
    let path = format!("/payments/{id}/refunds");
    let ask = || keyed(&admin, &path, "once", json!({"reason": "flat again"}));
    let first = ask().await.expect(201);
    assert_eq!((&first["status"], &first["gateway_refund_id"]), (&json!("pending"), &Value::Null));
    until_payment(&scene.customer, &id, "status", json!("refunded")).await;
    assert_eq!(ask().await.expect(201), first);
}

#[actix_web::test]
async fn manual_payouts_and_waivers_of_admins_happen_once_per_key() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let payment = scene.pay_cash().await;
    let refund =
        admin.post(&format!("/payments/{payment}/refunds"), json!({"reason": "flat"})).await.expect(201);
    let path = format!("/admin/refunds/{}/mark-paid", id_of(&refund));
    let paid = async |reference: &str| keyed(&admin, &path, "by-hand", json!({"reference": reference})).await;
    let first = paid("NEFT 1").await.expect(200);
    assert_eq!(paid("NEFT 1").await.expect(200), first);
    paid("NEFT 2").await.refused(422, "IDEMPOTENCY_KEY_REUSED");

    let other = app.accepted().await;
    other.cancel().await;
    let path = format!("/admin/jobs/{}/waive-fee", other.job);
    let first = keyed(&admin, &path, "let-go", json!({})).await.expect(200);
    assert_eq!(keyed(&admin, &path, "let-go", json!({})).await.expect(200), first);
    app.sound_ledger().await;
}
