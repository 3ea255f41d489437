//! Stores the mechanic's report, in the transaction that cancels the job.

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{dto::NoShowStatus, queries};

/// A no-show that a mechanic reported.
#[derive(Debug)]
pub struct NoShowClaim {
    /// The job, its customer, and the mechanic's profile.
    ids: (Uuid, Uuid, Uuid),
    status: NoShowStatus,
    amount_paise: i64,
    at: DateTime<Utc>,
}

/// Returns a reported no-show: the customer owes for a proven one and can contest it; an unproven one waits for an
/// admin.
pub fn claim(change: &JobChange) -> Option<NoShowClaim> {
    let Event::Cancelled { claimed_paise: Some(amount_paise), fee_paise, .. } = change.event else {
        return None;
    };
    let (job, assignment) = (&change.next, change.next.assignment()?);
    let ids = (job.id.0, job.spec.customer_id.0, assignment.mechanic_id.0);
    let status = if fee_paise > 0 { NoShowStatus::Due } else { NoShowStatus::Open };
    Some(NoShowClaim { ids, status, amount_paise, at: change.at })
}

/// Stores reported no-shows.
pub async fn keep_claims(tx: &mut PgConnection, _: &Random, claims: &[NoShowClaim]) -> sqlx::Result<()> {
    for NoShowClaim { ids, status, amount_paise, at } in claims {
        queries::insert(tx, *ids, *status, *amount_paise, *at).await?;
    }
    Ok(())
}
