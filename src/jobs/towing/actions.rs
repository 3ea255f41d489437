//! The mechanic's actions with a vehicle that has to be towed.

use std::sync::Arc;

use roadcall_actors::{
    geo::Point,
    job::state::{Command, ItemKind, ItemTerms, Receiver},
};

use super::{
    choosing,
    dto::{DestinationChoice, LoadVehicle},
};
use crate::{
    accounts::uploads::{self, FileRef, JobPhotoFile},
    catalogue::categories,
    fleet::mechanics,
    http::ValidationErrors,
    jobs::{
        actions::MechanicIds,
        context::JobsContext,
        line_items::{self, LineItem},
        lookup::row_after,
        pricing,
        queries::{self, JobRow},
        step::JobStep,
    },
    platform::{
        error::{ApiError, ApiResult, Code},
        idempotency::Claim,
    },
    wire::refused,
};

/// Loads the vehicle onto the truck. Repeated with the same photos, it returns the same job. Other photos are refused, since they
/// would not be kept: a vehicle is loaded once.
pub async fn load(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
    loaded: LoadVehicle,
) -> ApiResult<JobRow> {
    let mut faults = ValidationErrors::default();
    let urls = uploads::numbered("photo_urls", loaded.photo_urls.0);
    let photos: Vec<FileRef<JobPhotoFile>> =
        uploads::refer(&context.db, context, mechanic.user.0, urls, &mut faults).await?;
    faults.into_result()?;
    let photo_urls: Vec<String> = photos.into_iter().map(FileRef::into_url).collect();
    let command = Command::Load { mechanic_id: mechanic.profile, photo_urls: photo_urls.clone() };
    let done = context.order(step, mechanic.actor(), command).await.map_err(refused)?;
    if !done.is_new {
        let kept = queries::photos(&context.db, step.job_id).await?;
        let is_kept = |url: &String| kept.iter().any(|photo| photo.file_url == *url);
        if !photo_urls.iter().all(is_kept) {
            return Err(loaded_with_others());
        }
    }
    row_after(context, &done).await
}

fn loaded_with_others() -> ApiError {
    let why =
        "The vehicle was loaded before, so these photos were not kept. Add them to the photos of the job.";
    ApiError::new(Code::Conflict, why)
}

/// Proposes a tow, whose price the service computes, as a line item. Completes the claim with it.
pub async fn propose_tow(
    context: &JobsContext,
    row: &JobRow,
    mechanic: MechanicIds,
    choice: DestinationChoice,
    claim: &Claim,
) -> ApiResult<LineItem> {
    let mut faults = ValidationErrors::default();
    let chosen = choice.chosen(true, &mut faults);
    faults.into_result()?;
    let chosen = chosen.ok_or_else(|| ApiError::internal("a destination that is neither right nor wrong"))?;
    let served = mechanics::categories_of(&context.db, mechanic.profile.0).await?;
    let towing = categories::towing(&context.db, &served, row.vehicle_type).await?;
    let towing = towing.into_iter().next().ok_or_else(cannot_tow)?;
    let pickup = Point::new(row.pickup_lat, row.pickup_lng);
    let hauled = choosing::haul(context, pickup, chosen).await?;
    let terms = ItemTerms {
        kind: ItemKind::Tow,
        description: towing.name.clone(),
        quantity: 1,
        unit_price_paise: pricing::tow_paise(&towing, row.base_price_paise, hauled.haul.distance_m),
        photo_url: None,
    };
    let destination = Arc::new(hauled.destination(Receiver::default()));
    line_items::propose_at_price(context, row.id, mechanic, (terms, Some(destination)), claim).await
}

fn cannot_tow() -> ApiError {
    let why = "You are not verified to tow this type of vehicle. Complete the job as needs_tow, so that the customer can call for a \
               tow truck.";
    ApiError::new(Code::Conflict, why)
}
