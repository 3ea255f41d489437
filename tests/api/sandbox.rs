//! The sandbox's payments, reports and memory, as a receiver of its webhooks sees them.

use std::collections::BTreeSet;

use roadcall::{
    app::{self, StartOptions},
    providers::{
        ProviderError,
        gateway::{AttemptStatus, GatewayRefundStatus, NewGatewayRefund},
        payouts::{NewPayout, NewValidation, Payout, PayoutStatus, ValidationOutcome},
    },
    sandbox::PayOutcome,
    service::settings::{SandboxSettings, Settings},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::restart::Server;
use crate::support::{
    TestApp,
    receiver::{Receiver, Told},
    spawn_app, spawn_app_as, spawn_app_with, within,
};

/// Starts the service with a sandbox that sends `receiver` everything, at once unless `alter` changes that.
async fn app_telling(receiver: &Receiver, alter: impl FnOnce(&mut SandboxSettings)) -> TestApp {
    let options = StartOptions { webhooks_to: Some(receiver.webhook_url()), ..StartOptions::default() };
    let settings = |settings: &mut Settings| {
        (settings.sandbox.delay_min_ms, settings.sandbox.delay_max_ms) = (0, 0);
        alter(&mut settings.sandbox);
    };
    spawn_app_as(settings, options).await
}

async fn start_again(app: &mut TestApp, settings: Settings, receiver: &Receiver) {
    let options = StartOptions { webhooks_to: Some(receiver.webhook_url()), ..StartOptions::default() };
    let running = app::start(settings, options).await.expect("the service starts again");
    (app.address, app.service) = (running.address, running.service.clone());
    app.running = Some(running);
}

async fn pay(app: &TestApp, order: &str, outcome: &str) -> Value {
    let path = format!("/sandbox/gateway/orders/{order}/pay");
    app.anonymous().post(&path, json!({"outcome": outcome})).await.expect(200)
}

fn new_payout(app: &TestApp, vpa: &str) -> NewPayout {
    NewPayout {
        withdrawal_id: new_id(app),
        vpa: vpa.to_owned(),
        holder_name: "Ravi Kumar".to_owned(),
        fund_account_id: None,
        amount_paise: 42_000,
        currency: "INR".to_owned(),
    }
}

fn new_id(app: &TestApp) -> Uuid {
    app.service.random.id(app.service.clock.now())
}

fn events(told: &[Told]) -> Vec<&str> {
    told.iter().map(|told| told.event()).collect()
}

#[actix_web::test]
async fn a_captured_payment_is_reported_step_by_step_signed_and_in_order() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(75_050).await;
    let paid = pay(&app, &order, "captured").await;
    let told = receiver.take(3).await;
    assert_eq!(events(&told), ["payment.authorized", "payment.captured", "order.paid"]);
    for told in &told {
        assert!(app.service.payments.webhook_keys.is_genuine(&told.body, &told.signature), "{told:?}");
        let payment = &told.json()["payload"]["payment"]["entity"];
        assert_eq!(payment["id"], paid["gateway_payment_id"]);
        assert_eq!(payment["order_id"], *order);
        assert_eq!((&payment["amount"], &payment["currency"]), (&json!(75_050), &json!("INR")));
        assert_eq!((&payment["method"], &payment["amount_refunded"]), (&json!("upi"), &json!(0)));
    }
    let statuses = told.iter().map(|told| told.json()["payload"]["payment"]["entity"]["status"].clone());
    assert_eq!(statuses.collect::<Vec<_>>(), ["authorized", "captured", "captured"]);
    assert_eq!(told[2].json()["payload"]["order"]["entity"]["status"], "paid");
    let ids: BTreeSet<&str> = told.iter().map(|told| told.event_id.as_str()).collect();
    assert_eq!(ids.len(), 3, "each event has an id of its own");

    let gateway = &app.service.payments.gateway;
    let attempts = gateway.attempts_of(&order).await.unwrap();
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].status, AttemptStatus::Captured);
    let signature = paid["signature"].as_str().unwrap();
    assert!(gateway.is_checkout_genuine(&order, &attempts[0].id, signature));
    assert!(!gateway.is_checkout_genuine(&app.gateway_order(75_050).await, &attempts[0].id, signature));
}

