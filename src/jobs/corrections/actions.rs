//! A job is corrected.

use std::sync::Arc;

use chrono::TimeDelta;
use roadcall_actors::{
    geo::Point,
    ids::MechanicId,
    job::state::{Actor, Command, Correction, DetailChanges, NewPickup, Refusal, may_correct},
    ports::Eta,
    protocol::{Committed, LastFix},
};

use super::dto::JobCorrection;
use crate::{
    accounts::uploads::{self, FileRef, JobPhotoFile},
    catalogue::categories,
    jobs::{
        actions::check_taken,
        context::JobsContext,
        dto::begins_at,
        lookup::row_after,
        pricing,
        queries::{self, JobRow},
        summary::{self, offered_description},
        supply,
    },
    platform::error::{ApiError, ApiResult},
    wire::refused,
};

/// Corrects the job that was read as `row`, and returns the corrected job. Does nothing if nothing would change.
pub async fn correct(
    context: &JobsContext,
    row: JobRow,
    by: Actor,
    wanted: JobCorrection,
) -> ApiResult<JobRow> {
    let mut done = try_to_correct(context, &row, by, wanted.clone()).await?;
    if done == Err(Refusal::JobChanged) {
        let row = queries::find(&context.db, row.id).await?.ok_or_else(|| ApiError::not_found("job"))?;
        done = try_to_correct(context, &row, by, wanted).await?;
    }
    match done.map_err(refused)? {
        Some(done) => row_after(context, &done).await,
        None => Ok(row),
    }
}

/// Corrects the job that was read as `row`; returns `None` if there is nothing to correct.
async fn try_to_correct(
    context: &JobsContext,
    row: &JobRow,
    by: Actor,
    wanted: JobCorrection,
) -> ApiResult<Result<Option<Committed>, Refusal>> {
    if let Err(refusal) = may_correct(row.status.0, corrections_of(row)) {
        return Ok(Err(refusal));
    }
    let Some(correction) = correction(context, row, by, wanted).await? else { return Ok(Ok(None)) };
    let done = context.order(row.id, by, Command::Correct(Box::new(correction))).await;
    Ok(done.map(Some))
}

fn corrections_of(row: &JobRow) -> u32 {
    u32::try_from(row.corrections).unwrap_or_default()
}

async fn correction(
    context: &JobsContext,
    row: &JobRow,
    by: Actor,
    wanted: JobCorrection,
) -> ApiResult<Option<Correction>> {
    let photo_urls = check(context, row, &wanted).await?;
    let pickup = match wanted.point(row) {
        Some(point) => Some(new_pickup(context, row, point).await?),
        None => None,
    };
    let quoted_price_paise = wanted.quoted_price.map(|price| price.0);
    let lead = TimeDelta::seconds(context.job_settings.schedule_lead_s);
    let now = context.clock.now();
    let time = wanted.time(row, lead, now);
    if let Some(time) = &time
        && time.begin_at < begins_at(row.scheduled_for, lead, now)
    {
        check_taken(context, by, time.begin_at)?;
    }
    let details = wanted.details(row, photo_urls);
    if pickup.is_none() && time.is_none() && details == DetailChanges::default() {
        return Ok(None);
    }
    let summary = (details.description.is_some() || details.photo_urls.is_some()).then(|| {
        let mut summary = summary::of_row(row);
        if let Some(description) = &details.description {
            summary.description = description.as_deref().map(offered_description);
        }
        if let Some(urls) = &details.photo_urls {
            summary.photo_count = summary::count(urls.len());
        }
        Arc::new(summary)
    });
    let seen_corrections = corrections_of(row);
    Ok(Some(Correction { seen_corrections, details, summary, pickup, time, quoted_price_paise }))
}

/// Checks the correction. Returns the URLs of the new photos if the photos change.
async fn check(
    context: &JobsContext,
    row: &JobRow,
    wanted: &JobCorrection,
) -> ApiResult<Option<Vec<String>>> {
    let horizon = TimeDelta::seconds(context.job_settings.schedule_max_s);
    let mut faults = wanted.faults(row, horizon, context.clock.now());
    let photos: Option<Vec<FileRef<JobPhotoFile>>> = match wanted.photos(row) {
        None => None,
        Some(urls) => {
            let urls = uploads::numbered("photo_urls", urls.iter().cloned());
            Some(uploads::refer(&context.db, context, row.customer_id, urls, &mut faults).await?)
        }
    };
    faults.into_result()?;
    Ok(photos.map(|files| files.into_iter().map(FileRef::into_url).collect()))
}

/// Returns the new place and its travel price: from the mechanic on the job, or else from the nearest one who could come.
async fn new_pickup(context: &JobsContext, row: &JobRow, point: Point) -> ApiResult<NewPickup> {
    let category = categories::find(&context.db, row.service_category_id).await?;
    let category = category.ok_or_else(|| ApiError::internal("a job without its category"))?;
    let Some(mechanic) = row.mechanic_profile_id.map(MechanicId) else {
        let nearest = supply::nearest(context, point, row.vehicle_type, &category).await?;
        let price = pricing::price(&category, nearest.map(|nearest| nearest.distance_m), None);
        return Ok(NewPickup { point, travel_price_paise: price.travel_paise, mechanic: None, eta_s: None });
    };
    let last = context.engine.ask(LastFix { mechanic }).await.ok().flatten();
    let way = last.map(|fix| context.etas.estimate(fix.point, point, context.clock.now()));
    let travel_price_paise = match way {
        Some(way) => pricing::price(&category, Some(way.distance_m), None).travel_paise,
        None => row.travel_price_paise,
    };
    let (mechanic, eta_s) = (Some(mechanic), way.map(|way| way.eta_s));
    Ok(NewPickup { point, travel_price_paise, mechanic, eta_s })
}
