//! A job's offers, and the mechanic who gets the job, in the transactions that make and end offers.

use roadcall_actors::{
    job::state::{Assignment, Event, LiveOffer},
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;
use crate::{fleet::mechanics, jobs::log::HookError};

/// Checks that the mechanic who gets the job may serve, and keeps it so until the transaction ends.
pub async fn lock_mechanic(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Accepted { assignment, .. } = &change.event else { return Ok(()) };
    match mechanics::lock_verified(tx, assignment.mechanic_id.0).await? {
        true => Ok(()),
        false if assignment.offer_id.is_some() => Err(HookError::Refused(Guard::OfferGone)),
        false => Err(HookError::Refused(Guard::NotVerified)),
    }
}

/// Inserts new offers, accepts the answered one, and ends those that the event ends.
pub async fn write_offers(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if let Event::OffersMade { offers } = &change.event {
        return insert_offers(tx, change, offers).await;
    }
    if let Event::Accepted { assignment: Assignment { offer_id: Some(offer_id), .. }, answered_at, .. } =
        &change.event
    {
        let answered_by = *answered_at - change.next.spec.search.offer_grace;
        if !queries::accept(tx, offer_id.0, answered_by, change.at).await? {
            return Err(HookError::Refused(Guard::OfferGone));
        }
    }
    let (ended, status) = change.event.ended_offers();
    if ended.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = ended.iter().map(|id| id.0).collect();
    let reason = match &change.event {
        Event::OfferDeclined { reason, .. } => reason.as_deref(),
        _ => None,
    };
    let count = queries::settle(tx, &ids, status.as_str(), reason, change.at).await?;
    // Fewer rows than offers in the actor's memory: the memory is stale.
    if count == ids.len() as u64 { Ok(()) } else { Err(HookError::Conflict) }
}

async fn insert_offers(
    tx: &mut PgConnection,
    change: &JobChange,
    made: &[LiveOffer],
) -> Result<(), HookError> {
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
    let (job_id, attempt, round) = (change.next.id.0, int(change.next.attempt), int(first.round));
    Ok(queries::insert(tx, job_id, attempt, round, &columns, first.created_at).await?)
}