#[actix_web::test]
async fn an_order_is_paid_once_and_may_fail_before() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(10_000).await;
    pay(&app, &order, "failed").await;
    let told = receiver.take(1).await;
    assert_eq!(events(&told), ["payment.failed"]);
    assert_eq!(told[0].json()["payload"]["payment"]["entity"]["error_code"], "BAD_REQUEST_ERROR");
    pay(&app, &order, "captured").await;
    let again = format!("/sandbox/gateway/orders/{order}/pay");
    app.anonymous().post(&again, json!({"outcome": "captured"})).await.refused(409, "CONFLICT");
    app.anonymous().post(&again, json!({"outcome": "maybe"})).await.refused_field("outcome");
    let nowhere = "/sandbox/gateway/orders/order_none/pay";
    app.anonymous().post(nowhere, json!({"outcome": "captured"})).await.refused(404, "NOT_FOUND");
    let statuses = app.service.payments.gateway.attempts_of(&order).await.unwrap();
    let statuses: Vec<AttemptStatus> = statuses.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [AttemptStatus::Failed, AttemptStatus::Captured]);
}

#[actix_web::test]
async fn simultaneous_payments_of_one_order_succeed_once() {
    let app = spawn_app().await;
    let order = app.gateway_order(10_000).await;
    let sandbox = app.service.sandbox.sandbox.clone().unwrap();
    let tries = (0..6).map(|_| sandbox.pay(&order, PayOutcome::Captured, "upi"));
    let paid = futures_util::future::join_all(tries).await;
    assert_eq!(paid.iter().filter(|paid| paid.is_ok()).count(), 1, "{paid:?}");
}

#[actix_web::test]
async fn an_expired_order_is_not_paid() {
    let app = spawn_app_with(|settings| settings.gateway.order_ttl_s = 0).await;
    let order = app.gateway_order(10_000).await;
    let path = format!("/sandbox/gateway/orders/{order}/pay");
    app.anonymous().post(&path, json!({"outcome": "captured"})).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn an_authorized_payment_is_captured_once() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(10_000).await;
    pay(&app, &order, "authorized").await;
    assert_eq!(events(&receiver.take(1).await), ["payment.authorized"]);
    let gateway = &app.service.payments.gateway;
    let attempt = gateway.attempts_of(&order).await.unwrap().remove(0);
    let captured = gateway.capture(&attempt).await.unwrap();
    assert_eq!(captured.status, AttemptStatus::Captured);
    assert_eq!(gateway.capture(&attempt).await, Ok(captured.clone()), "again: as it is");
    assert_eq!(gateway.attempt(&attempt.id).await, Ok(Some(captured)));
    assert_eq!(events(&receiver.take(2).await), ["payment.captured", "order.paid"]);
}

#[actix_web::test]
async fn refunds_are_paid_once_and_never_exceed_the_payment() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(10_000).await;
    let paid = pay(&app, &order, "captured").await;
    receiver.take(3).await;
    let attempt_id = paid["gateway_payment_id"].as_str().unwrap().to_owned();
    let new =
        NewGatewayRefund { refund_id: new_id(&app), attempt_id: attempt_id.clone(), amount_paise: 4_000 };
    let gateway = &app.service.payments.gateway;
    let tries = futures_util::future::join_all((0..5).map(|_| gateway.refund(&new))).await;
    let ids: BTreeSet<String> = tries.into_iter().map(|refund| refund.unwrap().id).collect();
    assert_eq!(ids.len(), 1);
    let told = receiver.take(2).await;
    assert_eq!(events(&told), ["refund.created", "refund.processed"]);
    let payload = told[1].json()["payload"].clone();
    let refund = &payload["refund"]["entity"];
    assert_eq!((&refund["amount"], &refund["status"]), (&json!(4_000), &json!("processed")));
    assert_eq!(refund["receipt"], json!(new.refund_id));
    assert_eq!(refund["payment_id"], *attempt_id);
    assert_eq!(payload["payment"]["entity"]["amount_refunded"], 4_000);

    let other = NewGatewayRefund { amount_paise: 3_000, ..new.clone() };
    assert!(matches!(gateway.refund(&other).await, Err(ProviderError::Refused { .. })), "the key was used");
    let more = NewGatewayRefund { refund_id: new_id(&app), amount_paise: 6_001, ..new.clone() };
    assert!(matches!(gateway.refund(&more).await, Err(ProviderError::Refused { .. })), "more than is left");
    let rest = NewGatewayRefund { refund_id: new_id(&app), amount_paise: 6_000, ..new.clone() };
    gateway.refund(&rest).await.unwrap();
    let refunds = gateway.refunds_of(&attempt_id).await.unwrap();
    let ours: Vec<Option<Uuid>> = refunds.iter().map(|refund| refund.refund_id).collect();
    assert_eq!(ours, [Some(new.refund_id), Some(rest.refund_id)]);
    assert!(refunds.iter().all(|refund| refund.status == GatewayRefundStatus::Processed));
    assert_eq!(gateway.attempt(&attempt_id).await.unwrap().unwrap().status, AttemptStatus::Refunded);
}

