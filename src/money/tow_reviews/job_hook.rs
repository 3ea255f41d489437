//! Opens a review, and ends it when a dispute is resolved, in the transaction that changes the job.

use roadcall_actors::{
    job::state::{Actor, DropOff, Event},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;

use super::{
    HOLD,
    dto::TowReviewStatus,
    queries::{self, NewReview},
};
use crate::{accounting::dues, jobs::log::HookError};

/// The note of a review that ended without an admin's own decision about it.
const DECIDED_BY_DISPUTE: &str = "The dispute about this job was resolved.";

/// Holds the earnings from a tow if only its mechanic says that it was delivered. Releases them when a dispute about
/// the job is resolved, because the resolution decides about the price.
pub async fn keep_review(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    match (&change.event, change.by) {
        (Event::Completed { drop_off: Some(drop_off), final_price_paise, .. }, _) => {
            open(tx, change, drop_off, *final_price_paise).await
        }
        (Event::Resolved, Actor::Admin(admin)) => {
            let (job_id, released) = (change.next.id.0, TowReviewStatus::Released);
            if queries::decide(tx, job_id, released, DECIDED_BY_DISPUTE, admin.0, change.at).await? {
                dues::hold(tx, job_id, None).await?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

async fn open(
    tx: &mut PgConnection,
    change: &JobChange,
    drop_off: &DropOff,
    final_price_paise: i64,
) -> Result<(), HookError> {
    let DropOff { distance_m, override_reason: Some(reason), .. } = drop_off else { return Ok(()) };
    let (job, Some(assignment)) = (&change.next, change.next.assignment()) else { return Ok(()) };
    let held_until = change.at + HOLD;
    let new = NewReview {
        job_id: job.id.0,
        customer_id: job.spec.customer_id.0,
        mechanic_profile_id: assignment.mechanic_id.0,
        reason,
        distance_m: distance_m.map(|metres| metres.round() as i32),
        amount_paise: final_price_paise - job.price_without_tow_paise(),
        held_until,
    };
    queries::insert(tx, &new, change.at).await?;
    Ok(dues::hold(tx, job.id.0, Some(held_until)).await?)
}
