use serde_json::json;

use super::{
    Object, PARTICIPANT, PARTY, PEOPLE, Row, SIGNED_IN, World,
    jobs::{ACCEPTED_JOB, DONE_JOB, done_job},
    made,
    mechanics::VERIFIED_MECHANIC,
    row,
};

pub const ROWS: &[Row] = &[
    row("POST /jobs/{id}/rating", PARTY)
        .of(DONE_JOB)
        .body(|| json!({"score": 5, "tags": ["polite"], "comment": "Quick and friendly"})),
    row("GET /jobs/{id}/ratings", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /mechanics/{id}/ratings", SIGNED_IN).of(VERIFIED_MECHANIC),
    row("GET /admin/ratings", PEOPLE),
    row("DELETE /admin/ratings/{id}", PEOPLE).of(RATING),
];

/// The customer's rating of the mechanic.
const RATING: Object = Object::Id(|world| Box::pin(rating(world)));

async fn rating(world: &World<'_>) -> String {
    let path = format!("/jobs/{}/rating", done_job(world).await);
    made(world.customer(), &path, json!({"score": 2})).await
}
