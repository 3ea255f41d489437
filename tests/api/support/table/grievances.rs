use serde_json::{Value, json};

use super::{CUSTOMER, Object, PEOPLE, Row, SIGNED_IN, World, row};
use crate::support::bodies::id_of;

pub const ROWS: &[Row] = &[
    row("POST /users/me/grievances", CUSTOMER).body(new_grievance),
    row("GET /users/me/grievances", SIGNED_IN),
    row("GET /admin/grievances", PEOPLE),
    row("GET /admin/grievances/{id}", PEOPLE).of(GRIEVANCE),
    row("POST /admin/grievances/{id}/answer", PEOPLE)
        .of(GRIEVANCE)
        .body(|| json!({"answer": "Under Account you can download all of it."})),
];

/// A grievance that nobody has answered, of somebody who has no other.
const GRIEVANCE: Object = Object::Id(|world| Box::pin(grievance(world)));

async fn grievance(world: &World<'_>) -> String {
    let asking = world.app.customer().await;
    id_of(&asking.post("/users/me/grievances", new_grievance()).await.expect(201))
}

fn new_grievance() -> Value {
    json!({"kind": "access", "text": "What do you know about me?"})
}
