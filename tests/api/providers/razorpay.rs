//! Razorpay's adapters against a peer that responds as documented.

use std::sync::Arc;

use roadcall::{
    platform::{db::testing::fresh_database, keys::KeyRing},
    providers::{
        ProviderError,
        gateway::{Attempt, AttemptStatus, Gateway, GatewayRefundStatus, NewGatewayOrder, NewGatewayRefund},
        payouts::{NewPayout, NewValidation, PayoutStatus, Payouts, ValidationOutcome},
    },
    service::{
        MoneyProviders,
        settings::{GatewayProvider, PayoutProvider, Secret, Settings},
    },
};
use roadcall_actors::{clock::Clock, random::Random};
use serde_json::json;
use uuid::Uuid;

use crate::support::{
    AssertFields,
    peer::{Manner, says},
    razorpay::{ACCOUNT, KEY_ID, KEY_SECRET, RazorpayPeer, error},
    within,
};

/// A timeout that is much longer than a peer on this machine takes.
const PATIENT_MS: u64 = 20_000;
const ORDER: &str = "order_9A33XWu170gUtm";
const PAYMENT: &str = "pay_29QQoUBi66xm2f";

fn settings(url: &str) -> Settings {
    let mut settings = Settings::defaults();
    settings.gateway.provider = GatewayProvider::Razorpay;
    settings.gateway.base_url = url.to_owned();
    settings.gateway.key_id = KEY_ID.to_owned();
    settings.gateway.key_secret = Secret(KEY_SECRET.to_owned());
    settings.gateway.webhook_secret = Secret("whsec_hidden_from_all".to_owned());
    settings.gateway.timeout_ms = PATIENT_MS;
    settings.payouts.provider = PayoutProvider::Razorpay;
    settings.payouts.account_number = ACCOUNT.to_owned();
    settings.payouts.timeout_ms = PATIENT_MS;
    settings
}

async fn providers(settings: &Settings) -> MoneyProviders {
    roadcall::platform::https::install_tls_provider();
    settings.check().expect("sound settings");
    let database = fresh_database().await;
    let (clock, random) = (Clock::system(), Random::system());
    let secrets = |purpose: &str| KeyRing::alone(purpose.to_owned());
    MoneyProviders::start(settings, &database.db, &clock, &random, secrets).expect("providers")
}

async fn gateway() -> (RazorpayPeer, Arc<dyn Gateway>) {
    let peer = RazorpayPeer::start().await;
    let providers = providers(&settings(&peer.url())).await;
    (peer, providers.gateway)
}

async fn payouts() -> (RazorpayPeer, Arc<dyn Payouts>) {
    let peer = RazorpayPeer::start().await;
    let providers = providers(&settings(&peer.url())).await;
    (peer, providers.payouts)
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0000 + number)
}

fn new_order() -> NewGatewayOrder {
    NewGatewayOrder { payment_id: id(1), amount_paise: 75_050, currency: "INR".to_owned() }
}

fn new_refund(number: u128) -> NewGatewayRefund {
    NewGatewayRefund { refund_id: id(number), attempt_id: PAYMENT.to_owned(), amount_paise: 20_050 }
}

fn new_payout() -> NewPayout {
    NewPayout {
        withdrawal_id: id(3),
        vpa: "ravi@upi".to_owned(),
        holder_name: "Ravi Kumar".to_owned(),
        fund_account_id: None,
        amount_paise: 123_456,
        currency: "INR".to_owned(),
    }
}

fn new_validation() -> NewValidation {
    let holder_name = "Ravi Kumar".to_owned();
    NewValidation { upi_account_id: id(4), vpa: "ravi@upi".to_owned(), holder_name }
}

fn authorized() -> Attempt {
    Attempt {
        id: PAYMENT.to_owned(),
        order_id: Some(ORDER.to_owned()),
        amount_paise: 75_050,
        currency: "INR".to_owned(),
        status: AttemptStatus::Authorized,
        method: None,
        error: None,
    }
}

