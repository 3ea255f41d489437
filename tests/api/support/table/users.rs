use serde_json::json;

use super::{CASES, CUSTOMER, DISPATCH_OR_PEOPLE, Object, PEOPLE, Row, SIGNED_IN, World, number, row};

pub const ROWS: &[Row] = &[
    row("GET /users/me", SIGNED_IN),
    row("PATCH /users/me", SIGNED_IN)
        .body(|| json!({"name": "Asha Rao", "email": null, "avatar_url": null, "language": "en-IN"})),
    row("POST /users/me/email", CUSTOMER).body(|| json!({"email": format!("asha{}@example.com", number())})),
    row("POST /users/me/email/confirm", CUSTOMER).body(|| json!({"code": "000000"})),
    row("DELETE /users/me/email", CUSTOMER),
    row("GET /admin/users", CASES),
    row("POST /admin/users", DISPATCH_OR_PEOPLE)
        .body(|| json!({"phone": "+14155550102", "name": "Asha Rao"})),
    row("GET /admin/users/{id}", CASES).of(USER),
    row("PUT /admin/users/{id}/job-limit", PEOPLE).of(USER).body(|| json!({"max_open_jobs": 5})),
];

/// Somebody's account.
pub const USER: Object = Object::Id(|world| Box::pin(user(world)));

pub async fn user(world: &World<'_>) -> String {
    world.app.customer().await.user_id
}
