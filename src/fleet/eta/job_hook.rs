//! Records an arrival in the transaction that commits it; such trips correct estimates.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries;

/// Stores the trip of an arrival that the mechanic's own position proved. The estimate was made from the mechanic's position when
/// the job was offered. The trip begins when they set out, not when they accept.
pub async fn record_arrival(tx: &mut PgConnection, _: &Random, change: &JobChange) -> sqlx::Result<()> {
    let Event::Arrived { override_reason: None, .. } = &change.event else { return Ok(()) };
    let Some(assignment) = change.next.assignment() else { return Ok(()) };
    match (assignment.offer_id, assignment.en_route_at) {
        (Some(offer_id), Some(set_out_at)) => queries::record(tx, offer_id.0, set_out_at, change.at).await,
        // An admin's assignment has no offer, so there is no estimate to compare with.
        _ => Ok(()),
    }
}
