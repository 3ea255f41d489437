//! Customers' jobs and an idle service cost the same, whether there are partners or not.

use serde_json::json;

use super::{insurer, until_told, with_receivers};
use crate::{
    notices::least,
    support::{Stranded, bodies::id_of, roadside::PICKUP, spawn_app_behind, wire::Wire},
};

/// Returns the messages to Postgres that a new job and its reading take.
async fn taken(wire: &Wire, stranded: &Stranded) -> [u64; 2] {
    let created = least(wire, async || {
        // The request goes all the way to the commit, which the vehicle's open job refuses.
        stranded.client.post("/jobs", stranded.call_body()).await.refused(409, "ACTIVE_JOB_EXISTS");
    });
    let listed = async || drop(stranded.client.get("/jobs").await.expect(200));
    [created.await, least(wire, listed).await]
}

#[actix_web::test]
async fn a_customers_job_takes_no_more_statements_beside_partners() {
    let (app, wire) = spawn_app_behind(with_receivers).await;
    let stranded = app.breakdown_at((PICKUP.0 + 5.0, PICKUP.1)).await;
    stranded.call().await;
    let alone = taken(&wire, &stranded).await;
    let insurer = insurer(&app, json!({})).await;
    until_told(&insurer, &id_of(&insurer.case().await), "job.searching").await;
    assert_eq!(taken(&wire, &stranded).await, alone);
}
