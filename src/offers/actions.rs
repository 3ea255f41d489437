//! A mechanic answers an offer, or can no longer answer it.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{JobId, MechanicId, OfferId, UserId},
    job::state::{Actor, Command, Refusal},
    ports::OfferStatus as EngineStatus,
    protocol::Accept,
};
use uuid::Uuid;

use super::{
    lookup::own,
    outcome::{Holder, Outcome},
    queries::{self, OfferRow},
};
use crate::{
    jobs::{self, JobRow, JobStep, JobsContext},
    platform::{
        error::{ApiError, ApiResult, after_commit, commit_error},
        telemetry,
    },
};

/// Accepts the job for the mechanic. Returns the same job again to a mechanic who already has it, and refuses, with the reason, a
/// mechanic who accepted this offer and has lost the job since. `received_at` is when the request arrived, which counts against
/// the offer's deadline. `user` is the account of the offer's mechanic.
pub async fn accept(
    context: &JobsContext,
    offer: &OfferRow,
    step: JobStep,
    user: UserId,
    received_at: DateTime<Utc>,
) -> ApiResult<JobRow> {
    let (job, profile) = (JobId(offer.job_id), MechanicId(offer.mechanic_profile_id));
    let (offer_id, answered_ago) = (OfferId(offer.id), context.clock.now() - received_at);
    let (command, logged_under) = (context.new_command(), step.logged_under);
    let accept =
        Accept { command, logged_under, job, offer: offer_id, mechanic: profile, user, answered_ago };
    let refusal = match context.engine.ask(accept).await {
        Ok(done) => return jobs::row_after(context, &done).await,
        Err(refusal) => refusal,
    };
    let past = if is_past(&refusal) { accepted_before(context, offer).await? } else { None };
    match past {
        Some((row, Outcome::StillOnIt)) => Ok(row),
        Some((_, outcome)) => Err(outcome.refuse_repeat()),
        None => Err(jobs::refused(refusal)),
    }
}

/// Returns whether the job says that the offer is over. The offer's row says how it ended.
fn is_past(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::OfferExpired | Refusal::OfferTaken)
}

/// Returns the job and what became of the mechanic's part in it, if this very offer was accepted.
async fn accepted_before(context: &JobsContext, offer: &OfferRow) -> ApiResult<Option<(JobRow, Outcome)>> {
    let offer = own(context, offer.mechanic_profile_id, offer.id).await?;
    if offer.status != EngineStatus::Accepted {
        return Ok(None);
    }
    let row = jobs::find(&context.db, offer.job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let holder = row
        .mechanic_profile_id
        .map(|mechanic_profile_id| Holder { mechanic_profile_id, offer_id: row.accepted_offer_id });
    let outcome = Outcome::of(offer.id, offer.mechanic_profile_id, holder, row.cancelled_at.is_some());
    Ok(Some((row, outcome)))
}

/// Records that the mechanic has been shown the offer.
pub async fn see(context: &JobsContext, offer: &OfferRow) -> ApiResult<()> {
    let now = context.clock.now();
    let shown = queries::show(&context.db, offer.id, now).await.map_err(commit_error)?;
    shown.into_iter().for_each(telemetry::measure_shown_offer);
    Ok(())
}

/// Declines the job for the mechanic.
pub async fn decline(
    context: &JobsContext,
    offer: &OfferRow,
    step: JobStep,
    user: UserId,
    reason: Option<String>,
) -> ApiResult<OfferRow> {
    let (offer_id, mechanic_id) = (OfferId(offer.id), MechanicId(offer.mechanic_profile_id));
    let command = Command::Decline { offer_id, mechanic_id, reason };
    if let Err(refusal) = context.order(step, Actor::Mechanic(user), command).await {
        let past = if is_past(&refusal) { accepted_before(context, offer).await? } else { None };
        return Err(past.map_or_else(|| jobs::refused(refusal), |(_, outcome)| outcome.refuse_decline()));
    }
    own(context, offer.mechanic_profile_id, offer.id).await.map_err(after_commit)
}

/// Revokes the offers of a mechanic who may no longer serve, as far as possible: an offer that remains is refused when it is
/// accepted, or expires.
pub async fn revoke_of(context: &JobsContext, mechanic_profile_id: Uuid) {
    let pending = queries::pending_of(&context.db, &[mechanic_profile_id]).await.unwrap_or_default();
    for offer in pending {
        let (offer_id, mechanic_id) = (OfferId(offer.id), MechanicId(mechanic_profile_id));
        let revoke = Command::Revoke { offer_id, mechanic_id };
        if let Err(refusal) = context.order(offer.job_id, Actor::System, revoke).await {
            tracing::warn!(offer.id = %offer.id, error.cause = %refusal, "revoking an offer failed");
        }
    }
}
