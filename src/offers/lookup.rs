//! Offers as their mechanics and admins read them.

use chrono::{DateTime, Utc};
use roadcall_actors::ports::OfferStatus as EngineStatus;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::{
    dto::{Offer, OfferPhoto},
    queries::{self, JobOfferRow, OfferRow},
};
use crate::{
    accounting::ledger::ShareRates,
    accounts::uploads::{self, UploadLink, UploadsContext},
    jobs::{self, JobVisibility, JobsContext},
    platform::{
        db::Db,
        error::{ApiError, ApiResult},
    },
};

/// The number of photos that an offer shows. The job shows the rest once it is accepted.
const MAX_PHOTOS: usize = 3;

/// Returns links to the photos that came with the job of an offer that can still be answered.
pub async fn photos(
    context: &JobsContext,
    uploads: &UploadsContext,
    offer: &OfferRow,
) -> ApiResult<Vec<OfferPhoto>> {
    let now = context.clock.now();
    if offer.status != EngineStatus::Pending || now >= offer.expires_at || offer.photo_count == 0 {
        return Ok(Vec::new());
    }
    let job = jobs::find(&context.db, offer.job_id).await?.ok_or_else(|| ApiError::not_found("offer"))?;
    let most = job.photo_urls.len().min(MAX_PHOTOS);
    let links = uploads::picture_links(uploads, &job.photo_urls[..most], Some(offer.expires_at)).await?;
    let photo = |UploadLink { url, expires_at }: UploadLink| OfferPhoto { url, expires_at };
    Ok(links.into_iter().flatten().map(photo).collect())
}

/// Returns the mechanic's own offer, or 404 for another mechanic's.
pub async fn own(context: &JobsContext, mechanic_profile_id: Uuid, offer_id: Uuid) -> ApiResult<OfferRow> {
    let found = queries::find(&context.db, offer_id, mechanic_profile_id).await?;
    found.ok_or_else(|| ApiError::not_found("offer"))
}

/// Returns the newest offers of a mechanic, at most `limit`, however they ended.
pub async fn newest_of(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
    (visibility, rates): (&JobVisibility, ShareRates),
    now: DateTime<Utc>,
) -> ApiResult<Vec<Offer>> {
    let rows = queries::newest_of(db, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(|row| shown(row, (visibility, rates), now)).collect())
}

/// Returns the offer as its mechanic may see it now: one that ended long ago shows only roughly where the job was.
pub fn shown(row: OfferRow, (visibility, rates): (&JobVisibility, ShareRates), now: DateTime<Utc>) -> Offer {
    let is_rough = jobs::is_long_past(row.expires_at, visibility, now);
    let offer = Offer::of_row(row, rates);
    if is_rough { offer.roughly() } else { offer }
}

/// Returns the offers of these mechanics that can still be answered, at most one each.
pub async fn pending_of(
    db: &Db,
    mechanic_profile_ids: &[Uuid],
    rates: ShareRates,
) -> sqlx::Result<Vec<Offer>> {
    let rows = queries::pending_of(db, mechanic_profile_ids).await?;
    Ok(rows.into_iter().map(|row| Offer::of_row(row, rates)).collect())
}

/// Returns a job's offers, oldest first; if there are more than `limit`, the newest ones.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> ApiResult<Vec<JobOfferRow>> {
    let mut rows = queries::newest_of_job(db, job_id, limit).await?;
    rows.reverse();
    Ok(rows)
}
