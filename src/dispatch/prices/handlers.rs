use std::time::Duration;

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};
use chrono::TimeDelta;

use super::{
    MAX_ROWS,
    dto::{DispatchPrices, Roster, RosterParams},
    picture, queries,
    roster::RosterSums,
    view::Names,
};
use crate::{
    accounts::auth::Admin,
    catalogue::categories,
    dispatch::DispatchContext,
    http::Query,
    platform::error::{ApiError, ApiResult, Code},
};

/// Days that a roster covers if none are given, and at most.
const DAYS: i64 = 28;
const MAX_DAYS: i64 = 92;
/// How long a request waits for the engine's numbers.
const SURVEY_TIMEOUT: Duration = Duration::from_secs(2);

/// What an hour of mechanics' time costs now.
///
/// Mechanics who serve the same form a class. Its price is the number of jobs that are lost for each hour that one of
/// them is away, by the calls of the last hour and those who are online; it follows once a minute. A price near 0 means
/// that there are more than enough of them.
#[utoipa::path(tag = "admin", responses((status = 200, body = DispatchPrices)))]
#[get("/admin/dispatch/prices")]
pub async fn get_dispatch_prices(
    _: Admin,
    context: Data<DispatchContext>,
) -> ApiResult<Json<DispatchPrices>> {
    let is_on = context.dispatch.current().settings.mechanic_prices;
    let Some((counts, markets)) = context.engine.survey(SURVEY_TIMEOUT).await else {
        return Err(ApiError::new(Code::Unavailable, "The dispatcher is busy. Try again in a moment."));
    };
    let names = Names::of(categories::all(&context.db).await?);
    Ok(Json(DispatchPrices { is_on, towns: names.towns(&markets), advice: counts.dispatcher.advice.into() }))
}

/// When one more mechanic would be worth most, and of what kind: whom to hire, and for when.
///
/// Averages of the recorded prices by class and hour of the local day. `dearest` has the hours of all classes in which
/// one more mechanic would save most; each class says in `advice` what follows for it. What is not seen here: calls of a
/// kind that none who was online serves, as a class without mechanics has no price.
#[utoipa::path(
    tag = "admin",
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 92, description = "How far to look back; 28 if not given")),
    responses((status = 200, body = Roster)),
)]
#[get("/admin/dispatch/roster")]
pub async fn get_roster(
    _: Admin,
    context: Data<DispatchContext>,
    params: Query<RosterParams>,
) -> ApiResult<Json<Roster>> {
    Ok(Json(roster(&context, params.read()?).await?))
}

/// The roster as a picture (SVG): a row for each class, at most 24 of them, and a column for each hour of the local day, darker where
/// one more mechanic would have saved more.
#[utoipa::path(
    tag = "admin",
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 92, description = "How far to look back; 28 if not given")),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml")))),
)]
#[get("/admin/dispatch/roster/picture")]
pub async fn get_roster_picture(
    _: Admin,
    context: Data<DispatchContext>,
    params: Query<RosterParams>,
) -> ApiResult<HttpResponse> {
    let picture = picture::draw(&roster(&context, params.read()?).await?);
    Ok(HttpResponse::Ok().content_type("image/svg+xml").body(picture))
}

async fn roster(context: &DispatchContext, params: RosterParams) -> ApiResult<Roster> {
    let days = params.days.map_or(DAYS, |days| days.0.0);
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(ApiError::invalid("days", format!("must be 1 to {MAX_DAYS}")));
    }
    let since = context.clock.now() - TimeDelta::days(days);
    let utc_offset_minutes = context.settings.eta.utc_offset_minutes;
    let offset = i32::try_from(utc_offset_minutes).unwrap_or_default();
    let rows = queries::hours(&context.db, since, offset, MAX_ROWS).await?;
    let looks = queries::looks(&context.db, since, offset).await?;
    let names = Names::of(categories::all(&context.db).await?);
    Ok(RosterSums::of(rows, &looks).roster(&names, since, utc_offset_minutes))
}
