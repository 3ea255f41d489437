use serde_json::json;

use super::{
    CUSTOMER, Object, PEOPLE, PUBLIC, Row, SIGNED_IN, SUPER_ADMIN, World,
    mechanics::{PENDING_MECHANIC, VERIFIED_MECHANIC},
    nothing, reason, row,
    users::{USER, user},
};

pub const ROWS: &[Row] = &[
    row("POST /auth/accept-invite", PUBLIC).body(|| json!({"token": "none of ours", "idpIdToken": "a.b.c"})),
    row("GET /users/me/export", SIGNED_IN),
    row("DELETE /users/me", CUSTOMER).ends_caller(),
    row("GET /super-admin/admins", SUPER_ADMIN),
    row("DELETE /super-admin/users/{id}", SUPER_ADMIN).of(USER),
    row("DELETE /super-admin/users/{id}/second-factor", SUPER_ADMIN).of(USER),
    row("PUT /super-admin/users/{id}/desks", SUPER_ADMIN).of(ADMIN).body(|| json!({"desks": ["money"]})),
    row("PUT /super-admin/users/{id}/role", SUPER_ADMIN).of(USER).body(|| json!({"role": "customer"})),
    row("POST /admin/users/{id}/suspend", PEOPLE).of(USER).body(reason),
    row("POST /admin/users/{id}/reinstate", PEOPLE).of(SUSPENDED_USER).body(nothing),
    row("POST /admin/mechanics/{id}/verify", PEOPLE)
        .of(PENDING_MECHANIC)
        .body(|| json!({"verified_name": "Asha Rao"})),
    row("POST /admin/mechanics/{id}/suspend", PEOPLE).of(VERIFIED_MECHANIC).body(reason),
];

const SUSPENDED_USER: Object = Object::Id(|world| Box::pin(suspended_user(world)));

async fn suspended_user(world: &World<'_>) -> String {
    let id = user(world).await;
    world.as_admin(&format!("/admin/users/{id}/suspend"), reason()).await;
    id
}

/// An admin of their own.
const ADMIN: Object = Object::Id(|world| Box::pin(async { world.app.admin().await.user_id }));
