use serde_json::{Value, json};

use super::{PARTICIPANT, PARTY, Row, jobs::ACCEPTED_JOB, number, row};

pub const ROWS: &[Row] = &[
    row("GET /jobs/{id}/messages", PARTICIPANT).of(ACCEPTED_JOB),
    row("POST /jobs/{id}/messages", PARTY).of(ACCEPTED_JOB).body(new_message),
    row("POST /jobs/{id}/messages/read", PARTY).of(ACCEPTED_JOB).body(|| json!({"up_to_seq": 1})),
];

fn new_message() -> Value {
    json!({
        "client_message_id": format!("019ceb78-6b20-7b20-9e32-{:012}", number()), "type": "text",
        "body": "Beside the metro pillar", "file_url": null, "lat": null, "lng": null,
    })
}
