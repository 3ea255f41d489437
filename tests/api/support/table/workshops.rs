use serde_json::{Value, json};

use super::{Object, Row, SETTINGS, SIGNED_IN, made, row};

pub const ROWS: &[Row] = &[
    row("GET /workshops", SIGNED_IN),
    row("GET /admin/workshops", SETTINGS),
    row("POST /admin/workshops", SETTINGS).body(new_workshop),
    row("PATCH /admin/workshops/{id}", SETTINGS).of(WORKSHOP).body(new_workshop),
    row("DELETE /admin/workshops/{id}", SETTINGS).of(WORKSHOP),
];

const WORKSHOP: Object =
    Object::Id(|world| Box::pin(made(world.admin(), "/admin/workshops", new_workshop())));

fn new_workshop() -> Value {
    json!({
        "name": "Lakshmi Motors", "address": "12 Hosur Road, Bengaluru", "lat": 12.934, "lng": 77.611,
        "phone": "+919812300002", "is_active": true,
    })
}
