//! Failing refunds and chargebacks at any time: earnings are held, taken and put back, and nothing is lost.

use std::collections::BTreeMap;

use roadcall::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    money::wallet,
    providers::gateway::NewGatewayRefund,
    service::settings::Settings,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{completed, event, ids_of, order, paid_online, pay, spawn_completed, until_payment};
use crate::support::{
    TestApp,
    bodies::id_of,
    roadside::Scene,
    rows::{self, copy_completed_job},
    spawn_app, spawn_app_with, until_fits,
};

const PAISE: i64 = 29_900;
/// 85 % of `PAISE`.
const SHARE: i64 = 25_415;
/// The amount paid beyond the amount due.
const SURPLUS: i64 = 10_000;

/// Orders a job and has the gateway report that `attempt` paid it; returns the payment's id.
async fn capture(app: &TestApp, scene: &Scene, job: &str, attempt: &str) -> String {
    let made = scene.customer.post("/payments/orders", json!({"job_id": job})).await.expect(201);
    let (id, order_id) = ids_of(&made);
    report(app, &event("payment.captured", attempt, order_id, PAISE, "captured")).await;
    id.to_owned()
}

/// Lets the gateway report an event, and the service process it.
pub async fn report(app: &TestApp, event: &Value) {
    // Each is an event of its own, so the inbox sees no repeats.
    let mut event = event.clone();
    event["id"] = json!(app.service.random.id(app.now()));
    assert_eq!(app.webhook(&event).await.expect(200)["status"], "ok", "{event}");
}

fn refund(kind: &str, attempt: &str, paise: i64) -> Value {
    let status = match kind {
        "refund.created" => "pending",
        "refund.failed" => "failed",
        _ => "processed",
    };
    json!({"event": kind, "payload": {"refund": {"entity": {"id": format!("rfnd_{attempt}"), "payment_id": attempt,
        "amount": paise, "currency": "INR", "status": status}}}})
}

/// Returns such an event about a refund that the service has made.
pub fn own_refund(kind: &str, id: &str, attempt: &str, paise: i64) -> Value {
    let mut event = refund(kind, attempt, paise);
    let entity = &mut event["payload"]["refund"]["entity"];
    entity["id"] = json!(format!("rfnd_{id}"));
    entity["notes"] = json!({"refund_id": id});
    event
}

fn dispute(step: &str, id: &str, attempt: &str) -> Value {
    json!({"event": format!("payment.dispute.{step}"), "payload": {"dispute": {"entity": {
        "id": id, "payment_id": attempt, "amount": PAISE, "reason_code": "fraud"}}}})
}

/// Makes the gateway accept refunds without a report, so that only the test reports their outcome.
pub fn slow_gateway(settings: &mut Settings) {
    settings.sandbox.delay_min_ms = 3_600_000;
    settings.sandbox.delay_max_ms = 3_600_000;
}

/// Makes the customer pay an order for a job that costs 199.00 by then; returns the payment, its attempt, and the refund of the
/// surplus.
async fn pay_too_much(app: &TestApp, scene: &Scene, job: &str) -> (String, String, String) {
    let made = scene.customer.post("/payments/orders", json!({"job_id": job})).await.expect(201);
    let (payment, order_id) = ids_of(&made);
    let paid = pay(app, order_id, "captured").await;
    let attempt = paid["gateway_payment_id"].as_str().unwrap();
    let due = sqlx::query("update job_dues set due_paise = $2 where job_id = $1::uuid");
    due.bind(job).bind(PAISE - SURPLUS).execute(&app.database.db).await.unwrap();
    report(app, &event("payment.captured", attempt, order_id, PAISE, "captured")).await;
    let refund = sqlx::query_scalar(
        "select id::text from refunds where payment_id = $1::uuid and source = 'surplus' and amount_paise = $2",
    );
    let refund: String = refund.bind(payment).bind(SURPLUS).fetch_one(&app.database.db).await.unwrap();
    (payment.to_owned(), attempt.to_owned(), refund)
}

