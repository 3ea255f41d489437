use serde_json::{Value, json};

use super::{CUSTOMER, PEOPLE, PUBLIC, Row, SETTINGS, SUPER_ADMIN, row, users::USER};

pub const ROWS: &[Row] = &[
    row("GET /privacy-notice", PUBLIC),
    row("GET /admin/privacy-notices", SETTINGS),
    row("POST /super-admin/privacy-notices", SUPER_ADMIN).body(notice),
    row("GET /users/me/consent", CUSTOMER),
    row("PUT /users/me/consent", CUSTOMER).body(|| json!({"version": 1, "language": "en"})),
    row("DELETE /users/me/consent", CUSTOMER),
    row("GET /admin/users/{id}/consent", PEOPLE).of(USER),
];

/// Returns a notice that follows a missing version, so that nobody has to agree to it.
fn notice() -> Value {
    json!({"texts": {"en": "We keep your number.", "hi": null, "kn": null}, "ask_again": true, "follows": 1_000_000})
}
