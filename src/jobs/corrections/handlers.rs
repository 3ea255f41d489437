use actix_web::{HttpResponse, patch, web::Data};
use chrono::TimeDelta;
use roadcall_actors::{
    engine::CommandDone,
    geo::Point,
    ids::{MechanicId, UserId},
    job::state::{Actor, Command, Correction, DetailChanges, NewPickup, Refusal, may_correct},
};
use std::sync::Arc;

use super::dto::JobCorrection;
use crate::{
    accounts::{
        auth::Customer,
        uploads::{self, FileRef, JobPhotoFile},
    },
    catalogue::categories,
    http::{Body, Owned},
    jobs::{
        Job, JobRow, JobsContext, Viewer,
        handlers::{answer, customer::availability, job_id},
        offered_description, present, pricing, queries, refused, summary,
    },
    platform::error::{ApiError, ApiResult, ErrorBody},
};

/// Corrects the caller's job while no mechanic is on the way, or moves it to another time until its search begins. If the pickup
/// moves while it is looking for a mechanic, it is offered again; a mechanic who has accepted it is notified. If nothing would change, nothing happens.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = JobCorrection,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a mechanic is on the way already, or \
            the search has begun and the time can't be moved any more; \
            PRICE_CHANGED: the job costs more at the new place; CONFLICT: the job was corrected 20 times, or keeps changing \
            meanwhile"),
    ),
)]
#[patch("/jobs/{id}")]
pub async fn correct_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<JobCorrection>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let wanted = body.read()?;
    let by = Actor::Customer(UserId(caller.user_id));
    let mut done = correct(&context, &row, by, wanted.clone()).await?;
    if done == Err(Refusal::JobChanged) {
        let row = queries::find(&context.db, row.id).await?.ok_or_else(|| ApiError::not_found("job"))?;
        done = correct(&context, &row, by, wanted).await?;
    }
    match done {
        Ok(None) => Ok(HttpResponse::Ok().json(present(&row, Viewer::Customer, &context))),
        Ok(Some(done)) => answer(&context, Viewer::Customer, Ok(done)).await,
        Err(refusal) => Err(refused(refusal)),
    }
}

/// Corrects the job that was read as `row`; `None` if there is nothing to correct.
async fn correct(
    context: &JobsContext,
    row: &JobRow,
    by: Actor,
    wanted: JobCorrection,
) -> ApiResult<Result<Option<CommandDone>, Refusal>> {
    if let Err(refusal) = may_correct(row.status.0, corrections_of(row)) {
        return Ok(Err(refusal));
    }
    let Some(correction) = correction(context, row, wanted).await? else { return Ok(Ok(None)) };
    let done = context.engine.order(job_id(row.id), by, Command::Correct(Box::new(correction))).await;
    Ok(done.map(Some))
}

fn corrections_of(row: &JobRow) -> u32 {
    u32::try_from(row.corrections).unwrap_or_default()
}

async fn correction(
    context: &JobsContext,
    row: &JobRow,
    wanted: JobCorrection,
) -> ApiResult<Option<Correction>> {
    let photo_urls = check(context, row, &wanted).await?;
    let pickup = match wanted.point(row) {
        Some(point) => Some(new_pickup(context, row, point).await?),
        None => None,
    };
    let quoted_price_paise = wanted.quoted_price.map(|price| price.0);
    let lead = TimeDelta::seconds(context.settings.jobs.schedule_lead_s);
    let time = wanted.time(row, lead, context.clock.now());
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
    let horizon = TimeDelta::seconds(context.settings.jobs.schedule_max_s);
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

/// The new place and its travel price: from the mechanic on the job, or else from the nearest one who could come.
async fn new_pickup(context: &JobsContext, row: &JobRow, point: Point) -> ApiResult<NewPickup> {
    let category = categories::find(&context.db, row.service_category_id).await?;
    let category = category.ok_or_else(|| ApiError::internal("a job without its category"))?;
    let Some(mechanic) = row.mechanic_profile_id.map(MechanicId) else {
        let supply = availability(context, point, row.vehicle_type, &category).await?;
        let price = pricing::price(&category, supply.nearest.map(|nearest| nearest.distance_m));
        return Ok(NewPickup { point, travel_price_paise: price.travel_paise, mechanic: None, eta_s: None });
    };
    let last = context.engine.mechanic(mechanic).await.and_then(|mechanic| mechanic.last);
    let way = last.map(|fix| context.engine.estimate(fix.point, point));
    let travel_price_paise = match way {
        Some(way) => pricing::price(&category, Some(way.distance_m)).travel_paise,
        None => row.travel_price_paise,
    };
    let (mechanic, eta_s) = (Some(mechanic), way.map(|way| way.eta_s));
    Ok(NewPickup { point, travel_price_paise, mechanic, eta_s })
}
