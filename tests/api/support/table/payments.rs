use serde_json::{Value, json};

use super::{
    CASES, CUSTOMER, MONEY, NOBODY, Object, PARTICIPANT, PARTY, PUBLIC, Row, World,
    jobs::{OPEN_JOB, done_job},
    made, nothing, number, reason, row,
    users::USER,
};
use crate::support::{
    bodies::id_of,
    money::{insert_parked_payment, set_dead},
};

pub const ROWS: &[Row] = &[
    row("POST /payments/webhook", PUBLIC).body(|| json!({"event": "payment.captured", "payload": {}})),
    row("GET /payments/unpaid-fees", CUSTOMER),
    row("POST /payments/orders", CUSTOMER)
        .body(|| json!({"job_id": NOBODY, "fee_job_ids": null, "method": "online"})),
    row("POST /payments/verify", CUSTOMER)
        .body(|| json!({"gateway_order_id": "order_1", "gateway_payment_id": "pay_1", "signature": "00"})),
    row("GET /payments", CUSTOMER),
    row("GET /payments/{id}", PARTICIPANT).of(PAYMENT),
    row("GET /payments/{id}/receipt", PARTICIPANT).of(PAYMENT),
    row("POST /payments/{id}/cash-confirm", PARTY).of(PAYMENT).body(price),
    row("POST /payments/{id}/refunds", MONEY).of(PAYMENT).body(new_refund),
    row("GET /admin/refunds", MONEY),
    row("POST /admin/refunds/{id}/mark-paid", MONEY).of(REFUND).body(|| json!({"reference": "NEFT 4711"})),
    row("GET /admin/payments", MONEY),
    row("GET /admin/parked-payments", MONEY),
    row("POST /admin/parked-payments/{id}/refund", MONEY).of(PARKED_PAYMENT).body(reason),
    row("POST /admin/parked-payments/{id}/dismiss", MONEY).of(PARKED_PAYMENT).body(reason),
    row("GET /admin/chargebacks", MONEY),
    row("GET /admin/webhook-events", MONEY),
    row("POST /admin/webhook-events/{id}/replay", MONEY).of(WEBHOOK_EVENT).body(nothing),
    row("POST /admin/webhook-events/{id}/dismiss", MONEY).of(DEAD_WEBHOOK_EVENT).body(reason),
    row("POST /admin/jobs/{id}/waive-fee", MONEY).of(OPEN_JOB).body(nothing),
    row("GET /admin/users/{id}/unpaid-fees", CASES).of(USER),
];

/// The customer's payment for a job that the mechanic completed.
const PAYMENT: Object = Object::Id(|world| Box::pin(payment(world)));

/// A refund of a payment in cash.
const REFUND: Object = Object::Id(|world| Box::pin(refund(world)));

/// A payment for an order that nobody knows.
const PARKED_PAYMENT: Object = Object::Id(|world| Box::pin(insert_parked_payment(&world.app.database.db)));

/// An event that the gateway sent.
const WEBHOOK_EVENT: Object = Object::Id(|world| Box::pin(webhook_event(world)));

/// Such an event, but dead.
const DEAD_WEBHOOK_EVENT: Object = Object::Id(|world| Box::pin(dead_webhook_event(world)));

async fn payment(world: &World<'_>) -> String {
    let order = json!({"job_id": done_job(world).await, "method": "cash"});
    let made = world.customer().post("/payments/orders", order).await.expect(201);
    made["payment_id"].as_str().expect("an id").to_owned()
}

async fn refund(world: &World<'_>) -> String {
    let payment = payment(world).await;
    for person in [world.customer(), world.mechanic()] {
        person.post(&format!("/payments/{payment}/cash-confirm"), price()).await.expect(200);
    }
    made(world.admin(), &format!("/payments/{payment}/refunds"), new_refund()).await
}

async fn webhook_event(world: &World<'_>) -> String {
    let event = json!({"event": "invoice.paid", "payload": {"number": number()}});
    world.app.webhook(&event).await.expect(200);
    let events = world.admin().get("/admin/webhook-events?limit=1").await.expect(200);
    id_of(&events["data"][0])
}

async fn dead_webhook_event(world: &World<'_>) -> String {
    let id = webhook_event(world).await;
    set_dead(&world.app.database.db, &id).await;
    id
}

fn new_refund() -> Value {
    json!({"amount": 1.5, "reason": "flat again"})
}

/// Returns the total of a job without line items.
fn price() -> Value {
    json!({"amount": 299})
}
