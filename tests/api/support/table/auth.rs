//! The public routes refuse bad credentials with 401 themselves, so they get bad bodies.

use serde_json::json;

use super::{CUSTOMER, OWNER, Object, PUBLIC, Row, SIGNED_IN, World, row};
use crate::support::bodies::id_of;

pub const ROWS: &[Row] = &[
    row("POST /auth/send-otp", PUBLIC).body(|| json!({"phone": "+14155550100"})),
    row("POST /auth/verify-otp", PUBLIC)
        .body(|| json!({"phone": "+14155550101", "otp": "000000", "name": "Asha"})),
    row("POST /auth/admin-login", PUBLIC).body(|| json!({"idpIdToken": "a.b.c"})),
    row("POST /auth/admin-sign-in", PUBLIC).body(|| json!({})),
    row("POST /auth/admin-sign-in/complete", PUBLIC).body(|| json!({"code": "none", "state": "none"})),
    row("POST /auth/refresh", PUBLIC).body(|| json!({"refreshToken": "none of ours"})),
    row("POST /auth/logout", SIGNED_IN)
        .body(|| json!({"refreshToken": "none of ours", "allDevices": false}))
        .ends_caller(),
    row("GET /auth/sessions", SIGNED_IN),
    row("DELETE /auth/sessions/{id}", OWNER).of(SESSION),
    row("POST /idp/token", PUBLIC)
        .body(|| json!({"email": "nobody@example.com", "password": "not a password"})),
    row("POST /idp/second-factor", PUBLIC)
        .body(|| json!({"email": "nobody@example.com", "password": "not a password"})),
    row("POST /idp/second-factor/confirm", PUBLIC)
        .body(|| json!({"email": "nobody@example.com", "password": "not a password", "code": "000000"})),
    row("GET /idp/.well-known/jwks.json", PUBLIC),
    row("GET /idp/.well-known/openid-configuration", PUBLIC),
    row("PUT /users/me/phone", CUSTOMER)
        .body(|| json!({"phone": "+14155550103", "otp": "000000", "current_otp": "000000"})),
];

/// A second sign-in of the customer.
const SESSION: Object = Object::Id(|world| Box::pin(session(world)));

async fn session(world: &World<'_>) -> String {
    let customer = world.customer();
    world.app.sign_in(&customer.phone).await;
    let sessions = customer.get("/auth/sessions").await.expect(200);
    let mut sessions = sessions["data"].as_array().into_iter().flatten();
    id_of(sessions.find(|session| session["isCurrent"] == false).expect("the second sign-in"))
}
