use std::time::Duration;

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};
use chrono::TimeDelta;
use roadcall_actors::protocol::{HoldsQuery, SurveyQuery};

use super::{
    alarms::{Look, alarms},
    dto::{DispatchPrices, HoldFigures, Roster, RosterParams, SwitchbackReport},
    picture, queries,
    roster::RosterSums,
    switchback::{self, KNOWN_AFTER, SETTLING, switched_hours},
    view::Names,
};
use crate::{
    accounts::auth::{Admin, desk},
    catalogue::{categories, dispatch_settings},
    dispatch::context::DispatchContext,
    http::Query,
    platform::error::{ApiError, ApiResult, Code},
};

/// The maximum number of rows of a roster: one for each hour, class and place.
const MAX_ROWS: i64 = 20_000;
/// The number of settings versions that a report reads; further ones are left out.
const MAX_VERSIONS: i64 = 10_000;
/// The number of days that a roster covers if none is given, and the maximum.
const DAYS: i64 = 28;
const MAX_DAYS: i64 = 92;
/// How long a request waits for the engine's numbers.
const SURVEY_TIMEOUT: Duration = Duration::from_secs(2);

/// Shows the present price of an hour of mechanics' time.
///
/// Mechanics with the same skills form a class. Its price is the number of jobs that are lost for each hour that one of them is
/// away, given the calls of the last hour and the mechanics who are online; it follows once a minute. A price near 0 means that
/// there are more than enough of them.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    responses((status = 200, body = DispatchPrices)),
)]
#[get("/admin/dispatch/prices")]
pub async fn get_dispatch_prices(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
) -> ApiResult<Json<DispatchPrices>> {
    let is_on = context.dispatch.current().settings.mechanic_prices;
    let survey = context.engine.ask(SurveyQuery { within: SURVEY_TIMEOUT }).await;
    let (Ok((counts, markets)), Ok(holds)) = (survey, context.engine.ask(HoldsQuery).await) else {
        return Err(ApiError::new(Code::Unavailable, "The dispatcher is busy. Try again in a moment."));
    };
    let names = Names::of(categories::all(&context.db).await?);
    let looks: Vec<Look> = markets.iter().map(Look::of).collect();
    Ok(Json(DispatchPrices {
        is_on,
        towns: names.towns(&markets),
        alarms: alarms(&looks, &holds, &names, context.clock.now()),
        holds: HoldFigures::from(&holds),
        advice: counts.dispatcher.advice.into(),
    }))
}

/// Shows when one more mechanic would be worth most, and of which class: whom to hire, and for when.
///
/// The roster has averages of the recorded prices by class and hour of the local day. `dearest` has the hours of all classes in
/// which one more mechanic would save most; each class has its conclusion in `advice`. Calls that no online mechanic could serve
/// are missing, as a class without mechanics has no price.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 92, description = "How far to look back; 28 if not given")),
    responses((status = 200, body = Roster)),
)]
#[get("/admin/dispatch/roster")]
pub async fn get_roster(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
    params: Query<RosterParams>,
) -> ApiResult<Json<Roster>> {
    Ok(Json(roster(&context, params.read()?).await?))
}

/// Draws the roster as a picture (SVG): a row for each class, at most 24 of them, and a column for each hour of the local day,
/// darker where one more mechanic would have saved more.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 92, description = "How far to look back; 28 if not given")),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml")))),
)]
#[get("/admin/dispatch/roster/picture")]
pub async fn get_roster_picture(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
    params: Query<RosterParams>,
) -> ApiResult<HttpResponse> {
    let roster = roster(&context, params.read()?).await?;
    let picture = picture::draw(&roster, &context.settings.operator.time_zone);
    Ok(HttpResponse::Ok().content_type("image/svg+xml").body(picture))
}

/// Measures the effect of prices: compares the calls in hours with prices and in hours without.
///
/// While the dispatch setting `price_switchback` is on, one of every two hours has prices and the other has not, in a fixed
/// random order. This is better than comparing before and after: weather, holidays and the day of the week are the same for both.
/// It takes some weeks until the interval is narrow. Hours in which the setting changed do not count.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 92, description = "How far to look back; 28 if not given")),
    responses((status = 200, body = SwitchbackReport)),
)]
#[get("/admin/dispatch/switchback")]
pub async fn get_switchback(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
    params: Query<RosterParams>,
) -> ApiResult<Json<SwitchbackReport>> {
    let now = context.clock.now();
    let (since, until) = (now - days(params.read()?)?, now - KNOWN_AFTER);
    let versions = dispatch_settings::since(&context.db, since, MAX_VERSIONS).await?;
    let settings = context.dispatch.current().settings;
    let hours = switched_hours(&context.dispatch.file(), &versions, since, until);
    let calls = match hours.is_empty() {
        true => Vec::new(),
        false => {
            queries::calls_by_hour(&context.db, since, until, SETTLING.num_seconds(), settings.in_time_s)
                .await?
        }
    };
    let is_on = settings.mechanic_prices && settings.price_switchback;
    Ok(Json(switchback::report(is_on, since, until, &hours, &calls)))
}

fn days(params: RosterParams) -> ApiResult<TimeDelta> {
    let days = params.days.map_or(DAYS, |days| days.0.0);
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(ApiError::invalid("days", format!("must be 1 to {MAX_DAYS}")));
    }
    Ok(TimeDelta::days(days))
}

async fn roster(context: &DispatchContext, params: RosterParams) -> ApiResult<Roster> {
    let since = context.clock.now() - days(params)?;
    let zone = &context.settings.operator.time_zone;
    let rows = queries::hours(&context.db, since, zone.name(), MAX_ROWS).await?;
    let looks = queries::looks(&context.db, since, zone.name()).await?;
    let names = Names::of(categories::all(&context.db).await?);
    Ok(RosterSums::of(rows, &looks).roster(&names, since, zone))
}
