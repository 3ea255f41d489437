//! An arrival in the transaction that commits it: what estimates are corrected by.

use roadcall_actors::{job::state::Event, ports::Change, random::Random};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Keeps the trip of an arrival that the mechanic's own position proved. The estimate was made where the offer found
/// the mechanic; its way begins when it sets out, not when it accepts.
pub async fn record_arrival(tx: &mut PgConnection, _: &Random, change: &Change) -> Result<(), HookError> {
    let Event::Arrived { override_reason: None, .. } = &change.event else { return Ok(()) };
    let Some(assignment) = change.next.assignment() else { return Ok(()) };
    match (assignment.offer_id, assignment.en_route_at) {
        (Some(offer_id), Some(set_out_at)) => {
            Ok(queries::record(tx, offer_id.0, set_out_at, change.at).await?)
        }
        // An admin's choice was promised nothing.
        _ => Ok(()),
    }
}