/// Lets the clearing time of all held earnings pass, and runs the worker.
async fn clear(app: &TestApp) {
    app.sql("update earnings set clears_at = now() - interval '1 minute' where cleared_at is null").await;
    wallet::clear_due(&app.service.wallet).await.unwrap();
}

/// Pays the available balance out to the mechanic's bank.
async fn withdraw_all(app: &TestApp, scene: &Scene) {
    let profile: Uuid = scene.mechanic.profile_id.parse().unwrap();
    let paise = app.balances(&scene.mechanic.profile_id).await.available_paise;
    let entry = LedgerEntry {
        kind: EntryKind::WithdrawalPaid,
        key: format!("withdrawal:{}", app.service.random.id(app.now())),
        job_id: None,
        note: None,
        postings: vec![(Account::Available(profile), -paise), (Account::PayoutClearing, paise)],
    };
    let mut tx = app.database.db.begin().await.unwrap();
    assert!(ledger::post(&mut tx, &app.service.random, app.now(), entry).await.unwrap());
    tx.commit().await.unwrap();
}

/// Returns the held, available and owed amounts.
async fn wallet_of(app: &TestApp, scene: &Scene) -> (i64, i64, i64) {
    let balances = app.balances(&scene.mechanic.profile_id).await;
    (balances.held_paise, balances.available_paise, balances.owed_paise)
}