/// Waits until the payout has ended.
async fn ended(app: &TestApp, id: &str, status: PayoutStatus) -> Payout {
    let look = async {
        loop {
            let payout = app.service.wallet.payouts.payout(id).await.unwrap().expect("a payout");
            if payout.status == status {
                return payout;
            }
        }
    };
    within("the payout ends", look).await
}

#[actix_web::test]
async fn repeated_calls_make_a_payout_once() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let new = new_payout(&app, "ravi@upi");
    let tries =
        futures_util::future::join_all((0..8).map(|_| app.service.wallet.payouts.pay_out(&new))).await;
    let ids: BTreeSet<String> = tries.into_iter().map(|payout| payout.unwrap().id).collect();
    assert_eq!(ids.len(), 1);
    let told = receiver.take(1).await;
    assert_eq!(events(&told), ["payout.processed"]);
    let entity = &told[0].json()["payload"]["payout"]["entity"];
    assert_eq!((&entity["amount"], &entity["reference_id"]), (&json!(42_000), &json!(new.withdrawal_id)));
    let payout = ended(&app, ids.first().unwrap(), PayoutStatus::Processed).await;
    assert_eq!(payout.withdrawal_id, Some(new.withdrawal_id));
    assert_eq!(entity["utr"], json!(payout.utr.expect("the bank's reference")));
    let other = NewPayout { amount_paise: 1, ..new };
    assert!(matches!(app.service.wallet.payouts.pay_out(&other).await, Err(ProviderError::Refused { .. })));
    assert_eq!(receiver.count(), 1, "and is told once");
}

#[actix_web::test]
async fn the_address_determines_how_a_payout_ends() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let failing = app.service.wallet.payouts.pay_out(&new_payout(&app, "failure@upi")).await.unwrap();
    let told = receiver.take(1).await;
    assert_eq!(events(&told), ["payout.failed"]);
    assert!(told[0].json()["payload"]["payout"]["entity"]["failure_reason"].is_string());
    assert!(ended(&app, &failing.id, PayoutStatus::Failed).await.failure.is_some());
    let reversed = app.service.wallet.payouts.pay_out(&new_payout(&app, "Reversed@upi")).await.unwrap();
    assert_eq!(events(&receiver.take(2).await), ["payout.processed", "payout.reversed"]);
    ended(&app, &reversed.id, PayoutStatus::Reversed).await;
    assert_eq!(app.service.wallet.payouts.payout("pout_none").await, Ok(None));
}

#[actix_web::test]
async fn the_address_determines_its_owner() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    let active = |name: &str| ValidationOutcome::Active { name_at_bank: name.to_owned() };
    let cases = [
        ("ravi@upi", active("RAVI KUMAR"), "active"),
        ("mismatch7@upi", active("Someone Else"), "active"),
        ("invalid@upi", ValidationOutcome::Invalid, "invalid"),
    ];
    for (vpa, outcome, account_status) in cases {
        let (upi_account_id, holder_name) = (new_id(&app), "Ravi Kumar".to_owned());
        let new = NewValidation { upi_account_id, vpa: vpa.to_owned(), holder_name };
        let asked = app.service.wallet.payouts.validate(&new).await.unwrap();
        let told = receiver.take(1).await;
        assert_eq!(events(&told), ["fund_account.validation.completed"]);
        let entity = told[0].json()["payload"]["fund_account.validation"]["entity"].clone();
        assert_eq!(entity["id"], json!(asked.id));
        assert_eq!(entity["results"]["account_status"], json!(account_status));
        let known = app.service.wallet.payouts.validation(&asked.id).await.unwrap().expect("it was asked");
        assert_eq!(known.outcome, outcome, "{vpa}");
        assert_eq!(
            app.service.wallet.payouts.validate(&new).await.unwrap().id,
            known.id,
            "the same account asks once"
        );
    }
    assert_eq!(receiver.count(), 3);
}

#[actix_web::test]
async fn webhooks_come_twice_if_so_configured() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |sandbox| sandbox.duplicate_percent = 100).await;
    let order = app.gateway_order(10_000).await;
    pay(&app, &order, "captured").await;
    let told = receiver.take(6).await;
    let distinct: BTreeSet<(&str, &[u8])> =
        told.iter().map(|told| (told.event_id.as_str(), told.body.as_ref())).collect();
    assert_eq!(distinct.len(), 3, "a duplicate is the same to the letter");
}

