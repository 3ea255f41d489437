//! A job's offers, and the mechanic who gets the job, in the transactions that make and end offers.

use roadcall_actors::{ids::MechanicId, ports::Guard, random::Random};
use sqlx::PgConnection;

use super::queries;
use crate::{
    fleet::mechanics,
    jobs::log::{HookError, OfferChanges},
};

/// Checks that the mechanics who get jobs may serve, and locks them, so that this stays true until the transaction ends.
pub async fn lock_mechanics(
    tx: &mut PgConnection,
    _: &Random,
    assigned: &[(MechanicId, bool)],
) -> Result<(), HookError> {
    for (mechanic_id, is_by_offer) in assigned {
        match mechanics::lock_verified(tx, mechanic_id.0).await? {
            true => {}
            false if *is_by_offer => return Err(HookError::Refused(Guard::OfferGone)),
            false => return Err(HookError::Refused(Guard::NotVerified)),
        }
    }
    Ok(())
}

/// Inserts new offers, accepts the answered ones, and ends those that end otherwise.
pub async fn write_offers(
    tx: &mut PgConnection,
    _: &Random,
    changes: &[OfferChanges<'_>],
) -> Result<(), HookError> {
    for change in changes {
        insert_offers(tx, change).await?;
        end_offers(tx, change).await?;
    }
    Ok(())
}

async fn end_offers(tx: &mut PgConnection, change: &OfferChanges<'_>) -> Result<(), HookError> {
    let OfferChanges { accepted, ended, status, decline_reason, at, .. } = change;
    if let Some((id, answered_by)) = accepted
        && !queries::accept(tx, *id, *answered_by, *at).await?
    {
        return Err(HookError::Refused(Guard::OfferGone));
    }
    if ended.is_empty() {
        return Ok(());
    }
    let count = queries::settle(tx, ended, status, *decline_reason, *at).await?;
    // Fewer rows than offers in the actor's memory: the memory is stale.
    if count == ended.len() as u64 { Ok(()) } else { Err(HookError::Conflict) }
}

async fn insert_offers(tx: &mut PgConnection, change: &OfferChanges<'_>) -> sqlx::Result<()> {
    let made = change.made;
    let Some(first) = made.first() else { return Ok(()) };
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let columns = queries::NewOffers {
        ids: made.iter().map(|offer| offer.id.0).collect(),
        mechanic_profile_ids: made.iter().map(|offer| offer.mechanic_id.0).collect(),
        distances_m: made.iter().map(|offer| int(offer.distance_m)).collect(),
        etas_s: made.iter().map(|offer| int(offer.eta_s)).collect(),
        eta_bases_s: made.iter().map(|offer| int(offer.eta_base_s)).collect(),
        eta_sources: made.iter().map(|offer| offer.eta_source.as_str()).collect(),
        costs_s: made.iter().map(|offer| offer.cost_s).collect(),
        expire_at: made.iter().map(|offer| offer.expires_at).collect(),
    };
    let (job_id, attempt, round) = (change.job.id.0, int(change.job.attempt), int(first.round));
    queries::insert(tx, job_id, attempt, round, &columns, first.created_at).await
}
