use actix_web::{
    get,
    web::{Data, Json},
};

use super::{
    dto::{PartnerReport, ReportPeriod},
    queries,
};
use crate::{
    accounts::{
        auth::PartnerVia,
        organisations::{Partner, scope},
    },
    http::{Query, Timestamp},
    platform::{core::Core, error::ApiResult},
};

/// Returns how well the service served the cases of a period: acceptance, completion, kept promises, the times of the stages and
/// the ratings. An agency gets the figures of the cases that it made.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(
        ("from" = Option<Timestamp>, Query, description = "Cases made from this time on; 30 days before `to` if not given",
            example = "2026-02-14T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Cases made before this time; now if not given. At most 366 days after `from`, \
            and 92 for a key",
            example = "2026-03-15T00:00:00Z"),
    ),
    responses((status = 200, body = PartnerReport)),
)]
#[get("/partner/report")]
pub async fn get_report(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: Query<ReportPeriod>,
) -> ApiResult<Json<PartnerReport>> {
    let is_program = matches!(caller.via, PartnerVia::Key(_));
    let period = query.read()?.read(is_program, core.clock.now())?;
    let whose = (caller.organisation_id, caller.only_made_by());
    let row = queries::report(&core.db, whose, period).await?;
    Ok(Json(PartnerReport::of(&row, period)))
}
