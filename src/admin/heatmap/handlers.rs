use actix_web::{
    get,
    web::{Data, Json},
};
use tokio::task::spawn_blocking;

use super::{
    cells::cells,
    dto::{CellResolution, HeatMap, HeatMapParams},
    queries::{self, DemandFilter},
};
use crate::{
    accounts::auth::{Admin, desk},
    admin::{FiguresContext, figures::FiguresPeriod},
    http::{Day, Query},
    platform::error::{ApiError, ApiResult},
};

/// The maximum number of jobs of one heat map; more are refused.
const MAX_JOBS: i64 = 200_000;
/// The maximum number of cells of one heat map; more are refused.
const MAX_CELLS: usize = 2_000;

/// Returns where customers called from in a period, and how soon help came there, in cells of H3. Jobs count by when their search
/// began; a day and an hour are local ones (`operator.time_zone`).
#[utoipa::path(
    tag = "admin",
    params(
        ("bbox" = String, Query, description = "west,south,east,north in degrees. If west is greater than east, the box \
            crosses the date line. With more than 200,000 jobs, choose a smaller one, or fewer days.",
            example = "77.55,12.93,77.65,13.01",
            pattern = r"^-?[0-9]{1,3}([.][0-9]{1,15})?(,-?[0-9]{1,3}([.][0-9]{1,15})?){3}$"),
        ("from" = Option<Day>, Query, description = "First day; six days before `to` if not given", example = "2026-03-09"),
        ("to" = Option<Day>, Query, description = "Last day, included, at most 91 days later; today if not given", example = "2026-03-15"),
        ("hour" = Option<i64>, Query, minimum = 0, maximum = 23, description = "Only of this hour of the day", example = 8),
        ("resolution" = Option<i64>, Query, minimum = 3, maximum = 10, description = "Of H3, 8 if not given. With more than \
            2,000 cells, choose a lower one.", example = 8),
    ),
    responses((status = 200, body = HeatMap)),
)]
#[get("/admin/heatmap")]
pub async fn get_heat_map(
    _: Admin<desk::Any>,
    context: Data<FiguresContext>,
    params: Query<HeatMapParams>,
) -> ApiResult<Json<HeatMap>> {
    let HeatMapParams { bbox, from, to, hour, resolution } = params.read()?;
    let zone = &context.settings.operator.time_zone;
    let period = FiguresPeriod::new(from, to, zone, context.clock.now())?;
    let (hour, resolution) =
        (hour.map(|hour| hour.0.0), resolution.map_or(CellResolution::USUAL, |wanted| wanted.0).0);
    let filter = DemandFilter {
        bounds: bbox.0.0,
        from: period.start(),
        to: period.end(),
        hour: hour.map(i32::from),
        zone: zone.name(),
    };
    let calls = queries::calls(&context.db, &filter, MAX_JOBS + 1).await?;
    let jobs = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    if i64::from(jobs) > MAX_JOBS {
        let why = format!("has more than {MAX_JOBS} jobs in this time; choose a smaller box, or fewer days");
        return Err(ApiError::invalid("bbox", why));
    }
    let made = spawn_blocking(move || cells(&calls, resolution, MAX_CELLS)).await;
    let made = made.map_err(|error| ApiError::internal(error.to_string()))?;
    let too_fine = || format!("gives more than {MAX_CELLS} cells here; choose a lower one, or a smaller box");
    Ok(Json(HeatMap {
        from: period.from.to_string(),
        to: period.to.to_string(),
        time_zone: zone.to_string(),
        hour,
        resolution,
        jobs,
        cells: made.ok_or_else(|| ApiError::invalid("resolution", too_fine()))?,
    }))
}
