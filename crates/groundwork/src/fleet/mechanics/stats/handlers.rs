use actix_web::{
    get,
    web::{Data, Json},
};
use roadcall_accounts::auth::{AnyMechanic, OwnProfile};
use roadcall_http::{Query, Timestamp};
use roadcall_platform::error::ApiResult;

use super::{
    dto::{MechanicStats, StatsQuery},
    queries,
};
use crate::fleet::mechanics::MechanicsContext;

/// Returns the caller's figures: offers, jobs, ratings, earnings, and trips as far as they are known.
#[utoipa::path(
    tag = "mechanics",
    params(
        ("from" = Option<Timestamp>, Query, description = "30 days before `to` if not given; at most 366 days before it",
            example = "2026-02-14T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Now if not given; does not belong to the period",
            example = "2026-03-15T00:00:00Z"),
        ("step_s" = Option<i64>, Query, minimum = 3600, maximum = 604800,
            description = "Divides the period into `steps` of so many seconds, at most 62", example = 86400),
    ),
    responses((status = 200, body = MechanicStats)),
)]
#[get("/mechanics/me/stats")]
pub async fn get_my_mechanic_stats(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    query: Query<StatsQuery>,
) -> ApiResult<Json<MechanicStats>> {
    let query = query.read()?;
    let asked = query.step_s;
    let period = query.period(context.clock.now())?;
    let step_s = period.step_s(asked)?;
    let row = queries::of_period(&context.db, mechanic.profile_id, period).await?;
    let steps = match step_s {
        Some(step_s) => {
            Some((step_s, queries::steps(&context.db, mechanic.profile_id, period, step_s).await?))
        }
        None => None,
    };
    Ok(Json(MechanicStats::of(row, period, steps, context.settings.currency.clone())))
}
