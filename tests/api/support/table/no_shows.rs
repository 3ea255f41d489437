use serde_json::json;

use super::{MONEY, OWNER_CUSTOMER, Object, PARTICIPANT, Row, World, jobs::accepted_job, row};
use crate::support::money::insert_no_show;

pub const ROWS: &[Row] = &[
    row("GET /jobs/{id}/no-show", PARTICIPANT).of(NO_SHOW),
    row("POST /jobs/{id}/contest-no-show", OWNER_CUSTOMER)
        .of(NO_SHOW)
        .body(|| json!({"statement": "I was beside the scooter"})),
    row("GET /admin/no-shows", MONEY),
    row("POST /admin/jobs/{id}/decide-no-show", MONEY)
        .of(NO_SHOW)
        .body(|| json!({"charge": true, "note": "The trail shows it"})),
];

/// The customer's job, whose mechanic says that nobody was there.
const NO_SHOW: Object = Object::Id(|world| Box::pin(no_show(world)));

async fn no_show(world: &World<'_>) -> String {
    let job = accepted_job(world).await;
    insert_no_show(&world.app.database.db, &job).await;
    job
}
