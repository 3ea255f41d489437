//! A tow's writes in the transaction that changes its job.

use roadcall_actors::{
    job::state::{Event, ItemChange},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Writes the destination of a tow that the customer approved, and removes it when the mechanic who proposed it leaves, before
/// the row advances and its event tells what it replaced. Also stores how far the vehicle was towed.
pub async fn write_destination(
    tx: &mut PgConnection,
    _: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let job_id = change.next.id.0;
    match &change.event {
        Event::ItemChanged { how: ItemChange::Approved, item } if item.destination.is_some() => {
            queries::set_destination(tx, job_id, item.destination.as_deref()).await?;
        }
        Event::Released { .. } if change.next.spec.destination.is_none() => {
            queries::set_destination(tx, job_id, None).await?;
        }
        Event::Completed { drop_off: Some(drop_off), .. } => {
            // The cast saturates at the largest number.
            let driven_m = drop_off.driven_m.map(|driven_m| driven_m.round() as i32);
            queries::set_driven(tx, job_id, driven_m).await?;
        }
        _ => {}
    }
    Ok(())
}
