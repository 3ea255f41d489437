use roadcall::accounting::ledger;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{completed, event, ids_of, order, paid_online, spawn_ordered, until_payment};
use crate::support::{Client, TestApp, roadside::Scene, rows::until_blocked, spawn_app, spawn_with_admin};

/// Returns a paid job, and its payment's id.
async fn paid(app: &TestApp) -> (Scene, String) {
    let scene = completed(app).await;
    let id = paid_online(app, &scene.customer, &scene.job).await;
    (scene, id)
}

async fn refund(admin: &Client, id: &str, body: Value) -> crate::support::Answer {
    admin.post(&format!("/payments/{id}/refunds"), body).await
}

#[actix_web::test]
async fn partial_refunds_and_the_rest_are_each_shared() {
    let (app, admin) = spawn_with_admin().await;
    let (scene, id) = paid(&app).await;
    let made = refund(&admin, &id, json!({"amount": 100, "reason": "flat again"})).await.expect(201);
    assert_eq!((&made["status"], &made["source"]), (&json!("pending"), &json!("admin")));
    until_payment(&scene.customer, &id, "status", json!("partially_refunded")).await;
    // This is 85 % of 199.00.
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 16_915);
    app.sound_ledger().await;
    refund(&admin, &id, json!({"amount": 199.01, "reason": "all"})).await.refused_field("amount");
    refund(&admin, &id, json!({"reason": "all"})).await.expect(201);
    until_payment(&scene.customer, &id, "status", json!("refunded")).await;
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 0);
    refund(&admin, &id, json!({"amount": 0.01, "reason": "more"})).await.refused_field("amount");
    let audit = app.sound_ledger().await;
    assert_eq!(audit.transactions, 5, "a capture, two promises, two ways out");
}

#[actix_web::test]
async fn bad_amounts_name_their_field_and_only_captured_money_is_refunded() {
    let (app, admin) = spawn_with_admin().await;
    let (first, id) = paid(&app).await;
    for amount in [json!(0), json!(-1), json!(1.005), json!(300)] {
        refund(&admin, &id, json!({"amount": amount, "reason": "x"})).await.refused_field("amount");
    }
    // Otherwise the next job would be offered to them: they have been free for longer.
    first.mechanic.go_offline().await;
    let scene = completed(&app).await;
    let open = order(&scene).await;
    refund(&admin, ids_of(&open).0, json!({"amount": 5, "reason": "x"}))
        .await
        .refused(409, "INVALID_TRANSITION");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_lost_chargeback_is_taken_from_the_sharing_parties() {
    let app = spawn_app().await;
    let (scene, id) = paid(&app).await;
    let payment = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    let about = |kind: &str| {
        json!({"event": kind, "payload": {
            "payment": {"entity": {"id": payment["gateway_payment_id"], "amount": 29900, "currency": "INR",
                "status": "captured", "order_id": payment["gateway_order_id"]}},
            "dispute": {"entity": {"id": "disp_1", "payment_id": payment["gateway_payment_id"], "amount": 29900,
                "reason_code": "goods_or_services_not_received_or_partially_received"}},
        }})
    };
    for kind in ["payment.dispute.lost", "payment.dispute.created", "payment.dispute.won"] {
        assert_eq!(app.webhook(&about(kind)).await.expect(200)["status"], "ok", "{kind}");
        assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 0, "{kind}");
    }
    let payment = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!(payment["status"], "refunded");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_refund_in_another_currency_is_never_booked() {
    let app = spawn_app().await;
    let (scene, id) = paid(&app).await;
    let payment = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    let about = |kind: &str, currency: Value| {
        let entity = json!({"id": "rfnd_7", "payment_id": payment["gateway_payment_id"], "amount": 29900,
            "currency": currency, "status": "processed", "reason_code": "fraud"});
        json!({"event": kind, "payload": {"refund": {"entity": entity}, "dispute": {"entity": entity}}})
    };
    for (kind, currency) in [
        ("refund.processed", json!("USD")),
        ("refund.processed", json!("inr")),
        ("refund.processed", Value::Null),
        ("payment.dispute.lost", json!("USD")),
    ] {
        app.webhook(&about(kind, currency.clone())).await.expect(200);
        let events = app.admin().await.list("/admin/webhook-events?limit=20").await;
        // The gateway's own events about the payment may come later.
        let event = events.iter().find(|event| event["event"] == kind).expect("the event");
        assert!(
            event["status"] != "processed" && event["last_error"] != Value::Null,
            "{kind} {currency}: {event}"
        );
        let after = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
        assert_eq!(after["status"], "captured", "{kind} in {currency}");
    }
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 25_415);
    app.sound_ledger().await;
    app.webhook(&about("refund.processed", json!("INR"))).await.expect(200);
    let after = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!(after["status"], "refunded");
}

