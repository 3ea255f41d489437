use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions,
    context::RatingsContext,
    dto::{JobRatings, MechanicRating, NewRating, Rater, Rating},
    queries::{self, RatingRow},
    state::{is_revealed, ratable_until},
};
use crate::{
    accounts::auth::{Caller, Customer},
    fleet::mechanics,
    http::{Body, IdempotencyKey, ListQuery, NoFilter, Owned, OwnedBy, Page, PathIds},
    jobs::{ViewedJob, Viewer},
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Rates the other side of a job, once, within seven days (`ratings.window_s`) of its completion or of the end of its dispute.
/// Neither side can read the other's rating before both have rated, or the time for rating is over. Only then does a rating of a
/// mechanic count in their average and figures.
#[utoipa::path(
    tag = "ratings",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewRating,
    responses(
        (status = 201, body = Rating),
        (status = 409, body = ErrorBody, description = "ALREADY_RATED; INVALID_TRANSITION: the job is not completed, \
            paid or resolved; CONFLICT: the time to rate it is over; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/rating")]
pub async fn rate_job(
    context: Data<RatingsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NewRating>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let rater = rater(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let key = key.read()?;
    // The same key for another job is a different request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/rating", key, &digested);
    let make = async |claim: &Claim| {
        actions::rate(&context, caller.user_id, row.id, rater, body.read()?, claim).await
    };
    let again = async |id: Uuid, _| {
        let ratings = queries::of_job(&context.db, row.id).await?;
        ratings.into_iter().find(|rating| rating.id == id).ok_or_else(|| ApiError::not_found("rating"))
    };
    let rating = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Rating::from(rating)))
}

/// Returns how the two sides of a job rated each other, as far as the caller may read it.
#[utoipa::path(tag = "ratings", params(("id" = Uuid, Path)), responses((status = 200, body = JobRatings)))]
#[get("/jobs/{id}/ratings")]
pub async fn get_job_ratings(
    context: Data<RatingsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<JobRatings>> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let ratings = queries::of_job(&context.db, row.id).await?;
    let (now, window) = (context.clock.now(), context.rating_settings.window());
    let is_revealed = is_revealed(&row, window, ratings.len(), now);
    let may_read = |rating: &&RatingRow| match rater(viewer) {
        // Admins see every rating.
        None => true,
        Some(own) => rating.rater == own || (is_revealed && rating.hidden_at.is_none()),
    };
    let of = |rater| ratings.iter().filter(may_read).find(|rating| rating.rater == rater).cloned();
    Ok(Json(JobRatings {
        job_id: row.id,
        ratable_until: ratable_until(&row, window).map(Into::into),
        is_revealed,
        by_customer: of(Rater::Customer).map(Into::into),
        by_mechanic: of(Rater::Mechanic).map(Into::into),
    }))
}

/// Lists customers' ratings of a mechanic, newest first. A rating appears once the mechanic may read it, and counts in the
/// average at the same time or within a minute.
#[utoipa::path(
    tag = "ratings",
    params(("id" = Uuid, Path), ListQuery<NoFilter>),
    responses((status = 200, body = Page<MechanicRating>)),
)]
#[get("/mechanics/{id}/ratings")]
pub async fn list_mechanic_ratings(
    context: Data<RatingsContext>,
    mechanic: Owned<RatedMechanic, Caller>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<MechanicRating>>> {
    let RatedMechanic(id) = *mechanic;
    let (_, page) = query.read()?;
    let closed_before = context.clock.now() - context.rating_settings.window();
    let rows = queries::of_mechanic(&context.db, id, closed_before, page.limit, page.offset()).await?;
    let total = page.total(rows.len(), queries::count_of_mechanic(&context.db, id, closed_before)).await?;
    Ok(Json(page.of(rows.into_iter().map(Into::into).collect(), total)))
}

/// The id of a mechanic whose ratings everybody who is signed in may read.
#[derive(Debug, Clone, Copy)]
pub struct RatedMechanic(Uuid);

impl OwnedBy<Caller> for RatedMechanic {
    const NAME: &'static str = "mechanic";

    async fn find(core: &Core, _: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let id = path.id("id")?;
        Ok(mechanics::has_card(&core.db, id).await?.then_some(Self(id)))
    }
}

fn rater(viewer: Viewer) -> Option<Rater> {
    match viewer {
        Viewer::Customer => Some(Rater::Customer),
        Viewer::Mechanic => Some(Rater::Mechanic),
        Viewer::Admin => None,
    }
}
