//! Opens a review, in the transaction that completes the job.

use roadcall_actors::{
    job::state::{DropOff, Event},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;

use super::{
    HOLD,
    queries::{self, NewReview},
};
use crate::{accounting::dues, platform::hooks::HookError};

/// Holds what is earned by a tow that only its mechanic says is delivered.
pub async fn open_review(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Completed { drop_off: Some(drop_off), final_price_paise, .. } = &change.event else {
        return Ok(());
    };
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
