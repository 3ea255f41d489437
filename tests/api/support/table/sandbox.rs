//! The customer's phone pays at the checkout of a gateway.

use serde_json::json;

use super::{Object, PUBLIC, Row, row};

pub const ROWS: &[Row] = &[row("POST /sandbox/gateway/orders/{gateway_order_id}/pay", PUBLIC)
    .of(GATEWAY_ORDER)
    .body(|| json!({"outcome": "captured", "method": "card"}))];

/// An unpaid order at the gateway.
const GATEWAY_ORDER: Object = Object::Id(|world| Box::pin(world.app.gateway_order(50_000)));
