//! People who already have a profile get 409 when they register.

use serde_json::{Value, json};

use super::{
    CASES, CUSTOMER, OWN_MECHANIC, OWN_PROFILE, Object, PEOPLE, Row, SIGNED_IN, World, made, nothing, reason,
    row,
};
use crate::support::bodies::{FLAT_TYRE, id_of, registration};

pub const ROWS: &[Row] = &[
    row("POST /mechanics/register", CUSTOMER).body(registration).ends_caller(),
    row("GET /mechanics/me", OWN_PROFILE),
    row("PATCH /mechanics/me", OWN_PROFILE).body(changed_services),
    row("GET /mechanics/me/documents", OWN_PROFILE),
    row("POST /mechanics/me/documents", OWN_PROFILE).body(new_document),
    row("DELETE /mechanics/me/documents/{id}", OWN_MECHANIC).of(DOCUMENT),
    row("PUT /mechanics/me/availability", OWN_PROFILE)
        .body(|| json!({"is_available": false, "lat": null, "lng": null})),
    row("PUT /mechanics/me/parked", OWN_PROFILE)
        .body(|| json!({"lat": 12.9716, "lng": 77.5946, "label": "My workshop"})),
    row("GET /mechanics/me/parked", OWN_PROFILE),
    row("DELETE /mechanics/me/parked", OWN_PROFILE),
    row("GET /mechanics/me/advice", OWN_PROFILE),
    row("GET /mechanics/me/stats", OWN_PROFILE),
    row("GET /mechanics/nearby", CUSTOMER),
    row("GET /mechanics/{id}", SIGNED_IN).of(VERIFIED_MECHANIC),
    row("GET /admin/mechanics", CASES),
    row("GET /admin/mechanics/{id}", CASES).of(PENDING_MECHANIC),
    row("POST /admin/mechanics/{id}/reject", PEOPLE).of(PENDING_MECHANIC).body(reason),
    row("POST /admin/mechanics/{id}/reinstate", PEOPLE).of(SUSPENDED_MECHANIC),
    row("GET /admin/mechanic-changes", PEOPLE),
    row("POST /admin/mechanic-changes/{id}/approve", PEOPLE).of(MECHANIC_CHANGE).body(nothing),
    row("POST /admin/mechanic-changes/{id}/reject", PEOPLE).of(MECHANIC_CHANGE).body(reason),
];

/// Somebody's profile.
pub const PENDING_MECHANIC: Object =
    Object::Id(|world| Box::pin(async { world.app.registered_mechanic().await.profile_id }));

pub const VERIFIED_MECHANIC: Object = Object::Id(|world| Box::pin(verified_mechanic(world)));

const SUSPENDED_MECHANIC: Object = Object::Id(|world| Box::pin(suspended_mechanic(world)));

/// A mechanic's request to change their services.
const MECHANIC_CHANGE: Object = Object::Id(|world| Box::pin(mechanic_change(world)));

/// A document that the mechanic submitted after they were verified.
const DOCUMENT: Object =
    Object::Id(|world| Box::pin(made(world.mechanic(), "/mechanics/me/documents", new_document())));

async fn verified_mechanic(world: &World<'_>) -> String {
    world.app.verified_mechanic(world.admin()).await.profile_id
}

async fn suspended_mechanic(world: &World<'_>) -> String {
    let id = verified_mechanic(world).await;
    world.as_admin(&format!("/admin/mechanics/{id}/suspend"), reason()).await;
    id
}

async fn mechanic_change(world: &World<'_>) -> String {
    let mechanic = world.app.verified_mechanic(world.admin()).await.client;
    let wider = json!({"vehicle_types": ["two_wheeler", "three_wheeler"]});
    let asked = mechanic.patch("/mechanics/me", wider).await.expect(200);
    id_of(&asked["pending_change"])
}

fn new_document() -> Value {
    json!({"type": "other", "file_url": "https://files.example/a.pdf"})
}

fn changed_services() -> Value {
    json!({
        "service_radius_km": 12, "vehicle_types": ["two_wheeler"], "service_category_ids": [FLAT_TYRE],
    })
}
