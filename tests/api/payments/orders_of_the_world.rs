//! Events from outside come in any order and any number of times: there is one result, and one ledger.

use std::collections::BTreeMap;

use futures_util::{StreamExt, stream};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use roadcall::money::payments::{
    actions::webhooks::{self, EventOutcome},
    inbox::{NewEvent, PendingEvent, Stored},
    reconcile,
};
use serde_json::{Value, json};

use super::{completed, event, ids_of, pay, slow_gateway};
use crate::support::{Person, TestApp, rows, spawn_app_with};

/// One event from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Authorized,
    Captured,
    OrderPaid,
    Failed,
    RefundCreated,
    RefundProcessed,
    RefundFailed,
    /// The customer's bank disputes the payment, and wins.
    DisputeOpened,
    DisputeLost,
    /// Another attempt pays the order again.
    CapturedAgain,
    /// The customer's app submits the checkout's result.
    Verify,
    /// The service queries the gateway.
    Reconcile,
}

use Step::{
    Authorized, Captured, CapturedAgain, DisputeLost, DisputeOpened, Failed, OrderPaid, Reconcile,
    RefundCreated, RefundFailed, RefundProcessed, Verify,
};

const EVENTS: [Step; 6] = [Authorized, Captured, OrderPaid, Failed, RefundCreated, RefundProcessed];
/// A refund that fails and one that succeeds after all, next to a lost chargeback.
const FALLS: [&[Step]; 2] = [
    &[Captured, RefundCreated, RefundFailed, DisputeOpened, DisputeLost],
    &[Captured, RefundCreated, RefundFailed, RefundProcessed, DisputeLost],
];

/// Two attempts at one order are captured.
const TWICE: [Step; 5] = [Authorized, Captured, CapturedAgain, OrderPaid, Failed];

/// The price of 299.00, and the part of it that is refunded.
const PAISE: i64 = 29_900;
const REFUNDED: i64 = 10_000;

/// Returns all orders of `steps`.
pub fn orders<T: Copy>(steps: &[T]) -> Vec<Vec<T>> {
    let [first, rest @ ..] = steps else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

/// The state that must be the same at the end.
#[derive(Debug, Clone, PartialEq)]
struct End {
    status: Value,
    refunded: Value,
    job: String,
    /// The amount that each second capture returns.
    returned: Vec<Value>,
    /// The balance of this job's entries by kind of account.
    ledger: BTreeMap<String, i64>,
}

/// A payment that was made and paid at the gateway, before any event about it.
struct Play<'a> {
    app: &'a TestApp,
    customer: &'a Person,
    job: String,
    payment: String,
    order: String,
    attempt: String,
    signature: Value,
    /// Whether events are put into the inbox without HTTP.
    is_direct: bool,
}

impl<'a> Play<'a> {
    async fn new(app: &'a TestApp, customer: &'a Person, like: &str, is_direct: bool) -> Self {
        let job = rows::copy_completed_job(&app.service.db, like, app.service.random.id(app.now())).await;
        let made = customer.post("/payments/orders", json!({"job_id": job})).await.expect(201);
        let (payment, order) = ids_of(&made);
        let paid = pay(app, order, "captured").await;
        Self {
            app,
            customer,
            job,
            payment: payment.to_owned(),
            order: order.to_owned(),
            attempt: paid["gateway_payment_id"].as_str().unwrap().to_owned(),
            signature: paid["signature"].clone(),
            is_direct,
        }
    }