#[actix_web::test]
async fn webhooks_overtake_each_other_if_so_configured() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |sandbox| sandbox.reorder_percent = 50).await;
    let in_order = ["payment.authorized", "payment.captured", "order.paid"];
    let mut orders: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut count = 0;
    // This happens every other time; that none of so many is reordered has a chance of 1 in 10^12.
    while orders.iter().all(|order| *order == in_order) && count < 40 {
        count += 1;
        let order = app.gateway_order(10_000).await;
        pay(&app, &order, "captured").await;
        let told = receiver.take(3).await;
        orders.insert(told.iter().map(|told| told.event().to_owned()).collect());
    }
    assert!(orders.iter().any(|order| *order != in_order), "{orders:?}");
    for order in orders {
        assert_eq!(BTreeSet::from_iter(order.iter().map(String::as_str)), BTreeSet::from(in_order));
    }
}

#[actix_web::test]
async fn refused_webhooks_are_sent_again() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |_| {}).await;
    receiver.refuse(2);
    let order = app.gateway_order(10_000).await;
    pay(&app, &order, "failed").await;
    let told = receiver.take(3).await;
    let ids: BTreeSet<&str> = told.iter().map(|told| told.event_id.as_str()).collect();
    assert_eq!(ids.len(), 1, "{told:?}");
}

#[actix_web::test]
async fn undelivered_webhooks_are_sent_after_a_restart() {
    let receiver = Receiver::start().await;
    let mut app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(10_000).await;
    // Every webhook is refused as long as the first process lives.
    receiver.refuse(usize::MAX);
    pay(&app, &order, "captured").await;
    receiver.take(1).await;
    let settings = Settings::clone(&app.service.settings);
    app.stop().await;
    receiver.refuse(0);
    receiver.forget();
    start_again(&mut app, settings, &receiver).await;
    let told = receiver.take(3).await;
    let told: BTreeSet<&str> = told.iter().map(|told| told.event()).collect();
    assert_eq!(told, BTreeSet::from(["order.paid", "payment.authorized", "payment.captured"]));
    let attempts = app.service.payments.gateway.attempts_of(&order).await.unwrap();
    assert_eq!(attempts.len(), 1, "and the gateway remembers");
}

#[actix_web::test]
async fn after_kill_9_a_payment_is_remembered_and_reported() {
    let receiver = Receiver::start().await;
    let mut app = app_telling(&receiver, |_| {}).await;
    let order = app.gateway_order(10_000).await;
    let settings = Settings::clone(&app.service.settings);
    app.stop().await;
    // Nothing is due before the kill.
    let slow = [("ROADCALL__SANDBOX__DELAY_MIN_MS", "3000"), ("ROADCALL__SANDBOX__DELAY_MAX_MS", "3000")];
    let mut server = Server::start_with(&app, &slow);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    let paid = pay(&app, &order, "captured").await;
    server.kill();
    start_again(&mut app, settings, &receiver).await;
    let told = receiver.take(3).await;
    assert_eq!(events(&told), ["payment.authorized", "payment.captured", "order.paid"]);
    for told in &told {
        assert_eq!(told.json()["payload"]["payment"]["entity"]["id"], paid["gateway_payment_id"]);
        assert!(
            app.service.payments.webhook_keys.is_genuine(&told.body, &told.signature),
            "the secret is still the same"
        );
    }
}

#[actix_web::test]
async fn calls_fail_before_or_after_their_effect_if_so_configured() {
    let receiver = Receiver::start().await;
    let app = app_telling(&receiver, |sandbox| sandbox.failure_percent = 100).await;
    let (mut before, mut after) = (0, 0);
    for _ in 0..40 {
        match app.service.wallet.payouts.pay_out(&new_payout(&app, "ravi@upi")).await {
            Err(ProviderError::Unavailable(_)) => before += 1,
            Err(ProviderError::Unknown(_)) => after += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(before > 0 && after > 0, "{before} before, {after} after");
    assert_eq!(receiver.take(after).await.len(), after, "what happened is told");
    let made: i64 = app.value("select count(*) from sandbox_payouts", &[]).await;
    assert_eq!(made, after as i64);
}

#[actix_web::test]
async fn the_sandbox_prints_no_secrets() {
    let app = spawn_app_with(|settings| {
        settings.gateway.key_secret = roadcall::platform::settings::Secret("hunter2-key".to_owned());
        settings.gateway.webhook_secret = roadcall::platform::settings::Secret("hunter2-webhook".to_owned());
    })
    .await;
    let printed = format!("{:?} {:?}", app.service.sandbox, app.service.payments.webhook_keys);
    assert!(printed.contains("Sandbox") && !printed.contains("hunter2"), "{printed}");
}