#[actix_web::test]
async fn a_failed_refund_returns_a_paid_off_debt_to_the_mechanic() {
    let (app, scene) = spawn_completed().await;
    let next = copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
    let payment = capture(&app, &scene, &scene.job, "pay_a").await;
    clear(&app).await;
    withdraw_all(&app, &scene).await;
    report(&app, &refund("refund.created", "pay_a", PAISE)).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, 0, SHARE));
    capture(&app, &scene, &next, "pay_b").await;
    clear(&app).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, 0, 0), "the debt is paid");
    report(&app, &refund("refund.failed", "pay_a", PAISE)).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, SHARE, 0));
    let payment = scene.customer.get(&format!("/payments/{payment}")).await.expect(200);
    assert_eq!((&payment["status"], &payment["refunded_amount"]), (&json!("captured"), &json!(0.0)));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_failed_refund_returns_the_paid_part_of_a_debt() {
    let (app, scene) = spawn_completed().await;
    let next = copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
    capture(&app, &scene, &scene.job, "pay_a").await;
    clear(&app).await;
    withdraw_all(&app, &scene).await;
    report(&app, &refund("refund.created", "pay_a", PAISE)).await;
    capture(&app, &scene, &next, "pay_b").await;
    // 85 % of 199.00 is left to pay the debt with.
    report(&app, &refund("refund.processed", "pay_b", 10_000)).await;
    clear(&app).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, 0, 8_500));
    report(&app, &refund("refund.failed", "pay_a", PAISE)).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, SHARE - 8_500, 0));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_failed_refund_is_announced_listed_and_counted_until_another_is_made() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    // The sandbox knows no such attempt: it refuses the refund.
    let payment = capture(&app, &scene, &scene.job, "pay_unknown").await;
    let made =
        admin.post(&format!("/payments/{payment}/refunds"), json!({"reason": "flat"})).await.expect(201);
    let ask = async || admin.list("/admin/refunds?status=failed&channel=online").await;
    let failed = until_fits("the refund has failed", ask, |failed| failed.len() == 1).await.remove(0);
    assert_eq!(failed["id"], made["id"]);
    assert!(failed["failure"].is_string(), "{failed}");
    for other in ["?status=pending", "?status=processed", "?channel=cash"] {
        assert_eq!(admin.get(&format!("/admin/refunds{other}")).await.expect(200)["total"], 0, "{other}");
    }
    admin.get("/admin/refunds?status=requested").await.refused_field("status");
    let waiting = async || admin.get("/admin/live").await.expect(200)["waiting"]["failed_refunds"].clone();
    assert_eq!(waiting().await, 1);
    let notified = scene.customer.get("/notifications?type=refund_failed").await.expect(200);
    assert_eq!(notified["data"][0]["data"]["refund_id"], made["id"]);
    assert_eq!(wallet_of(&app, &scene).await, (SHARE, 0, 0));
    report(&app, &refund("refund.processed", "pay_unknown", PAISE)).await;
    assert_eq!(waiting().await, 0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_second_refund_of_a_surplus_is_taken_from_the_earnings() {
    let app = spawn_app_with(slow_gateway).await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let (arrives, fails) = ("refund.processed", "refund.failed");
    // These are the outcomes of the first refund (0), after it has failed, and of the one that an admin then makes (1).
    for (steps, paise_back) in [
        ([(0, arrives), (1, arrives)], 2 * SURPLUS),
        ([(1, arrives), (0, arrives)], 2 * SURPLUS),
        ([(0, arrives), (1, fails)], SURPLUS),
        ([(1, fails), (0, arrives)], SURPLUS),
    ] {
        let job = copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
        let (payment, attempt, first) = pay_too_much(&app, &scene, &job).await;
        report(&app, &own_refund(fails, &first, &attempt, SURPLUS)).await;
        let again = json!({"amount": 100, "reason": "The refund has failed."});
        let again = admin.post(&format!("/payments/{payment}/refunds"), again).await.expect(201);
        let refunds = [first, id_of(&again)];
        for (which, kind) in steps {
            report(&app, &own_refund(kind, &refunds[which], &attempt, SURPLUS)).await;
        }
        let kept = PAISE - paise_back;
        let booked = BTreeMap::from([
            ("gateway_clearing".to_owned(), -kept),
            ("mechanic_held".to_owned(), kept * 85 / 100),
            ("platform_commission".to_owned(), kept * 15 / 100),
        ]);
        assert_eq!(rows::booked_for_job(&app.database.db, &job).await, booked, "{steps:?}");
        let shown = scene.customer.get(&format!("/payments/{payment}")).await.expect(200);
        assert_eq!(shown["refunded_amount"], json!(paise_back as f64 / 100.0), "{steps:?}");
        app.sound_ledger().await;
    }
}

#[actix_web::test]
async fn a_failing_refund_does_not_stop_others() {
    let app = spawn_app_with(|settings| {
        settings.sandbox.delay_min_ms = 0;
        settings.sandbox.delay_max_ms = 0;
    })
    .await;
    let scene = completed(&app).await;
    let next = copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
    let broken = capture(&app, &scene, &scene.job, "pay_unknown").await;
    let sound = paid_online(&app, &scene.customer, &next).await;
    // One batch has a refund that the gateway refuses and that cannot be undone, since nothing was promised, and then a
    // good one.
    let mut tx = app.database.db.begin().await.unwrap();
    for (payment, waits) in [(&broken, 2.0), (&sound, 1.0)] {
        let refund = "insert into refunds (id, payment_id, amount_paise, status, source, next_try_at, created_at, updated_at)
            values (gen_random_uuid(), $1, 10000, 'requested', 'admin', now() - make_interval(mins => 1) * $2, now(),
                now())";
        let refund = sqlx::query(refund).bind(payment.parse::<Uuid>().unwrap()).bind(waits);
        refund.execute(&mut *tx).await.unwrap();
    }
    let refunded = "update payments set refunded_paise = 10000 where id = $1::uuid";
    sqlx::query(refunded).bind(&sound).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    app.service.payments.refund_wakeup.wake();
    until_payment(&scene.customer, &sound, "status", json!("partially_refunded")).await;
    let kept =
        sqlx::query_as("select status, failure from refunds where payment_id = $1::uuid").bind(&broken);
    let (status, failure): (String, Option<String>) = kept.fetch_one(&app.database.db).await.unwrap();
    assert_eq!(status, "requested");
    assert!(failure.is_some(), "it says why it waits");
}

#[actix_web::test]
async fn every_chargeback_holds_cleared_earnings_until_it_ends() {
    let (app, scene) = spawn_completed().await;
    capture(&app, &scene, &scene.job, "pay_a").await;
    clear(&app).await;
    for (id, end) in [("disp_1", "won"), ("disp_2", "closed"), ("disp_3", "won")] {
        assert_eq!(wallet_of(&app, &scene).await, (0, SHARE, 0), "before {id}");
        for step in ["created", "under_review", "created"] {
            report(&app, &dispute(step, id, "pay_a")).await;
            assert_eq!(wallet_of(&app, &scene).await, (SHARE, 0, 0), "{id} {step}");
        }
        wallet::clear_due(&app.service.wallet).await.unwrap();
        assert_eq!(wallet_of(&app, &scene).await, (SHARE, 0, 0), "{id} lasts");
        report(&app, &dispute(end, id, "pay_a")).await;
        report(&app, &dispute("created", id, "pay_a")).await;
        wallet::clear_due(&app.service.wallet).await.unwrap();
        app.sound_ledger().await;
    }
    assert_eq!(wallet_of(&app, &scene).await, (0, SHARE, 0));
    report(&app, &dispute("created", "disp_4", "pay_a")).await;
    report(&app, &dispute("lost", "disp_4", "pay_a")).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, 0, 0));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn earnings_put_back_during_a_chargeback_are_held() {
    let (app, scene) = spawn_completed().await;
    capture(&app, &scene, &scene.job, "pay_a").await;
    clear(&app).await;
    report(&app, &refund("refund.created", "pay_a", PAISE)).await;
    report(&app, &dispute("created", "disp_1", "pay_a")).await;
    assert_eq!(wallet_of(&app, &scene).await, (0, 0, 0));
    report(&app, &refund("refund.failed", "pay_a", PAISE)).await;
    wallet::clear_due(&app.service.wallet).await.unwrap();
    assert_eq!(wallet_of(&app, &scene).await, (SHARE, 0, 0));
    report(&app, &dispute("won", "disp_1", "pay_a")).await;
    wallet::clear_due(&app.service.wallet).await.unwrap();
    assert_eq!(wallet_of(&app, &scene).await, (0, SHARE, 0));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_dashboard_refund_without_a_final_event_is_found_by_query() {
    let app = spawn_app_with(|settings| {
        settings.gateway.reconcile_after_s = 1;
        slow_gateway(settings);
    })
    .await;
    let scene = completed(&app).await;
    let made = order(&scene).await;
    let (id, order_id) = ids_of(&made);
    let paid = pay(&app, order_id, "captured").await;
    let attempt_id = paid["gateway_payment_id"].as_str().unwrap().to_owned();
    report(&app, &event("payment.captured", &attempt_id, order_id, PAISE, "captured")).await;
    // It is made at the gateway, under an id that is not ours.
    let new = NewGatewayRefund {
        refund_id: app.service.random.id(app.now()),
        attempt_id: attempt_id.clone(),
        amount_paise: PAISE,
    };
    let there = app.service.payments.gateway.refund(&new).await.expect("a refund");
    let pending = json!({"event": "refund.created", "payload": {"refund": {"entity": {"id": there.id,
        "payment_id": attempt_id, "amount": PAISE, "currency": "INR", "status": "pending"}}}});
    report(&app, &pending).await;
    app.sql("update sandbox_refunds set settles_at = now()").await;
    until_payment(&scene.customer, id, "status", json!("refunded")).await;
    assert!(rows::booked_for_job(&app.database.db, &scene.job).await.is_empty());
    app.sound_ledger().await;
}
