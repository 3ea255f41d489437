//! Opens a review, and ends it when a dispute is resolved, in the transaction that changes the job.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    job::state::{Actor, DropOff, Event},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    HOLD,
    dto::TowReviewStatus,
    queries::{self, NewReview},
};
use crate::accounting::dues;

/// The note of a review that ended without an admin's own decision about it.
const DECIDED_BY_DISPUTE: &str = "The dispute about this job was resolved.";

/// A write to the review of a job's tow.
#[derive(Debug)]
pub enum ReviewWrite<'a> {
    Open(NewReview<'a>, DateTime<Utc>),
    /// The admin resolved a dispute about the job.
    End {
        job_id: Uuid,
        admin_id: Uuid,
        at: DateTime<Utc>,
    },
}

/// Returns a new review if only the mechanic says that the vehicle was delivered, or the end of a review, because the
/// resolution of a dispute decides about the price.
pub fn review(change: &JobChange) -> Option<ReviewWrite<'_>> {
    match (&change.event, change.by) {
        (Event::Completed { drop_off: Some(drop_off), final_price_paise, .. }, _) => {
            opened(change, drop_off, *final_price_paise)
        }
        (Event::Resolved, Actor::Admin(admin)) => {
            Some(ReviewWrite::End { job_id: change.next.id.0, admin_id: admin.0, at: change.at })
        }
        _ => None,
    }
}

fn opened<'a>(change: &JobChange, drop_off: &'a DropOff, final_price_paise: i64) -> Option<ReviewWrite<'a>> {
    let DropOff { distance_m, override_reason: Some(reason), .. } = drop_off else { return None };
    let (job, assignment) = (&change.next, change.next.assignment()?);
    let new = NewReview {
        job_id: job.id.0,
        customer_id: job.spec.customer_id.0,
        mechanic_profile_id: assignment.mechanic_id.0,
        reason,
        distance_m: distance_m.map(|metres| metres.round() as i32),
        amount_paise: final_price_paise - job.price_without_tow_paise(),
        held_until: change.at + HOLD,
    };
    Some(ReviewWrite::Open(new, change.at))
}

/// Opens and ends reviews. The earnings from a tow are held while its review is open.
pub async fn keep_reviews(
    tx: &mut PgConnection,
    _: &Random,
    reviews: &[ReviewWrite<'_>],
) -> sqlx::Result<()> {
    for review in reviews {
        match review {
            ReviewWrite::Open(new, at) => {
                queries::insert(tx, new, *at).await?;
                dues::hold(tx, new.job_id, Some(new.held_until)).await?;
            }
            ReviewWrite::End { job_id, admin_id, at } => {
                let released = TowReviewStatus::Released;
                if queries::decide(tx, *job_id, released, DECIDED_BY_DISPUTE, *admin_id, *at).await? {
                    dues::hold(tx, *job_id, None).await?;
                }
            }
        }
    }
    Ok(())
}