#[actix_web::test]
async fn a_failed_refund_is_put_back_and_a_late_success_is_taken_again() {
    let (app, scene, made) = spawn_ordered().await;
    let (id, order_id) = ids_of(&made);
    app.webhook(&event("payment.captured", "pay_9", order_id, 29_900, "captured")).await.expect(200);
    let about = |kind: &str, status: &str| {
        json!({"event": kind, "payload": {"refund": {"entity": {"id": "rfnd_9", "payment_id": "pay_9",
            "amount": 29900, "currency": "INR", "status": status}}}})
    };
    let held = || async { app.balances(&scene.mechanic.profile_id).await.held_paise };
    app.webhook(&about("refund.created", "pending")).await.expect(200);
    assert_eq!(held().await, 0);
    app.webhook(&about("refund.failed", "failed")).await.expect(200);
    assert_eq!(held().await, 25_415);
    app.sound_ledger().await;
    app.webhook(&about("refund.processed", "processed")).await.expect(200);
    assert_eq!(held().await, 0);
    let payment = scene.customer.get(&format!("/payments/{id}")).await.expect(200);
    assert_eq!(payment["status"], "refunded");
    app.sound_ledger().await;
}

/// The seed of the wallets' lock keys, as in `accounting/ledger`.
const LOCK_SEED: i64 = 0x6c65_6467_6572;

#[actix_web::test]
async fn a_shared_refund_locks_both_wallets_in_order_before_it_takes_from_either() {
    let app = spawn_app().await;
    let (admin, db) = (app.admin().await, &app.database.db);
    let (scene, id) = paid(&app).await;
    scene.mechanic.go_offline().await;
    let (other, _) = paid(&app).await;
    let [one, two] = [&scene, &other].map(|scene| scene.mechanic.profile_id.parse::<Uuid>().unwrap());
    let order =
        "select mechanic from unnest(array[$1, $2]) mechanic order by uuid_hash_extended(mechanic, $3)";
    let order: Vec<Uuid> =
        sqlx::query_scalar(order).bind(one).bind(two).bind(LOCK_SEED).fetch_all(db).await.unwrap();
    let [first, last] = order[..] else { panic!("{order:?}") };
    // Half of the payment is the other mechanic's, all of it has cleared, and it is taken from `last` before `first`.
    let half =
        "update earnings set mechanic_profile_id = $2, gross_paise = gross_paise / 2, commission_paise = 0,
            tax_paise = 0, share_paise = gross_paise / 2, held_paise = 0, cleared_at = now(),
            id = '00000000-0000-0000-0000-000000000001'
        where payment_id = $1";
    let payment: Uuid = id.parse().unwrap();
    sqlx::query(half).bind(payment).bind(last).execute(db).await.unwrap();
    let other_half = "insert into earnings select (jsonb_populate_record(e, jsonb_build_object(
            'id', gen_random_uuid(), 'mechanic_profile_id', $2, 'job_id', $3))).*
        from earnings e where payment_id = $1";
    let job: Uuid = other.job.parse().unwrap();
    sqlx::query(other_half).bind(payment).bind(first).bind(job).execute(db).await.unwrap();

    let mut holder = app.service.db.begin().await.unwrap();
    ledger::lock(&mut holder, &[first]).await.unwrap();
    let refunding = refund(&admin, &id, json!({"amount": 200, "reason": "both"}));
    let looking = async {
        until_blocked(db).await;
        let mut third = app.service.db.begin().await.unwrap();
        let is_free = "select pg_try_advisory_xact_lock(uuid_hash_extended($1, $2))";
        let is_free: bool =
            sqlx::query_scalar(is_free).bind(last).bind(LOCK_SEED).fetch_one(&mut *third).await.unwrap();
        assert!(is_free, "a wallet is locked while the one before it is waited for: this can deadlock");
        third.rollback().await.unwrap();
        holder.rollback().await.unwrap();
    };
    let (refunded, ()) = tokio::join!(refunding, looking);
    refunded.expect(201);
}
