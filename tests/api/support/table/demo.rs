//! The demo is a city that only waits.

use serde_json::json;

use super::{PUBLIC, Row, row};

pub const ROWS: &[Row] = &[
    row("GET /demo", PUBLIC),
    row("POST /demo/play", PUBLIC),
    row("POST /demo/stop", PUBLIC),
    row("POST /demo/sign-in", PUBLIC).body(|| json!({"as": "admin"})),
];
