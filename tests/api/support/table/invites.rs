use serde_json::{Value, json};

use super::{Object, PUBLIC, Row, SUPER_ADMIN, made, number, row};

pub const ROWS: &[Row] = &[
    row("POST /idp/accounts", PUBLIC).body(|| json!({"token": "none of ours", "password": "not a password"})),
    row("POST /super-admin/invites", SUPER_ADMIN).body(new_invite),
    row("POST /super-admin/sms/test", SUPER_ADMIN).body(|| json!({"phone": "+919800000000"})),
    row("POST /super-admin/mail/test", SUPER_ADMIN).body(|| json!({"email": "owner@example.com"})),
    row("GET /super-admin/invites", SUPER_ADMIN),
    row("DELETE /super-admin/invites/{id}", SUPER_ADMIN).of(INVITE),
];

/// A pending invitation of an admin.
const INVITE: Object =
    Object::Id(|world| Box::pin(made(world.super_admin(), "/super-admin/invites", new_invite())));

fn new_invite() -> Value {
    json!({"email": format!("kiran{}@example.com", number()), "role": "admin"})
}
