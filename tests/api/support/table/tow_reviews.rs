use serde_json::json;

use super::{MONEY, Object, Row, World, jobs::accepted_job, row};
use crate::support::money::insert_tow_review;

pub const ROWS: &[Row] = &[
    row("GET /admin/tow-reviews", MONEY),
    row("POST /admin/jobs/{id}/decide-tow", MONEY)
        .of(REVIEWED)
        .body(|| json!({"pay": true, "note": "The workshop says that it came"})),
];

/// The customer's job, whose tow an admin reviews.
const REVIEWED: Object = Object::Id(|world| Box::pin(reviewed(world)));

async fn reviewed(world: &World<'_>) -> String {
    let job = accepted_job(world).await;
    insert_tow_review(&world.app.database.db, &job).await;
    job
}
