//! Payments at the sandbox's checkout.

use serde_json::{Value, json};

use super::{Client, TestApp};

impl TestApp {
    /// Pays an order that a customer has made; returns what the checkout passes to the app.
    pub async fn check_out(&self, order: &Value) -> Value {
        let id = order["gateway_order_id"].as_str().expect("an order at the gateway");
        let path = format!("/sandbox/gateway/orders/{id}/pay");
        self.anonymous().post(&path, json!({"outcome": "captured"})).await.expect(200)
    }

    /// Makes this order as the customer, and pays it; returns the payment's id once it is captured.
    pub async fn pay(&self, customer: &Client, order: Value) -> String {
        let order = customer.post("/payments/orders", order).await.expect(201);
        self.check_out(&order).await;
        let id = order["payment_id"].as_str().expect("an id").to_owned();
        customer.get_until(&format!("/payments/{id}"), |payment| payment["status"] == "captured").await;
        id
    }
}
