//! Records arrivals in the transaction that commits them; such trips correct estimates.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries::{self, NewTrip};

/// Returns the trip of an arrival that the mechanic's own position proved. The estimate was made from the mechanic's position when
/// the job was offered. The trip begins when they set out, not when they accept.
pub fn trip(change: &JobChange) -> Option<NewTrip> {
    let Event::Arrived { override_reason: None, .. } = &change.event else { return None };
    let assignment = change.next.assignment()?;
    // An admin's assignment has no offer, so there is no estimate to compare with.
    let (offer_id, set_out_at) = assignment.offer_id.zip(assignment.en_route_at)?;
    Some(NewTrip { offer_id: offer_id.0, set_out_at, arrived_at: change.at })
}

/// Stores the trips.
pub async fn record_trips(tx: &mut PgConnection, _: &Random, trips: &[NewTrip]) -> sqlx::Result<()> {
    queries::record(tx, trips).await
}
