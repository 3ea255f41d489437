use serde_json::{Value, json};
use sqlx::types::Json;

use super::{DISPATCH, Object, PARTNER, Row, World, number, row};
use crate::support::{new_phone, partners::insert_case};

pub const ROWS: &[Row] = &[
    row("GET /admin/partner-offers", DISPATCH),
    row("POST /admin/partner-cases/{id}/accept", DISPATCH).of(WAITING).body(minutes),
    row("POST /admin/partner-cases/{id}/refuse", DISPATCH)
        .of(WAITING)
        .body(|| json!({"reason": "outside_area"})),
    row("POST /admin/partner-cases/{id}/ask-for-call", DISPATCH).of(WAITING),
    row("POST /partner/offers", PARTNER).body(new_offer),
    row("GET /partner/offers/{id}", PARTNER).of(WAITING),
    row("POST /partner/offers/{id}/withdraw", PARTNER).of(WAITING),
    row("POST /partner/offers/{id}/confirm", PARTNER).of(ACCEPTED).body(minutes),
];

/// An offer of the callers' organisation that nobody has answered.
const WAITING: Object = Object::Id(|world| Box::pin(async move { offered(world, "waiting").await }));

/// An offer of the callers' organisation that a dispatcher has accepted.
const ACCEPTED: Object = Object::Id(|world| Box::pin(async move { offered(world, "accepted").await }));

async fn offered(world: &World<'_>, stage: &str) -> String {
    let id = insert_case(world.app, &world.organisation_id).await;
    let offer = json!({
        "job": new_offer()["job"], "answer_within_s": 90, "stage": stage, "call_asked_at": null, "eta_min": 35,
        "promised_at": null, "refusal_reason": null,
    });
    sqlx::query(
        "update partner_cases set status = 'offered', offer = $2, offered_until = created_at + interval '1 hour'
        where id::text = $1",
    )
    .bind(&id)
    .bind(Json(offer))
    .execute(&world.app.database.db)
    .await
    .expect("an offer");
    id
}

fn minutes() -> Value {
    json!({"eta_min": 35})
}

fn new_offer() -> Value {
    json!({
        "contract_reference": "standard", "partner_reference": format!("offer-{}", number()),
        "beneficiary": {"name": "Asha Rao", "phone": new_phone()},
        "vehicle": {"vehicle_type": "two_wheeler", "registration_number": "KA01AB1234"},
        "job": {
            "service_category_slug": "flat-tyre", "pickup_address": "MG Road", "pickup_lat": 12.9716,
            "pickup_lng": 77.5946,
        },
    })
}
