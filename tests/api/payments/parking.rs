//! Money that fits no payment is parked until an admin settles it.

use serde_json::{Value, json};

use super::{completed, event, order, pay};
use crate::support::{Client, bodies::id_of, spawn_app, spawn_with_admin, until_fits};

async fn parked(admin: &Client, status: &str) -> Vec<Value> {
    admin.list(&format!("/admin/parked-payments?status={status}")).await
}

async fn waiting(admin: &Client) -> i64 {
    admin.get("/admin/live").await.expect(200)["waiting"]["parked_payments"].as_i64().expect("a number")
}

/// Waits for a parked payment with that status, and returns it.
async fn until_parked(admin: &Client, status: &str) -> Value {
    until_fits(status, async || parked(admin, status).await, |found| !found.is_empty()).await.remove(0)
}

#[actix_web::test]
async fn money_for_an_unknown_order_is_refunded_once() {
    let (app, admin) = spawn_with_admin().await;
    let order = app.gateway_order(50_000).await;
    pay(&app, &order, "captured").await;
    let found = until_parked(&admin, "open").await;
    assert_eq!((&found["reason"], &found["amount"]), (&json!("unknown_order"), &json!(500.0)));
    assert_eq!(waiting(&admin).await, 1);
    let path = |verb: &str| format!("/admin/parked-payments/{}/{verb}", id_of(&found));
    admin.post(&path("refund"), json!({})).await.refused_field("reason");
    let why = json!({"reason": "paid for another shop"});
    admin.post(&path("refund"), why.clone()).await.expect(200);
    let back = until_parked(&admin, "refunded").await;
    assert_eq!((&back["id"], &back["failure"]), (&found["id"], &Value::Null));
    assert!(back["settled_at"].is_string(), "{back}");
    for verb in ["refund", "dismiss"] {
        admin.post(&path(verb), why.clone()).await.refused(409, "INVALID_TRANSITION");
    }
    assert_eq!(waiting(&admin).await, 0);
    let trail = admin.get("/admin/audit-log?action=parked_payment.refund").await.expect(200);
    assert_eq!((&trail["total"], &trail["data"][0]["object_id"]), (&json!(1), &found["id"]));
    assert_eq!(trail["data"][0]["after"]["reason"], "paid for another shop");
    assert_eq!(app.sound_ledger().await.transactions, 0, "it was never booked");
}

#[actix_web::test]
async fn a_refused_refund_leaves_the_money_parked_until_it_is_dismissed() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let unknown = event("payment.captured", "pay_1", "order_of_nobody", 100, "captured");
    app.webhook(&unknown).await.expect(200);
    let found = parked(&admin, "open").await.remove(0);
    let path = |verb: &str| format!("/admin/parked-payments/{}/{verb}", id_of(&found));
    let why = json!({"reason": "the dashboard shows it refunded"});
    let refused = admin.post(&path("refund"), why.clone()).await.expect(200);
    assert_eq!(refused["status"], "open");
    assert!(refused["failure"].is_string(), "{refused}");
    customer.post(&path("dismiss"), why.clone()).await.refused(403, "FORBIDDEN");
    let dismissed = admin.post(&path("dismiss"), why.clone()).await.expect(200);
    assert_eq!(dismissed["status"], "dismissed");
    for verb in ["refund", "dismiss"] {
        admin.post(&path(verb), why.clone()).await.refused(409, "INVALID_TRANSITION");
    }
    // Another event about it does not reopen it.
    app.webhook(&event("payment.captured", "pay_1", "order_of_nobody", 100, "refunded")).await.expect(200);
    assert_eq!((parked(&admin, "open").await.len(), waiting(&admin).await), (0, 0));
    admin.get("/admin/parked-payments?status=lost").await.refused_field("status");
}

#[actix_web::test]
async fn a_second_capture_parked_by_an_earlier_release_is_refunded_once() {
    let app = spawn_app().await;
    let (admin, scene) = (app.admin().await, completed(&app).await);
    let made = order(&scene).await;
    let order_id = made["gateway_order_id"].as_str().expect("an order");
    app.webhook(&event("payment.captured", "pay_first", order_id, 29_900, "captured")).await.expect(200);
    let payments = async || scene.customer.list(&format!("/payments?job_id={}", scene.job)).await.len();
    for (attempt, status) in
        [("pay_waiting", "open"), ("pay_refunding", "refunding"), ("pay_back", "refunded")]
    {
        let parked = "insert into parked_payments (gateway_payment_id, reason, gateway_order_id, payment_id, amount_paise,
                currency, seen_at, status, refund_id)
            values ($1, 'captured_twice', $2, $3::uuid, 29900, 'INR', now(), $4, gen_random_uuid())";
        let parked = sqlx::query(parked).bind(attempt).bind(order_id).bind(made["payment_id"].as_str());
        parked.bind(status).execute(&app.database.db).await.expect("a parked payment");
        let captured = event("payment.captured", attempt, order_id, 29_900, "captured");
        assert_eq!(app.webhook(&captured).await.expect(200)["status"], "ok", "{attempt}");
        assert_eq!(payments().await, 2, "only what was open is a payment now: {attempt}");
    }
    let statuses: Vec<(String, String)> = app
        .sql_rows("select gateway_payment_id, status from parked_payments order by gateway_payment_id")
        .await;
    let expected = [("pay_back", "refunded"), ("pay_refunding", "refunding"), ("pay_waiting", "dismissed")];
    assert_eq!(statuses, expected.map(|(id, status)| (id.to_owned(), status.to_owned())));
    assert_eq!(waiting(&admin).await, 1, "the one whose refund is under way");
    app.sound_ledger().await;
}
