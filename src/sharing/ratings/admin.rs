//! The admins' side: listing ratings, and hiding one.

use actix_web::{HttpResponse, delete, get, web::Data};

use super::{
    actions,
    dto::{HiddenReason, Hide, RatingForAdmin},
    queries::{self, AdminRatingRow, RatingFilter},
};
use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{AdminList, ExportQuery, KeyedRows, ListWindow, Owned, Page, Query, RowKey, list},
    notifications::NotifyContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// Lists everybody's ratings, newest first, including hidden ones.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(ExportQuery<RatingFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<RatingForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/ratings")]
pub async fn list_ratings(
    context: Data<NotifyContext>,
    Admin(admin, _): Admin<desk::People>,
    query: ExportQuery<RatingFilter>,
) -> ApiResult<HttpResponse> {
    list::<Ratings>(&context, admin.user_id, &query).await
}

/// The list of all ratings.
struct Ratings;

impl AdminList for Ratings {
    const NAME: &'static str = "ratings";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "comment"];
    type Filter = RatingFilter;
    type Item = RatingForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list(&core.db, filter, window).await?;
        let people = rows.iter().flat_map(|row| [row.customer_id, row.mechanic_profile_id]);
        let contacts = Contacts::of(&core.db, people).await?;
        let key = |row: &AdminRatingRow| RowKey { at: row.rating.created_at, id: row.rating.id };
        Ok(rows.into_iter().map(|row| (key(&row), RatingForAdmin::of(row, &contacts))).collect())
    }
}

/// Hides a rating: only its writer and admins still see it, and it no longer counts in its mechanic's average. A repeat changes
/// nothing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
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
