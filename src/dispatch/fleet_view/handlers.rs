use actix_web::{
    get,
    web::{Data, Json},
};

use super::{
    FleetWindow, Looked,
    dto::{FleetParams, FleetView},
};
use crate::{
    accounts::auth::{Admin, desk},
    dispatch::context::DispatchContext,
    http::Query,
    platform::error::ApiResult,
};

/// The mechanics who are online in a box, and the open jobs there.
///
/// From zoom 10 on each is shown by itself, if there are at most 2,000 mechanics and 2,000 jobs in the box; otherwise
/// `cells` count them. Scheduled jobs are there from when their dispatch begins. Positions are live, jobs at most a
/// second old. On a socket, `fleet.subscribe` keeps the same up to date.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(
        ("bbox" = String, Query, description = "west,south,east,north in degrees. If west is greater than east, the box \
            crosses the date line.", example = "77.55,12.93,77.65,13.01",
            pattern = r"^-?[0-9]{1,3}([.][0-9]{1,15})?(,-?[0-9]{1,3}([.][0-9]{1,15})?){3}$"),
        ("zoom" = i64, Query, minimum = 0, maximum = 22, description = "As of web maps: at 0 the world has 256 pixels.",
            example = 13),
        ("details" = Option<bool>, Query, description = "Whether `jobs` are all that are open, in the box and elsewhere, and \
            `details` say what a list shows of them and of the mechanics: names, phones, addresses", example = false),
    ),
    responses((status = 200, body = FleetView)),
)]
#[get("/admin/fleet")]
pub async fn get_fleet(
    Admin(admin, _): Admin<desk::Dispatch>,
    context: Data<DispatchContext>,
    params: Query<FleetParams>,
) -> ApiResult<Json<FleetView>> {
    let FleetParams { bbox, zoom, details } = params.read()?;
    let window = FleetWindow::new(bbox.0, zoom.0).with_details(details.is_some_and(|asked| asked.0.0));
    let looked = super::look(&context, &context.fleet, window).await?;
    super::record_read(&context, admin.user_id, &looked).await?;
    let Looked { view, listed } = looked;
    Ok(Json(FleetView { details: listed.map(Into::into), ..view }))
}
