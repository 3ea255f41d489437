use super::{PARTICIPANT, PUBLIC, Row, SIGNED_IN, jobs::ACCEPTED_JOB, row, shares::GUEST_TOKEN};

pub const ROWS: &[Row] = &[
    row("GET /jobs/{id}/stream", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /shares/{token}/stream", PUBLIC).of(GUEST_TOKEN),
    row("POST /ws/ticket", SIGNED_IN),
    row("GET /ws", SIGNED_IN),
];
