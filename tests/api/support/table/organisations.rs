use serde_json::{Value, json};

use super::{Object, PARTNER, Row, SETTINGS, World, made, number, row};
use crate::support::{bodies::id_of, new_phone};

pub const ROWS: &[Row] = &[
    row("GET /admin/organisations", SETTINGS),
    row("POST /admin/organisations", SETTINGS).body(new_organisation),
    row("GET /admin/organisations/{id}", SETTINGS).of(ORGANISATION),
    row("PATCH /admin/organisations/{id}", SETTINGS).of(ORGANISATION).body(|| json!({"kind": "club"})),
    row("GET /admin/organisations/{id}/members", SETTINGS).of(ORGANISATION),
    row("POST /admin/organisations/{id}/members", SETTINGS).of(ORGANISATION).body(new_member),
    row("DELETE /admin/organisation-members/{id}", SETTINGS).of(MEMBER),
    row("GET /admin/organisations/{id}/keys", SETTINGS).of(ORGANISATION),
    row("POST /admin/organisations/{id}/keys", SETTINGS).of(ORGANISATION).body(new_key),
    row("POST /admin/partner-keys/{id}/rotate", SETTINGS).of(KEY).body(|| json!({"overlap_hours": 1})),
    row("DELETE /admin/partner-keys/{id}", SETTINGS).of(KEY),
    row("GET /partner", PARTNER),
    row("GET /partner/keys", PARTNER),
    row("POST /partner/keys", PARTNER).body(new_key),
    row("POST /partner/keys/{id}/rotate", PARTNER).of(OWN_KEY).body(|| json!({"overlap_hours": 1})),
    row("DELETE /partner/keys/{id}", PARTNER).of(OWN_KEY),
];

const ORGANISATION: Object = Object::Id(|world| Box::pin(organisation(world)));

/// A member of another organisation than the callers'.
const MEMBER: Object = Object::Id(|world| {
    Box::pin(async move {
        let path = format!("/admin/organisations/{}/members", organisation(world).await);
        made(world.admin(), &path, new_member()).await
    })
});

/// A key of another organisation than the callers'.
const KEY: Object =
    Object::Id(|world| Box::pin(async move { key_of(world, &organisation(world).await).await }));

/// A key of the callers' organisation.
const OWN_KEY: Object =
    Object::Id(|world| Box::pin(async move { key_of(world, &world.organisation_id).await }));

async fn organisation(world: &World<'_>) -> String {
    made(world.admin(), "/admin/organisations", new_organisation()).await
}

async fn key_of(world: &World<'_>, organisation: &str) -> String {
    let path = format!("/admin/organisations/{organisation}/keys");
    id_of(&world.admin().post(&path, new_key()).await.expect(201))
}

fn new_organisation() -> Value {
    json!({"name": format!("Insurer {}", number()), "kind": "insurer"})
}

fn new_member() -> Value {
    json!({"phone": new_phone(), "name": "Divya Shetty", "role": "viewer"})
}

/// Returns a key that every program with the scope for keys can make and rotate: nobody hands out a scope that they lack.
fn new_key() -> Value {
    json!({"name": "Case system", "scopes": ["keys"], "expires_in_days": 30})
}
