use serde_json::{Value, json};

use super::{
    MECHANIC, MONEY, NOBODY, OWN_MECHANIC, Object, PARTICIPANT, PARTY, Row, World,
    jobs::{ACCEPTED_JOB, done_job},
    made, row,
};

pub const ROWS: &[Row] = &[
    row("POST /jobs/{id}/dispute", PARTY).of(ACCEPTED_JOB).body(new_dispute),
    row("GET /jobs/{id}/dispute", PARTICIPANT).of(DISPUTED_JOB),
    row("POST /jobs/{id}/dispute/statements", PARTY)
        .of(DISPUTED_JOB)
        .body(|| json!({"statement": "The tyre held when I left."})),
    row("GET /jobs/{id}/dispute/statements", PARTICIPANT).of(DISPUTED_JOB),
    row("GET /wallet/disputes", MECHANIC),
    row("POST /wallet/disputes", MECHANIC).body(new_dispute_of_mechanic),
    row("GET /wallet/disputes/{id}", OWN_MECHANIC).of(DISPUTE),
    row("GET /admin/disputes", MONEY),
    row("POST /admin/jobs/{id}/resolve", MONEY)
        .of(DISPUTED_JOB)
        .body(|| json!({"outcome": "split", "price_reduction": 100, "note": "Half of it holds"})),
];

/// The customer's job, done by the mechanic and disputed.
const DISPUTED_JOB: Object = Object::Id(|world| Box::pin(async { disputed_job(world).await.0 }));

/// The dispute of such a job.
const DISPUTE: Object = Object::Id(|world| Box::pin(async { disputed_job(world).await.1 }));

/// Returns a disputed job, and its dispute.
async fn disputed_job(world: &World<'_>) -> (String, String) {
    let job = done_job(world).await;
    let dispute = made(world.customer(), &format!("/jobs/{job}/dispute"), new_dispute()).await;
    (job, dispute)
}

fn new_dispute() -> Value {
    json!({
        "reason_code": "poor_work", "description": "Flat again", "evidence_urls": ["https://files.example/flat.jpg"],
    })
}

fn new_dispute_of_mechanic() -> Value {
    json!({
        "job_id": NOBODY, "reason_code": "not_paid", "description": "It was not paid", "evidence_urls": [],
    })
}
