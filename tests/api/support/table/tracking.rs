use serde_json::{Value, json};

use super::{HERE, OWN_PROFILE, PARTICIPANT, Row, jobs::ACCEPTED_JOB, row};

pub const ROWS: &[Row] = &[
    row("POST /mechanics/me/location", OWN_PROFILE).body(positions),
    row("GET /jobs/{id}/events", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/location", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/route", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/way-ahead", PARTICIPANT).of(ACCEPTED_JOB),
];

fn positions() -> Value {
    json!({"points": [{
        "seq": 1, "lat": HERE.0, "lng": HERE.1, "accuracy_m": 8, "speed_mps": 0, "heading": 90,
        "recorded_at": "2026-01-05T10:00:00Z", "is_mock": false,
    }]})
}
