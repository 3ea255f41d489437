//! Payments: paying over real HTTP with the sandbox as the gateway, and the effects of its webhooks.

mod booking;
mod cash_only;
mod closing;
mod contested;
mod cutting;
mod orders_of_the_world;
mod parking;
mod paying;
mod receipts;
mod refunding;
mod repeating;
mod together;
mod webhook;

pub use contested::{own_refund, report, slow_gateway};
pub use orders_of_the_world::orders;

use chrono::{DateTime, Utc};
use roadcall::accounting::ledger;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Person, TestApp, roadside::Scene, spawn_app, until_fits};

/// Returns a job that is completed and unpaid.
pub async fn completed(app: &TestApp) -> Scene {
    let scene = app.accepted().await;
    scene.serve().await;
    scene
}

/// Starts the service with a job that is completed and unpaid.
async fn spawn_completed() -> (TestApp, Scene) {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    (app, scene)
}

/// Starts the service with a job that is completed, and the order that was made for it.
async fn spawn_ordered() -> (TestApp, Scene, Value) {
    let (app, scene) = spawn_completed().await;
    let made = order(&scene).await;
    (app, scene, made)
}

/// Makes an order for the scene's job.
pub async fn order(scene: &Scene) -> Value {
    scene.customer.post("/payments/orders", json!({"job_id": scene.job})).await.expect(201)
}

/// Returns an event about an attempt to pay an order.
pub fn event(kind: &str, attempt: &str, order: &str, paise: i64, status: &str) -> Value {
    json!({"entity": "event", "event": kind, "payload": {"payment": {"entity": {
        "id": attempt, "entity": "payment", "order_id": order, "amount": paise, "currency": "INR", "status": status,
        "method": "upi",
    }}}})
}

/// Waits until a field of the payment has that value.
pub async fn until_payment(person: &Person, id: &str, field: &str, value: Value) -> Value {
    let path = format!("/payments/{id}");
    let ask = async || person.get(&path).await.expect(200);
    until_fits(&format!("the payment's {field} is {value}"), ask, |payment| payment[field] == value).await
}

/// Returns the ids of the payment and of the gateway's order.
pub fn ids_of(order: &Value) -> (&str, &str) {
    (order["payment_id"].as_str().expect("an id"), order["gateway_order_id"].as_str().expect("an id"))
}

/// Lets the gateway take the money for an order, or fail to; returns the result of its checkout.
pub async fn pay(app: &TestApp, order_id: &str, outcome: &str) -> Value {
    let path = format!("/sandbox/gateway/orders/{order_id}/pay");
    app.anonymous().post(&path, json!({ "outcome": outcome })).await.expect(200)
}

/// Pays a completed job at the gateway, and returns the payment's id.
pub async fn paid_online(app: &TestApp, customer: &Person, job: &str) -> String {
    let order = customer.post("/payments/orders", json!({ "job_id": job })).await.expect(201);
    let (id, order_id) = ids_of(&order);
    pay(app, order_id, "captured").await;
    until_payment(customer, id, "status", json!("captured")).await;
    id.to_owned()
}

impl TestApp {
    /// Audits the ledger, and checks that it is sound.
    pub async fn sound_ledger(&self) -> ledger::Audit {
        let audit = ledger::audit(&self.database.db).await.expect("an audit");
        assert!(audit.is_sound(), "{audit:?}");
        audit
    }

    /// Returns a mechanic's balances, in paise.
    pub async fn balances(&self, profile_id: &str) -> ledger::Balances {
        let id: Uuid = profile_id.parse().expect("an id");
        ledger::balances(&self.service.db, id).await.expect("balances")
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.service.clock.now()
    }
}