#[actix_web::test]
async fn an_order_is_made_in_paise_with_our_payment_as_its_receipt() {
    let (peer, gateway) = gateway().await;
    let order = gateway.create_order(&new_order()).await.unwrap();
    assert_eq!((order.id.as_str(), order.amount_paise, order.is_paid), (ORDER, 75_050, false));
    let asked = peer.last();
    assert_eq!(asked.line(), "POST /v1/orders");
    asked.json().assert_fields(json!({"amount": 75_050, "currency": "INR", "receipt": id(1)}));
    assert_eq!((gateway.name(), gateway.key_id()), ("razorpay", KEY_ID));
}

#[actix_web::test]
async fn attempts_are_read_in_their_current_state() {
    let (peer, gateway) = gateway().await;
    assert_eq!(gateway.attempts_of(ORDER).await, Ok(Vec::new()));
    peer.has_payment("pay_failed", Some(ORDER), 75_050, "failed");
    peer.has_payment(PAYMENT, Some(ORDER), 75_050, "captured");
    peer.has_payment("pay_alone", None, 100, "refunded");
    let attempts = gateway.attempts_of(ORDER).await.unwrap();
    let statuses: Vec<AttemptStatus> = attempts.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [AttemptStatus::Failed, AttemptStatus::Captured]);
    assert_eq!(attempts[0].error.as_deref(), Some("Payment failed"));
    assert_eq!(attempts[1].method.as_deref(), Some("upi"));
    let alone = gateway.attempt("pay_alone").await.unwrap().expect("it exists");
    assert_eq!((alone.order_id, alone.status), (None, AttemptStatus::Refunded));
    assert_eq!(gateway.attempt("pay_none").await, Ok(None));
    let asked = peer.count();
    for odd in ["../orders", "pay_1/refunds", "", "pay 1", "pay_1?count=1"] {
        assert_eq!(gateway.attempt(odd).await, Ok(None), "{odd:?}");
        assert_eq!(gateway.attempts_of(odd).await, Ok(Vec::new()), "{odd:?}");
        let attempt = Attempt { id: odd.to_owned(), ..authorized() };
        assert!(matches!(gateway.capture(&attempt).await, Err(ProviderError::Refused { .. })), "{odd:?}");
        assert!(matches!(gateway.refunds_of(odd).await, Err(ProviderError::Refused { .. })), "{odd:?}");
    }
    assert_eq!(peer.count(), asked, "none of these reaches a URL");
}

#[actix_web::test]
async fn a_capture_returns_the_payment_even_if_somebody_else_captured_it() {
    let (peer, gateway) = gateway().await;
    peer.has_payment(PAYMENT, Some(ORDER), 75_050, "authorized");
    let captured = gateway.capture(&authorized()).await.unwrap();
    assert_eq!(captured.status, AttemptStatus::Captured);
    assert_eq!(peer.last().json(), json!({"amount": 75_050, "currency": "INR"}));
    assert_eq!(gateway.capture(&authorized()).await, Ok(captured), "captured already");
    peer.has_payment("pay_failed", Some(ORDER), 75_050, "failed");
    let failed = Attempt { id: "pay_failed".to_owned(), ..authorized() };
    assert!(matches!(gateway.capture(&failed).await, Err(ProviderError::Refused { .. })));
}

