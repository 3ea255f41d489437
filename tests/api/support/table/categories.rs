use serde_json::{Value, json};

use super::{Object, Row, SETTINGS, SIGNED_IN, made, number, row};

pub const ROWS: &[Row] = &[
    row("GET /service-categories", SIGNED_IN),
    row("GET /service-categories/{id}", SIGNED_IN).of(CATEGORY),
    row("POST /service-categories", SETTINGS).body(new_category),
    row("PATCH /service-categories/{id}", SETTINGS).of(CATEGORY).body(new_category),
    row("DELETE /service-categories/{id}", SETTINGS).of(CATEGORY),
    row("GET /admin/service-categories/{id}/questions", SETTINGS).of(CATEGORY),
    row("PUT /admin/service-categories/{id}/questions", SETTINGS).of(CATEGORY).body(
        || json!({"questions": [{"key": "wheels_turn", "text": "Do the wheels turn?", "kind": "yes_no"}]}),
    ),
];

/// A category that nothing refers to.
const CATEGORY: Object =
    Object::Id(|world| Box::pin(made(world.admin(), "/service-categories", new_category())));

fn new_category() -> Value {
    json!({
        "name": "Chain and sprocket", "slug": format!("chain-{}", number()), "description": "On the spot",
        "icon_url": "https://files.example/chain.svg", "vehicle_types": ["two_wheeler"], "base_price": 199.5,
        "per_km_price": 12, "free_km": 2, "destination": "optional", "destination_per_km_price": 30,
        "destination_free_km": 5, "estimated_duration_min": 40, "offer_ttl_s": 25, "attempt_ttl_s": 200,
        "rings_km": [3.0, 6.0], "round_widths": [1, 2], "max_rounds": 4, "urgent_first_round": 2,
        "is_active": true, "sort_order": 9,
    })
}
