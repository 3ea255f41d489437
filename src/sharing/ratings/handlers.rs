use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    dto::{JobRatings, MechanicRating, NewRating, Rater, Rating, RatingPage},
    queries::{self, Parties, RatingRow},
    state::{NotRatable, check_ratable, is_revealed, ratable_until},
};
use crate::{
    accounts::auth::{self, Caller, Customer},
    fleet::mechanics,
    http::{Body, Owned, OwnedBy, Page, PageParams, PathIds, Query},
    jobs::{self, ViewedJob, Viewer},
    notifications::{self, Addressee, DomainEvent, NotifyContext},
    platform::core::Core,
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
        settings::Settings,
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
    let new = body.read()?;
    new.errors(rater).into_result()?;
    let rating = rate(&context, &caller, row.id, rater, new).await?;
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

/// Stores the rating. The second one of a job reveals both, and counts the customer's in the mechanic's average, in the
/// same transaction.
async fn rate(
    context: &NotifyContext,
    caller: &Caller,
    job_id: Uuid,
    rater: Rater,
    new: NewRating,
) -> ApiResult<RatingRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, caller.user_id).await?;
    // Under this lock no dispute can begin.
    let job = jobs::lock(&mut tx, job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let rated = queries::of_job(&mut *tx, job_id).await?;
    if rated.iter().any(|rating| rating.rater == rater) {
        return Err(already_rated());
    }
    check_ratable(&job, window(&context.settings), now).map_err(not_ratable)?;
    let mechanic_profile_id = job.mechanic_profile_id;
    let mechanic_profile_id =
        mechanic_profile_id.ok_or_else(|| ApiError::internal("a completed job without a mechanic"))?;
    let row = row(context, job_id, rater, new, now);
    let parties = Parties { customer_id: job.customer_id, mechanic_profile_id };
    queries::insert(&mut tx, &row, parties).await?;
    if !rated.is_empty() {
        if let Some(counted) = queries::count_of_job(&mut tx, job_id, now).await? {
            mechanics::count_rating(&mut tx, counted.mechanic_profile_id, counted.score, 1).await?;
        }
        // From here on, each side may read the other's rating.
        let to = match rater {
            Rater::Customer => Addressee::Mechanic(mechanic_profile_id),
            Rater::Mechanic => Addressee::User(job.customer_id),
        };
        notifications::record(&mut tx, &context.random, DomainEvent::RatingReceived { to, job_id }, now)
            .await?;
    }
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(row)
}

fn row(context: &NotifyContext, job_id: Uuid, rater: Rater, new: NewRating, now: DateTime<Utc>) -> RatingRow {
    RatingRow {
        id: context.random.id(now),
        job_id,
        rater,
        score: i32::try_from(new.score.0).unwrap_or_default(),
        tags: new.tags.map(|tags| tags.collapsed()).unwrap_or_default(),
        comment: new.comment.map(|text| text.0),
        created_at: now,
        hidden_at: None,
    }
}

fn rater(viewer: Viewer) -> Option<Rater> {
    match viewer {
        Viewer::Customer => Some(Rater::Customer),
        Viewer::Mechanic => Some(Rater::Mechanic),
        Viewer::Admin => None,
    }
}

fn window(settings: &Settings) -> TimeDelta {
    TimeDelta::seconds(settings.ratings.window_s)
}

fn not_ratable(refusal: NotRatable) -> ApiError {
    let code = match refusal {
        NotRatable::Status(_) => Code::InvalidTransition,
        NotRatable::TooLate(_) => Code::Conflict,
    };
    ApiError::new(code, refusal.to_string())
}

fn already_rated() -> ApiError {
    ApiError::new(Code::AlreadyRated, "You have already rated this job.")
}