    async fn step(&self, step: Step, number: usize) {
        let about = |kind: &str, status: &str| event(kind, &self.attempt, &self.order, PAISE, status);
        let refund = |kind: &str, status: &str| {
            let mut event = about(kind, "captured");
            event["payload"]["refund"] = json!({"entity": {"id": format!("rfnd_{}", self.attempt),
                "payment_id": self.attempt, "amount": REFUNDED, "currency": "INR", "status": status}});
            event
        };
        let dispute = |kind: &str| {
            let mut event = about(kind, "captured");
            event["payload"]["dispute"] = json!({"entity": {"id": format!("disp_{}", self.attempt),
                "payment_id": self.attempt, "amount": PAISE, "reason_code": "fraud"}});
            event
        };
        let mut event = match step {
            Authorized => about("payment.authorized", "authorized"),
            Captured => about("payment.captured", "captured"),
            CapturedAgain => {
                let again =
                    rows::copy_sandbox_payment(&self.app.service.db, &self.order, &self.attempt).await;
                event("payment.captured", &again, &self.order, PAISE, "captured")
            }
            OrderPaid => about("order.paid", "captured"),
            Failed => about("payment.failed", "failed"),
            RefundCreated => refund("refund.created", "pending"),
            RefundProcessed => refund("refund.processed", "processed"),
            RefundFailed => refund("refund.failed", "failed"),
            DisputeOpened => dispute("payment.dispute.created"),
            DisputeLost => dispute("payment.dispute.lost"),
            Verify => {
                let body = json!({"gateway_order_id": self.order, "gateway_payment_id": self.attempt,
                    "signature": self.signature});
                self.customer.post("/payments/verify", body).await.expect(200);
                return;
            }
            Reconcile => {
                reconcile::reconcile_silent(&self.app.service.payments).await.expect("asked");
                return;
            }
        };
        // Each is an event of its own, so the inbox sees no repeats.
        event["number"] = json!(number);
        if self.is_direct {
            return self.hand_in(&event).await;
        }
        let answer = self.app.webhook(&event).await.expect(200);
        assert_eq!(answer["status"], "ok", "{step:?}: {event}");
    }

    /// Does the work of the webhook's handler without HTTP, so that many plays are fast.
    async fn hand_in(&self, event: &Value) {
        let state = &self.app.service;
        let (id, at) = (state.random.id(self.app.now()), self.app.now());
        let kind = event["event"].as_str().unwrap().to_owned();
        let event = PendingEvent { id, event: kind, body: event.to_string() };
        let new = NewEvent { event: event.clone(), event_id: id.to_string(), at };
        let claim = state.payments.inbox.claim(id).expect("a new event is unclaimed");
        assert_eq!(state.payments.inbox.store(new).await.expect("stored"), Stored::New);
        assert_ne!(webhooks::process(&state.payments, &claim, &event).await, EventOutcome::TakenElsewhere);
    }

    /// Returns the amounts that the payment's duplicates return.
    async fn returned(&self) -> Vec<Value> {
        let made = self.customer.list(&format!("/payments?job_id={}", self.job)).await;
        made.iter()
            .filter(|other| other["duplicate_of"] == *self.payment)
            .map(|again| again["refunded_amount"].clone())
            .collect()
    }

    async fn end(&self) -> End {
        let payment = self.customer.get(&format!("/payments/{}", self.payment)).await.expect(200);
        End {
            status: payment["status"].clone(),
            refunded: payment["refunded_amount"].clone(),
            job: rows::job_status(&self.app.service.db, &self.job).await,
            returned: self.returned().await,
            ledger: rows::booked_for_job(&self.app.service.db, &self.job).await,
        }
    }
}

/// Returns an order with the two entry points other than the webhook inserted somewhere, and some steps repeated.
fn embellished(mut order: Vec<Step>, seed: u64) -> Vec<Step> {
    let mut dice = StdRng::seed_from_u64(seed);
    for extra in [Verify, Reconcile] {
        let at = dice.random_range(0..=order.len());
        order.insert(at, extra);
    }
    for _ in 0..dice.random_range(0..4) {
        let again = order[dice.random_range(0..order.len())];
        let at = dice.random_range(0..=order.len());
        order.insert(at, again);
    }
    order
}

/// Returns every order of each of these histories, embellished.
fn all_embellished(histories: &[&[Step]]) -> Vec<Vec<Step>> {
    let all = histories.iter().flat_map(|steps| orders(steps)).enumerate();
    all.map(|(seed, order)| embellished(order, seed as u64)).collect()
}