#[actix_web::test]
async fn a_refund_is_made_once_even_after_its_key_was_forgotten() {
    let (peer, gateway) = gateway().await;
    peer.has_payment(PAYMENT, Some(ORDER), 75_050, "captured");
    let refund = gateway.refund(&new_refund(5)).await.unwrap();
    assert_eq!((refund.amount_paise, refund.status), (20_050, GatewayRefundStatus::Pending));
    assert_eq!((refund.refund_id, refund.attempt_id.as_str()), (Some(id(5)), PAYMENT));
    let asked = peer.last();
    assert_eq!(asked.line(), format!("POST /v1/payments/{PAYMENT}/refund"));
    assert_eq!(asked.header("x-refund-idempotency"), Some(&*id(5).to_string()));
    assert_eq!((&asked.json()["amount"], &asked.json()["receipt"]), (&json!(20_050), &json!(id(5))));
    peer.forget_keys();
    assert_eq!(gateway.refund(&new_refund(5)).await, Ok(refund.clone()));
    gateway.refund(&new_refund(6)).await.unwrap();
    assert_eq!(peer.made().0, 2, "another refund is another one");
    assert_eq!(gateway.refunds_of(PAYMENT).await.unwrap()[0], refund);
    let more = NewGatewayRefund { amount_paise: 75_051, ..new_refund(7) };
    let refused = gateway.refund(&more).await.unwrap_err();
    assert!(refused.to_string().contains("greater than the refund payment amount"), "{refused}");
}

#[actix_web::test]
async fn a_refund_whose_answer_was_lost_is_found_again() {
    let (peer, gateway) = gateway().await;
    peer.has_payment(PAYMENT, Some(ORDER), 75_050, "captured");
    peer.answer_at("POST ", says(500, error("SERVER_ERROR", "We are facing some trouble")));
    assert!(matches!(gateway.refund(&new_refund(5)).await, Err(ProviderError::Unknown(_))));
    peer.answer_at("POST ", says(409, error("BAD_REQUEST_ERROR", "Request in progress")));
    assert!(matches!(gateway.refund(&new_refund(5)).await, Err(ProviderError::Unknown(_))));
    peer.answer_as(Manner::Documented);
    gateway.refund(&new_refund(5)).await.unwrap();
    assert_eq!(peer.made().0, 1);
}

#[actix_web::test]
async fn the_owner_of_an_address_is_looked_up_with_a_contact_and_a_fund_account() {
    let (peer, payouts) = payouts().await;
    let asked = payouts.validate(&new_validation()).await.unwrap();
    assert_eq!(asked.outcome, ValidationOutcome::Pending);
    assert_eq!(asked.fund_account_id.as_deref(), Some("fa_00000000000001"));
    let path = ["POST /v1/contacts", "POST /v1/fund_accounts", "POST /v1/fund_accounts/validations"];
    assert_eq!(peer.lines(), path);
    assert_eq!(peer.requests()[1].json()["vpa"], json!({"address": "ravi@upi"}));
    assert_eq!(peer.last().json()["fund_account"], json!({"id": "fa_00000000000001"}));
    assert_eq!(peer.last().json()["account_number"], ACCOUNT);

    peer.validated("completed", Some("active"), Some("RAVI KUMAR"));
    let known = payouts.validation(&asked.id).await.unwrap().expect("it exists");
    assert_eq!(known.outcome, ValidationOutcome::Active { name_at_bank: "RAVI KUMAR".to_owned() });
    peer.validated("completed", Some("invalid"), None);
    let known = payouts.validation(&asked.id).await.unwrap().expect("it exists");
    assert_eq!(known.outcome, ValidationOutcome::Invalid);
    peer.validated("failed", None, None);
    assert!(matches!(payouts.validation(&asked.id).await, Err(ProviderError::Refused { .. })));
    assert_eq!(payouts.validation("fav_none").await, Ok(None));
    assert_eq!(payouts.validation("../payouts").await, Ok(None));
}

