//! What admins see of ratings, and how they hide one.

use actix_web::{HttpResponse, delete, get, web::Data};

use super::{
    actions,
    dto::{AdminRatingFilter, HiddenReason, Hide, Rater, RatingForAdmin},
    queries::{self, AdminRatingRow, RatingFilter},
};
use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{
        AdminList, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey, Timestamp, between, list,
    },
    notifications::NotifyContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// Everybody's ratings, newest first, including hidden ones.
#[utoipa::path(
    tag = "admin",
    params(
        ("mechanic_profile_id" = Option<Uuid>, Query, example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("customer_id" = Option<Uuid>, Query, example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01"),
        ("job_id" = Option<Uuid>, Query, example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01"),
        ("rater" = Option<Rater>, Query, description = "Both sides' if not given", example = "customer"),
        ("max_score" = Option<i64>, Query, minimum = 1, maximum = 5, description = "So many stars at most", example = 2),
        ("is_hidden" = Option<bool>, Query, description = "Both if not given", example = false),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<RatingForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/ratings")]
pub async fn list_ratings(
    context: Data<NotifyContext>,
    Admin(admin, _): Admin<desk::People>,
    query: Query<AdminRatingFilter>,
) -> ApiResult<HttpResponse> {
    let filter = query.read()?;
    let request = ListRequest::new(filter.page, filter.limit, filter.format, query.pairs())?;
    let max_score = filter.max_score.map(|score| score.0.0);
    if max_score.is_some_and(|score| !(1..=5).contains(&score)) {
        return Err(ApiError::invalid("max_score", "must be 1 to 5"));
    }
    let filter = RatingFilter {
        mechanic_profile_id: filter.mechanic_profile_id.map(|id| id.0),
        customer_id: filter.customer_id.map(|id| id.0),
        job_id: filter.job_id.map(|id| id.0),
        rater: filter.rater.map(|rater| rater.0),
        max_score,
        is_hidden: filter.is_hidden.map(|is_hidden| is_hidden.0.0),
        made: between(filter.from, filter.to)?,
    };
    list::<Ratings>(&context, admin.user_id, request, filter).await
}

/// All ratings.
struct Ratings;

impl AdminList for Ratings {
    const NAME: &'static str = "ratings";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "comment"];
    type Filter = RatingFilter;
    type Item = RatingForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, *filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, *filter, window).await?;
        let people = rows.iter().flat_map(|row| [row.customer_id, row.mechanic_profile_id]);
        let contacts = Contacts::of(&core.db, people).await?;
        let key = |row: &AdminRatingRow| RowKey { at: row.rating.created_at, id: row.rating.id };
        Ok(rows.into_iter().map(|row| (key(&row), RatingForAdmin::of(row, &contacts))).collect())
    }
}

/// Hides a rating: only its writer and admins still see it, and it no longer counts in its mechanic's average. Hiding
/// it again changes nothing.
#[utoipa::path(
    tag = "admin",
    params(
        ("id" = Uuid, Path),
        ("reason" = Option<HiddenReason>, Query, description = "`other` if not given", example = "abusive"),
    ),
    responses((status = 204)),
)]
#[delete("/admin/ratings/{id}")]
pub async fn hide_rating(
    context: Data<NotifyContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    query: Query<Hide>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    if !queries::exists(&context.db, id).await? {
        return Err(ApiError::not_found("rating"));
    }
    let reason = query.read()?.reason.map_or(HiddenReason::Other, |reason| reason.0);
    actions::hide(&context, admin.user_id, id, reason).await?;
    Ok(HttpResponse::NoContent().finish())
}
