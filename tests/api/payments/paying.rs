use serde_json::{Value, json};

use super::{
    completed, event, ids_of, order, pay, slow_gateway, spawn_completed, spawn_ordered, until_payment,
};
use crate::support::{
    Client,
    bodies::{FLAT_TYRE, id_of, set},
    spawn_admin_with, spawn_app, spawn_app_with, until_fits,
};

#[actix_web::test]
async fn a_job_is_paid_at_the_gateway_and_the_mechanic_is_credited() {
    let (app, scene) = spawn_completed().await;
    let mut watcher = app.socket(&scene.customer).await;
    watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let order = order(&scene).await;
    assert_eq!((&order["amount"], &order["currency"]), (&json!(299.0), &json!("INR")));
    let (id, order_id) = ids_of(&order);
    let again = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await.expect(200);
    assert_eq!(again, order, "one is open at a time");

    let paid = pay(&app, order_id, "captured").await;
    watcher.until_status("paid").await;
    let payment = until_payment(&scene.customer, id, "status", json!("captured")).await;
    assert_eq!(payment["gateway_payment_id"], paid["gateway_payment_id"]);
    // 15 % of 299.00 is 44.85.
    let balances = app.balances(&scene.mechanic.profile_id).await;
    assert_eq!((balances.held_paise, balances.available_paise, balances.owed_paise), (25_415, 0, 0));
    app.sound_ledger().await;

    let verify = json!({"gateway_order_id": order_id, "gateway_payment_id": paid["gateway_payment_id"],
        "signature": paid["signature"]});
    let verified = scene.customer.post("/payments/verify", verify).await.expect(200);
    assert_eq!(verified["status"], "captured");
    let due = scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await;
    due.refused(409, "INVALID_TRANSITION");
    let seen = scene.mechanic.client.get(&format!("/payments?job_id={}", scene.job)).await.expect(200);
    assert_eq!((&seen["total"], &seen["data"][0]["id"]), (&json!(1), &json!(id)));
}