#[actix_web::test]
async fn a_payout_is_made_once_even_after_its_key_was_forgotten() {
    let (peer, payouts) = payouts().await;
    let made = payouts.pay_out(&new_payout()).await.unwrap();
    assert_eq!((made.amount_paise, made.status), (123_456, PayoutStatus::Pending));
    assert_eq!(made.withdrawal_id, Some(id(3)));
    let asked = peer.last();
    assert_eq!(asked.header("x-payout-idempotency"), Some(&*id(3).to_string()));
    asked.json().assert_fields(json!({"account_number": ACCOUNT, "fund_account_id": "fa_00000000000001",
        "amount": 123_456, "currency": "INR", "mode": "UPI", "reference_id": id(3)}));
    peer.forget_keys();
    assert_eq!(payouts.pay_out(&new_payout()).await, Ok(made.clone()));
    assert_eq!(peer.made().1, 1);

    peer.paid_out("processed", Some("933815383814"), None);
    let known = payouts.payout(&made.id).await.unwrap().expect("it exists");
    assert_eq!((known.status, known.utr.as_deref()), (PayoutStatus::Processed, Some("933815383814")));
    assert_eq!(known.failure, None);
    peer.paid_out("reversed", None, Some("The beneficiary's bank is closed"));
    let known = payouts.payout(&made.id).await.unwrap().expect("it exists");
    assert_eq!(known.status, PayoutStatus::Reversed);
    assert_eq!(known.failure.as_deref(), Some("The beneficiary's bank is closed"));
    peer.paid_out("dreaming", None, None);
    assert!(matches!(payouts.payout(&made.id).await, Err(ProviderError::Unknown(_))));
    assert_eq!(payouts.payout("pout_none").await, Ok(None));
}

#[actix_web::test]
async fn a_known_fund_account_is_paid_to_at_once() {
    let (peer, payouts) = payouts().await;
    let new = NewPayout { fund_account_id: Some("fa_00000000000009".to_owned()), ..new_payout() };
    payouts.pay_out(&new).await.unwrap();
    assert_eq!(peer.last().json()["fund_account_id"], "fa_00000000000009");
    assert_eq!(peer.count(), 2, "a look, and the payout: {:?}", peer.lines());
}

