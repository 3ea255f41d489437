use actix_web::{HttpResponse, patch, web::Data};
use roadcall_actors::{
    geo::Point,
    ids::{MechanicId, UserId},
    job::state::{Actor, Command, ContactDetails, Correction, DetailChanges, JobSummary, NewPickup},
};
use std::sync::Arc;

use super::dto::JobCorrection;
use crate::{
    accounts::{
        auth::Customer,
        uploads::{self, FileRef, JobPhotoFile},
    },
    catalogue::categories,
    http::{Body, Change, Owned, Patch, ValidationErrors},
    jobs::{
        Job, JobRow, JobsContext, Viewer,
        dto::ContactPreference,
        handlers::{answer, customer::availability, job_id},
        offered_description, pricing, summary,
    },
    platform::error::{ApiError, ApiResult, ErrorBody},
};

type Photos = Vec<FileRef<JobPhotoFile>>;

/// Corrects the caller's job while no mechanic is on the way. A job that moves while a mechanic is sought is offered anew; a
/// mechanic who has accepted it is notified.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = JobCorrection,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a mechanic is on the way already; \
            PRICE_CHANGED: the job costs more at the new place; CONFLICT: the job was corrected 20 times"),
    ),
)]
#[patch("/jobs/{id}")]
pub async fn correct_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<JobCorrection>,
) -> ApiResult<HttpResponse> {
    let (row, Customer(caller)) = job.into_parts();
    let mut wanted = body.read()?;
    let photos = check(&context, &row, &mut wanted).await?;
    let correction = correction(&context, &row, wanted, photos).await?;
    let command = Command::Correct(Box::new(correction));
    let done = context.engine.order(job_id(row.id), Actor::Customer(UserId(caller.user_id)), command).await;
    answer(&context, row.id, Viewer::Customer, done).await
}

/// What the fields' own types can't tell; the new photos where there are to be others.
async fn check(context: &JobsContext, row: &JobRow, wanted: &mut JobCorrection) -> ApiResult<Option<Photos>> {
    let mut faults = ValidationErrors::default();
    match (&wanted.pickup_lat, &wanted.pickup_lng) {
        (Change::To(_), Change::Keep) => faults.add("pickup_lng", "is required with pickup_lat"),
        (Change::Keep, Change::To(_)) => faults.add("pickup_lat", "is required with pickup_lng"),
        (Change::Keep, Change::Keep) | (Change::To(_), Change::To(_)) => {}
    }
    let lacks_phone = |contact: &ContactDetails| {
        contact.beneficiary_phone.is_none() && contact.preference != ContactPreference::Booker.as_str()
    };
    if wanted.contact(row).as_ref().is_some_and(lacks_phone) {
        faults.add("beneficiary_phone", "is required if the mechanic is to call the beneficiary");
    }
    let photos = match std::mem::take(&mut wanted.photo_urls) {
        Change::Keep => None,
        Change::To(urls) => {
            let urls = uploads::numbered("photo_urls", urls.0);
            Some(uploads::refer(&context.db, context, row.customer_id, urls, &mut faults).await?)
        }
    };
    faults.into_result()?;
    Ok(photos)
}

async fn correction(
    context: &JobsContext,
    row: &JobRow,
    wanted: JobCorrection,
    photos: Option<Photos>,
) -> ApiResult<Correction> {
    let pickup = match (&wanted.pickup_lat, &wanted.pickup_lng) {
        (Change::To(lat), Change::To(lng)) => new_pickup(context, row, Point::new(lat.0, lng.0)).await?,
        _ => None,
    };
    let contact = wanted.contact(row);
    let description = match wanted.description {
        Patch::Keep => None,
        Patch::Clear => Some(None),
        Patch::Set(text) => Some(Some(text.0)),
    };
    let summary = description.as_ref().map(|description| {
        let description = description.as_deref().map(offered_description);
        Arc::new(JobSummary { description, ..summary::of_row(row) })
    });
    let details = DetailChanges {
        pickup_address: changed(wanted.pickup_address).map(|text| text.0),
        description,
        photo_urls: photos.map(|files| files.into_iter().map(FileRef::into_url).collect()),
        contact,
    };
    Ok(Correction { details, summary, pickup, quoted_price_paise: wanted.quoted_price.map(|price| price.0) })
}

fn changed<T>(change: Change<T>) -> Option<T> {
    match change {
        Change::Keep => None,
        Change::To(value) => Some(value),
    }
}

/// The new place and what the way there costs: from the mechanic on the job, or from the nearest one that could come. `None`
/// where the job is there already.
async fn new_pickup(context: &JobsContext, row: &JobRow, point: Point) -> ApiResult<Option<NewPickup>> {
    if point == Point::new(row.pickup_lat, row.pickup_lng) {
        return Ok(None);
    }
    let category = categories::find(&context.db, row.service_category_id).await?;
    let category = category.ok_or_else(|| ApiError::internal("a job without its category"))?;
    let Some(mechanic) = row.mechanic_profile_id else {
        let supply = availability(context, point, row.vehicle_type, &category).await?;
        let price = pricing::price(&category, supply.nearest.map(|nearest| nearest.distance_m));
        return Ok(Some(NewPickup { point, travel_price_paise: price.travel_paise, eta_s: None }));
    };
    let last = context.engine.mechanic(MechanicId(mechanic)).await.and_then(|mechanic| mechanic.last);
    let way = last.map(|fix| context.engine.estimate(fix.point, point));
    let travel_price_paise = match way {
        Some(way) => pricing::price(&category, Some(way.distance_m)).travel_paise,
        None => row.travel_price_paise,
    };
    Ok(Some(NewPickup { point, travel_price_paise, eta_s: way.map(|way| way.eta_s) }))
}
