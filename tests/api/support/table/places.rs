//! A sketch of the demo city answers the routes about places.

use serde_json::{Value, json};

use super::{DISPATCH, Object, PUBLIC, Row, SIGNED_IN, World, nothing, number, row};
use crate::support::bodies::id_of;

pub const ROWS: &[Row] = &[
    row("GET /places", SIGNED_IN),
    row("GET /places/reverse", SIGNED_IN),
    row("POST /admin/place-requests", DISPATCH).body(new_request),
    row("GET /admin/place-requests/{id}", DISPATCH).of(REQUEST),
    row("POST /admin/place-requests/{id}/use", DISPATCH).of(ANSWERED).body(nothing),
    row("GET /place-requests/{token}", PUBLIC).of(CODE),
    row("POST /place-requests/{token}", PUBLIC).of(CODE).body(place),
];

/// A request for a place that nobody has answered.
const REQUEST: Object = Object::Id(|world| Box::pin(async { id_of(&asked(world).await) }));

/// A request for a place that somebody has answered.
const ANSWERED: Object = Object::Id(|world| Box::pin(answered(world)));

/// The code in the link of a request.
const CODE: Object = Object::Id(|world| Box::pin(async { code_of(&asked(world).await) }));

async fn asked(world: &World<'_>) -> Value {
    world.admin().post("/admin/place-requests", new_request()).await.expect(201)
}

async fn answered(world: &World<'_>) -> String {
    let asked = asked(world).await;
    let path = format!("/place-requests/{}", code_of(&asked));
    world.app.anonymous().post(&path, place()).await.expect(200);
    id_of(&asked)
}

fn code_of(asked: &Value) -> String {
    let url = asked["url"].as_str().expect("a link");
    url.rsplit('/').next().expect("a code").to_owned()
}

fn new_request() -> Value {
    json!({"phone": format!("+9198001{:05}", number() % 100_000)})
}

fn place() -> Value {
    json!({"lat": 12.9716, "lng": 77.5946, "accuracy_m": 15.0})
}
