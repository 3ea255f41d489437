use super::{
    Object, PARTICIPANT, PARTY, Row, World,
    jobs::{ACCEPTED_JOB, accepted_job},
    made, nothing, row,
};

pub const ROWS: &[Row] = &[
    row("POST /jobs/{id}/calls/token", PARTY).of(ACCEPTED_JOB).body(nothing),
    row("POST /jobs/{id}/calls", PARTY).of(ACCEPTED_JOB).body(nothing),
    row("GET /jobs/{id}/calls", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /calls/{id}", PARTICIPANT).of(CALL),
    row("POST /calls/{id}/accept", PARTY).of(CALL).body(nothing),
    row("POST /calls/{id}/reject", PARTY).of(CALL).body(nothing),
    row("POST /calls/{id}/end", PARTY).of(CALL).body(nothing),
];

/// A call of the customer to the mechanic, about their job.
const CALL: Object = Object::Id(|world| Box::pin(call(world)));

async fn call(world: &World<'_>) -> String {
    let path = format!("/jobs/{}/calls", accepted_job(world).await);
    made(world.customer(), &path, nothing()).await
}
