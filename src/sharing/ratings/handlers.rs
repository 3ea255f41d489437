use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions,
    dto::{JobRatings, MechanicRating, NewRating, Rater, Rating, RatingPage},
    queries::{self, RatingRow},
    state::{is_revealed, ratable_until, window},
};
use crate::{
    accounts::auth::{Caller, Customer},
    fleet::mechanics,
    http::{Body, Owned, OwnedBy, Page, PageParams, PathIds, Query},
    jobs::{ViewedJob, Viewer},
    notifications::NotifyContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
    },
};

/// Rates the other side of a job, once, within seven days (`ratings.window_s`) of its completion or of the end of its
/// dispute. Neither side reads the other's rating before both have rated, or nobody may any more. Only then does a
/// rating of a mechanic count in their average and figures.
#[utoipa::path(
    tag = "ratings",
    params(("id" = Uuid, Path)),
    request_body = NewRating,
    responses(
        (status = 201, body = Rating),
        (status = 409, body = ErrorBody, description = "ALREADY_RATED; INVALID_TRANSITION: the job is not completed, \
            paid or resolved; CONFLICT: the time to rate it is over"),
    ),
)]
#[post("/jobs/{id}/rating")]
pub async fn rate_job(
    context: Data<NotifyContext>,
    job: Owned<ViewedJob, Customer>,
    body: Body<NewRating>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let rater = rater(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let rating = actions::rate(&context, caller.user_id, row.id, rater, body.read()?).await?;
    Ok(HttpResponse::Created().json(Rating::from(rating)))
}

/// How the two sides of a job rated each other, as far as the caller may read it.
#[utoipa::path(tag = "ratings", params(("id" = Uuid, Path)), responses((status = 200, body = JobRatings)))]
#[get("/jobs/{id}/ratings")]
pub async fn get_job_ratings(
    context: Data<NotifyContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<JobRatings>> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let ratings = queries::of_job(&context.db, row.id).await?;
    let (now, window) = (context.clock.now(), window(&context.settings));
    let is_revealed = is_revealed(&row, window, ratings.len(), now);
    let may_read = |rating: &&RatingRow| match rater(viewer) {
        // Admins.
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

/// Customers' ratings of a mechanic, newest first. A rating appears once the mechanic may read it, and counts in the
/// average at the same time or within a minute.
#[utoipa::path(
    tag = "ratings",
    params(
        ("id" = Uuid, Path),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<MechanicRating>)),
)]
#[get("/mechanics/{id}/ratings")]
pub async fn list_mechanic_ratings(
    context: Data<NotifyContext>,
    mechanic: Owned<RatedMechanic, Caller>,
    params: Query<RatingPage>,
) -> ApiResult<Json<Page<MechanicRating>>> {
    let RatedMechanic(id) = *mechanic;
    let params = params.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let closed_before = context.clock.now() - window(&context.settings);
    let rows = queries::of_mechanic(&context.db, id, closed_before, page.limit, page.offset()).await?;
    let total = queries::count_of_mechanic(&context.db, id, closed_before).await?;
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
