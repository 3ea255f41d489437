use serde_json::{Value, json};

use super::{CASES, CUSTOMER, DISPATCH, OWNER_CUSTOMER, Object, Row, World, made, number, row, users::USER};

pub const ROWS: &[Row] = &[
    row("GET /vehicles", CUSTOMER),
    row("POST /vehicles", CUSTOMER).body(new_vehicle),
    row("GET /vehicles/{id}", OWNER_CUSTOMER).of(VEHICLE),
    row("PATCH /vehicles/{id}", OWNER_CUSTOMER).of(VEHICLE).body(new_vehicle),
    row("DELETE /vehicles/{id}", OWNER_CUSTOMER).of(VEHICLE),
    row("GET /admin/users/{id}/vehicles", CASES).of(USER),
    row("POST /admin/users/{id}/vehicles", DISPATCH).of(USER).body(new_vehicle),
];

/// A vehicle of the customer.
const VEHICLE: Object = Object::Id(|world| Box::pin(vehicle(world)));

pub async fn vehicle(world: &World<'_>) -> String {
    made(world.customer(), "/vehicles", new_vehicle()).await
}

pub fn new_vehicle() -> Value {
    json!({
        "vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": format!("KA{:06}", number()),
        "year": 2021, "fuel_type": "petrol", "color": "black", "is_default": true,
    })
}
