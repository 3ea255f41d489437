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

use std::time::Duration;

use chrono::{DateTime, Utc};
use roadcall::accounting::ledger;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Person, TestApp, roadside::Scene, within};

/// The pause between two checks of what a worker does.
pub const PAUSE: Duration = Duration::from_millis(120);

/// Returns a job that is completed and unpaid.
pub async fn completed(app: &TestApp) -> Scene {
    let scene = app.accepted().await;
    scene.serve().await;
    scene
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
    within(&format!("the payment's {field} is {value}"), async {
        loop {
            let payment = person.get(&format!("/payments/{id}")).await.expect(200);
            if payment[field] == value {
                return payment;
            }
            // Nothing signals what a worker does in the background; requests are limited per person.
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await
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