#[actix_web::test]
async fn every_failure_has_its_name() {
    let (peer, gateway) = gateway().await;
    let refused = |code: &str, description: &str| ProviderError::Refused {
        code: code.to_owned(),
        description: description.to_owned(),
    };
    let unavailable = |why: &str| ProviderError::Unavailable(why.to_owned());
    let unknown = |why: &str| ProviderError::Unknown(why.to_owned());
    let unread = unknown("the answer does not have the documented form");
    let other = r#"{"id":"order_1","amount":1,"currency":"INR","status":"created"}"#;
    let bad = error("BAD_REQUEST_ERROR", "Order amount less than minimum amount allowed");
    let long = error("BAD_REQUEST_ERROR", &format!("a\nb{}", "x".repeat(300)));
    let cases = [
        (
            says(400, bad.clone()),
            refused("BAD_REQUEST_ERROR", "Order amount less than minimum amount allowed"),
        ),
        (says(400, long), refused("BAD_REQUEST_ERROR", &format!("ab{}", "x".repeat(198)))),
        (says(403, error("FORBIDDEN", "Access denied")), refused("FORBIDDEN", "Access denied")),
        (
            says(401, error("BAD_REQUEST_ERROR", "Authentication failed")),
            unavailable("the key is not accepted"),
        ),
        (says(429, error("BAD_REQUEST_ERROR", "Too many requests")), unavailable("status 429")),
        (says(429, "slow down"), unavailable("status 429")),
        (says(400, "<html>"), unknown("status 400")),
        (says(408, ""), unknown("status 408")),
        (says(409, bad), unknown("status 409")),
        (says(500, error("SERVER_ERROR", "We are facing some trouble")), unknown("status 500")),
        (says(502, error("GATEWAY_ERROR", "A bank is down")), unknown("status 502")),
        (says(302, ""), unknown("status 302")),
        (says(200, ""), unread.clone()),
        (says(200, "{"), unread.clone()),
        (says(200, "<html>"), unread.clone()),
        (says(200, r#"{"id":"order_1"}"#), unread.clone()),
        (says(200, r#"{"id":"order_1","amount":"75050","currency":"INR","status":"created"}"#), unread),
        (says(200, other), unknown("the answer is about another order")),
        (says(200, " ".repeat(1024 * 1024 + 1)), unknown("the answer is larger than 1048576 bytes")),
        (Manner::Cut(200), unknown("the connection was cut")),
    ];
    for (manner, error) in cases {
        peer.answer_as(manner.clone());
        let made = within("an answer", gateway.create_order(&new_order())).await;
        assert_eq!(made, Err(error), "{manner:?}");
    }
    peer.answer_as(Manner::Documented);
    assert!(gateway.create_order(&new_order()).await.is_ok(), "and it works");
    peer.die().await;
    assert_eq!(gateway.create_order(&new_order()).await, Err(unavailable("no connection")));
}

#[actix_web::test]
async fn a_silent_peer_is_abandoned_by_all_adapters() {
    let peer = RazorpayPeer::start().await;
    peer.answer_as(Manner::Silent);
    let mut settings = settings(&peer.url());
    (settings.gateway.timeout_ms, settings.payouts.timeout_ms) = (100, 100);
    let providers = providers(&settings).await;
    let made = within("an answer", providers.gateway.create_order(&new_order())).await;
    assert_eq!(made, Err(ProviderError::Unknown("no answer in time".to_owned())));
    let made = within("an answer", providers.payouts.pay_out(&new_payout())).await;
    assert_eq!(made, Err(ProviderError::Unavailable("no answer in time".to_owned())), "it was only looked");
}

#[actix_web::test]
async fn a_payout_whose_answer_was_lost_is_uncertain_and_then_found() {
    let (peer, payouts) = payouts().await;
    let new = NewPayout { fund_account_id: Some("fa_00000000000009".to_owned()), ..new_payout() };
    peer.answer_at("POST ", says(504, ""));
    assert!(matches!(payouts.pay_out(&new).await, Err(ProviderError::Unknown(_))));
    peer.answer_at("POST ", says(400, error("BAD_REQUEST_ERROR", "Not enough balance")));
    assert!(matches!(payouts.pay_out(&new).await, Err(ProviderError::Refused { .. })));
    assert_eq!(peer.made().1, 0);
    peer.answer_as(Manner::Documented);
    payouts.pay_out(&new).await.unwrap();
    peer.answer_at("POST ", says(500, ""));
    assert!(payouts.pay_out(&new).await.is_ok(), "it is there");
    assert_eq!(peer.made().1, 1);
}

#[actix_web::test]
async fn a_wrong_key_does_nothing_until_it_is_corrected() {
    let peer = RazorpayPeer::start().await;
    let mut settings = settings(&peer.url());
    settings.gateway.key_secret = Secret("a mistake".to_owned());
    let providers = providers(&settings).await;
    let made = providers.gateway.create_order(&new_order()).await;
    assert_eq!(made, Err(ProviderError::Unavailable("the key is not accepted".to_owned())));
}

#[actix_web::test]
async fn a_checkout_is_genuine_under_the_keys_secret() {
    let (_peer, gateway) = gateway().await;
    // The signature comes from `printf 'order_9A33XWu170gUtm|pay_29QQoUBi66xm2f' | openssl dgst -sha256 -hmac
    // thisissupersecret`.
    let signature = "247a8fc5570fd0bdc3e076a9be95a723914cf18048e0e7a960e947515fcd5e16";
    assert!(gateway.is_checkout_genuine(ORDER, PAYMENT, signature));
    assert!(!gateway.is_checkout_genuine(ORDER, "pay_other", signature));
}

#[actix_web::test]
async fn the_providers_print_no_secrets() {
    let peer = RazorpayPeer::start().await;
    let providers = providers(&settings(&peer.url())).await;
    let printed = format!("{providers:?} {:?}", settings(&peer.url()));
    assert!(printed.contains("Razorpay"), "{printed}");
    for secret in [KEY_SECRET, "whsec_hidden_from_all"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}
