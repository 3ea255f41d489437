//! A tow's writes in the transaction that changes its job.

use roadcall_actors::{
    job::state::{Destination, Event, ItemChange},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;

/// Columns of a job's row that describe its tow.
#[derive(Debug)]
pub enum TowColumns<'a> {
    Destination(Uuid, Option<&'a Destination>),
    /// How far the vehicle was towed, in metres, if that is known.
    Driven(Uuid, Option<i32>),
}

/// Returns the destination of a tow that the customer approved, none once the mechanic who proposed it has left, or how far the
/// vehicle was towed.
pub fn tow(change: &JobChange) -> Option<TowColumns<'_>> {
    let job_id = change.next.id.0;
    let had_destination = change.before.as_ref().is_some_and(|before| before.spec.destination.is_some());
    match &change.event {
        Event::ItemChanged { how: ItemChange::Approved, item } if item.destination.is_some() => {
            Some(TowColumns::Destination(job_id, item.destination.as_deref()))
        }
        Event::Released { .. } if had_destination && change.next.spec.destination.is_none() => {
            Some(TowColumns::Destination(job_id, None))
        }
        Event::Completed { drop_off: Some(drop_off), .. } => {
            // The cast saturates at the largest number.
            Some(TowColumns::Driven(job_id, drop_off.driven_m.map(|driven_m| driven_m.round() as i32)))
        }
        _ => None,
    }
}

/// Writes what changed about tows, before the rows advance and their events tell what they replaced.
pub async fn write_tows(tx: &mut PgConnection, _: &Random, tows: &[TowColumns<'_>]) -> sqlx::Result<()> {
    for tow in tows {
        match tow {
            TowColumns::Destination(job_id, destination) => {
                queries::set_destination(tx, *job_id, *destination).await?;
            }
            TowColumns::Driven(job_id, driven_m) => queries::set_driven(tx, *job_id, *driven_m).await?,
        }
    }
    Ok(())
}
