//! Offers: what a mechanic is asked, and their answer.
//!
//! The job's actor decides on an answer, and the database guards the decision. This area finds the caller's own offer
//! and passes the answer on, over HTTP and sockets alike.

mod dto;
mod handlers;
pub mod job_hook;
mod outcome;
pub(crate) mod queries;

use dto::OfferPhoto;
pub use dto::{Offer, OfferStatus, OfferedJob};
pub use queries::JobOfferRow;

use self::outcome::{Holder, Outcome};

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{JobId, MechanicId, OfferId, UserId},
    job::state::{Actor, Command, Refusal},
    ports::OfferStatus as EngineStatus,
};
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::Mechanic,
        uploads::{self, UploadsContext},
    },
    jobs::{self, Job, JobRow, JobsContext, Viewer},
    platform::{
        db::Db,
        error::{ApiError, ApiResult, after_commit},
        settings::{MoneySettings, Settings},
    },
};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_my_offers)
        .service(handlers::get_offer)
        .service(handlers::list_offer_photos)
        .service(handlers::accept_offer)
        .service(handlers::decline_offer);
}

/// Photos that an offer shows; more are seen once it is accepted.
const MOST_PHOTOS: usize = 3;

/// Links to the photos that came with the job of an offer that can still be answered.
async fn photos(
    context: &JobsContext,
    uploads: &UploadsContext,
    offer: &queries::OfferRow,
) -> ApiResult<Vec<OfferPhoto>> {
    let now = context.clock.now();
    if offer.status != EngineStatus::Pending || now >= offer.expires_at || offer.photo_count == 0 {
        return Ok(Vec::new());
    }
    let job = jobs::find(&context.db, offer.job_id).await?.ok_or_else(|| ApiError::not_found("offer"))?;
    let most = job.photo_urls.len().min(MOST_PHOTOS);
    let links = uploads::picture_links(uploads, &job.photo_urls[..most], offer.expires_at).await?;
    let photo =
        |(url, expires_at): (String, DateTime<Utc>)| OfferPhoto { url, expires_at: expires_at.into() };
    Ok(links.into_iter().map(photo).collect())
}

/// The newest offers that a mechanic got, whatever became of them, at most `limit`.
pub async fn newest_of(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
    settings: &Settings,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Offer>> {
    let rows = queries::newest_of(db, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(|row| shown(row, settings, now)).collect())
}

/// The offer as its mechanic may see it now: one that ended long ago says only roughly where the job was.
fn shown(row: queries::OfferRow, settings: &Settings, now: DateTime<Utc>) -> Offer {
    let is_rough = jobs::is_long_past(row.expires_at, settings, now);
    let offer = Offer::of_row(row, &settings.money);
    if is_rough { offer.roughly() } else { offer }
}

/// The mechanic accepts the job. A mechanic who already has it gets the same job again; one who accepted this offer and
/// has lost the job since gets a refusal that says so. `received_at` is when the request arrived, which counts against
/// the offer's deadline.
pub async fn accept(
    context: &JobsContext,
    mechanic: Mechanic,
    offer_id: Uuid,
    received_at: DateTime<Utc>,
) -> ApiResult<Job> {
    let offer = own(context, mechanic.profile_id, offer_id).await?;
    let (profile, user) = (MechanicId(mechanic.profile_id), UserId(mechanic.caller.user_id));
    let job = JobId(offer.job_id);
    let accepted = context.engine.accept(job, OfferId(offer.id), profile, user, received_at).await;
    let row = match accepted {
        Ok(done) => jobs::row_after(context, &done).await?,
        Err(refusal) => {
            let past = if is_past(&refusal) { accepted_before(context, &offer).await? } else { None };
            match past {
                Some((row, Outcome::StillOnIt)) => row,
                Some((_, outcome)) => return Err(outcome.refuse_repeat()),
                None => return Err(jobs::refused(refusal)),
            }
        }
    };
    Ok(jobs::present(&row, Viewer::Mechanic, context))
}

/// Whether the job says that the offer is over. The offer's row says how it ended.
fn is_past(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::OfferExpired | Refusal::OfferTaken)
}

/// If this very offer was accepted: the job, and what became of its mechanic's part in it.
async fn accepted_before(
    context: &JobsContext,
    offer: &queries::OfferRow,
) -> ApiResult<Option<(JobRow, Outcome)>> {
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

/// The mechanic declines the job.
pub async fn decline(
    context: &JobsContext,
    mechanic: Mechanic,
    offer_id: Uuid,
    reason: Option<String>,
) -> ApiResult<Offer> {
    let offer = own(context, mechanic.profile_id, offer_id).await?;
    let command = Command::Decline {
        offer_id: OfferId(offer.id),
        mechanic_id: MechanicId(mechanic.profile_id),
        reason,
    };
    let by = Actor::Mechanic(UserId(mechanic.caller.user_id));
    if let Err(refusal) = context.engine.order(JobId(offer.job_id), by, command).await {
        let past = if is_past(&refusal) { accepted_before(context, &offer).await? } else { None };
        return Err(past.map_or_else(|| jobs::refused(refusal), |(_, outcome)| outcome.refuse_decline()));
    }
    let row = own(context, mechanic.profile_id, offer_id).await.map_err(after_commit)?;
    Ok(Offer::of_row(row, &context.settings.money))
}

/// The offers of these mechanics that can still be answered, at most one each.
pub async fn pending_of(
    db: &Db,
    mechanic_profile_ids: &[Uuid],
    money: &MoneySettings,
) -> sqlx::Result<Vec<Offer>> {
    let rows = queries::pending_of(db, mechanic_profile_ids).await?;
    Ok(rows.into_iter().map(|row| Offer::of_row(row, money)).collect())
}

/// A job's offers, oldest first; if there are more than `limit`, the newest ones.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> ApiResult<Vec<JobOfferRow>> {
    let mut rows = queries::newest_of_job(db, job_id, limit).await?;
    rows.reverse();
    Ok(rows)
}

/// Revokes the offers of a mechanic who may not serve any more. Best effort: an offer that remains is refused when it
/// is accepted, or expires.
pub async fn revoke_of(context: &JobsContext, mechanic_profile_id: Uuid) {
    let pending = queries::pending_of(&context.db, &[mechanic_profile_id]).await.unwrap_or_default();
    for offer in pending {
        let (offer_id, mechanic_id) = (OfferId(offer.id), MechanicId(mechanic_profile_id));
        let revoke = Command::Revoke { offer_id, mechanic_id };
        if let Err(refusal) = context.engine.order(JobId(offer.job_id), Actor::System, revoke).await {
            tracing::warn!(offer.id = %offer.id, error.cause = %refusal, "revoking an offer failed");
        }
    }
}

async fn own(
    context: &JobsContext,
    mechanic_profile_id: Uuid,
    offer_id: Uuid,
) -> ApiResult<queries::OfferRow> {
    let found = queries::find(&context.db, offer_id, mechanic_profile_id).await?;
    found.ok_or_else(|| ApiError::not_found("offer"))
}