#[actix_web::test]
async fn a_first_try_fails_and_a_second_pays() {
    let (app, scene, order) = spawn_ordered().await;
    let (id, order_id) = ids_of(&order);
    pay(&app, order_id, "failed").await;
    let failed = until_payment(&scene.customer, id, "status", json!("failed")).await;
    assert!(failed["failure"].is_string() && failed["is_open"] == true, "{failed}");
    pay(&app, order_id, "captured").await;
    let paid = until_payment(&scene.customer, id, "status", json!("captured")).await;
    assert_eq!((&paid["failure"], &paid["is_open"]), (&Value::Null, &json!(false)));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn only_the_customer_orders_and_verifies_and_bad_input_is_refused_by_field() {
    let (app, scene) = spawn_completed().await;
    let (stranger, orders) = (app.customer().await, "/payments/orders");
    stranger.post(orders, json!({"job_id": scene.job})).await.refused_field("job_id");
    scene.mechanic.client.post(orders, json!({"job_id": scene.job})).await.refused_field("job_id");
    scene.customer.post(orders, json!({})).await.refused_field("job_id");
    scene.customer.post(orders, json!({"fee_job_ids": []})).await.refused_field("fee_job_ids");
    let not_owed = scene.customer.post(orders, json!({"fee_job_ids": [scene.job]})).await;
    not_owed.refused_field("fee_job_ids[0]");
    let both = scene.customer.post(orders, json!({"job_id": scene.job, "fee_job_ids": [scene.job]})).await;
    let both = both.refused(422, "VALIDATION_FAILED");
    assert_eq!(both["error"]["errors"].as_object().unwrap().len(), 2);
    let order = order(&scene).await;
    let verify = |order: &Value, signature: &str| json!({"gateway_order_id": order["gateway_order_id"], "gateway_payment_id": "pay_1", "signature": signature});
    let forged = scene.customer.post("/payments/verify", verify(&order, &"0".repeat(64))).await;
    forged.refused_field("signature");
    let foreign = stranger.post("/payments/verify", verify(&order, "00")).await;
    foreign.refused_field("gateway_order_id");
    let id = order["payment_id"].as_str().unwrap();
    stranger.get(&format!("/payments/{id}")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn the_same_key_makes_one_order() {
    let (_app, scene) = spawn_completed().await;
    let body = json!({"job_id": scene.job});
    let send = async |body: Value| scene.customer.post_once("/payments/orders", &body, "pay-once").await;
    let first = send(body.clone()).await.expect(201);
    assert_eq!(send(body).await.expect(201), first);
    send(json!({"job_id": scene.job, "method": "cash"})).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
}

#[actix_web::test]
async fn cash_is_paid_when_both_sides_confirm_and_the_mechanic_owes_the_commission() {
    let (app, scene) = spawn_completed().await;
    let body = json!({"job_id": scene.job, "method": "cash"});
    let made = scene.mechanic.client.post("/payments/orders", body).await.expect(201);
    assert_eq!((&made["gateway_order_id"], &made["key_id"]), (&Value::Null, &Value::Null));
    let id = made["payment_id"].as_str().unwrap();
    let confirm = format!("/payments/{id}/cash-confirm");
    let amount = json!({"amount": made["amount"]});
    for client in [&*scene.mechanic.client, &*scene.customer] {
        client.post(&confirm, json!({})).await.refused_field("amount");
        client.post(&confirm, json!({"amount": 250})).await.refused_saying(409, "CONFLICT", "299.00");
    }
    let half = scene.mechanic.client.post(&confirm, amount.clone()).await.expect(200);
    assert_eq!((&half["status"], &half["cash_confirmed_by_customer_at"]), (&json!("created"), &Value::Null));
    let whole = scene.customer.post(&confirm, amount.clone()).await.expect(200);
    assert_eq!((&whole["status"], &whole["gateway"]), (&json!("captured"), &Value::Null));
    let again = scene.customer.post(&confirm, amount).await.expect(200);
    assert_eq!(again, whole);
    assert_eq!(scene.shown().await["status"], "paid");
    let balances = app.balances(&scene.mechanic.profile_id).await;
    assert_eq!((balances.held_paise, balances.owed_paise), (0, 4_485));
    app.sound_ledger().await;
    // A cash payment is refunded by hand; the mechanic, who has the money, owes their share.
    let admin = app.admin().await;
    let refund = json!({"amount": 100, "reason": "too slow"});
    let refund = admin.post(&format!("/payments/{id}/refunds"), refund).await.expect(201);
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.owed_paise, 4_485 + 8_500);
    let paid = format!("/admin/refunds/{}/mark-paid", id_of(&refund));
    let by_hand = admin.post(&paid, json!({"reference": "NEFT 4711"})).await.expect(200);
    assert_eq!(by_hand["status"], "processed");
    admin.post(&paid, json!({"reference": "NEFT 4711"})).await.refused(409, "INVALID_TRANSITION");
    let payment = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!(payment["status"], "partially_refunded");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_double_payment_is_announced_and_refunded_even_if_the_dashboard_was_quicker() {
    let (app, scene, made) = spawn_ordered().await;
    let (id, order_id) = ids_of(&made);
    for attempt in ["pay_first", "pay_second"] {
        let captured = event("payment.captured", attempt, order_id, 29_900, "captured");
        assert_eq!(app.webhook(&captured).await.expect(200)["status"], "ok", "{attempt}");
    }
    // Somebody also refunds it in the gateway's dashboard.
    let refund = json!({"event": "refund.processed", "payload": {"refund": {"entity": {"id": "rfnd_by_hand",
        "payment_id": "pay_second", "amount": 29_900, "currency": "INR", "status": "processed"}}}});
    app.webhook(&refund).await.expect(200);
    let payments = scene.customer.list(&format!("/payments?job_id={}", scene.job)).await;
    let again = payments.iter().find(|payment| payment["duplicate_of"] == id).expect("a duplicate");
    let returned = until_payment(&scene.customer, &id_of(again), "status", json!("refunded")).await;
    assert_eq!(returned["refunded_amount"], 299.0);
    let first = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!((&first["status"], &first["refunded_amount"]), (&json!("captured"), &json!(0.0)));
    let notified = scene.customer.get("/notifications?type=surplus_returned").await.expect(200);
    assert_eq!(notified["data"][0]["data"]["payment_id"], again["id"]);
    let parked = app.admin().await.get("/admin/parked-payments").await.expect(200);
    assert_eq!(parked["total"], 0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_surplus_is_refunded_automatically() {
    let (app, scene) = spawn_completed().await;
    // An order is open, the job is still paid in cash, and then the order is paid, too.
    let online = order(&scene).await;
    let cash = scene.customer.post("/payments/orders", json!({"job_id": scene.job, "method": "cash"})).await;
    scene.confirm_cash(&cash.expect(201)).await;
    let (id, order_id) = ids_of(&online);
    pay(&app, order_id, "captured").await;
    let payment = until_payment(&scene.customer, id, "status", json!("refunded")).await;
    assert_eq!(payment["refunded_amount"], payment["amount"]);
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.owed_paise, 4_485);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_payment_without_a_webhook_is_found_by_query() {
    // Webhooks are never accepted: their signature uses another secret.
    let app = spawn_app_with(|settings| {
        settings.gateway.reconcile_after_s = 1;
        slow_gateway(settings);
    })
    .await;
    let scene = completed(&app).await;
    let order = order(&scene).await;
    let (id, order_id) = ids_of(&order);
    pay(&app, order_id, "captured").await;
    until_payment(&scene.customer, id, "status", json!("captured")).await;
    app.sound_ledger().await;
}

#[actix_web::test]
async fn customers_with_many_unpaid_fees_cannot_avoid_them_by_reporting_accidents() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.fees.free_after_accept_s = 0;
        settings.fees.max_unpaid_paise = 4_999;
        settings.fees.max_unpaid_in_accident_paise = 10_000;
        settings.support.phone = "+918012345678".to_owned();
    })
    .await;
    let stranded = app.breakdown().await;
    let accident = set(&stranded.call_body(), "urgency", json!("accident"));
    let cancel_accepted = async |job: &Value| {
        let why = json!({"reason_code": "changed_mind", "accept_fee": true});
        stranded.client.post(&format!("/jobs/{}/cancel", id_of(job)), why).await.expect(200);
    };
    for _ in 0..3 {
        let mut mechanic = app.on_road(&admin).await;
        let job = stranded.client.post("/jobs", accident.clone()).await.expect(201);
        mechanic.accept().await;
        cancel_accepted(&job).await;
        mechanic.go_offline().await;
    }
    let owing = stranded.client.post("/jobs", accident.clone()).await;
    let owing = owing.refused_saying(409, "UNPAID_FEES", "150.00");
    assert!(owing["error"]["message"].as_str().unwrap().contains("+918012345678"), "{owing}");
    app.sql("update cancellation_fees set status = 'waived'").await;
    let often = stranded.client.post("/jobs", accident.clone()).await;
    often.refused_saying(429, "RATE_LIMITED", "3 times");
    // The admin whom they call decides.
    let path = format!("/admin/users/{}/jobs", stranded.client.user_id);
    admin.post(&path, accident).await.expect(201);
}

#[actix_web::test]
async fn an_accident_cancelled_by_an_admin_does_not_count_against_its_customer() {
    let (app, admin) = spawn_admin_with(|settings| settings.fees.max_cancelled_accidents = 1).await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let accident = set(&stranded.call_body(), "urgency", json!("accident"));
    let job = id_of(&stranded.client.post("/jobs", accident.clone()).await.expect(201));
    mechanic.accept().await;
    let why = json!({"reason": "The fire brigade is there"});
    admin.post(&format!("/admin/jobs/{job}/cancel"), why).await.expect(200);
    stranded.client.post("/jobs", accident).await.expect(201);
}

#[actix_web::test]
async fn a_cancellation_fee_is_owed_paid_and_shared() {
    let app = spawn_app_with(|settings| {
        settings.fees.free_after_accept_s = 0;
        settings.fees.max_unpaid_paise = 4_999;
    })
    .await;
    let scene = app.accepted().await;
    let cancelled = scene.cancel().await;
    assert_eq!(cancelled["cancellation_fee"], 50.0);
    let owed = scene.customer.get("/payments/unpaid-fees").await.expect(200);
    assert_eq!(owed["data"][0]["job_id"], scene.job.as_str());
    for prefix in ["", "/api/v1"] {
        let alias = scene.customer.get(&format!("{prefix}/payments/outstanding-fees")).await;
        let successor = format!("<{prefix}/payments/unpaid-fees>; rel=\"successor-version\"");
        assert_eq!(alias.header("link"), Some(successor.as_str()));
        assert!(alias.header("deprecation").is_some());
        assert_eq!(alias.expect(200), owed);
    }
    app.sound_ledger().await;

    let call = json!({"vehicle_id": cancelled["vehicle_id"], "service_category_id": cancelled["service_category_id"],
        "pickup_address": "MG Road", "pickup_lat": 12.9716, "pickup_lng": 77.5946});
    scene.customer.post("/jobs", call.clone()).await.refused_saying(409, "UNPAID_FEES", "50.00");
    let job = scene.customer.post("/jobs", set(&call, "urgency", json!("accident"))).await.expect(201);
    let cancel = json!({"reason_code": "other"});
    scene.customer.post(&format!("/jobs/{}/cancel", id_of(&job)), cancel).await.expect(200);

    let body = json!({"fee_job_ids": [scene.job]});
    let order = scene.customer.post("/payments/orders", body).await.expect(201);
    let (id, order_id) = ids_of(&order);
    let captured = event("payment.captured", "pay_fee1", order_id, 5_000, "captured");
    assert_eq!(app.webhook(&captured).await.expect(200), json!({"status": "ok"}));
    let payment = until_payment(&scene.customer, id, "status", json!("captured")).await;
    assert_eq!(payment["fee_job_ids"], json!([scene.job]));
    let notified = async |reader: &Client| {
        let kinds = reader.column(&format!("/jobs/{}/events", scene.job), "type").await;
        kinds.iter().filter(|kind| *kind == "payment.updated").count()
    };
    assert!(notified(&scene.customer).await > 0);
    // A fee may also be for jobs of other mechanics.
    assert_eq!(notified(&scene.mechanic.client).await, 0);
    assert!(scene.customer.list("/payments/unpaid-fees").await.is_empty());
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 4_250);
    app.sound_ledger().await;
    scene.customer.post("/jobs", call).await.expect(201);
    let waive = format!("/admin/jobs/{}/waive-fee", scene.job);
    app.admin().await.post(&waive, json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_fee_can_be_waived_once() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let scene = app.accepted().await;
    scene.cancel().await;
    let (admin, waive) = (app.admin().await, format!("/admin/jobs/{}/waive-fee", scene.job));
    admin.post(&waive, json!({})).await.expect(200);
    admin.post(&waive, json!({})).await.refused(409, "INVALID_TRANSITION");
    assert!(scene.customer.list("/payments/unpaid-fees").await.is_empty());
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_job_that_costs_nothing_is_paid_automatically() {
    let app = spawn_app().await;
    let free = json!({"base_price": 0, "per_km_price": 0});
    app.admin().await.patch(&format!("/service-categories/{FLAT_TYRE}"), free).await.expect(200);
    let scene = completed(&app).await;
    until_fits("the job is paid", async || scene.shown().await, |job| job["status"] == "paid").await;
    assert_eq!(app.sound_ledger().await.transactions, 0);
}
