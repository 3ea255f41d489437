use serde_json::json;

use super::{HERE, OWN_MECHANIC, OWN_PROFILE, Object, Row, World, jobs::open_job, nothing, row};
use crate::support::{bodies::id_of, within};

pub const ROWS: &[Row] = &[
    row("GET /mechanics/me/offers", OWN_PROFILE),
    row("GET /offers/{id}", OWN_MECHANIC).of(OFFER),
    row("GET /offers/{id}/photos", OWN_MECHANIC).of(OFFER),
    row("POST /offers/{id}/seen", OWN_MECHANIC).of(OFFER).body(nothing),
    row("POST /offers/{id}/accept", OWN_MECHANIC).of(OFFER).body(nothing),
    row("POST /offers/{id}/decline", OWN_MECHANIC).of(OFFER).body(|| json!({"reason": "too far"})),
];

/// An offer to the mechanic for a job of the customer.
const OFFER: Object = Object::Id(|world| Box::pin(offer(world)));

async fn offer(world: &World<'_>) -> String {
    let mechanic = world.mechanic();
    let online = json!({"is_available": true, "lat": HERE.0, "lng": HERE.1});
    mechanic.put("/mechanics/me/availability", online).await.expect(200);
    let job = open_job(world).await;
    within("the mechanic is offered the job", async {
        loop {
            let offers = mechanic.get("/mechanics/me/offers").await.expect(200);
            let mut offers = offers["data"].as_array().into_iter().flatten();
            if let Some(offer) = offers.find(|offer| offer["job_id"] == *job) {
                return id_of(offer);
            }
        }
    })
    .await
}
