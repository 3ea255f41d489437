//! Offers: what a mechanic is asked, and its answer.
//!
//! The job's actor is the referee of an answer, the database the second; here the caller's own offer is found and
//! the answer is handed over, over HTTP and sockets alike.

mod dto;
mod handlers;
pub(crate) mod queries;

pub use dto::{Offer, OfferStatus};
pub use queries::JobOfferRow;

use std::collections::HashSet;

use actix_web::web::Data;
use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{JobId, MechanicId, OfferId, UserId},
    job::state::{Actor, Command},
};
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    auth::{Mechanic, VerifiedMechanic},
    db::Db,
    error::{ApiError, ApiResult, after_commit},
    jobs::{self, Job, Viewer},
    state::AppState,
    web::to_the_end,
};

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::list_my_offers).service(handlers::accept_offer).service(handlers::decline_offer);
}

/// The newest offers that a mechanic got, whatever became of them, at most `limit`.
pub async fn newest_of(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<Offer>> {
    let rows = queries::newest_of(db, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(Offer::from).collect())
}

/// The mechanic takes the job; answered again with the same job if it has it already. `received_at` is when the
/// answer came in at the door: what counts against the offer's deadline.
pub async fn accept(
    state: Data<AppState>,
    mechanic: VerifiedMechanic,
    offer_id: Uuid,
    received_at: DateTime<Utc>,
) -> ApiResult<Job> {
    let offer = own(&state, mechanic.profile_id, offer_id).await?;
    to_the_end(async move {
        let (profile, user) = (MechanicId(mechanic.profile_id), UserId(mechanic.caller.user_id));
        let job = JobId(offer.job_id);
        let accepted = state.engine.accept(job, OfferId(offer.id), profile, user, received_at).await;
        accepted.map_err(jobs::refused)?;
        let row = jobs::find(&state.db, offer.job_id)
            .await
            .map_err(after_commit)?
            .ok_or_else(|| ApiError::not_found("job"))?;
        Ok(jobs::present(&row, Viewer::Mechanic, &state.settings))
    })
    .await
}

/// The mechanic does not want the job.
pub async fn decline(
    state: Data<AppState>,
    mechanic: Mechanic,
    offer_id: Uuid,
    reason: Option<String>,
) -> ApiResult<Offer> {
    let offer = own(&state, mechanic.profile_id, offer_id).await?;
    to_the_end(async move {
        let command = Command::Decline {
            offer_id: OfferId(offer.id),
            mechanic_id: MechanicId(mechanic.profile_id),
            reason,
        };
        let by = Actor::Mechanic(UserId(mechanic.caller.user_id));
        state.engine.order(JobId(offer.job_id), by, command).await.map_err(jobs::refused)?;
        own(&state, mechanic.profile_id, offer_id).await.map(Offer::from).map_err(after_commit)
    })
    .await
}

/// The offers of these mechanics that may still be answered, at most one each.
pub async fn pending_of(db: &Db, mechanic_profile_ids: &[Uuid]) -> sqlx::Result<Vec<Offer>> {
    let rows = queries::pending_of(db, mechanic_profile_ids).await?;
    Ok(rows.into_iter().map(Offer::from).collect())
}

/// Those of the offers that may still be answered.
pub async fn open_among(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<HashSet<Uuid>> {
    Ok(queries::pending_among(db, ids).await?.into_iter().collect())
}

/// A job's offers, the oldest first; of more than `limit` the newest.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> ApiResult<Vec<JobOfferRow>> {
    let mut rows = queries::newest_of_job(db, job_id, limit).await?;
    rows.reverse();
    Ok(rows)
}

/// Takes back what was offered to a mechanic that may not serve any more. Best effort: an offer that stays is
/// refused at its accept, or expires.
pub async fn revoke_of(state: &AppState, mechanic_profile_id: Uuid) {
    let pending = queries::pending_of(&state.db, &[mechanic_profile_id]).await.unwrap_or_default();
    for offer in pending {
        let (offer_id, mechanic_id) = (OfferId(offer.id), MechanicId(mechanic_profile_id));
        let revoke = Command::Revoke { offer_id, mechanic_id };
        if let Err(refusal) = state.engine.order(JobId(offer.job_id), Actor::System, revoke).await {
            tracing::warn!(offer.id = %offer.id, error.cause = %refusal, "an offer was not revoked");
        }
    }
}

async fn own(state: &AppState, mechanic_profile_id: Uuid, offer_id: Uuid) -> ApiResult<queries::OfferRow> {
    let found = queries::find(&state.db, offer_id, mechanic_profile_id).await?;
    found.ok_or_else(|| ApiError::not_found("offer"))
}