async fn app() -> TestApp {
    spawn_app_with(|settings| {
        settings.limits.per_user_per_minute = 1_000_000;
        settings.gateway.reconcile_after_s = 0;
        // Even on a slow machine, the response then shows the outcome.
        settings.gateway.inbox_answer_wait_ms = 60_000;
        // The sandbox's own webhooks come after the play.
        slow_gateway(settings);
    })
    .await
}

/// Returns the end in which the refund of 100.00 is with the customer.
fn refunded_in_part() -> End {
    End {
        status: json!("partially_refunded"),
        refunded: json!(100.0),
        job: "paid".to_owned(),
        returned: Vec::new(),
        // 85 % of 199.00 is the mechanic's.
        ledger: BTreeMap::from([
            ("gateway_clearing".to_owned(), -19_900),
            ("mechanic_held".to_owned(), 16_915),
            ("platform_commission".to_owned(), 2_985),
        ]),
    }
}

/// Returns the end in which everything has been refunded.
fn refunded() -> End {
    End { status: json!("refunded"), refunded: json!(299.0), ledger: BTreeMap::new(), ..refunded_in_part() }
}

/// Returns the end in which one capture paid, and the other one will be returned: the sandbox takes its time.
fn paid_twice() -> End {
    End {
        status: json!("captured"),
        refunded: json!(0.0),
        job: "paid".to_owned(),
        returned: vec![json!(299.0)],
        ledger: BTreeMap::from([
            ("gateway_clearing".to_owned(), -59_800),
            ("mechanic_held".to_owned(), 25_415),
            ("platform_commission".to_owned(), 4_485),
            ("refunds".to_owned(), 29_900),
        ]),
    }
}

async fn all_end_alike(app: &TestApp, plays: Vec<Vec<Step>>, are_direct: bool, expected: End) {
    let scene = completed(app).await;
    let ends = stream::iter(plays).map(|steps| {
        let (scene, app) = (&scene, app);
        async move {
            let play = Play::new(app, &scene.customer, &scene.job, are_direct).await;
            for (number, step) in steps.iter().enumerate() {
                play.step(*step, number).await;
            }
            (play.end().await, steps)
        }
    });
    let faults: Vec<_> =
        ends.buffer_unordered(6).filter(|(end, _)| std::future::ready(*end != expected)).collect().await;
    assert!(faults.is_empty(), "{} ended otherwise, the first: {:#?}", faults.len(), faults.first());
    app.sound_ledger().await;
}

#[actix_web::test]
async fn every_order_of_events_with_repeats_ends_in_the_same_ledger() {
    let app = app().await;
    all_end_alike(&app, all_embellished(&[&EVENTS]), true, refunded_in_part()).await;
}

#[actix_web::test]
async fn a_failed_refund_and_a_lost_chargeback_end_the_same_in_every_order() {
    let app = app().await;
    all_end_alike(&app, all_embellished(&FALLS), true, refunded()).await;
}

#[actix_web::test]
async fn a_second_capture_is_returned_once_in_every_order() {
    let app = app().await;
    all_end_alike(&app, all_embellished(&[&TWICE]), true, paid_twice()).await;
}

#[actix_web::test]
async fn longer_random_histories_end_in_the_same_ledger() {
    let app = app().await;
    let plays = (0..40).map(|seed| {
        let mut dice = StdRng::seed_from_u64(seed);
        // Each event occurs at least once, and further ones at random.
        let mut steps: Vec<Step> = EVENTS.into_iter().chain([Verify, Reconcile]).collect();
        for _ in 0..dice.random_range(4..16) {
            steps.push(EVENTS[dice.random_range(0..EVENTS.len())]);
        }
        steps.shuffle(&mut dice);
        steps
    });
    all_end_alike(&app, plays.collect(), false, refunded_in_part()).await;
}
